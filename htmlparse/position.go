package htmlparse

// lineCounter turns offsets of decoded text into lines and columns. It goes on from the offset it was asked for last,
// so that offsets asked for in nearly ascending order cost one pass over the text.
type lineCounter struct {
	offset       int
	line, column int // of offset, from 0
}

// at gives the line and column of an offset of src, both from 1. Columns are code points of the preprocessed
// input stream, in which CRLF is one newline: both its bytes have the same column.
func (l *lineCounter) at(src string, offset int) (line, column int) {
	if offset < l.offset {
		l.back(src, offset)
	}
	for ; l.offset < offset; l.offset++ {
		switch {
		case endsLine(src, l.offset):
			l.line++
			l.column = 0
		case countsAsColumn(src[l.offset]):
			l.column++
		}
	}
	return l.line + 1, l.column + 1
}

// back goes back to an offset in the same line, or else to the start of the line that the offset is in.
func (l *lineCounter) back(src string, offset int) {
	sameLine := true
	for l.offset > offset {
		l.offset--
		switch {
		case endsLine(src, l.offset):
			l.line--
			sameLine = false
		case countsAsColumn(src[l.offset]):
			l.column--
		}
	}
	if sameLine {
		return
	}
	for l.offset > 0 && !endsLine(src, l.offset-1) {
		l.offset--
	}
	l.column = 0
}

// endsLine says whether the byte at i is the last one of a newline: LF, CRLF or CR.
func endsLine(src string, i int) bool {
	return src[i] == '\n' || src[i] == '\r' && (i+1 == len(src) || src[i+1] != '\n')
}

// countsAsColumn says whether a byte within a line is the first one of a code point. The CR of CRLF is not counted.
func countsAsColumn(c byte) bool { return c&0xC0 != 0x80 && c != '\r' }

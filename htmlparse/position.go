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
	for i := l.offset; i < offset; i++ {
		switch c := src[i]; {
		case c == '\n', c == '\r' && (i+1 == len(src) || src[i+1] != '\n'):
			l.line++
			l.column = 0
		case c == '\r', c&0xC0 == 0x80: // the LF behind it and the code point's first byte count
		default:
			l.column++
		}
	}
	l.offset = offset
	return l.line + 1, l.column + 1
}

// back goes to the start of the line that an earlier offset is in, or stays in the line and counts back.
func (l *lineCounter) back(src string, offset int) {
	for l.offset > offset {
		switch c := src[l.offset-1]; {
		case c == '\n', c == '\r' && (l.offset == len(src) || src[l.offset] != '\n'):
			l.line--
			l.column = -1
		case c == '\r', c&0xC0 == 0x80:
		default:
			l.column--
		}
		l.offset--
	}
	if l.column >= 0 {
		return
	}
	start := offset
	for start > 0 && src[start-1] != '\n' && src[start-1] != '\r' {
		start--
	}
	l.offset, l.column = start, 0
}

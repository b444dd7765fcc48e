package htmlparse

// escapes say how text is escaped in a place.
// https://html.spec.whatwg.org/multipage/parsing.html#escapingString
type escapes struct {
	class class  // the bytes that begin what is escaped
	quote uint64 // eight bytes with the bit that an ampersand has and a quote has not, 0 if quotes stay
}

var (
	textEscapes      = escapes{textEscapeClass, 0}
	attributeEscapes = escapes{attributeEscapeClass, ones * ('&' ^ '"')}
)

const nbsp = "\u00A0" // the bytes C2 A0

// plainRun is the offset of the first byte at or after i that begins something escaped, or an nbsp's first byte; len(s)
// if there is none. It looks at eight bytes at a time, the last ones together with some before them.
func (e *escapes) plainRun(s string, i int) int {
	if len(s) < 8 {
		return e.class.until(s, i)
	}
	for ; len(s)-i >= 8; i += 8 {
		if found := e.find(load64(s[i:])); found != 0 {
			return i + firstHigh(found)
		}
	}
	last := len(s) - 8
	found := e.find(load64(s[last:]))
	found = found >> (8 * (i - last)) << (8 * (i - last)) // without what is before i
	return last + firstHigh(found)
}

// find has the high bit of the first of the eight bytes of x that begin something escaped, and maybe some behind it.
func (e *escapes) find(x uint64) uint64 {
	angle := (x | ones*('<'^'>')) ^ ones*'>' // zero bytes where < and > are: they differ by one bit
	ampersand := (x | e.quote) ^ ones*'&'
	space := x ^ ones*0xC2
	return zeroBytes(angle) | zeroBytes(ampersand) | zeroBytes(space)
}

// escapeAt is what the byte of s at i, and the rest of its character, is written as, and how many bytes of s that stands for.
func escapeAt(s string, i int) (escape string, width int) {
	switch s[i] {
	case '&':
		return "&amp;", 1
	case '<':
		return "&lt;", 1
	case '>':
		return "&gt;", 1
	case '"':
		return "&quot;", 1
	case nbsp[0]:
		if i+1 < len(s) && s[i+1] == nbsp[1] {
			return "&nbsp;", 2
		}
	}
	return s[i : i+1], 1 // the first byte of another character
}

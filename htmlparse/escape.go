package htmlparse

import "encoding/binary"

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

// copyPlain copies s to dst, which has room for all of it, up to the first byte that begins something escaped, or an
// nbsp's first byte. It returns how many bytes that are, len(s) if there is no such byte. It looks at eight bytes at a
// time, the last ones together with some before them, and copies them before it looks.
func (e *escapes) copyPlain(dst []byte, s string) int {
	dst = dst[:len(s)]
	if len(s) < 8 {
		n := e.class.until(s, 0)
		copy(dst, s[:n])
		return n
	}
	for i := 0; len(s)-i >= 8; i += 8 {
		x := load64(s[i:])
		binary.LittleEndian.PutUint64(dst[i:], x)
		if found := e.find(x); found != 0 {
			return i + firstHigh(found)
		}
	}
	last := len(s) - 8
	x := load64(s[last:])
	binary.LittleEndian.PutUint64(dst[last:], x)
	return last + firstHigh(e.find(x))
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

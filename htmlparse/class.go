package htmlparse

import "math/bits"

// class says of a byte which runs it ends, one bit for each kind of run.
type class uint16

const (
	whitespaceClass             class = 1 << iota // tab, LF, FF, CR, space; CR because newlines are normalized where they are read
	tagNameClass                                  // ends a run of plain bytes in a tag name
	attributeNameClass                            // … in an attribute name
	unquotedValueClass                            // … in an unquoted attribute value
	commentClass                                  // … in a comment
	scriptEscapedClass                            // … in the escaped parts of script data
	instructionClass                              // … in the data of a processing instruction
	doubleQuotedIdentifierClass                   // … in the double-quoted identifiers of a doctype
	singleQuotedIdentifierClass                   // … in the single-quoted ones
	letterClass                                   // ASCII alpha
	alphanumericClass                             // ASCII alphanumeric
	textEscapeClass                               // begins what is escaped in text
	attributeEscapeClass                          // … in attribute values
)

// classes are the classes of every byte.
var classes = func() (t [256]class) {
	add := func(k class, bytes string) {
		for i := range len(bytes) {
			t[bytes[i]] |= k
		}
	}
	const (
		whitespace = "\t\n\f\r "
		upper      = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
		letters    = upper + "abcdefghijklmnopqrstuvwxyz"
	)
	add(whitespaceClass, whitespace)
	add(tagNameClass, whitespace+upper+"/>\x00")
	add(attributeNameClass, whitespace+upper+"/>=\"'<\x00")
	add(unquotedValueClass, whitespace+"&>\"'<=`\x00")
	add(commentClass, "<-\r\x00")
	add(scriptEscapedClass, "<-\r\x00")
	add(instructionClass, "?>\r\x00")
	add(doubleQuotedIdentifierClass, "\">\r\x00")
	add(singleQuotedIdentifierClass, "'>\r\x00")
	add(letterClass, letters)
	add(alphanumericClass, letters+"0123456789")
	add(textEscapeClass, "&<>\xC2") // C2 begins U+00A0
	add(attributeEscapeClass, "&<>\"\xC2")
	return t
}()

func (k class) has(c byte) bool { return classes[c]&k != 0 }

// until is the offset of the first byte of class k at or after i, len(s) if there is none.
func (k class) until(s string, i int) int {
	for i < len(s) && classes[s[i]]&k == 0 {
		i++
	}
	return i
}

// while is the offset of the first byte that is not of class k at or after i, len(s) if there is none.
func (k class) while(s string, i int) int {
	for i < len(s) && classes[s[i]]&k != 0 {
		i++
	}
	return i
}

// skipLower is the offset of the first byte that is not a lower-case ASCII letter at or after i, or of one that is but
// has eight of them before it: most names end before, and are read without a loop whose end the processor has to guess.
func skipLower(s string, i int) int {
	if len(s)-i < 8 {
		return i
	}
	x := load64(s[i:])
	low := x &^ high
	lower := (low + ones*(0x80-'a')) &^ (low + ones*(0x80-'z'-1)) &^ x & high // the high bit of each byte says whether it is in a–z
	return i + bits.TrailingZeros64(lower^high)/8
}

// Eight bytes at a time: a number whose bytes are all 01, and the high bit of each byte.
const ones, high = 0x0101010101010101, 0x8080808080808080

// firstByte is where the first c is among the eight bytes of x, 8 if it is none of them.
func firstByte(x uint64, c byte) int { return firstHigh(zeroBytes(x ^ ones*uint64(c))) }

// zeroBytes has the high bit of the first zero byte of x. It may have those of bytes behind it, but none before.
func zeroBytes(x uint64) uint64 { return (x - ones) &^ x & high }

// firstHigh is the first byte of x that has its high bit, of those that have no other, 8 if there is none.
func firstHigh(x uint64) int { return bits.TrailingZeros64(x) / 8 }

// load64 is the first eight bytes of s, the first one lowest.
func load64(s string) uint64 {
	_ = s[7]
	return uint64(s[0]) | uint64(s[1])<<8 | uint64(s[2])<<16 | uint64(s[3])<<24 |
		uint64(s[4])<<32 | uint64(s[5])<<40 | uint64(s[6])<<48 | uint64(s[7])<<56
}

func isUpper(c byte) bool { return 'A' <= c && c <= 'Z' }

// equalFoldASCII says whether s is an ASCII case-insensitive match for lower, which is in lower case.
func equalFoldASCII(s, lower string) bool {
	if len(s) != len(lower) {
		return false
	}
	for i := range len(s) {
		c := s[i]
		if isUpper(c) {
			c |= 0x20
		}
		if c != lower[i] {
			return false
		}
	}
	return true
}

// hasPrefixFoldASCII says whether s begins with an ASCII case-insensitive match for lower, which is in lower case.
func hasPrefixFoldASCII(s, lower string) bool {
	return len(s) >= len(lower) && equalFoldASCII(s[:len(lower)], lower)
}

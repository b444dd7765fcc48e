package encoding

import (
	"strings"
	"unicode/utf8"
)

// https://encoding.spec.whatwg.org/#euc-jp-decoder
func decodeEUCJP(b *strings.Builder, src []byte) {
	for len(src) > 0 {
		n := ASCIIRun(src)
		b.Write(src[:n])
		src = src[n:]
		for len(src) > 0 && src[0] >= utf8.RuneSelf {
			r, size := decodeEUCJPRune(src)
			writeRune(b, r)
			src = src[size:]
		}
	}
}

// decodeEUCJPRune returns the character, 0 for none, that begins with a byte
// outside of ASCII, and the number of bytes read.
func decodeEUCJPRune(src []byte) (r rune, size int) {
	lead := src[0]
	if lead != 0x8E && lead != 0x8F && !isEUCJPByte(lead) {
		return 0, 1
	}
	x, size := jis0208, 1
	if lead == 0x8F && len(src) > 1 && isEUCJPByte(src[1]) {
		x, lead, size = jis0212, src[1], 2
	}
	if size == len(src) {
		return 0, size
	}
	trail := src[size]
	switch {
	case lead == 0x8E && 0xA1 <= trail && trail <= 0xDF:
		return 0xFF61 - 0xA1 + rune(trail), 2 // half-width katakana
	case isEUCJPByte(lead) && isEUCJPByte(trail):
		return x().at(eucJPPointer(lead, trail)), size + 1
	case trail < utf8.RuneSelf:
		return 0, size // the trail byte is read again
	}
	return 0, size + 1
}

func isEUCJPByte(c byte) bool { return 0xA1 <= c && c <= 0xFE }

func eucJPPointer(lead, trail byte) int {
	if !isEUCJPByte(lead) || !isEUCJPByte(trail) {
		return -1
	}
	return int(lead-0xA1)*94 + int(trail-0xA1)
}

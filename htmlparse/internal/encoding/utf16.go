package encoding

import (
	"encoding/binary"
	"strings"
	"unicode/utf16"
)

func decodeUTF16BE(b *strings.Builder, src []byte) { decodeUTF16(b, src, binary.BigEndian) }
func decodeUTF16LE(b *strings.Builder, src []byte) { decodeUTF16(b, src, binary.LittleEndian) }

// decodeUTF16: https://encoding.spec.whatwg.org/#shared-utf-16-decoder
func decodeUTF16(b *strings.Builder, src []byte, order binary.ByteOrder) {
	lead := rune(0) // a surrogate that waits for the second one
	for ; len(src) >= 2; src = src[2:] {
		unit := rune(order.Uint16(src))
		if lead != 0 {
			pair := utf16.DecodeRune(lead, unit)
			lead = 0
			b.WriteRune(pair) // U+FFFD when they are no pair
			if utf16.IsSurrogate(unit) && unit >= 0xDC00 {
				continue
			}
		}
		switch {
		case !utf16.IsSurrogate(unit):
			b.WriteRune(unit)
		case unit < 0xDC00:
			lead = unit
		default:
			writeRune(b, 0)
		}
	}
	// The end cuts off a surrogate, a byte or both: one error.
	if lead != 0 || len(src) > 0 {
		writeRune(b, 0)
	}
}

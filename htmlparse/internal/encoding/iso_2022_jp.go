package encoding

import (
	"strings"
)

// States of the ISO-2022-JP decoder.
type iso2022JPState uint8

const (
	iso2022JPASCII iso2022JPState = iota
	iso2022JPRoman
	iso2022JPKatakana
	iso2022JPLeadByte
	iso2022JPTrailByte
)

const escape = 0x1B

// iso2022JPDecoder: https://encoding.spec.whatwg.org/#iso-2022-jp-decoder
type iso2022JPDecoder struct {
	state   iso2022JPState
	lead    byte
	escaped bool // nothing was decoded since the last escape sequence
}

func decodeISO2022JP(b *strings.Builder, src []byte) {
	var d iso2022JPDecoder
	for len(src) > 0 {
		if src[0] != escape {
			d.byte(b, src[0])
			src = src[1:]
			continue
		}
		// Half a character before the escape is an error of its own.
		if d.state == iso2022JPTrailByte {
			writeRune(b, 0)
			d.state = iso2022JPLeadByte
		}
		src = src[1:]
		state, ok := iso2022JPEscape(src)
		if !ok {
			// Only the escape is lost, the bytes behind it are text.
			writeRune(b, 0)
			d.escaped = false
			continue
		}
		if d.escaped {
			writeRune(b, 0)
		}
		d.state, d.escaped = state, true
		src = src[2:]
	}
	if d.state == iso2022JPTrailByte {
		writeRune(b, 0)
	}
}

// iso2022JPEscape returns the state that the two bytes behind an escape
// switch to.
func iso2022JPEscape(src []byte) (state iso2022JPState, ok bool) {
	if len(src) < 2 {
		return 0, false
	}
	switch string(src[:2]) {
	case "(B":
		return iso2022JPASCII, true
	case "(J":
		return iso2022JPRoman, true
	case "(I":
		return iso2022JPKatakana, true
	case "$@", "$B":
		return iso2022JPLeadByte, true
	}
	return 0, false
}

// byte decodes a byte that is no escape.
func (d *iso2022JPDecoder) byte(b *strings.Builder, c byte) {
	if d.state == iso2022JPTrailByte {
		d.state = iso2022JPLeadByte
		r := rune(0)
		if isISO2022JPByte(c) {
			r = jis0208().at(int(d.lead-0x21)*94 + int(c-0x21))
		}
		writeRune(b, r)
		return
	}
	d.escaped = false
	switch {
	case d.state == iso2022JPLeadByte && isISO2022JPByte(c):
		d.lead, d.state = c, iso2022JPTrailByte
	case d.state == iso2022JPLeadByte:
		writeRune(b, 0)
	case d.state == iso2022JPKatakana && 0x21 <= c && c <= 0x5F:
		b.WriteRune(0xFF61 - 0x21 + rune(c))
	case d.state == iso2022JPKatakana:
		writeRune(b, 0)
	case c > 0x7F || c == 0x0E || c == 0x0F:
		writeRune(b, 0)
	case d.state == iso2022JPRoman && c == '\\':
		b.WriteRune('¥')
	case d.state == iso2022JPRoman && c == '~':
		b.WriteRune('‾')
	default:
		b.WriteByte(c)
	}
}

func isISO2022JPByte(c byte) bool { return 0x21 <= c && c <= 0x7E }

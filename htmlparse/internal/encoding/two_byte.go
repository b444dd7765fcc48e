package encoding

import (
	"strings"
	"unicode/utf8"
)

// twoByte is an encoding of one or two bytes for a character.
type twoByte struct {
	isLead  func(c byte) bool
	single  func(c byte) rune          // a byte outside of ASCII that is no lead; 0: none
	pointer func(lead, trail byte) int // place in the index; below 0: none
	lookup  func(pointer int) (r rune) // code point; 0: none
	mark    func(pointer int) (r rune) // combining mark that follows it; nil, 0: none
}

// decode follows the decoders of the standard, which are alike: a trail byte
// that makes no character is read again when it is ASCII.
func (e *twoByte) decode(b *strings.Builder, src []byte) {
	for len(src) > 0 {
		n := ASCIIRun(src)
		b.Write(src[:n])
		src = src[n:]
		for len(src) > 0 && src[0] >= utf8.RuneSelf {
			src = src[e.decodeRune(b, src):]
		}
	}
}

// decodeRune writes the character, or U+FFFD, that begins with a byte outside
// of ASCII. It returns the number of bytes read.
func (e *twoByte) decodeRune(b *strings.Builder, src []byte) int {
	lead := src[0]
	if !e.isLead(lead) {
		writeRune(b, e.single(lead))
		return 1
	}
	if len(src) == 1 {
		b.WriteRune(utf8.RuneError)
		return 1
	}
	trail := src[1]
	pointer := e.pointer(lead, trail)
	r := e.lookup(pointer)
	writeRune(b, r)
	if r == 0 && trail < utf8.RuneSelf {
		return 1
	}
	if e.mark != nil && e.mark(pointer) != 0 {
		b.WriteRune(e.mark(pointer))
	}
	return 2
}

// writeRune writes r, U+FFFD for 0.
func writeRune(b *strings.Builder, r rune) {
	if r == 0 {
		r = utf8.RuneError
	}
	b.WriteRune(r)
}

func leads81toFE(c byte) bool { return 0x81 <= c && c <= 0xFE }

func noSingle(byte) rune { return 0 }

// https://encoding.spec.whatwg.org/#euc-kr-decoder
var eucKR = twoByte{
	isLead:  leads81toFE,
	single:  noSingle,
	pointer: eucKRPointer,
	lookup:  func(pointer int) rune { return eucKRIndex().at(pointer) },
}

func eucKRPointer(lead, trail byte) int {
	if trail < 0x41 || trail > 0xFE {
		return -1
	}
	return int(lead-0x81)*190 + int(trail-0x41)
}

// https://encoding.spec.whatwg.org/#big5-decoder
var big5 = twoByte{
	isLead:  leads81toFE,
	single:  noSingle,
	pointer: big5Pointer,
	lookup: func(pointer int) rune {
		switch pointer {
		case 1133, 1135:
			return 'Ê'
		case 1164, 1166:
			return 'ê'
		}
		return big5Index().at(pointer)
	},
	mark: func(pointer int) rune {
		switch pointer {
		case 1133, 1164:
			return '\u0304' // combining macron
		case 1135, 1166:
			return '\u030C' // combining caron
		}
		return 0
	},
}

func big5Pointer(lead, trail byte) int {
	switch {
	case 0x40 <= trail && trail <= 0x7E:
		return int(lead-0x81)*157 + int(trail-0x40)
	case 0xA1 <= trail && trail <= 0xFE:
		return int(lead-0x81)*157 + int(trail-0x62)
	}
	return -1
}

// https://encoding.spec.whatwg.org/#shift_jis-decoder
var shiftJIS = twoByte{
	isLead: isShiftJISLead,
	single: func(c byte) rune {
		switch {
		case c == 0x80:
			return 0x80
		case 0xA1 <= c && c <= 0xDF:
			return 0xFF61 - 0xA1 + rune(c) // half-width katakana
		}
		return 0
	},
	pointer: shiftJISPointer,
	lookup: func(pointer int) rune {
		if 8836 <= pointer && pointer <= 10715 {
			return 0xE000 - 8836 + rune(pointer) // user-defined characters
		}
		return jis0208().at(pointer)
	},
}

func isShiftJISLead(c byte) bool {
	return 0x81 <= c && c <= 0x9F || 0xE0 <= c && c <= 0xFC
}

func shiftJISPointer(lead, trail byte) int {
	if !isShiftJISLead(lead) || trail < 0x40 || trail == 0x7F || trail > 0xFC {
		return -1
	}
	leadOffset, offset := byte(0x81), byte(0x40)
	if lead >= 0xA0 {
		leadOffset = 0xC1
	}
	if trail > 0x7F {
		offset = 0x41
	}
	return int(lead-leadOffset)*188 + int(trail-offset)
}

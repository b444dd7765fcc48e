// Package encoding has the names, labels and decoders of the Encoding
// Standard, https://encoding.spec.whatwg.org/.
//
// The tables of characters are those of golang.org/x/text. Its decoders are
// not used as they are, for three reasons:
//
//   - They leave bytes 0x80 to 0x9F of the single-byte encodings undefined
//     where the standard has control characters.
//   - Their gb18030 lacks the private use characters and the revision of
//     2022, their Shift_JIS the user-defined characters, their ISO-2022-JP
//     the yen sign and overline of the Roman set.
//   - After a byte that is wrong they go on at another place than the standard
//     says. What is markup and what is a character's second byte depends on
//     it, so that scripts could be hidden in text.
package encoding

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"strings"
	"unicode/utf8"
	"unsafe"

	"golang.org/x/text/encoding/unicode"
)

// decoder writes the text of src to b.
type decoder func(b *strings.Builder, src []byte)

// multiByte are the decoders of the encodings that have more than a byte for
// some characters. GBK's is gb18030's, as the standard says.
var multiByte = map[string]decoder{
	"GBK":         decodeGB18030,
	"gb18030":     decodeGB18030,
	"Big5":        big5.decode,
	"EUC-JP":      decodeEUCJP,
	"ISO-2022-JP": decodeISO2022JP,
	"Shift_JIS":   shiftJIS.decode,
	"EUC-KR":      eucKR.decode,
	"UTF-16BE":    decodeUTF16BE,
	"UTF-16LE":    decodeUTF16LE,
	"replacement": decodeReplacement,
}

// BOM returns the encoding whose byte order mark begins src and the mark's
// length; "" and 0 when there is none.
// https://encoding.spec.whatwg.org/#bom-sniff
func BOM(src []byte) (name string, size int) {
	switch {
	case bytes.HasPrefix(src, []byte("\xEF\xBB\xBF")):
		return "UTF-8", 3
	case bytes.HasPrefix(src, []byte("\xFE\xFF")):
		return "UTF-16BE", 2
	case bytes.HasPrefix(src, []byte("\xFF\xFE")):
		return "UTF-16LE", 2
	}
	return "", 0
}

// Decode decodes src by the encoding called name, as the standard spells it.
// A byte order mark overrides name and is not part of the text. What can't be
// decoded becomes U+FFFD. The one error is a name that no encoding has.
//
// What is UTF-8 already is not copied: the text then is made of src's bytes,
// which must not change any more.
// https://encoding.spec.whatwg.org/#decode
func Decode(src []byte, name string) (string, error) {
	if bom, size := BOM(src); size > 0 {
		name, src = bom, src[size:]
	}
	if name == "UTF-8" {
		return ValidUTF8(unsafe.String(unsafe.SliceData(src), len(src))), nil
	}
	decode, ok := multiByte[name]
	if !ok {
		index, ok := singleByte[name]
		if !ok {
			return "", fmt.Errorf("no encoding is called %q", name)
		}
		decode = index.decode
	}
	var b strings.Builder
	b.Grow(len(src) + len(src)/2)
	decode(&b, src)
	return b.String(), nil
}

// ValidUTF8 returns s with each maximal subpart of what is not UTF-8 replaced
// by U+FFFD. https://encoding.spec.whatwg.org/#utf-8-decoder
func ValidUTF8(s string) string {
	if utf8.ValidString(s) {
		return s
	}
	// Never an error: the decoder replaces what it can't read.
	valid, _ := unicode.UTF8.NewDecoder().String(s)
	return valid
}

// decodeReplacement stands for encodings that were given up because they let
// markup through where servers see text.
// https://encoding.spec.whatwg.org/#replacement-decoder
func decodeReplacement(b *strings.Builder, src []byte) {
	if len(src) > 0 {
		b.WriteRune(utf8.RuneError)
	}
}

// ASCIIRun returns how many bytes at the start of src are ASCII. It takes
// eight at a time.
func ASCIIRun(src []byte) int {
	const high = 0x8080808080808080
	i := 0
	for len(src)-i >= 8 && binary.LittleEndian.Uint64(src[i:])&high == 0 {
		i += 8
	}
	for i < len(src) && src[i] < utf8.RuneSelf {
		i++
	}
	return i
}

// Package encoding has the names, labels and decoders of the Encoding
// Standard. https://encoding.spec.whatwg.org/
package encoding

import (
	"bytes"
	"fmt"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/korean"
	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/encoding/traditionalchinese"
	"golang.org/x/text/encoding/unicode"
)

// tables are the decoders by name. GBK's decoder is gb18030's, as the
// standard says. https://encoding.spec.whatwg.org/#gbk-decoder
var tables = map[string]encoding.Encoding{
	"UTF-8":          unicode.UTF8,
	"IBM866":         charmap.CodePage866,
	"ISO-8859-2":     charmap.ISO8859_2,
	"ISO-8859-3":     charmap.ISO8859_3,
	"ISO-8859-4":     charmap.ISO8859_4,
	"ISO-8859-5":     charmap.ISO8859_5,
	"ISO-8859-6":     charmap.ISO8859_6,
	"ISO-8859-7":     charmap.ISO8859_7,
	"ISO-8859-8":     charmap.ISO8859_8,
	"ISO-8859-8-I":   charmap.ISO8859_8I,
	"ISO-8859-10":    charmap.ISO8859_10,
	"ISO-8859-13":    charmap.ISO8859_13,
	"ISO-8859-14":    charmap.ISO8859_14,
	"ISO-8859-15":    charmap.ISO8859_15,
	"ISO-8859-16":    charmap.ISO8859_16,
	"KOI8-R":         charmap.KOI8R,
	"KOI8-U":         charmap.KOI8U,
	"macintosh":      charmap.Macintosh,
	"windows-874":    charmap.Windows874,
	"windows-1250":   charmap.Windows1250,
	"windows-1251":   charmap.Windows1251,
	"windows-1252":   charmap.Windows1252,
	"windows-1253":   charmap.Windows1253,
	"windows-1254":   charmap.Windows1254,
	"windows-1255":   charmap.Windows1255,
	"windows-1256":   charmap.Windows1256,
	"windows-1257":   charmap.Windows1257,
	"windows-1258":   charmap.Windows1258,
	"x-mac-cyrillic": charmap.MacintoshCyrillic,
	"GBK":            simplifiedchinese.GB18030,
	"gb18030":        simplifiedchinese.GB18030,
	"Big5":           traditionalchinese.Big5,
	"EUC-JP":         japanese.EUCJP,
	"ISO-2022-JP":    japanese.ISO2022JP,
	"Shift_JIS":      japanese.ShiftJIS,
	"EUC-KR":         korean.EUCKR,
	"replacement":    encoding.Replacement,
	"UTF-16BE":       unicode.UTF16(unicode.BigEndian, unicode.IgnoreBOM),
	"UTF-16LE":       unicode.UTF16(unicode.LittleEndian, unicode.IgnoreBOM),
	"x-user-defined": charmap.XUserDefined,
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
// decoded becomes U+FFFD. https://encoding.spec.whatwg.org/#decode
func Decode(src []byte, name string) (string, error) {
	if bom, size := BOM(src); size > 0 {
		name, src = bom, src[size:]
	}
	e, ok := tables[name]
	if !ok {
		return "", fmt.Errorf("no encoding is called %q", name)
	}
	if name == "UTF-8" {
		return ValidUTF8(string(src)), nil
	}
	text, err := e.NewDecoder().Bytes(src)
	if err != nil {
		return "", fmt.Errorf("decode %s: %w", name, err)
	}
	return string(text), nil
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

package encoding

import (
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"
)

// singleByte are the encodings with one byte for each character.
// https://encoding.spec.whatwg.org/#legacy-single-byte-encodings
var singleByte = map[string]charmapIndex{
	"IBM866":         {charmap.CodePage866},
	"ISO-8859-2":     {charmap.ISO8859_2},
	"ISO-8859-3":     {charmap.ISO8859_3},
	"ISO-8859-4":     {charmap.ISO8859_4},
	"ISO-8859-5":     {charmap.ISO8859_5},
	"ISO-8859-6":     {charmap.ISO8859_6},
	"ISO-8859-7":     {charmap.ISO8859_7},
	"ISO-8859-8":     {charmap.ISO8859_8},
	"ISO-8859-8-I":   {charmap.ISO8859_8}, // they differ in the direction of text, not in characters
	"ISO-8859-10":    {charmap.ISO8859_10},
	"ISO-8859-13":    {charmap.ISO8859_13},
	"ISO-8859-14":    {charmap.ISO8859_14},
	"ISO-8859-15":    {charmap.ISO8859_15},
	"ISO-8859-16":    {charmap.ISO8859_16},
	"KOI8-R":         {charmap.KOI8R},
	"KOI8-U":         {charmap.KOI8U},
	"macintosh":      {charmap.Macintosh},
	"windows-874":    {charmap.Windows874},
	"windows-1250":   {charmap.Windows1250},
	"windows-1251":   {charmap.Windows1251},
	"windows-1252":   {charmap.Windows1252},
	"windows-1253":   {charmap.Windows1253},
	"windows-1254":   {charmap.Windows1254},
	"windows-1255":   {charmap.Windows1255},
	"windows-1256":   {charmap.Windows1256},
	"windows-1257":   {charmap.Windows1257},
	"windows-1258":   {charmap.Windows1258},
	"x-mac-cyrillic": {charmap.MacintoshCyrillic},
	"x-user-defined": {charmap.XUserDefined},
}

type charmapIndex struct{ *charmap.Charmap }

// rune returns the character of a byte. Where x/text has none between 0x80
// and 0x9F, the standard's indexes have the control character of that number.
func (x charmapIndex) rune(c byte) rune {
	r := x.DecodeByte(c)
	if r == utf8.RuneError && 0x80 <= c && c <= 0x9F {
		return rune(c)
	}
	return r
}

// https://encoding.spec.whatwg.org/#single-byte-decoder
func (x charmapIndex) decode(b *strings.Builder, src []byte) {
	for len(src) > 0 {
		n := ASCIIRun(src)
		b.Write(src[:n])
		src = src[n:]
		for len(src) > 0 && src[0] >= utf8.RuneSelf {
			b.WriteRune(x.rune(src[0]))
			src = src[1:]
		}
	}
}

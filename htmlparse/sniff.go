package htmlparse

import (
	"unicode/utf8"
	"unsafe"

	"github.com/magpie-crawl/magpie/htmlparse/internal/encoding"
)

// prescanBytes is how much of a page the prescan reads.
// https://html.spec.whatwg.org/multipage/semantics.html#charset1024
const prescanBytes = 1024

// detected is the Encoding.Source of pages that say nothing and look like UTF-8.
const detected = "detected"

// Sniff determines the encoding of a page from all of its bytes and what came
// with them. It always finds one. Labels that no encoding has, in the page as
// in opts, are passed over and the next source is asked.
// https://html.spec.whatwg.org/multipage/parsing.html#encoding-sniffing-algorithm
func Sniff(src []byte, opts *Options) Encoding {
	if opts == nil {
		opts = &Options{}
	}
	if name, _ := encoding.BOM(src); name != "" {
		return Encoding{name, Certain, "bom"}
	}
	if name, ok := EncodingName(opts.Charset); ok {
		return Encoding{name, Certain, "override"}
	}
	if name, ok := EncodingName(transportCharset(opts.ContentType)); ok {
		return Encoding{name, Certain, "transport"}
	}
	head := src[:min(len(src), prescanBytes)]
	if name := utf16XMLDeclaration(head); name != "" {
		return Encoding{name, Tentative, "xml-declaration"}
	}
	if name := prescan(unsafe.String(unsafe.SliceData(head), len(head))); name != "" {
		return Encoding{name, Tentative, "meta"}
	}
	if name := xmlEncoding(head); name != "" {
		return Encoding{name, Tentative, "xml-declaration"}
	}
	if looksLikeUTF8(src) {
		return Encoding{"UTF-8", Tentative, detected}
	}
	if name, ok := EncodingName(opts.DefaultCharset); ok {
		return Encoding{name, Tentative, "default"}
	}
	if name := localeEncoding(opts.Locale); name != "" {
		return Encoding{name, Tentative, "locale"}
	}
	return Encoding{"windows-1252", Tentative, "default"}
}

// looksLikeUTF8 reports whether src has bytes outside of ASCII and all of
// them form UTF-8. A character cut off by the end of src does not speak
// against it: bodies are cut at size limits.
func looksLikeUTF8(src []byte) bool {
	src = withoutCutRune(src)
	src = src[encoding.ASCIIRun(src):]
	return len(src) > 0 && utf8.Valid(src)
}

// withoutCutRune leaves out the start of a character at the end of src.
func withoutCutRune(src []byte) []byte {
	for i := len(src) - 1; i >= 0 && i > len(src)-utf8.UTFMax; i-- {
		if utf8.RuneStart(src[i]) {
			if !utf8.FullRune(src[i:]) {
				return src[:i]
			}
			break
		}
	}
	return src
}

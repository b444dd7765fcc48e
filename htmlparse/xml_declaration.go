package htmlparse

import (
	"bytes"
)

// utf16XMLDeclaration returns the encoding of a page that begins with "<?x"
// in UTF-16, "" for any other page.
// https://html.spec.whatwg.org/multipage/parsing.html#prescan-a-byte-stream-to-determine-its-encoding
func utf16XMLDeclaration(src []byte) string {
	switch {
	case bytes.HasPrefix(src, []byte("<\x00?\x00x\x00")):
		return "UTF-16LE"
	case bytes.HasPrefix(src, []byte("\x00<\x00?\x00x")):
		return "UTF-16BE"
	}
	return ""
}

// xmlEncoding returns the encoding that an XML declaration at the start of
// src names, "" when there is none.
// https://html.spec.whatwg.org/multipage/parsing.html#concept-get-xml-encoding-when-sniffing
func xmlEncoding(src []byte) string {
	if !bytes.HasPrefix(src, []byte("<?xml")) || bytes.IndexByte(src, '>') < 0 {
		return ""
	}
	_, rest, found := bytes.Cut(src, []byte("encoding"))
	if !found {
		return ""
	}
	rest, found = bytes.CutPrefix(trimControls(rest), []byte("="))
	if !found {
		return ""
	}
	rest = trimControls(rest)
	if len(rest) == 0 || rest[0] != '"' && rest[0] != '\'' {
		return ""
	}
	label, _, closed := bytes.Cut(rest[1:], rest[:1])
	if !closed || bytes.ContainsFunc(label, func(r rune) bool { return r <= ' ' }) {
		return ""
	}
	name, _ := EncodingName(string(label))
	if name == "UTF-16BE" || name == "UTF-16LE" {
		return "UTF-8"
	}
	return name
}

// trimControls drops leading white space and control characters.
func trimControls(b []byte) []byte {
	for len(b) > 0 && b[0] <= ' ' {
		b = b[1:]
	}
	return b
}

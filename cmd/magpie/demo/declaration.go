package demo

import (
	"fmt"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/htmlindex"
	"golang.org/x/text/encoding/unicode"
)

// declaration is how a page is encoded and what it says about that, true or
// not.
type declaration struct {
	Encoding string // what it really is in, by its name in the Encoding Standard
	Type     string // Content-Type field
	BOM      bool   // begins with a byte order mark
	Prolog   string // stands before the doctype
	Meta     string // stands first in the head
	LateMeta string `yaml:"late_meta"` // stands after byte 1024
	Decides  string // what a browser goes by, as htmlparse.Encoding.Source names it
}

// encode writes a page's text in its encoding. Characters that the encoding
// lacks become numeric character references, as in a form that a browser
// sends.
func (d declaration) encode(text string) ([]byte, error) {
	if d.BOM {
		text = "\uFEFF" + text
	}
	enc, err := encodingOf(d.Encoding)
	if err != nil {
		return nil, err
	}
	out, err := encoding.HTMLEscapeUnsupported(enc.NewEncoder()).String(text)
	if err != nil {
		return nil, fmt.Errorf("encode in %s: %w", d.Encoding, err)
	}
	return []byte(out), nil
}

func encodingOf(name string) (encoding.Encoding, error) {
	switch name {
	case "UTF-16LE":
		return unicode.UTF16(unicode.LittleEndian, unicode.IgnoreBOM), nil
	case "UTF-16BE":
		return unicode.UTF16(unicode.BigEndian, unicode.IgnoreBOM), nil
	}
	enc, err := htmlindex.Get(name)
	if err != nil {
		return nil, fmt.Errorf("encoding %q: %w", name, err)
	}
	return enc, nil
}

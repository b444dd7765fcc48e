package htmlparse

import (
	"fmt"

	"github.com/magpie-crawl/magpie/htmlparse/internal/encoding"
)

// Encoding is a character encoding and how it was found.
type Encoding struct {
	// Name is the encoding's name as the Encoding Standard writes it, such as
	// "UTF-8", "windows-1252" or "Shift_JIS".
	Name string

	// Confidence is how sure it is.
	Confidence Confidence

	// Source is where it was found: "bom", "override", "transport", "meta",
	// "xml-declaration", "detected", "locale" or "default". It is "" for text
	// that needed no decoding.
	Source string
}

// Confidence is how sure an encoding is.
// https://html.spec.whatwg.org/multipage/parsing.html#concept-encoding-confidence
type Confidence uint8

const (
	Tentative  Confidence = iota // a guess, good until the page says otherwise
	Certain                      // nothing in the page can change it
	Irrelevant                   // the input was Unicode already
)

// String returns the standard's word: "tentative", "certain" or "irrelevant".
func (c Confidence) String() string {
	switch c {
	case Tentative:
		return "tentative"
	case Certain:
		return "certain"
	case Irrelevant:
		return "irrelevant"
	}
	return fmt.Sprintf("Confidence(%d)", uint8(c))
}

// EncodingName returns the name of the encoding that label stands for, as the
// Encoding Standard writes it: "windows-1252" for "latin1". Case and
// surrounding white space don't matter. It reports false for labels that the
// standard does not know, "utf-7" among them.
// https://encoding.spec.whatwg.org/#concept-encoding-get
func EncodingName(label string) (name string, ok bool) {
	return encoding.Get(label)
}

// Decode returns the text of src, whose encoding has the given label. A byte
// order mark overrides the label and is not part of the text. Bytes that
// can't be decoded become U+FFFD. The text is made of the bytes of src where
// those are UTF-8: src must not be changed any more. An unknown label is an
// error that wraps ErrUnknownEncoding. https://encoding.spec.whatwg.org/#decode
func Decode(src []byte, label string) (string, error) {
	name, ok := EncodingName(label)
	if !ok {
		return "", fmt.Errorf("htmlparse: decode %q: %w", label, ErrUnknownEncoding)
	}
	text, err := encoding.Decode(src, name)
	if err != nil {
		return "", fmt.Errorf("htmlparse: %w", err)
	}
	return text, nil
}

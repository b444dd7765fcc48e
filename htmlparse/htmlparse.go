package htmlparse

import (
	"bytes"

	"golang.org/x/net/html"
)

// Document is a parsed page.
type Document struct {
	Root     *html.Node // DocumentNode
	Encoding Encoding
}

// Encoding is a character encoding and how it was found.
type Encoding struct {
	Name       string
	Confidence Confidence
	Source     string
}

// Confidence is how sure an encoding is.
type Confidence uint8

// Options of a parse.
type Options struct {
	ContentType string
}

// ParseBytes parses undecoded bytes.
func ParseBytes(src []byte, opts *Options) (*Document, error) {
	n, err := html.Parse(bytes.NewReader(src))
	return &Document{Root: n}, err
}

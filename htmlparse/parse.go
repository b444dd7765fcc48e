package htmlparse

import (
	"fmt"
	"io"
	"unsafe"

	"golang.org/x/net/html"

	"github.com/magpie-crawl/magpie/htmlparse/internal/encoding"
)

// Document is a parsed page.
type Document struct {
	Root     *html.Node // of type html.DocumentNode
	Mode     Mode
	Encoding Encoding // the one that Root was read in
	Scripts  Scripts  // with Options.Scripting, else none

	positions *positions // nil unless parsed with Options.Positions
}

// Parse reads r to its end and parses what it read. There is no limit to the
// size. When r fails, Parse returns the document of the bytes before the
// failure together with the error, which wraps r's. A mistake in opts is an
// error too, and then nothing is read.
func Parse(r io.Reader, opts *Options) (*Document, error) {
	if err := opts.check(); err != nil {
		return nil, err
	}
	src, readErr := io.ReadAll(r)
	doc, err := ParseBytes(src, opts)
	if err != nil {
		return nil, err
	}
	if readErr != nil {
		return doc, fmt.Errorf("htmlparse: read page after %d bytes: %w", len(src), readErr)
	}
	return doc, nil
}

// ParseBytes parses a page in the encoding that Sniff finds, unless that is
// tentative and a meta element beyond what Sniff looks at declares another
// one. A tentative encoding that a meta element declares becomes certain. The
// only errors are mistakes in opts.
//
// The strings of the tree are made of the bytes of src where the page is
// UTF-8: src must not be changed as long as the tree is used. See the package
// documentation on memory.
func ParseBytes(src []byte, opts *Options) (*Document, error) {
	if err := opts.check(); err != nil {
		return nil, err
	}
	return parseSource(src, Sniff(src, opts), opts, nil)
}

// parseSource parses src in the encoding enc, or in the one that a meta
// element turns out to declare while enc is tentative. The tree is made of memory.
func parseSource(src []byte, enc Encoding, opts *Options, memory *treeMemory) (*Document, error) {
	text, err := decode(src, enc)
	if err != nil {
		return nil, fmt.Errorf("htmlparse: %w", err)
	}
	onMeta := func(name string) (restart bool) {
		if enc.Confidence != Tentative {
			return false
		}
		enc, restart = changeEncoding(enc, name)
		if !restart {
			return false
		}
		// Never an error: name comes from the table of encodings.
		other, _ := encoding.Decode(src, enc.Name)
		restart = other != text
		text = other
		return restart
	}
	doc, restart := buildDocument(text, opts, memory, onMeta)
	if restart {
		memory.reset()
		doc, _ = buildDocument(text, opts, memory, nil)
	}
	doc.Encoding = enc
	return doc, nil
}

// decode decodes src by enc. What Sniff has seen to be UTF-8 is not looked at
// again.
func decode(src []byte, enc Encoding) (string, error) {
	if enc.Source == detected && len(withoutCutRune(src)) == len(src) {
		return unsafe.String(unsafe.SliceData(src), len(src)), nil
	}
	return encoding.Decode(src, enc.Name)
}

// ParseString parses text. Its encoding is UTF-8, which is irrelevant; the
// encodings in opts are not looked at. Bytes of src that are not UTF-8 become
// U+FFFD. A U+FEFF at the start is text, not a byte order mark.
func ParseString(src string, opts *Options) (*Document, error) {
	doc, _ := buildDocument(encoding.ValidUTF8(src), opts, nil, nil)
	doc.Encoding = Encoding{Name: "UTF-8", Confidence: Irrelevant}
	return doc, nil
}

// ParseFragment parses text as the contents of the element context, which it
// does not change, and returns the nodes on top. A nil context stands for a
// template element: it takes elements, such as tr, that have their place in
// few others. A context that is no element is an error.
// https://html.spec.whatwg.org/multipage/parsing.html#parsing-html-fragments
func ParseFragment(src string, context *html.Node, opts *Options) ([]*html.Node, error) {
	return buildFragment(encoding.ValidUTF8(src), context, opts)
}

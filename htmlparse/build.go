package htmlparse

import (
	"errors"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// buildDocument builds the tree of a page.
func buildDocument(text string, enc Encoding, opts *Options) (*Document, error) {
	b := newTreeBuilder(text, opts)
	b.run()
	return b.result(enc), nil
}

// result gives what a builder that has run has built.
func (b *treeBuilder) result(enc Encoding) *Document {
	return &Document{
		Root:      b.document,
		Mode:      b.quirks,
		Encoding:  enc,
		Scripts:   b.scripts.lists,
		positions: b.positions,
	}
}

// buildFragment builds the nodes of a fragment.
func buildFragment(text string, context *html.Node, opts *Options) ([]*html.Node, error) {
	if context == nil {
		context = &html.Node{Type: html.ElementNode, Data: "template", DataAtom: atom.Template}
	}
	if context.Type != html.ElementNode {
		return nil, errors.New("htmlparse: the context of a fragment is not an element")
	}
	return parseFragment(text, context, opts), nil
}

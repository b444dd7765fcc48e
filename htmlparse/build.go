package htmlparse

import (
	"errors"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// buildDocument builds the tree of a page. It tells onMeta, unless that is nil, of the encodings that meta elements
// declare, until that says that the page was read wrongly: then there is no document, and its errors are not reported.
func buildDocument(text string, opts *Options, onMeta func(name string) bool) (doc *Document, restart bool) {
	b := newTreeBuilder(text, opts)
	var errors []ParseError
	if onMeta != nil && b.tokenizer.onError != nil {
		b.tokenizer.onError = func(e ParseError) { errors = append(errors, e) }
	}
	b.changeEncoding = onMeta
	b.run()
	if b.restart {
		return nil, true
	}
	for _, e := range errors {
		opts.OnError(e)
	}
	return &Document{
		Root:      b.document,
		Mode:      b.quirks,
		Scripts:   b.scripts.lists,
		positions: b.positions,
	}, false
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

package htmlparse

import (
	"errors"
	"fmt"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// buildDocument builds the tree of a page by the parser of x/net/html, which
// refuses pages with more than 512 open elements.
func buildDocument(text string, enc Encoding, opts *Options) (*Document, error) {
	root, err := html.ParseWithOptions(strings.NewReader(text), scripting(opts))
	if err != nil {
		return nil, fmt.Errorf("htmlparse: build tree: %w", err)
	}
	var doctype *html.Node
	for n := range root.ChildNodes() {
		if n.Type == html.DoctypeNode {
			doctype = n
			break
		}
	}
	return &Document{Root: root, Mode: nodeMode(doctype), Encoding: enc}, nil
}

// buildFragment builds the nodes of a fragment.
func buildFragment(text string, context *html.Node, opts *Options) ([]*html.Node, error) {
	if context == nil {
		context = &html.Node{Type: html.ElementNode, Data: "template", DataAtom: atom.Template}
	}
	if context.Type != html.ElementNode {
		return nil, errors.New("htmlparse: the context of a fragment is not an element")
	}
	if a := atom.Lookup([]byte(context.Data)); context.DataAtom != a {
		c := *context
		c.DataAtom = a
		context = &c
	}
	nodes, err := html.ParseFragmentWithOptions(strings.NewReader(text), context, scripting(opts))
	if err != nil {
		return nil, fmt.Errorf("htmlparse: build fragment: %w", err)
	}
	return nodes, nil
}

func scripting(opts *Options) html.ParseOption {
	return html.ParseOptionEnableScripting(opts != nil && opts.Scripting)
}

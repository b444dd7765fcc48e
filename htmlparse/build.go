package htmlparse

import (
	"errors"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// buildDocument builds the tree of a page. It tells onMeta, unless that is nil, of the encodings that meta elements
// declare, until that says that the page was read wrongly: then there is no document, and its errors are not reported.
func buildDocument(text string, opts *Options, memory *treeMemory, onMeta func(name string) bool) (doc *Document, restart bool) {
	b := newTreeBuilder(text, opts, memory)
	var held heldErrors
	if onMeta != nil && b.tokenizer.onError != nil {
		b.tokenizer.onError = held.add
	}
	b.changeEncoding = onMeta
	b.run()
	if b.restart {
		return nil, true
	}
	held.report(opts)
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

// heldErrors are parse errors that are not reported before it is known that the page is parsed in the right encoding.
type heldErrors struct {
	chunks [][]ParseError // all but the last one full, so that none is ever copied
}

const heldErrorsChunk = 256

func (h *heldErrors) add(e ParseError) {
	last := len(h.chunks) - 1
	if last < 0 || len(h.chunks[last]) == heldErrorsChunk {
		h.chunks = append(h.chunks, make([]ParseError, 0, heldErrorsChunk))
		last++
	}
	h.chunks[last] = append(h.chunks[last], e)
}

func (h *heldErrors) report(opts *Options) {
	for _, chunk := range h.chunks {
		for _, e := range chunk {
			opts.OnError(e)
		}
	}
}

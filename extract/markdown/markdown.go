package markdown

import (
	"golang.org/x/net/html"
)

// Options say how to render. The zero value is usable.
type Options struct {
	// Base is the absolute URL that links and images are resolved against,
	// as the document base URL is. Default: they are left as they stand.
	//
	// https://html.spec.whatwg.org/multipage/urls-and-fetching.html#document-base-url
	Base string
	// MaxBytes bounds the length of what Render returns. Blocks beyond it
	// are left out. Default: 16 MiB.
	MaxBytes int
}

const (
	defaultMaxBytes = 16 << 20
	maxDepth        = 500       // of elements; what is deeper becomes plain paragraphs
	maxNesting      = 60        // of lists and quotes; deeper ones lose their marks
	maxSpanned      = 1_000_000 // columns and rows that spans of one page reach over
)

// Render returns n, an element or a document, as Markdown. Each block ends
// with a line break; where nothing is to be seen, the result is empty. n
// itself counts as visible even where it has an attribute that hides it.
func Render(n *html.Node, opts *Options) string {
	if n == nil {
		return ""
	}
	var o Options
	if opts != nil {
		o = *opts
	}
	if o.MaxBytes <= 0 {
		o.MaxBytes = defaultMaxBytes
	}
	w := walker{left: o.MaxBytes, urlBytes: o.MaxBytes, spans: maxSpanned}
	w.setBase(o.Base)
	w.layouts = layoutTables(n)
	switch {
	case n.Type != html.ElementNode:
		w.node(n)
	case !unrendered(n):
		w.element(n)
	}
	w.flush()
	out := output{max: o.MaxBytes}
	out.blocks(w.out, false)
	return out.String()
}

package extract

import (
	"strings"

	"golang.org/x/net/html"

	"github.com/magpie-crawl/magpie/extract/markdown"
	"github.com/magpie-crawl/magpie/htmlparse"
)

// innerHTML returns the markup of what is in n, without n itself. The
// contents of templates are part of the markup, as in browsers, though no
// selector and no text sees them.
//
// https://html.spec.whatwg.org/multipage/parsing.html#html-fragment-serialisation-algorithm
func (w *work) innerHTML(n *html.Node) string {
	var b strings.Builder
	if err := htmlparse.RenderWith(&b, n, &htmlparse.RenderOptions{Children: true}); err != nil {
		return "" // only of a tree that no parser made
	}
	w.steps -= b.Len()
	return strings.TrimSpace(b.String())
}

const markdownCost = 8 // of a node and a byte

// markdown returns n as CommonMark, its links absolute where the page's address
// is known.
func (w *work) markdown(n *html.Node) string {
	before := w.steps
	if !w.spendBelow(n) {
		return ""
	}
	w.steps -= markdownCost * (before - w.steps)
	text := markdown.Render(n, &markdown.Options{Base: w.baseAddress()})
	w.steps -= markdownCost * len(text)
	return strings.TrimSpace(text)
}

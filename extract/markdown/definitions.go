package markdown

import "golang.org/x/net/html"

// definitions renders a dl: terms in bold, the first description on the line
// below, or as blocks where it is more than a paragraph.
//
// https://html.spec.whatwg.org/multipage/grouping-content.html#the-dl-element
func (w *walker) definitions(dl *html.Node) {
	w.flush()
	if w.depth >= maxDepth {
		w.flow(dl)
		return
	}
	w.depth++
	for c := dl.FirstChild; c != nil && w.left >= 0; c = c.NextSibling {
		if c.Type != html.ElementNode || c.Data != "div" || hidden(c) {
			w.definition(c)
			continue
		}
		w.flush()
		for d := c.FirstChild; d != nil; d = d.NextSibling {
			w.definition(d)
		}
		w.flush()
	}
	w.depth--
	w.flush()
}

// definition renders a child of a dl.
func (w *walker) definition(n *html.Node) {
	if n.Type != html.ElementNode || n.Data != "dt" && n.Data != "dd" || w.cell {
		w.node(n)
		return
	}
	w.flush()
	before := len(w.out)
	w.node(n)
	w.flush()
	if len(w.out) != before+1 || w.out[before].kind != paragraph {
		return
	}
	b := &w.out[before]
	if n.Data == "dt" {
		b.term = true
	} else if before > 0 && w.out[before-1].term {
		w.out[before-1].term = false
		w.out[before-1].text += "\\\n" + b.text
		w.out = w.out[:before]
	}
}

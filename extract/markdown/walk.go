package markdown

import (
	"github.com/nlnwa/whatwg-url/url"
	"golang.org/x/net/html"

	"github.com/magpie-crawl/magpie/weburl"
)

// walker goes through a tree and collects its blocks.
type walker struct {
	out  []block // of the container that is open
	line line    // the paragraph that is open
	format

	writer inlineWriter // of paragraphs, one after the other

	depth     int  // of elements
	nesting   int  // of lists and quotes
	heading   int  // level of the heading that is open; 0: none
	cell      bool // in a cell, where all is one line
	lineFeeds bool // line feeds break lines, as in pre

	left     int // bytes that blocks may still have; negative: no more are taken
	urlBytes int // bytes that URLs may still have
	spans    int // see maxSpanned

	layouts   map[*html.Node]bool
	base      *url.Url
	plainBase weburl.URL
}

// node renders a node of any type.
func (w *walker) node(n *html.Node) {
	switch n.Type {
	case html.TextNode:
		w.line.collapsed(n.Data, w.format, w.lineFeeds)
		if w.line.breaks > 1 {
			w.breakParagraph()
		}
	case html.ElementNode:
		if w.left >= 0 && !hidden(n) {
			w.element(n)
		}
	case html.DocumentNode:
		w.children(n)
	}
}

// children renders what is in n.
func (w *walker) children(n *html.Node) {
	if w.depth++; w.depth > maxDepth {
		w.flat(n)
	} else {
		for c := n.FirstChild; c != nil; c = c.NextSibling {
			w.node(c)
		}
	}
	w.depth--
}

// element renders an element by its name. Those without a rule of their own
// are blocks or stand in the line.
//
// https://html.spec.whatwg.org/multipage/rendering.html#flow-content-3
func (w *walker) element(n *html.Node) {
	if n.Namespace != "" {
		w.foreign(n)
		return
	}
	switch n.Data {
	case "br":
		w.br()
	case "b", "strong":
		w.marked(n, strong)
	case "em", "i", "cite", "dfn", "var":
		w.marked(n, emphasis)
	case "del", "s", "strike":
		w.marked(n, deleted)
	case "sup":
		w.marked(n, superscript)
	case "sub":
		w.marked(n, subscript)
	case "code", "kbd", "samp", "tt":
		w.marked(n, codeSpan)
	case "a":
		w.anchor(n)
	case "img":
		w.img(n)
	case "audio", "embed", "frame", "iframe", "object", "video":
		w.media(n)
	default:
		w.block(n)
	}
}

// block renders the elements that are no inline formats.
func (w *walker) block(n *html.Node) {
	switch n.Data {
	case "h1", "h2", "h3", "h4", "h5", "h6":
		w.headed(n)
	case "p":
		w.paragraph(n)
	case "blockquote":
		w.quote(n)
	case "ul", "ol", "menu", "dir":
		w.list(n)
	case "li":
		w.strayItem(n)
	case "dl":
		w.definitions(n)
	case "dt", "summary":
		w.flush()
		w.marked(n, strong)
		w.flush()
	case "hr":
		w.flush()
		if !w.cell {
			w.add(block{kind: rule})
		}
	case "pre", "listing", "plaintext", "xmp":
		w.pre(n)
	case "table", "thead", "tbody", "tfoot", "tr":
		w.table(n)
	default:
		if isBlock(n) {
			w.flow(n)
			return
		}
		w.children(n)
	}
}

// isBlock tells the elements that text before and behind is apart from.
func isBlock(n *html.Node) bool {
	if n.Namespace != "" {
		return false
	}
	switch n.Data {
	case "address", "article", "aside", "blockquote", "body", "caption", "center", "dd", "details", "dialog", "dir",
		"div", "dl", "dt", "fieldset", "figcaption", "figure", "footer", "form", "frameset", "h1", "h2", "h3", "h4",
		"h5", "h6", "header", "hgroup", "hr", "html", "legend", "li", "listing", "main", "menu", "nav", "ol", "p",
		"plaintext", "pre", "search", "section", "summary", "table", "tbody", "td", "tfoot", "th", "thead", "tr",
		"ul", "xmp":
		return true
	}
	return false
}

// flow renders a block that adds nothing but its edges.
func (w *walker) flow(n *html.Node) {
	w.flush()
	w.children(n)
	w.flush()
}

// foreign renders SVG and MathML: their text in the line, apart from what is
// around. Parts of a drawing are apart from each other.
func (w *walker) foreign(n *html.Node) {
	apart := n.Namespace == "svg" && (n.Data == "svg" || n.Data == "text")
	if apart {
		w.line.waitSpace(w.format)
	}
	w.children(n)
	if apart {
		w.line.waitSpace(w.format)
	}
}

// marked renders an element whose text stands in a format.
func (w *walker) marked(n *html.Node, m mark) {
	before := w.marks
	w.marks |= m
	w.children(n)
	w.marks = before
}

// br breaks the line; a second break in a row, the paragraph.
func (w *walker) br() {
	w.line.waitBreak(w.format)
	if w.line.breaks > 1 {
		w.breakParagraph()
	}
}

// breakParagraph ends a paragraph where empty lines follow. Headings and
// cells stay whole.
func (w *walker) breakParagraph() {
	if !w.cell && w.heading == 0 {
		w.flush()
	}
}

// paragraph renders a p element.
func (w *walker) paragraph(n *html.Node) {
	w.flush()
	before := len(w.out)
	w.children(n)
	w.flush()
	for i := before; i < len(w.out); i++ {
		w.out[i].spaced = true
	}
}

// headed renders a heading; each paragraph in it is one. In a cell it is bold.
func (w *walker) headed(n *html.Node) {
	w.flush()
	before := w.format
	if w.cell {
		w.marks |= strong
	} else {
		w.heading = int(n.Data[1] - '0')
	}
	w.children(n)
	w.flush()
	w.heading, w.format = 0, before
}

// quote renders a block quote. A cell has no quotes.
func (w *walker) quote(n *html.Node) {
	w.flush()
	if w.cell || w.nesting >= maxNesting {
		w.flow(n)
		return
	}
	if children := w.container(func() { w.children(n) }); len(children) > 0 {
		w.add(block{kind: quote, children: children})
	}
}

// container returns the blocks that render makes, which are in a list or a
// quote.
func (w *walker) container(render func()) []block {
	outer := w.out
	w.out = nil
	w.nesting++
	render()
	w.flush()
	w.nesting--
	inner := w.out
	w.out = outer
	return inner
}

// flush ends the open paragraph.
func (w *walker) flush() {
	if w.line.spread(); len(w.line.runs) > 0 {
		b := block{kind: paragraph}
		if w.heading > 0 {
			b.kind, b.number = heading, w.heading
		}
		b.text = w.inline()
		w.add(b)
	}
	w.line.reset()
}

// add appends a block if there is room for it. What is in a container has
// found its room before.
func (w *walker) add(b block) {
	if len(b.children) == 0 {
		w.left -= len(b.text) + 1
	}
	if w.left >= 0 || len(b.children) > 0 {
		w.out = append(w.out, b)
	}
}

// flat renders what is in n as plain paragraphs, without going deeper on the
// stack.
func (w *walker) flat(top *html.Node) {
	n := top.FirstChild
	for n != nil && w.left >= 0 {
		if w.enterFlat(n) && n.FirstChild != nil {
			n = n.FirstChild
			continue
		}
		for n.NextSibling == nil {
			if n = n.Parent; n == top || n == nil {
				return
			}
			w.edge(n)
		}
		w.edge(n)
		n = n.NextSibling
	}
}

// enterFlat begins a node of plain paragraphs and reports whether what is in
// it is rendered.
func (w *walker) enterFlat(n *html.Node) bool {
	switch {
	case n.Type == html.TextNode:
		w.line.collapsed(n.Data, w.format, false)
		return false
	case n.Type != html.ElementNode || hidden(n):
		return false
	case n.Namespace != "":
		return true
	}
	switch n.Data {
	case "br":
		w.br()
	case "audio", "embed", "frame", "iframe", "object", "video":
		w.media(n)
		return false
	}
	w.edge(n)
	return true
}

// edge ends the open paragraph at the edge of a block.
func (w *walker) edge(n *html.Node) {
	if n.Type == html.ElementNode && isBlock(n) {
		w.flush()
	}
}

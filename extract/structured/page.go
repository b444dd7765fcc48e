package structured

import (
	"strings"

	"golang.org/x/net/html"
)

// page is what one walk over a tree finds, so that formats which a page
// doesn't use cost nothing.
type page struct {
	root                 *html.Node
	urls                 resolver
	size                 int          // nodes and bytes
	scripts              []*html.Node // of JSON-LD
	metas                []*html.Node
	links                []*html.Node // link, and a and area with rel
	html, title          *html.Node
	microdata, rdfa, mf  bool // the page has items of these
	valueClass, itemrefs bool // … and these features of theirs
}

// newPage looks a tree over.
func newPage(root *html.Node, base string) *page {
	p := &page{root: root, urls: newResolver(base)}
	if root == nil {
		p.root = &html.Node{Type: html.DocumentNode}
		return p
	}
	for n := root; n != nil; n = next(n, root, true) {
		p.size += 1 + len(n.Data)
		for i := range n.Attr {
			p.size += 4 + len(n.Attr[i].Key) + len(n.Attr[i].Val)
		}
		if isElement(n) {
			p.element(n)
		}
	}
	return p
}

// element notes an element by its name and attributes.
func (p *page) element(n *html.Node) {
	rel := false
	for i := range n.Attr {
		a := &n.Attr[i]
		switch a.Key {
		case "itemscope":
			p.microdata = true
		case "itemref":
			p.itemrefs = true
		case "typeof", "property":
			p.rdfa = p.rdfa || a.Key == "typeof" || n.Data != "meta"
		case "about", "resource":
			p.rdfa = true
		case "class":
			p.mf = p.mf || strings.Contains(a.Val, "h-")
			p.valueClass = p.valueClass || strings.Contains(a.Val, "value")
		case "rel":
			rel = true
		}
	}
	switch n.Data {
	case "script":
		if isJSONLD(n) {
			p.scripts = append(p.scripts, n)
		}
	case "meta":
		p.metas = append(p.metas, n)
	case "link", "a", "area":
		if rel {
			p.links = append(p.links, n)
		}
	case "html":
		if p.html == nil {
			p.html = n
		}
	case "title":
		if p.title == nil {
			p.title = n
		}
	}
}

// titleText returns the document's title.
//
// https://html.spec.whatwg.org/multipage/dom.html#document.title
func (p *page) titleText() string {
	if p.title == nil {
		return ""
	}
	return collapse(childText(p.title))
}

// lang returns the language that the html element tells.
//
// https://html.spec.whatwg.org/multipage/dom.html#the-lang-and-xml:lang-attributes
func (p *page) lang() string {
	if p.html == nil {
		return ""
	}
	lang, ok := attr(p.html, "lang")
	if !ok {
		lang, _ = attr(p.html, "xml:lang")
	}
	return trimmed(lang)
}

// childText joins the texts that are children of n.
//
// https://dom.spec.whatwg.org/#concept-child-text-content
func childText(n *html.Node) string {
	if c := n.FirstChild; c != nil && c == n.LastChild && c.Type == html.TextNode {
		return c.Data
	}
	var b strings.Builder
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		if c.Type == html.TextNode {
			b.WriteString(c.Data)
		}
	}
	return b.String()
}

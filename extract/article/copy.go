package article

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// What a tree may have to be read. The readers are recursive, and ask many
// elements for all that is in them: their work grows with the sum of the depths
// of the nodes, and of the texts. No page of the web that people read comes near.
const (
	maxNodes = 200_000
	maxDepth = 256       // deeper elements are left out, and what is in them comes in their place
	maxWork  = 2_000_000 // depths of nodes
	textNode = 64        // so many bytes of text count as a node more
	maxAttrs = 64        // of an element; more are left out
	maxData  = 256 << 10 // bytes of a script with data
)

// tree is a copy of a page.
type tree struct {
	root *html.Node
	text int // size of its text
}

// copyPage copies what may be of use to a reader: no comments, styles and
// templates, and of the scripts those with data. The strings are the page's.
// It reports false when the page is too large.
func copyPage(root *html.Node) (t tree, ok bool) {
	count, ok := countNodes(root)
	if !ok {
		return tree{}, false
	}
	c := copier{nodes: make([]html.Node, count.nodes+3), attrs: make([]html.Attribute, count.attrs), depth: 1}
	t.root = c.root(root)
	n := root
	if root.Type == html.DocumentNode {
		n = root.FirstChild
	}
	for n != nil {
		if !isSkipped(n) {
			c.add(n)
			if n.FirstChild != nil {
				c.descend(n)
				n = n.FirstChild
				continue
			}
		}
		for n != root && n.NextSibling == nil {
			if n = n.Parent; n != root {
				c.ascend(n)
			}
		}
		if n == root {
			break
		}
		n = n.NextSibling
	}
	t.text = c.text
	return t, true
}

// shorten takes off the whitespace around a text, of which readers count every
// character many times, but for one character on each side.
func shorten(s string) string {
	start, end := 0, len(s)
	for start < end && isSpace(s[start]) {
		start++
	}
	for end > start && isSpace(s[end-1]) {
		end--
	}
	return s[max(0, start-1):min(len(s), end+1)]
}

// keepsWhitespace tells elements whose text is not shortened: go-readability
// goes by the length of a line, with all its whitespace, to tell whether it
// names an author.
func keepsWhitespace(n *html.Node) bool {
	if n.Data == "pre" {
		return true
	}
	for i := range n.Attr {
		if a := &n.Attr[i]; a.Key == "class" || a.Key == "id" || a.Key == "rel" || a.Key == "itemprop" {
			value := a.Val[:min(len(a.Val), maxClass)]
			if strings.Contains(value, "uthor") || strings.Contains(value, "yline") || strings.Contains(value, "ateline") {
				return true
			}
		}
	}
	return false
}

// copier makes a copy. It holds the memory for it, and where it is.
type copier struct {
	nodes    []html.Node
	attrs    []html.Attribute
	to       *html.Node // what the next node is added to
	depth    int        // of the next node in the page
	verbatim int        // how many elements around keep their whitespace
	text     int        // size of the text so far
}

// add copies n. An element beyond the limit is left out: its children go where
// it would have gone.
func (c *copier) add(n *html.Node) {
	if n.Type == html.TextNode {
		c.text += sizeOf(n.Data)
	} else if c.depth > maxDepth {
		return
	}
	child := c.node(n)
	if n.Type == html.TextNode && c.verbatim == 0 {
		child.Data = shorten(n.Data)
	}
	c.to.AppendChild(child)
}

// descend goes into n, which was added last.
func (c *copier) descend(n *html.Node) {
	if c.depth <= maxDepth {
		c.to = c.to.LastChild
	}
	if keepsWhitespace(n) {
		c.verbatim++
	}
	c.depth++
}

// ascend leaves n.
func (c *copier) ascend(n *html.Node) {
	c.depth--
	if keepsWhitespace(n) {
		c.verbatim--
	}
	if c.depth <= maxDepth {
		c.to = c.to.Parent
	}
}

// root makes a document for the copy of a tree, with what is missing above its
// top: readers look for a body.
func (c *copier) root(top *html.Node) *html.Node {
	doc := c.node(&html.Node{Type: html.DocumentNode})
	c.to = doc
	if top.Type == html.DocumentNode || top.Data == "html" {
		return doc
	}
	c.to = c.node(&html.Node{Type: html.ElementNode, Data: "html", DataAtom: atom.Html})
	doc.AppendChild(c.to)
	if top.Data != "body" {
		body := c.node(&html.Node{Type: html.ElementNode, Data: "body", DataAtom: atom.Body})
		c.to.AppendChild(body)
		c.to = body
	}
	return doc
}

// node copies n alone.
func (c *copier) node(n *html.Node) *html.Node {
	to := &c.nodes[0]
	c.nodes = c.nodes[1:]
	to.Type, to.DataAtom, to.Data, to.Namespace = n.Type, n.DataAtom, n.Data, n.Namespace
	k := copy(c.attrs, n.Attr[:min(len(n.Attr), maxAttrs)])
	to.Attr, c.attrs = c.attrs[:k:k], c.attrs[k:]
	return to
}

// counts is what a copy takes.
type counts struct{ nodes, attrs int }

// countNodes walks over the page without its skipped parts, and stops when it
// is too large.
func countNodes(root *html.Node) (c counts, ok bool) {
	work, depth := 0, 0
	for n := root; ; {
		skipped := isSkipped(n)
		if !skipped {
			c.nodes++
			c.attrs += min(len(n.Attr), maxAttrs)
			weight := 1
			if n.Type == html.TextNode {
				weight += len(n.Data) / textNode
			}
			if work += weight * min(depth, maxDepth); c.nodes > maxNodes || work > maxWork {
				return c, false
			}
		}
		if n.FirstChild != nil && !skipped {
			n, depth = n.FirstChild, depth+1
			continue
		}
		for n != root && n.NextSibling == nil {
			n, depth = n.Parent, depth-1
		}
		if n == root {
			return c, true
		}
		n = n.NextSibling
	}
}

// isSkipped tells what no reader needs.
func isSkipped(n *html.Node) bool {
	switch n.Type {
	case html.TextNode, html.DocumentNode:
		return false
	case html.ElementNode:
		switch n.Data {
		case "style", "template":
			return true
		case "script":
			return !isData(n) || n.FirstChild != nil && len(n.FirstChild.Data) > maxData
		}
		return false
	}
	return true
}

// isData reports whether a script holds linked data.
//
// https://www.w3.org/TR/json-ld11/#embedding-json-ld-in-html-documents
func isData(script *html.Node) bool {
	return strings.EqualFold(attribute(script, "type"), "application/ld+json")
}

func attribute(n *html.Node, key string) string {
	for i := range n.Attr {
		if n.Attr[i].Key == key && n.Attr[i].Namespace == "" {
			return n.Attr[i].Val
		}
	}
	return ""
}

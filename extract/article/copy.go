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
	c := copier{nodes: make([]html.Node, count.nodes+3), attrs: make([]html.Attribute, count.attrs)}
	to := c.root(root)
	t.root = to
	for to.FirstChild != nil {
		to = to.FirstChild
	}
	from := root
	if root.Type == html.DocumentNode {
		from = root.FirstChild
	}
	pre := 0 // how many elements around keep their whitespace
	for depth := 1; from != nil; {
		if n := from; !isSkipped(n) {
			if n.Type == html.TextNode {
				t.text += sizeOf(n.Data)
			}
			// Beyond the limit, children go where their parent would have gone.
			if depth <= maxDepth || n.Type == html.TextNode {
				child := c.node(n)
				if n.Type == html.TextNode && pre == 0 {
					child.Data = shorten(n.Data)
				}
				to.AppendChild(child)
				if n.FirstChild != nil {
					to = child
				}
			}
			if n.FirstChild != nil {
				if n.Data == "pre" {
					pre++
				}
				from, depth = n.FirstChild, depth+1
				continue
			}
		}
		for from != root && from.NextSibling == nil {
			if from = from.Parent; from == nil || from == root {
				return t, true
			}
			if from.Data == "pre" {
				pre--
			}
			if depth--; depth <= maxDepth {
				to = to.Parent
			}
		}
		if from == root {
			break
		}
		from = from.NextSibling
	}
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

// copier holds the memory of a copy.
type copier struct {
	nodes []html.Node
	attrs []html.Attribute
}

// root makes a document for the copy of a tree, with what is missing above its
// top: readers look for a body.
func (c *copier) root(top *html.Node) *html.Node {
	doc := c.node(&html.Node{Type: html.DocumentNode})
	if top.Type == html.DocumentNode || top.Data == "html" {
		return doc
	}
	parent := c.node(&html.Node{Type: html.ElementNode, Data: "html", DataAtom: atom.Html})
	doc.AppendChild(parent)
	if top.Data != "body" {
		parent.AppendChild(c.node(&html.Node{Type: html.ElementNode, Data: "body", DataAtom: atom.Body}))
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

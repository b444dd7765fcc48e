package xpath

import (
	"math"
	"strings"

	"golang.org/x/net/html"

	"github.com/magpie-crawl/magpie/htmlparse"
)

// Node is a node of XPath's data model: a node of the tree, or an attribute
// of an element.
//
// https://www.w3.org/TR/1999/REC-xpath-19991116/#data-model
type Node struct {
	*html.Node
	Attr int // which of the element's attributes; -1: the node itself
}

// StringValue returns a copy of the node's text: of an element all text in
// it, of an attribute its value, of a comment what it says.
func (n Node) StringValue() string {
	ev := evaluation{left: math.MaxInt}
	return strings.Clone(ev.text(n))
}

// attribute returns the attribute that n is.
func (n Node) attribute() *html.Attribute { return &n.Node.Attr[n.Attr] }

// up returns the parent in XPath's sense.
func (n Node) up() (Node, bool) {
	if n.Attr >= 0 {
		return Node{n.Node, -1}, true
	}
	p := parent(n.Node)
	return Node{p, -1}, p != nil
}

// isTemplate tells the elements whose children belong to another tree.
//
// https://html.spec.whatwg.org/multipage/scripting.html#the-template-element
func isTemplate(n *html.Node) bool {
	return n.Data == "template" && n.Type == html.ElementNode && n.Namespace == ""
}

func firstChild(n *html.Node) *html.Node {
	if n.FirstChild == nil || isTemplate(n) {
		return nil
	}
	return n.FirstChild
}

func lastChild(n *html.Node) *html.Node {
	if n.LastChild == nil || isTemplate(n) {
		return nil
	}
	return n.LastChild
}

func parent(n *html.Node) *html.Node {
	if p := n.Parent; p != nil && !isTemplate(p) {
		return p
	}
	return nil
}

// inModel tells the nodes that XPath knows from doctypes and the like.
func inModel(n *html.Node) bool {
	switch n.Type {
	case html.ElementNode, html.TextNode, html.CommentNode, html.DocumentNode, htmlparse.ProcessingInstructionNode:
		return true
	}
	return false
}

// after returns the node that comes behind n and all that is in it, within
// top; nil at the end.
func (ev *evaluation) after(n, top *html.Node) *html.Node {
	for n != nil && n != top && ev.left >= 0 {
		if n.NextSibling != nil {
			return n.NextSibling
		}
		n = parent(n)
		ev.left--
	}
	return nil
}

// next returns the node behind n in document order, within top.
func (ev *evaluation) next(n, top *html.Node) *html.Node {
	if ev.left--; ev.left < 0 {
		return nil
	}
	if c := firstChild(n); c != nil {
		return c
	}
	return ev.after(n, top)
}

// text returns the string-value of a node, which may be a part of the page.
func (ev *evaluation) text(n Node) string {
	s := leafText(n)
	ev.left -= 1 + len(s)
	if n.Attr >= 0 || n.Type != html.ElementNode && n.Type != html.DocumentNode {
		return s
	}
	var all []byte
	for d := ev.next(n.Node, n.Node); d != nil; d = ev.next(d, n.Node) {
		if d.Type != html.TextNode || d.Data == "" {
			continue
		}
		switch ev.left -= len(d.Data); {
		case s == "":
			s = d.Data
		case all == nil:
			all = append(append(make([]byte, 0, 2*(len(s)+len(d.Data))), s...), d.Data...)
		default:
			all = append(all, d.Data...)
		}
	}
	if all != nil {
		return string(all)
	}
	return s
}

// leafText is the string-value of a node that holds no others.
func leafText(n Node) string {
	if n.Attr >= 0 {
		return n.attribute().Val
	}
	switch n.Type {
	case html.TextNode, html.CommentNode:
		return n.Data
	case htmlparse.ProcessingInstructionNode:
		for i := range n.Node.Attr {
			if n.Node.Attr[i].Key == "data" {
				return n.Node.Attr[i].Val
			}
		}
	}
	return ""
}

// says reports whether s is the string-value of a node, and reads no more
// of it than that takes.
func (ev *evaluation) says(n Node, s string) bool {
	ev.left--
	if n.Attr >= 0 || n.Type != html.ElementNode && n.Type != html.DocumentNode {
		ev.left -= len(s)
		return leafText(n) == s
	}
	ok := true
	for d := ev.next(n.Node, n.Node); d != nil; d = ev.next(d, n.Node) {
		if d.Type == html.TextNode {
			if s, ok = strings.CutPrefix(s, d.Data); !ok {
				return false
			}
			ev.left -= len(d.Data)
		}
	}
	return s == ""
}

package htmlparse

import (
	"strings"

	"golang.org/x/net/html"
)

// Clone returns a copy of n and of what it contains, with neither parent nor
// siblings. The copy shares no memory with the tree and its page, and takes no
// more than it needs: it is for those who keep a small piece of a page, see the
// package documentation on memory. Positions and scripts of a Document are not
// known for it.
// https://dom.spec.whatwg.org/#concept-node-clone
func Clone(n *html.Node) *html.Node {
	c := newCloner(n)
	top := c.node(n)
	for from, to := n, top; ; {
		if from.FirstChild != nil {
			from = from.FirstChild
			to = appendNew(to, c.node(from))
			continue
		}
		for from != n && from.NextSibling == nil {
			from, to = from.Parent, to.Parent
		}
		if from == n {
			return top
		}
		from = from.NextSibling
		to = appendNew(to.Parent, c.node(from))
	}
}

// appendNew makes child, which is linked to nothing, the last child of parent and returns it.
func appendNew(parent, child *html.Node) *html.Node {
	child.Parent, child.PrevSibling = parent, parent.LastChild
	if parent.LastChild == nil {
		parent.FirstChild = child
	} else {
		parent.LastChild.NextSibling = child
	}
	parent.LastChild = child
	return child
}

// cloner holds the memory of a copy: one piece each for nodes, attributes and strings.
type cloner struct {
	nodes []html.Node
	attrs []html.Attribute
	text  strings.Builder
}

// newCloner counts what the copy of a tree takes.
func newCloner(root *html.Node) *cloner {
	var nodes, attrs, text int
	count := func(n *html.Node) (bool, error) {
		nodes++
		attrs += len(n.Attr)
		text += len(n.Data) + len(n.Namespace)
		for i := range n.Attr {
			text += len(n.Attr[i].Namespace) + len(n.Attr[i].Key) + len(n.Attr[i].Val)
		}
		return true, nil
	}
	_ = walk(root, count, func(*html.Node) {}, func(*html.Node) bool { return true }) // count has no errors
	c := &cloner{nodes: make([]html.Node, nodes), attrs: make([]html.Attribute, attrs)}
	c.text.Grow(text)
	return c
}

// node copies n alone.
func (c *cloner) node(n *html.Node) *html.Node {
	to := &c.nodes[0]
	c.nodes = c.nodes[1:]
	to.Type, to.DataAtom = n.Type, n.DataAtom
	to.Data, to.Namespace = c.string(n.Data), c.string(n.Namespace)
	if n.Attr != nil {
		count := len(n.Attr)
		to.Attr, c.attrs = c.attrs[:count:count], c.attrs[count:]
		for i, a := range n.Attr {
			to.Attr[i] = html.Attribute{Namespace: c.string(a.Namespace), Key: c.string(a.Key), Val: c.string(a.Val)}
		}
	}
	return to
}

func (c *cloner) string(s string) string {
	start := c.text.Len()
	c.text.WriteString(s)
	return c.text.String()[start:]
}

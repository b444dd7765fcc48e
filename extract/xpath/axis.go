package xpath

import (
	"golang.org/x/net/html"
)

// axis is a direction from a context node.
//
// https://www.w3.org/TR/1999/REC-xpath-19991116/#axes
type axis uint8

const (
	selfAxis axis = iota
	childAxis
	descendantAxis
	descendantOrSelfAxis
	attributeAxis
	namespaceAxis // empty: HTML has no namespace nodes
	followingSiblingAxis
	followingAxis
	parentAxis // from here on in reverse document order
	ancestorAxis
	ancestorOrSelfAxis
	precedingSiblingAxis
	precedingAxis
)

var axisNames = []string{
	selfAxis: "self", childAxis: "child", descendantAxis: "descendant", descendantOrSelfAxis: "descendant-or-self",
	attributeAxis: "attribute", namespaceAxis: "namespace", followingSiblingAxis: "following-sibling",
	followingAxis: "following", parentAxis: "parent", ancestorAxis: "ancestor", ancestorOrSelfAxis: "ancestor-or-self",
	precedingSiblingAxis: "preceding-sibling", precedingAxis: "preceding",
}

// reverse reports whether positions count backwards.
func (a axis) reverse() bool { return a >= parentAxis }

// within reports whether the axis stays in what the context node holds.
func (a axis) within() bool { return a <= namespaceAxis }

// cursor goes along an axis from one node, in the axis's direction. It also
// comes by nodes that aren't in XPath's data model.
type cursor struct {
	ev     *evaluation
	axis   axis
	origin Node
	at     Node // where it is; nowhere before the first call of next
	inner  *html.Node
}

func (ev *evaluation) along(a axis, origin Node) cursor {
	return cursor{ev: ev, axis: a, origin: origin, at: Node{nil, -1}, inner: origin.Node}
}

// next goes on by one node; false at the end of the axis or the budget.
func (c *cursor) next() bool {
	if c.ev.left--; c.ev.left < 0 {
		return false
	}
	if c.axis == attributeAxis {
		return c.nextAttribute()
	}
	if c.at.Node == nil {
		c.start()
	} else {
		c.goOn()
	}
	return c.at.Node != nil
}

func (c *cursor) nextAttribute() bool {
	if c.origin.Attr >= 0 || c.origin.Type != html.ElementNode {
		return false
	}
	c.at = Node{c.origin.Node, c.at.Attr + 1}
	return c.at.Attr < len(c.origin.Node.Attr)
}

// start goes to the first node of the axis.
func (c *cursor) start() {
	n, isAttr := c.origin.Node, c.origin.Attr >= 0
	switch c.axis {
	case selfAxis, descendantOrSelfAxis, ancestorOrSelfAxis:
		c.at = c.origin
		return
	case parentAxis, ancestorAxis:
		c.at, _ = c.origin.up()
		return
	case precedingAxis:
		c.at.Node = c.back(n)
		return
	case followingAxis:
		if isAttr { // what is in the element comes behind its attributes
			c.at.Node = c.ev.next(n, nil)
		} else {
			c.at.Node = c.ev.after(n, nil)
		}
		return
	}
	if isAttr {
		return
	}
	switch c.axis {
	case childAxis, descendantAxis:
		c.at.Node = firstChild(n)
	case followingSiblingAxis:
		c.at.Node = n.NextSibling
	case precedingSiblingAxis:
		c.at.Node = n.PrevSibling
	}
}

// goOn goes to the node behind the one where the cursor is.
func (c *cursor) goOn() {
	n := c.at.Node
	switch c.axis {
	case childAxis, followingSiblingAxis:
		c.at.Node = n.NextSibling
	case precedingSiblingAxis:
		c.at.Node = n.PrevSibling
	case ancestorAxis, ancestorOrSelfAxis:
		c.at, _ = c.at.up()
	case descendantAxis, descendantOrSelfAxis:
		if c.origin.Attr >= 0 {
			n = nil
		} else {
			n = c.ev.next(n, c.origin.Node)
		}
		c.at.Node = n
	case followingAxis:
		c.at.Node = c.ev.next(n, nil)
	case precedingAxis:
		c.at.Node = c.back(n)
	default:
		c.at.Node = nil
	}
}

// back returns the node before n that is no ancestor of the origin. inner is
// the origin or the ancestor of it whose earlier siblings the cursor is in.
func (c *cursor) back(n *html.Node) *html.Node {
	for c.ev.left >= 0 {
		if p := n.PrevSibling; p != nil {
			for last := lastChild(p); last != nil && c.ev.left >= 0; last = lastChild(p) {
				p = last
				c.ev.left--
			}
			return p
		}
		p := parent(n)
		if p == nil || p != parent(c.inner) {
			return p
		}
		n, c.inner = p, p
		c.ev.left--
	}
	return nil
}

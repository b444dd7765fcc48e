package xpath

import (
	"slices"

	"golang.org/x/net/html"
)

// nodeList is a set of nodes in document order.
type nodeList struct {
	nodes []Node
	flat  bool // none that holds something is in another, so what they hold is in order too
}

// follow takes a step from all nodes of a set at once: what several of them
// lead to is looked at once. limit is how many of the first nodes are wanted,
// 0: all; there may come more.
func (ev *evaluation) follow(set nodeList, s *step, limit int) nodeList {
	switch {
	case len(set.nodes) == 0 || s.axis == namespaceAxis:
		return nodeList{flat: true}
	case len(set.nodes) == 1:
		return ev.followOne(set.nodes[0], s, limit)
	case s.axis == childAxis && !set.flat && ev.order == nil && ev.walks < maxWalks:
		ev.walks++
		return ev.children(set.nodes, s)
	case s.positional || s.axis == childAxis || s.axis == selfAxis || s.axis == attributeAxis:
		return ev.followEach(set, s)
	}
	switch s.axis {
	case descendantAxis, descendantOrSelfAxis:
		return ev.descendants(set.nodes, s, limit)
	case followingAxis:
		return ev.following(set.nodes, s)
	case precedingAxis: // all that is before some node and doesn't hold it is before the last one
		return ev.followOne(set.nodes[len(set.nodes)-1], s, 0)
	}
	return ev.chains(set.nodes, s)
}

// followOne takes a step from one node.
func (ev *evaluation) followOne(n Node, s *step, limit int) nodeList {
	if !s.positional && (s.axis == descendantAxis || s.axis == descendantOrSelfAxis) {
		return ev.descendants([]Node{n}, s, limit)
	}
	if s.axis.reverse() {
		limit = 0
	}
	nodes := ev.one(n, s, nil, limit)
	if s.axis.reverse() {
		slices.Reverse(nodes)
	}
	siblings := s.axis == childAxis || s.axis == attributeAxis || s.axis == followingSiblingAxis || s.axis == precedingSiblingAxis
	return nodeList{nodes, siblings || len(nodes) < 2}
}

// followEach takes a step from each node by itself.
func (ev *evaluation) followEach(set nodeList, s *step) nodeList {
	if s.axis == attributeAxis && s.findsOne() {
		return ev.attributes(set.nodes, s)
	}
	var out []Node
	for _, n := range set.nodes {
		if ev.left < 0 {
			break
		}
		out = ev.one(n, s, out, 0)
	}
	switch {
	case s.axis == attributeAxis:
		return nodeList{out, true}
	case s.axis == selfAxis || set.flat && s.axis == childAxis:
		return nodeList{out, set.flat}
	}
	return nodeList{ev.sorted(out), len(out) < 2}
}

// attributes finds the attributes of a name.
func (ev *evaluation) attributes(set []Node, s *step) nodeList {
	var out []Node
	for _, n := range set {
		ev.left -= 1 + len(n.Node.Attr)
		if ev.left < 0 {
			break
		}
		if a, ok := s.test.attribute(n); ok {
			out = append(out, a)
		}
	}
	return nodeList{out, true}
}

// subtree is a walk through nodes in document order that tells whether any
// that it adds is in another.
type subtree struct {
	nodes []Node
	open  *html.Node // was added, and the walk is in it
	deep  bool       // a node in another was added
	waiting
}

// add adds n, where the walk is.
func (w *subtree) add(n Node) {
	w.nodes = append(w.nodes, n)
	switch {
	case n.Attr >= 0 || firstChild(n.Node) == nil:
	case w.open != nil:
		w.deep = true
	default:
		w.open = n.Node
	}
}

// next is evaluation.next, and closes the node that is open when it leaves it.
func (w *subtree) next(ev *evaluation, n, top *html.Node) *html.Node {
	if ev.left--; ev.left < 0 {
		return nil
	}
	if c := firstChild(n); c != nil {
		return c
	}
	for n != nil && ev.left >= 0 {
		if w.leave(n); n == w.open {
			w.open = nil
		}
		if n == top {
			return nil
		}
		if n.NextSibling != nil {
			return n.NextSibling
		}
		n = parent(n)
		ev.left--
	}
	return nil
}

// descendants takes a step down from nodes, of which those that are in others
// are met on the way.
func (ev *evaluation) descendants(set []Node, s *step, limit int) nodeList {
	orSelf := s.axis == descendantOrSelfAxis
	var w subtree
	add := func(n Node) {
		if s.keeps(ev, n) {
			w.add(n)
		}
	}
	for i := 0; i < len(set) && ev.left >= 0; {
		top := set[i]
		if top.Attr >= 0 {
			if i++; orSelf {
				add(top)
			}
			continue
		}
		for n := top.Node; n != nil; n = w.next(ev, n, top.Node) {
			if orSelf || n != top.Node {
				add(Node{n, -1})
			}
			for ; i < len(set) && set[i].Node == n; i++ {
				if set[i].Attr >= 0 && orSelf {
					add(set[i])
				}
			}
			if limit > 0 && len(w.nodes) >= limit {
				return nodeList{w.nodes, !w.deep}
			}
		}
	}
	return nodeList{w.nodes, !w.deep}
}

// following takes a step to all that comes behind the first node to end.
func (ev *evaluation) following(set []Node, s *step) nodeList {
	begin := ev.firstEnd(set)
	var w subtree
	for n := begin; n != nil; n = w.next(ev, n, nil) {
		if s.keeps(ev, Node{n, -1}) {
			w.add(Node{n, -1})
		}
	}
	return nodeList{w.nodes, !w.deep}
}

// firstEnd returns the node that comes behind the one that ends first: the
// innermost of the nodes that the first one holds and that hold each other.
func (ev *evaluation) firstEnd(set []Node) *html.Node {
	inner := set[0]
	for i, n := 1, inner.Node; i < len(set) && inner.Attr < 0 && n != nil; n = ev.next(n, inner.Node) {
		if set[i].Node == n {
			inner = set[i]
			i++
		}
	}
	if inner.Attr >= 0 {
		return ev.next(inner.Node, nil)
	}
	return ev.after(inner.Node, nil)
}

// chains takes a step along axes on which the ways of all nodes that meet are
// the same from there on: siblings and ancestors.
func (ev *evaluation) chains(set []Node, s *step) nodeList {
	if s.axis == followingSiblingAxis && siblings(set) {
		return ev.followOne(set[0], s, 0)
	}
	if s.axis == precedingSiblingAxis && siblings(set) {
		return ev.followOne(set[len(set)-1], s, 0)
	}
	met := map[Node]struct{}{}
	var out []Node
	for _, n := range set {
		for c := ev.along(s.axis, n); c.next(); {
			if _, ok := met[c.at]; ok {
				break
			}
			met[c.at] = struct{}{}
			if s.keeps(ev, c.at) {
				out = append(out, c.at)
			}
		}
		if ev.left < 0 {
			break
		}
	}
	return nodeList{ev.sorted(out), len(out) < 2}
}

// siblings reports whether the nodes have the same parent.
func siblings(set []Node) bool {
	for _, n := range set {
		if n.Attr >= 0 || n.Parent == nil || n.Parent != set[0].Parent {
			return false
		}
	}
	return true
}

package xpath

import (
	"cmp"
	"slices"

	"golang.org/x/net/html"
)

// ordered is a node with its place in the document.
type ordered struct {
	place uint64 // that of the element, and behind it its attributes
	node  Node
}

// sorted brings nodes into document order and leaves each there once. It
// writes into nodes.
//
// https://www.w3.org/TR/1999/REC-xpath-19991116/#dt-document-order
func (ev *evaluation) sorted(nodes []Node) []Node {
	if len(nodes) < 2 {
		return nodes
	}
	ev.numberNodes()
	ev.left -= len(nodes)
	list := make([]ordered, len(nodes))
	inOrder := true
	for i, n := range nodes {
		list[i] = ordered{uint64(ev.order[n.Node])<<32 | uint64(uint32(n.Attr+1)), n}
		inOrder = inOrder && (i == 0 || list[i-1].place < list[i].place)
	}
	if inOrder {
		return nodes
	}
	slices.SortFunc(list, func(a, b ordered) int { return cmp.Compare(a.place, b.place) })
	nodes = nodes[:0]
	for i, o := range list {
		if i == 0 || o.place != list[i-1].place {
			nodes = append(nodes, o.node)
		}
	}
	return nodes
}

// numberNodes numbers everything.
func (ev *evaluation) numberNodes() {
	if ev.order != nil {
		return
	}
	nodes := ev.everything().nodes
	ev.order = make(map[*html.Node]int32, len(nodes))
	for i, n := range nodes {
		ev.order[n.Node] = int32(i)
	}
}

// everything returns the nodes that the expression can lead to.
func (ev *evaluation) everything() nodeList {
	top := ev.context
	if !ev.local {
		top = ev.root()
	}
	var set nodeList
	for n := range ev.all(top) {
		set.nodes = append(set.nodes, Node{n, -1})
	}
	return set
}

// all goes through top and all that is in it; from a root it goes through
// the roots beside it too, such as all that a template holds.
func (ev *evaluation) all(top *html.Node) func(func(*html.Node) bool) {
	return func(yield func(*html.Node) bool) {
		first, end := top, top
		if parent(top) == nil {
			for end = nil; first.PrevSibling != nil && ev.left >= 0; ev.left-- {
				first = first.PrevSibling
			}
		}
		for n := first; n != nil; n = ev.next(n, end) {
			if !yield(n) {
				return
			}
		}
	}
}

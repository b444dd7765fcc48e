package htmlparse

import "golang.org/x/net/html"

// place is where a node goes into the tree: as a child of parent, before a sibling or, if that is nil, at the end.
type place struct {
	parent, before *html.Node
}

// appropriatePlace is the place of a node in the current node. Template contents are the template's children.
//
// https://html.spec.whatwg.org/multipage/parsing.html#appropriate-place-for-inserting-a-node
func (b *treeBuilder) appropriatePlace() place {
	if b.fosterParenting {
		return b.appropriatePlaceIn(b.open.current())
	}
	return place{parent: b.open.current().node}
}

// appropriatePlaceIn is appropriatePlace with an override target.
func (b *treeBuilder) appropriatePlaceIn(target *openElement) place {
	if b.fosterParenting && target.is(fosterContext) {
		return b.fosterParent()
	}
	return place{parent: target.node}
}

// fosterParent is the place of what is misplaced in a table: before the table, or in a template within it.
//
// https://html.spec.whatwg.org/multipage/parsing.html#foster-parent
func (b *treeBuilder) fosterParent() place {
	table, template := int(b.open.newest[tagTable]), int(b.open.newest[tagTemplate])
	switch {
	case template > table:
		return place{parent: b.open.at(template).node}
	case table == 0:
		return place{parent: b.open.at(1).node} // fragment case
	}
	if t := b.open.at(table).node; t.Parent != nil {
		return place{parent: t.Parent, before: t}
	}
	return place{parent: b.open.at(table - 1).node}
}

// insertAt links a node that has no parent into the tree.
func (b *treeBuilder) insertAt(p place, n *html.Node) {
	if p.parent == nil {
		return
	}
	previous := p.parent.LastChild
	if p.before == nil {
		p.parent.LastChild = n
	} else {
		previous = p.before.PrevSibling
		p.before.PrevSibling = n
	}
	if previous == nil {
		p.parent.FirstChild = n
	} else {
		previous.NextSibling = n
	}
	n.Parent, n.PrevSibling = p.parent, previous
	if p.before != nil {
		n.NextSibling = p.before
	}
}

// detach takes a node out of the tree.
func (b *treeBuilder) detach(n *html.Node) {
	if n.Parent != nil {
		n.Parent.RemoveChild(n)
	}
}

// moveChildren moves all children of one node to the end of another, which has none.
func moveChildren(to, from *html.Node) {
	to.FirstChild, to.LastChild = from.FirstChild, from.LastChild
	from.FirstChild, from.LastChild = nil, nil
	for c := to.FirstChild; c != nil; c = c.NextSibling {
		c.Parent = to
	}
}

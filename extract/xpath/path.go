package xpath

// path is a location path: steps from the context node, from the root, or
// from the nodes of another expression.
//
// https://www.w3.org/TR/1999/REC-xpath-19991116/#location-paths
type path struct {
	start    expr // nil: the root or the context node
	fromRoot bool
	again    bool // from the root and in a predicate: the value is kept
	turns    bool // can be turned
	single   bool // one step to one node at most: node finds it
	steps    []step
}

// step is a location step.
//
// https://www.w3.org/TR/1999/REC-xpath-19991116/#section-Location-Steps
type step struct {
	axis       axis
	test       nodeTest
	predicates []predicate
	positional bool // some predicate looks at positions, so each context node is a case of its own
	sized      bool // some predicate looks at last()
}

func (p *path) kind() Kind { return NodeSet }

func (p *path) eval(ev *evaluation, f focus) Value { return Value{nodes: p.nodes(ev, f, 0)} }

// nodes returns the nodes that the path leads to, or the first of them.
func (p *path) nodes(ev *evaluation, f focus, limit int) []Node {
	if !p.again {
		return p.walk(ev, f, limit)
	}
	nodes, ok := ev.absolute[p]
	if !ok {
		nodes = p.walk(ev, f, 0)
		if ev.absolute == nil {
			ev.absolute = map[*path][]Node{}
		}
		ev.absolute[p] = nodes
	}
	return nodes
}

func (p *path) walk(ev *evaluation, f focus, limit int) []Node {
	set := p.from(ev, f)
	for i := range p.steps {
		most := 0
		if i == len(p.steps)-1 {
			most = limit
		}
		set = ev.follow(set, &p.steps[i], most)
	}
	return set.nodes
}

// from returns the nodes that the path begins with.
func (p *path) from(ev *evaluation, f focus) nodeList {
	switch {
	case p.start != nil:
		nodes := ev.nodes(p.start, f, 0)
		return nodeList{nodes, len(nodes) < 2}
	case p.fromRoot:
		return nodeList{[]Node{{ev.root(), -1}}, true}
	}
	return nodeList{[]Node{f.node}, true}
}

// any reports whether the path leads anywhere.
func (p *path) any(ev *evaluation, f focus) bool {
	if p.again || len(p.steps) == 0 {
		return len(p.nodes(ev, f, 1)) > 0
	}
	if leads, ok := ev.anyTurned(p, f); ok {
		return leads
	}
	before := ev.left
	leads := p.leads(ev, f)
	ev.asked(p, before-ev.left)
	return leads
}

// leads goes along the path until it finds a node at its end.
func (p *path) leads(ev *evaluation, f focus) bool {
	set := p.from(ev, f)
	last := &p.steps[len(p.steps)-1]
	for i := range p.steps[:len(p.steps)-1] {
		set = ev.follow(set, &p.steps[i], 0)
	}
	if len(set.nodes) > 1 && !last.positional && !last.cheap() {
		return len(ev.follow(set, last, 1).nodes) > 0
	}
	var one [1]Node
	for _, n := range set.nodes {
		if len(ev.one(n, last, one[:0], 1)) > 0 {
			return true
		}
	}
	return false
}

// cheap reports whether nothing is looked at twice where the step is taken
// from each node of a set by itself.
func (s *step) cheap() bool {
	return s.axis == selfAxis || s.axis == childAxis || s.axis == attributeAxis || s.axis == parentAxis
}

// node returns the one node that the path leads to.
func (p *path) node(ev *evaluation, f focus) (Node, bool) {
	n := f.node
	ev.left -= 1 + len(n.Node.Attr)
	if s := &p.steps[0]; s.axis == attributeAxis {
		return s.test.attribute(n)
	}
	return n, n.Attr >= 0 || inModel(n.Node)
}

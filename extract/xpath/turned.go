package xpath

import "golang.org/x/net/html"

// A predicate such as [.//img] asks each node anew whether a path leads
// anywhere. Where that costs much, because many nodes look through the same
// part of the page, the path is turned: from all nodes where it could end back
// to all where it could begin, which is one step for each of its steps.

// turnAfter is how many steps asking may cost before the path is turned. It
// is a variable for the sake of tests.
var turnAfter = 1 << 16

// inverse are the axes that lead back, but not to attributes.
var inverse = [...]axis{
	selfAxis: selfAxis, childAxis: parentAxis, descendantAxis: ancestorAxis, descendantOrSelfAxis: ancestorOrSelfAxis,
	attributeAxis: parentAxis, namespaceAxis: namespaceAxis, followingSiblingAxis: precedingSiblingAxis, followingAxis: precedingAxis,
	parentAxis: childAxis, ancestorAxis: descendantAxis, ancestorOrSelfAxis: descendantOrSelfAxis,
	precedingSiblingAxis: followingSiblingAxis, precedingAxis: followingAxis,
}

// canTurn reports whether the path can be turned, and whether that is of use:
// one to children or the parent costs little from each node.
func (p *path) canTurn() bool {
	useful := false
	for i := range p.steps {
		s := &p.steps[i]
		if s.positional || s.axis == namespaceAxis || s.axis == attributeAxis && i < len(p.steps)-1 {
			return false
		}
		useful = useful || !s.cheap()
	}
	return useful && p.start == nil && !p.fromRoot
}

// anyTurned answers path.any from what the turned path gives; ok is false
// where it isn't turned.
func (ev *evaluation) anyTurned(p *path, f focus) (leads, ok bool) {
	if !p.turns || f.node.Attr >= 0 || ev.asking[p] <= turnAfter {
		return false, false
	}
	ev.left--
	begins, ok := ev.turned[p]
	if !ok {
		begins = ev.turn(p)
		if ev.turned == nil {
			ev.turned = map[*path]map[*html.Node]bool{}
		}
		ev.turned[p] = begins
	}
	return begins[f.node.Node], true
}

// asked notes what it cost to ask one node.
func (ev *evaluation) asked(p *path, cost int) {
	if !p.turns || cost <= turnAfter>>8 {
		return // that little is no more than some steps for each node
	}
	if ev.asking == nil {
		ev.asking = map[*path]int{}
	}
	ev.asking[p] += cost
}

// turn returns the nodes from which a path leads anywhere.
func (ev *evaluation) turn(p *path) map[*html.Node]bool {
	set := ev.everything()
	test := step{test: nodeTest{is: isNode}}
	for i := len(p.steps) - 1; i >= 0; i-- {
		s := p.steps[i]
		back := inverse[s.axis]
		if s.axis != attributeAxis { // set has the nodes from which the rest of the path leads on
			s.axis = selfAxis
		}
		set = ev.follow(set, &s, 0)
		test.axis = back
		set = ev.follow(set, &test, 0)
	}
	begins := make(map[*html.Node]bool, len(set.nodes))
	for _, n := range set.nodes {
		begins[n.Node] = true
	}
	ev.left -= len(begins)
	return begins
}

package xpath

import "slices"

// predicate filters nodes.
//
// https://www.w3.org/TR/1999/REC-xpath-19991116/#predicates
type predicate struct {
	x          expr
	positional bool
	sized      bool // looks at last()
	only       int  // [3] or [position() = 3]; 0: something else
	last       bool // [last()]
}

// holds evaluates a predicate for one node.
func (p *predicate) holds(ev *evaluation, f focus) bool {
	ev.left--
	switch {
	case p.only > 0:
		return f.position == p.only
	case p.last:
		return f.position == f.size
	case p.x.kind() == Number:
		return ev.number(p.x, f) == float64(f.position)
	}
	return ev.boolean(p.x, f)
}

// keeps reports whether all predicates, none of them positional, hold for a
// node that passes the step's test.
func (s *step) keeps(ev *evaluation, n Node) bool {
	if !s.test.matches(n) {
		return false
	}
	for i := range s.predicates {
		if !s.predicates[i].holds(ev, focus{n, 1, 1}) {
			return false
		}
	}
	return true
}

// counts is keeps for steps with positional predicates that don't look at
// last(). seen is how many nodes came to each predicate. last means that no
// further node can pass.
func (s *step) counts(ev *evaluation, n Node, seen []int) (ok, last bool) {
	for i := range s.predicates {
		p := &s.predicates[i]
		seen[i]++
		if !p.holds(ev, focus{n, seen[i], 0}) {
			return false, last
		}
		last = last || p.only > 0
	}
	return true, last
}

// one appends what a step gives from one context node, in the direction of
// the axis and at most limit nodes, 0: all.
func (ev *evaluation) one(context Node, s *step, out []Node, limit int) []Node {
	if s.sized {
		return ev.oneSized(context, s, out)
	}
	var seen []int
	if s.positional {
		seen = make([]int, len(s.predicates))
	}
	had := len(out)
	for c := ev.along(s.axis, context); c.next(); {
		ok, last := false, false
		switch {
		case !s.positional:
			ok = s.keeps(ev, c.at)
		case s.test.matches(c.at):
			ok, last = s.counts(ev, c.at, seen)
		}
		if ok {
			out = append(out, c.at)
		}
		if last || limit > 0 && len(out)-had == limit {
			break
		}
	}
	return out
}

// oneSized is one for predicates that look at last().
func (ev *evaluation) oneSized(context Node, s *step, out []Node) []Node {
	had := len(out)
	for c := ev.along(s.axis, context); c.next(); {
		if s.test.matches(c.at) {
			out = append(out, c.at)
		}
	}
	return out[:had+len(ev.filter(out[had:], s.predicates))]
}

// filter leaves the nodes for which the predicates hold. It writes into nodes.
func (ev *evaluation) filter(nodes []Node, predicates []predicate) []Node {
	for i := range predicates {
		p := &predicates[i]
		switch at := p.only - 1; {
		case p.last:
			nodes = slices.Delete(nodes, 0, max(0, len(nodes)-1))
		case at >= len(nodes):
			nodes = nodes[:0]
		case at >= 0:
			nodes[0] = nodes[at]
			nodes = nodes[:1]
		default:
			nodes = ev.filterBy(nodes, p)
		}
	}
	return nodes
}

func (ev *evaluation) filterBy(nodes []Node, p *predicate) []Node {
	kept := nodes[:0]
	for i, n := range nodes {
		if ev.left < 0 {
			break
		}
		if p.holds(ev, focus{n, i + 1, len(nodes)}) {
			kept = append(kept, n)
		}
	}
	return kept
}

// filtered is an expression with predicates, which count in document order.
//
// https://www.w3.org/TR/1999/REC-xpath-19991116/#NT-FilterExpr
type filtered struct {
	x          expr
	predicates []predicate
}

func (x *filtered) kind() Kind { return NodeSet }

func (x *filtered) eval(ev *evaluation, f focus) Value {
	limit := max(0, x.predicates[0].only)
	nodes := slices.Clone(ev.nodes(x.x, f, limit))
	return Value{nodes: ev.filter(nodes, x.predicates)}
}

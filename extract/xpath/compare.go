package xpath

import "math"

// swapped is the operator for operands that change sides.
func (op operator) swapped() operator {
	switch op {
	case opLess:
		return opGreater
	case opLessOrEqual:
		return opGreaterOrEqual
	case opGreater:
		return opLess
	case opGreaterOrEqual:
		return opLessOrEqual
	}
	return op
}

func (op operator) numbers(a, b float64) bool {
	switch op {
	case opEqual:
		return a == b
	case opNotEqual:
		return a != b
	case opLess:
		return a < b
	case opLessOrEqual:
		return a <= b
	case opGreater:
		return a > b
	}
	return a >= b
}

// compare compares two values. A set of nodes stands for any of its nodes.
//
// https://www.w3.org/TR/1999/REC-xpath-19991116/#booleans
func (ev *evaluation) compare(op operator, a, b expr, f focus) bool {
	ev.left--
	switch sets, setsB := a.kind() == NodeSet, b.kind() == NodeSet; {
	case sets && setsB:
		return ev.compareSets(op, a, b, f)
	case sets:
		return ev.compareNodes(op, a, b.eval(ev, f), f)
	case setsB:
		return ev.compareNodes(op.swapped(), b, a.eval(ev, f), f)
	}
	return ev.compareValues(op, a.eval(ev, f), b.eval(ev, f))
}

func (ev *evaluation) compareValues(op operator, a, b Value) bool {
	if op != opEqual && op != opNotEqual || a.kind == Number && b.kind != Boolean || b.kind == Number && a.kind != Boolean {
		return op.numbers(ev.numberOf(a), ev.numberOf(b))
	}
	if a.kind == Boolean || b.kind == Boolean {
		return (a.Bool() == b.Bool()) == (op == opEqual)
	}
	ev.left -= min(len(a.str), len(b.str))
	return (a.str == b.str) == (op == opEqual)
}

// compareNodes compares the nodes of a set with a value that is none.
func (ev *evaluation) compareNodes(op operator, set expr, v Value, f focus) bool {
	if v.kind == Boolean {
		return ev.compareValues(op, booleanValue(ev.boolean(set, f)), v)
	}
	if p, ok := set.(*path); ok && p.single {
		n, ok := p.node(ev, f)
		return ok && ev.compareNode(op, n, v)
	}
	for _, n := range ev.nodes(set, f, 0) {
		if ev.left < 0 || ev.compareNode(op, n, v) {
			return true
		}
	}
	return false
}

func (ev *evaluation) compareNode(op operator, n Node, v Value) bool {
	if v.kind == String && (op == opEqual || op == opNotEqual) {
		return ev.says(n, v.str) == (op == opEqual)
	}
	return op.numbers(parseNumber(ev.text(n)), ev.numberOf(v))
}

// compareSets looks for two nodes, one of each set, of which the comparison
// is true.
func (ev *evaluation) compareSets(op operator, a, b expr, f focus) bool {
	if op != opEqual && op != opNotEqual {
		return ev.compareExtremes(op, ev.nodes(a, f, 0), ev.nodes(b, f, 0))
	}
	if p, ok := a.(*path); ok && p.again {
		a, b = b, a
	}
	nodes := ev.nodes(a, f, 0)
	if len(nodes) == 0 {
		return false
	}
	texts := ev.texts(b, f)
	if op == opNotEqual && len(texts) > 1 {
		return true
	}
	for _, n := range nodes {
		if ev.left < 0 {
			break
		}
		if s := ev.text(n); texts[s] == (op == opEqual) && len(texts) > 0 {
			return true
		}
	}
	return false
}

// texts returns the string-values of a set.
func (ev *evaluation) texts(x expr, f focus) map[string]bool {
	p, ok := x.(*path)
	again := ok && p.again
	if again && ev.strings[p] != nil {
		return ev.strings[p]
	}
	texts := map[string]bool{}
	for _, n := range ev.nodes(x, f, 0) {
		if texts[ev.text(n)] = true; ev.left < 0 {
			break
		}
	}
	if again {
		if ev.strings == nil {
			ev.strings = map[*path]map[string]bool{}
		}
		ev.strings[p] = texts
	}
	return texts
}

// compareExtremes compares the least number of one set with the greatest of
// the other: where these don't do, no others do.
func (ev *evaluation) compareExtremes(op operator, a, b []Node) bool {
	leastA, greatestA := ev.extremes(a)
	leastB, greatestB := ev.extremes(b)
	if op == opLess || op == opLessOrEqual {
		return op.numbers(leastA, greatestB)
	}
	return op.numbers(greatestA, leastB)
}

// extremes leaves out what is no number; NaN where nothing is.
func (ev *evaluation) extremes(nodes []Node) (least, greatest float64) {
	least, greatest = math.NaN(), math.NaN()
	for _, n := range nodes {
		if ev.left < 0 {
			break
		}
		if f := parseNumber(ev.text(n)); !math.IsNaN(f) {
			if math.IsNaN(least) {
				least, greatest = f, f
			}
			least, greatest = min(least, f), max(greatest, f)
		}
	}
	return least, greatest
}

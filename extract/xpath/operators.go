package xpath

import "math"

// operator is a binary operator.
type operator uint8

const (
	opOr operator = iota
	opAnd
	opEqual
	opNotEqual
	opLess
	opLessOrEqual
	opGreater
	opGreaterOrEqual
	opPlus
	opMinus
	opTimes
	opDiv
	opMod
)

// precedence has the operators from the weakest to the strongest; those of
// one level group to the left.
//
// https://www.w3.org/TR/1999/REC-xpath-19991116/#booleans
var precedence = []map[string]operator{
	{"or": opOr},
	{"and": opAnd},
	{"=": opEqual, "!=": opNotEqual},
	{"<": opLess, "<=": opLessOrEqual, ">": opGreater, ">=": opGreaterOrEqual},
	{"+": opPlus, "-": opMinus},
	{"*": opTimes, "div": opDiv, "mod": opMod},
}

// chain is a sequence of operators of one level. It is a list, because it may
// be as long as an expression.
type chain struct {
	first expr
	rest  []operand
}

type operand struct {
	operator operator
	x        expr
}

func (c *chain) kind() Kind {
	if c.rest[0].operator >= opPlus {
		return Number
	}
	return Boolean
}

func (c *chain) eval(ev *evaluation, f focus) Value {
	switch op := c.rest[0].operator; {
	case op <= opAnd:
		return booleanValue(c.logic(ev, f, op == opOr))
	case op >= opPlus:
		return numberValue(c.arithmetic(ev, f))
	}
	left := c.first
	var v Value
	for i, o := range c.rest {
		if i > 0 {
			left = constant{v}
		}
		v = booleanValue(ev.compare(o.operator, left, o.x, f))
	}
	return v
}

// logic ends with the first operand that decides.
//
// https://www.w3.org/TR/1999/REC-xpath-19991116/#booleans
func (c *chain) logic(ev *evaluation, f focus, decides bool) bool {
	if ev.boolean(c.first, f) == decides {
		return decides
	}
	for _, o := range c.rest {
		if ev.left--; ev.boolean(o.x, f) == decides {
			return decides
		}
	}
	return !decides
}

// arithmetic: https://www.w3.org/TR/1999/REC-xpath-19991116/#numbers
func (c *chain) arithmetic(ev *evaluation, f focus) float64 {
	n := ev.number(c.first, f)
	for _, o := range c.rest {
		ev.left--
		switch m := ev.number(o.x, f); o.operator {
		case opPlus:
			n += m
		case opMinus:
			n -= m
		case opTimes:
			n *= m
		case opDiv:
			n /= m
		case opMod:
			n = math.Mod(n, m)
		}
	}
	return n
}

// negative is a number with an odd or an even number of signs.
type negative struct {
	x   expr
	odd bool
}

func (*negative) kind() Kind { return Number }

func (x *negative) eval(ev *evaluation, f focus) Value {
	n := ev.number(x.x, f)
	if x.odd {
		n = -n
	}
	return numberValue(n)
}

// constant is a literal, a number, or a value that is known.
type constant struct{ value Value }

func (c constant) kind() Kind { return c.value.kind }

func (c constant) eval(*evaluation, focus) Value { return c.value }

// union is the nodes of several expressions.
//
// https://www.w3.org/TR/1999/REC-xpath-19991116/#node-sets
type union struct{ list []expr }

func (*union) kind() Kind { return NodeSet }

func (u *union) eval(ev *evaluation, f focus) Value {
	var all []Node
	for _, x := range u.list {
		all = append(all, ev.nodes(x, f, 0)...)
	}
	return Value{nodes: ev.sorted(all)}
}

package xpath

import (
	"math"
	"strings"
)

// Kind is a type of values.
//
// https://www.w3.org/TR/1999/REC-xpath-19991116/#section-Introduction
type Kind uint8

// The types of XPath 1.0.
const (
	NodeSet Kind = iota
	String
	Number
	Boolean
)

func (k Kind) String() string {
	switch k {
	case NodeSet:
		return "a set of nodes"
	case String:
		return "a string"
	case Number:
		return "a number"
	}
	return "true or false"
}

// Value is what an expression evaluates to. The zero Value is an empty set of
// nodes.
type Value struct {
	kind  Kind
	nodes []Node
	str   string
	num   float64 // 1 for true
}

func stringValue(s string) Value  { return Value{kind: String, str: s} }
func numberValue(f float64) Value { return Value{kind: Number, num: f} }
func booleanValue(b bool) Value {
	if b {
		return Value{kind: Boolean, num: 1}
	}
	return Value{kind: Boolean}
}

// Kind returns the type.
func (v Value) Kind() Kind { return v.kind }

// IsNodeSet reports whether v is a set of nodes.
func (v Value) IsNodeSet() bool { return v.kind == NodeSet }

// Nodes returns the nodes in document order, each once; nil where v is no set
// of nodes.
func (v Value) Nodes() []Node { return v.nodes }

// String converts as the function string does: a set of nodes is the
// string-value of its first node. What it returns is a copy.
//
// https://www.w3.org/TR/1999/REC-xpath-19991116/#function-string
func (v Value) String() string {
	ev := evaluation{left: math.MaxInt}
	return strings.Clone(ev.stringOf(v))
}

// Number converts as the function number does; what is no number is NaN.
//
// https://www.w3.org/TR/1999/REC-xpath-19991116/#function-number
func (v Value) Number() float64 {
	ev := evaluation{left: math.MaxInt}
	return ev.numberOf(v)
}

// Bool converts as the function boolean does: true are sets with nodes,
// strings that aren't empty, and numbers other than zero and NaN.
//
// https://www.w3.org/TR/1999/REC-xpath-19991116/#function-boolean
func (v Value) Bool() bool {
	switch v.kind {
	case NodeSet:
		return len(v.nodes) > 0
	case String:
		return v.str != ""
	}
	return v.num != 0 && !math.IsNaN(v.num)
}

func (ev *evaluation) stringOf(v Value) string {
	switch v.kind {
	case NodeSet:
		if len(v.nodes) == 0 {
			return ""
		}
		return ev.text(v.nodes[0])
	case String:
		return v.str
	case Number:
		return formatNumber(v.num)
	}
	if v.num != 0 {
		return "true"
	}
	return "false"
}

func (ev *evaluation) numberOf(v Value) float64 {
	if v.kind == Number || v.kind == Boolean {
		return v.num
	}
	return parseNumber(ev.stringOf(v))
}

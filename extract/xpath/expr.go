package xpath

import (
	"errors"
	"math"
	"strings"

	"golang.org/x/net/html"
)

// Expr is a compiled expression. It doesn't change, so any number of
// goroutines may use it.
type Expr struct {
	src   string
	root  expr
	local bool // looks at nothing but what the context node holds
}

// Compile reads an XPath 1.0 expression. Its errors are of type *SyntaxError.
//
// https://www.w3.org/TR/1999/REC-xpath-19991116/#section-Expressions
func Compile(src string) (*Expr, error) {
	root, local, err := parse(src)
	if err != nil {
		return nil, err
	}
	return &Expr{src, root, local}, nil
}

// String returns the source.
func (e *Expr) String() string { return e.src }

// Kind returns the kind of the values of the expression.
func (e *Expr) Kind() Kind { return e.root.kind() }

// Evaluate returns the value of the expression for a context node. Each node
// looked at and each byte of text read is a step; steps is how many are left,
// and where they run out Evaluate returns ErrSteps. A nil steps sets no
// bound. Other errors come from patterns that the expression puts together.
// Strings in the Value are no parts of the page, its nodes are.
//
// https://www.w3.org/TR/1999/REC-xpath-19991116/#section-Introduction
func (e *Expr) Evaluate(context *html.Node, steps *int) (Value, error) {
	if context == nil {
		return Value{}, errors.New("an XPath expression needs a context node")
	}
	ev := evaluation{context: context, local: e.local, left: math.MaxInt}
	if steps != nil {
		ev.left = *steps
	}
	v := e.root.eval(&ev, focus{Node{context, -1}, 1, 1})
	if steps != nil {
		*steps = ev.left
	}
	switch {
	case ev.left < 0:
		return Value{}, ErrSteps
	case ev.err != nil:
		return Value{}, ev.err
	}
	v.str = strings.Clone(v.str)
	return v, nil
}

// expr is a part of an expression. Without variables its kind is known
// before it is evaluated.
type expr interface {
	kind() Kind
	eval(*evaluation, focus) Value
}

// focus is the context of an expression as far as it changes.
//
// https://www.w3.org/TR/1999/REC-xpath-19991116/#dt-context-position
type focus struct {
	node           Node
	position, size int
}

// evaluation is one use of an expression. Where its budget is used up, what
// it finds is worth nothing, but it ends soon.
type evaluation struct {
	context *html.Node
	local   bool
	left    int
	err     error

	top      *html.Node
	order    map[*html.Node]int32 // by document order, once it is needed
	walks    int                  // how often order was found by a walk
	ids      map[string]*html.Node
	absolute map[*path][]Node          // values of paths that predicates ask for again and again
	strings  map[*path]map[string]bool // and the string-values in them
	asking   map[*path]int             // what it cost to ask whether paths lead anywhere
	turned   map[*path]map[*html.Node]bool
	patterns map[string]*compiledRegexp // of the patterns that aren't in the expression
}

// root returns the root of the tree that the context node is in.
//
// https://www.w3.org/TR/1999/REC-xpath-19991116/#root-node
func (ev *evaluation) root() *html.Node {
	if ev.top == nil {
		ev.top = ev.context
		for p := parent(ev.top); p != nil && ev.left >= 0; p = parent(p) {
			ev.top = p
			ev.left--
		}
	}
	return ev.top
}

// nodes evaluates an expression for nodes; limit is how many of the first
// are wanted, 0: all.
func (ev *evaluation) nodes(x expr, f focus, limit int) []Node {
	if p, ok := x.(*path); ok {
		return p.nodes(ev, f, limit)
	}
	return x.eval(ev, f).nodes
}

// first returns the first node of a set.
func (ev *evaluation) first(x expr, f focus) (Node, bool) {
	if p, ok := x.(*path); ok && p.single {
		return p.node(ev, f)
	}
	if nodes := ev.nodes(x, f, 1); len(nodes) > 0 {
		return nodes[0], true
	}
	return Node{}, false
}

func (ev *evaluation) string(x expr, f focus) string {
	if x.kind() != NodeSet {
		return ev.stringOf(x.eval(ev, f))
	}
	n, ok := ev.first(x, f)
	if !ok {
		return ""
	}
	return ev.text(n)
}

func (ev *evaluation) number(x expr, f focus) float64 {
	if x.kind() != NodeSet {
		return ev.numberOf(x.eval(ev, f))
	}
	return parseNumber(ev.string(x, f))
}

func (ev *evaluation) boolean(x expr, f focus) bool {
	p, ok := x.(*path)
	switch {
	case !ok:
		return x.eval(ev, f).Bool()
	case p.single:
		_, ok := p.node(ev, f)
		return ok
	}
	return p.any(ev, f)
}

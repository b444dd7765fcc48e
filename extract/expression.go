package extract

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/expr-lang/expr"
	"github.com/expr-lang/expr/ast"
	"github.com/expr-lang/expr/vm"

	"github.com/magpie-crawl/magpie/internal/spelling"
)

// expression is a compiled Check or Expr. Its names are the fields of the
// item, or nested item, that it stands in, and value, what is checked. The
// language is that of github.com/expr-lang/expr: it ends, and touches nothing.
type expression struct {
	source  string
	program *vm.Program
	names   []string // of fields
	loops   int      // how many are in one another
}

// ownValue is the name of what a field's check is about.
const ownValue = "value"

// compileExpression reads an expression over fields.
func compileExpression(src string, names []string) (*expression, error) {
	found := &identifiers{}
	options := []expr.Option{expr.AllowUndefinedVariables(), expr.Patch(found)}
	for _, name := range names {
		options = append(options, expr.DisableBuiltin(name)) // a field called date, count or type is the field
	}
	program, err := expr.Compile(src, options...)
	if err != nil {
		first, _, _ := strings.Cut(err.Error(), "\n") // a drawing of the place follows
		return nil, fmt.Errorf("the expression %q is wrong: %s", src, first)
	}
	for _, name := range found.names {
		if !slices.Contains(names, name) {
			msg := fmt.Sprintf("the expression %q names %s, which is no field here", src, name)
			if near := spelling.Nearest(name, names); near != "" {
				msg += ": did you mean " + near + "?"
			} else {
				msg += ": there are " + strings.Join(names, ", ")
			}
			return nil, fmt.Errorf("%s", msg)
		}
	}
	return &expression{src, program, found.names, found.loops}, nil
}

// identifiers collects the names of variables in an expression, and how deep
// it nests loops over lists and texts.
type identifiers struct {
	names []string
	loops int
	deep  map[ast.Node]int // how deep it nests them below and with a loop
}

// Visit implements ast.Visitor. What is below a node is visited before it.
func (v *identifiers) Visit(n *ast.Node) {
	if isLoop(*n) {
		inner := deepest{of: v.deep}
		ast.Walk(n, &inner)
		if v.deep == nil {
			v.deep = map[ast.Node]int{}
		}
		v.deep[*n] = inner.loops + 1
		v.loops = max(v.loops, inner.loops+1)
	}
	if name, ok := (*n).(*ast.IdentifierNode); ok && !slices.Contains(v.names, name.Value) {
		v.names = append(v.names, name.Value)
	}
}

// deepest finds how deep loops are nested below a node.
type deepest struct {
	of    map[ast.Node]int
	loops int
}

// Visit implements ast.Visitor.
func (v *deepest) Visit(n *ast.Node) { v.loops = max(v.loops, v.of[*n]) }

// isLoop reports whether a node looks at each element of a list that may be
// long: with a predicate, or all of a field.
func isLoop(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.PredicateNode:
		return true
	case *ast.BinaryNode:
		return n.Operator == "in" && isField(n.Right)
	case *ast.BuiltinNode:
		last := len(n.Arguments) - 1 // where a predicate stands, which counts itself
		return n.Name != "len" && last >= 0 && !isPredicate(n.Arguments[last]) && slices.ContainsFunc(n.Arguments, isField)
	}
	return false
}

func isPredicate(n ast.Node) bool {
	_, ok := n.(*ast.PredicateNode)
	return ok
}

func isField(n ast.Node) bool {
	switch n.(type) {
	case *ast.IdentifierNode, *ast.MemberNode, *ast.ChainNode:
		return true
	}
	return false
}

// run gives the expression's value.
func (x *expression) run(w *work, fields Object, value any) (any, error) {
	names := make(map[string]any, len(x.names))
	size := 0
	for _, name := range x.names {
		if v, ok := fields.Get(name); ok {
			names[name] = operand(v)
			size += valueSize(v)
		}
	}
	if value != nil && slices.Contains(x.names, ownValue) {
		names[ownValue] = operand(value)
		size += valueSize(value)
	}
	if w.spendLoops(size, x.loops); w.exhausted() {
		return nil, fmt.Errorf("%s: there is too much to look at", x.source)
	}
	v, err := expr.Run(x.program, names)
	if err != nil {
		first, _, _ := strings.Cut(err.Error(), "\n")
		return nil, fmt.Errorf("%s: %s", x.source, first)
	}
	return v, nil
}

// holds reports whether the expression is true, and if not, why.
func (x *expression) holds(w *work, fields Object, value any) error {
	v, err := x.run(w, fields, value)
	if err != nil {
		return err
	}
	if truth, ok := v.(bool); ok && truth {
		return nil
	}
	if _, ok := v.(bool); !ok {
		return fmt.Errorf("%s is %v, neither true nor false", x.source, v)
	}
	return fmt.Errorf("%s does not hold", x.source)
}

// operand makes of a value of a record what an expression calculates with.
func operand(v any) any {
	switch v := v.(type) {
	case Object:
		m := make(map[string]any, len(v))
		for _, member := range v {
			m[member.Name] = operand(member.Value)
		}
		return m
	case []any:
		list := make([]any, len(v))
		for i := range v {
			list[i] = operand(v[i])
		}
		return list
	case int64:
		return int(v)
	case json.Number:
		n, err := v.Float64()
		if err != nil {
			return string(v)
		}
		return n
	case Price:
		return operand(v.object())
	}
	return v
}

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
	return &expression{src, program}, nil
}

// identifiers collects the names of variables in an expression.
type identifiers struct {
	names []string
}

// Visit implements ast.Visitor.
func (v *identifiers) Visit(n *ast.Node) {
	if name, ok := (*n).(*ast.IdentifierNode); ok && !slices.Contains(v.names, name.Value) {
		v.names = append(v.names, name.Value)
	}
}

// run gives the expression's value.
func (x *expression) run(fields Object, value any) (any, error) {
	names := make(map[string]any, len(fields)+1)
	for _, m := range fields {
		names[m.Name] = operand(m.Value)
	}
	names[ownValue] = operand(value)
	v, err := expr.Run(x.program, names)
	if err != nil {
		first, _, _ := strings.Cut(err.Error(), "\n")
		return nil, fmt.Errorf("%s: %s", x.source, first)
	}
	return v, nil
}

// holds reports whether the expression is true, and if not, why.
func (x *expression) holds(fields Object, value any) error {
	v, err := x.run(fields, value)
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

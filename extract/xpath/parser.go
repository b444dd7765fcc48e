package xpath

import (
	"strings"
)

const (
	maxSource  = 1 << 16 // bytes of an expression
	maxNesting = 100     // of brackets
)

// parser makes an expression of tokens.
type parser struct {
	lexer
	token   token
	nesting int
	global  bool // looks at what the context node doesn't hold
	// positional and sized tell of the predicate that is being read whether it
	// looks at the context's position and size.
	positional, sized bool
	predicates        int // that the parser is in
}

func parse(src string) (x expr, local bool, err error) {
	if len(src) > maxSource {
		return nil, false, mistake(maxSource, "the expression is longer than %d bytes", maxSource)
	}
	p := parser{lexer: lexer{src: src}}
	if err := p.advance(); err != nil {
		return nil, false, err
	}
	if p.token.kind == endToken {
		return nil, false, mistake(0, "the expression is empty; write . for the context node")
	}
	if x, err = p.expression(); err != nil {
		return nil, false, err
	}
	if p.token.kind != endToken {
		return nil, false, p.trailing()
	}
	return x, !p.global, nil
}

func (p *parser) trailing() error {
	switch t := p.token; {
	case t.text == ")" || t.text == "]":
		return mistake(t.at, "%s closes nothing", t)
	case t.kind == literalToken || t.kind == numberToken || t.kind == nameToken || t.kind == functionToken:
		return mistake(t.at, "%s follows where an operator should; write one, or / before a step", t)
	default:
		return mistake(t.at, "%s can't stand here", t)
	}
}

func (p *parser) advance() (err error) {
	p.token, err = p.lexer.next()
	return err
}

// is reports whether the token is that sign.
func (p *parser) is(sign string) bool {
	return (p.token.kind == operatorToken || p.token.kind == punctuationToken) && p.token.text == sign
}

// expect goes on behind a sign that must come.
func (p *parser) expect(sign, write string) error {
	if !p.is(sign) {
		return mistake(p.token.at, "%s is where %s should be; %s", p.token, sign, write)
	}
	return p.advance()
}

// expression reads an Expr.
//
// https://www.w3.org/TR/1999/REC-xpath-19991116/#NT-Expr
func (p *parser) expression() (expr, error) {
	if p.nesting++; p.nesting > maxNesting {
		return nil, mistake(p.token.at, "brackets nest deeper than %d", maxNesting)
	}
	defer func() { p.nesting-- }()
	return p.level(0)
}

// level reads the operators of one precedence and those that are stronger.
func (p *parser) level(i int) (expr, error) {
	if i == len(precedence) {
		return p.unary()
	}
	first, err := p.level(i + 1)
	if err != nil {
		return nil, err
	}
	var rest []operand
	for p.token.kind == operatorToken {
		op, ok := precedence[i][p.token.text]
		if !ok {
			break
		}
		if err := p.advance(); err != nil {
			return nil, err
		}
		x, err := p.level(i + 1)
		if err != nil {
			return nil, err
		}
		rest = append(rest, operand{op, x})
	}
	if rest == nil {
		return first, nil
	}
	return &chain{first, rest}, nil
}

// unary reads a UnaryExpr.
//
// https://www.w3.org/TR/1999/REC-xpath-19991116/#NT-UnaryExpr
func (p *parser) unary() (expr, error) {
	signs := 0
	for ; p.is("-"); signs++ {
		if err := p.advance(); err != nil {
			return nil, err
		}
	}
	x, err := p.union()
	if err != nil || signs == 0 {
		return x, err
	}
	return &negative{x, signs%2 == 1}, nil
}

// union reads a UnionExpr.
//
// https://www.w3.org/TR/1999/REC-xpath-19991116/#NT-UnionExpr
func (p *parser) union() (expr, error) {
	at := p.token.at
	x, err := p.path()
	if err != nil || !p.is("|") {
		return x, err
	}
	list := []expr{x}
	for p.is("|") {
		if err := p.nodes(at, x, "|"); err != nil {
			return nil, err
		}
		if err := p.advance(); err != nil {
			return nil, err
		}
		at = p.token.at
		if x, err = p.path(); err != nil {
			return nil, err
		}
		list = append(list, x)
	}
	return &union{list}, p.nodes(at, x, "|")
}

// nodes is an error where x is no set of nodes.
func (p *parser) nodes(at int, x expr, by string) error {
	if x.kind() == NodeSet {
		return nil
	}
	return mistake(at, "%s needs nodes, and this is %s", by, x.kind())
}

// primary reads a PrimaryExpr.
//
// https://www.w3.org/TR/1999/REC-xpath-19991116/#NT-PrimaryExpr
func (p *parser) primary() (expr, error) {
	switch t := p.token; {
	case t.kind == literalToken:
		return constant{stringValue(strings.Clone(t.text))}, p.advance()
	case t.kind == numberToken:
		return constant{numberValue(t.number)}, p.advance()
	case t.kind == functionToken:
		return p.call()
	}
	if err := p.advance(); err != nil {
		return nil, err
	}
	x, err := p.expression()
	if err != nil {
		return nil, err
	}
	return x, p.expect(")", "close what ( opens")
}

// call reads a FunctionCall.
//
// https://www.w3.org/TR/1999/REC-xpath-19991116/#NT-FunctionCall
func (p *parser) call() (expr, error) {
	t := p.token
	fn, err := lookUp(t)
	if err != nil {
		return nil, err
	}
	if err := p.advance(); err != nil {
		return nil, err
	}
	if err := p.advance(); err != nil { // the bracket
		return nil, err
	}
	args, err := p.arguments(fn)
	if err != nil {
		return nil, err
	}
	if len(args) < fn.least || fn.most >= 0 && len(args) > fn.most {
		return nil, mistake(t.at, "%s has %d arguments; write %s", t, len(args), fn.usage)
	}
	if len(args) == 0 && fn.context {
		args = []expr{contextNode()}
	}
	switch t.text {
	case "position":
		p.positional = true
	case "last":
		p.positional, p.sized = true, true
	case "id":
		p.global = true
	}
	return fn.compile(t, args)
}

func (p *parser) arguments(fn *function) ([]expr, error) {
	var args []expr
	for !p.is(")") {
		if len(args) > 0 {
			if err := p.expect(",", "write a comma between arguments and ) behind them: "+fn.usage); err != nil {
				return nil, err
			}
		}
		at := p.token.at
		x, err := p.expression()
		if err != nil {
			return nil, err
		}
		if fn.nodes {
			if err := p.nodes(at, x, fn.usage); err != nil {
				return nil, err
			}
		}
		args = append(args, x)
	}
	return args, p.advance()
}

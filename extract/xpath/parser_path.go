package xpath

import (
	"fmt"
	"slices"
)

// contextNode is the expression . by itself.
func contextNode() *path {
	return &path{single: true, steps: []step{{axis: selfAxis, test: nodeTest{is: isNode}}}}
}

// anyBelow is the step that // stands for.
//
// https://www.w3.org/TR/1999/REC-xpath-19991116/#path-abbrev
func anyBelow() step { return step{axis: descendantOrSelfAxis, test: nodeTest{is: isNode}} }

// path reads a PathExpr.
//
// https://www.w3.org/TR/1999/REC-xpath-19991116/#NT-PathExpr
func (p *parser) path() (expr, error) {
	t := p.token
	if t.kind == literalToken || t.kind == numberToken || p.is("(") || t.kind == functionToken && !isNodeType(t) {
		return p.filter()
	}
	var l path
	if p.is("/") || p.is("//") {
		l.fromRoot, l.again, p.global = true, p.predicates > 0, true
		if err := p.advance(); err != nil {
			return nil, err
		}
		switch {
		case t.text == "//":
			l.steps = []step{anyBelow()}
		case !p.beginsStep():
			return &l, nil
		}
	}
	return p.relative(&l)
}

// filter reads a FilterExpr and the path behind it.
//
// https://www.w3.org/TR/1999/REC-xpath-19991116/#NT-FilterExpr
func (p *parser) filter() (expr, error) {
	at := p.token.at
	x, err := p.primary()
	if err != nil {
		return nil, err
	}
	if p.is("[") {
		if err := p.nodes(at, x, "["); err != nil {
			return nil, err
		}
		predicates, err := p.predicateList()
		if err != nil {
			return nil, err
		}
		x = &filtered{x, predicates}
	}
	if !p.is("/") && !p.is("//") {
		return x, nil
	}
	if err := p.nodes(at, x, p.token.text); err != nil {
		return nil, err
	}
	l := &path{start: x}
	if p.is("//") {
		l.steps = []step{anyBelow()}
	}
	if err := p.advance(); err != nil {
		return nil, err
	}
	return p.relative(l)
}

// relative reads a RelativeLocationPath and adds its steps to l.
//
// https://www.w3.org/TR/1999/REC-xpath-19991116/#NT-RelativeLocationPath
func (p *parser) relative(l *path) (expr, error) {
	for {
		s, err := p.step()
		if err != nil {
			return nil, err
		}
		l.steps = append(l.steps, s)
		if !p.is("/") && !p.is("//") {
			break
		}
		if p.is("//") {
			l.steps = append(l.steps, anyBelow())
		}
		if err := p.advance(); err != nil {
			return nil, err
		}
	}
	l.simplify()
	for i := range l.steps {
		p.global = p.global || !l.steps[i].axis.within()
	}
	return l, nil
}

// simplify finds quicker steps to the same nodes.
func (l *path) simplify() {
	l.join()
	l.steps = slices.DeleteFunc(l.steps, func(s step) bool {
		return s.axis == selfAxis && s.test.is == isNode && s.predicates == nil && len(l.steps) > 1
	})
	if len(l.steps) == 0 {
		l.steps = contextNode().steps
	}
	l.narrow()
	l.turns = l.canTurn()
	l.single = l.start == nil && !l.fromRoot && len(l.steps) == 1 && l.steps[0].findsOne()
}

// join takes // and the step behind it together.
func (l *path) join() {
	steps := l.steps[:0]
	for _, s := range l.steps {
		if n := len(steps) - 1; n >= 0 && !s.positional && steps[n].isAnyBelow() {
			switch s.axis {
			case childAxis, descendantAxis:
				s.axis = descendantAxis
				steps = steps[:n]
			case selfAxis, descendantOrSelfAxis:
				s.axis = descendantOrSelfAxis
				steps = steps[:n]
			}
		}
		steps = append(steps, s)
	}
	l.steps = steps
}

// narrow lets // before children and attributes give only nodes that have
// some.
func (l *path) narrow() {
	for i := 1; i < len(l.steps); i++ {
		s := &l.steps[i-1]
		if !s.isAnyBelow() {
			continue
		}
		switch l.steps[i].axis {
		case childAxis:
			s.test.is = isParent
		case attributeAxis:
			s.test.is = isAnyName
		}
	}
}

func (s *step) isAnyBelow() bool {
	return s.axis == descendantOrSelfAxis && s.test.is == isNode && s.predicates == nil
}

// findsOne reports whether path.node can take the step.
func (s *step) findsOne() bool {
	return s.predicates == nil &&
		(s.axis == selfAxis && s.test.is == isNode || s.axis == attributeAxis && s.test.is == isName && s.test.namespace != "xml")
}

// beginsStep reports whether the token can be the first of a step.
func (p *parser) beginsStep() bool {
	switch p.token.kind {
	case nameToken, axisToken, functionToken:
		return true
	}
	return p.is("@") || p.is(".") || p.is("..")
}

// step reads a Step.
//
// https://www.w3.org/TR/1999/REC-xpath-19991116/#NT-Step
func (p *parser) step() (step, error) {
	t := p.token
	if p.is(".") || p.is("..") {
		s := step{axis: selfAxis, test: nodeTest{is: isNode}}
		if t.text == ".." {
			s.axis = parentAxis
		}
		if err := p.advance(); err != nil {
			return s, err
		}
		if p.is("[") {
			return s, mistake(p.token.at, "no predicate can follow %s; write %s::node()[…]", t, axisNames[s.axis])
		}
		return s, nil
	}
	a, err := p.axis()
	if err != nil {
		return step{}, err
	}
	s := step{axis: a}
	if s.test, err = p.nodeTest(a); err != nil {
		return s, err
	}
	if s.predicates, err = p.predicateList(); err != nil {
		return s, err
	}
	for i := range s.predicates {
		s.positional = s.positional || s.predicates[i].positional
		s.sized = s.sized || s.predicates[i].sized
	}
	return s, nil
}

// axis reads an AxisSpecifier.
//
// https://www.w3.org/TR/1999/REC-xpath-19991116/#NT-AxisSpecifier
func (p *parser) axis() (axis, error) {
	t := p.token
	switch {
	case p.is("@"):
		return attributeAxis, p.advance()
	case t.kind != axisToken:
		return childAxis, nil
	}
	i := slices.Index(axisNames, t.String())
	if i < 0 {
		return 0, mistake(t.at, "there is no axis %s%s", t, meant(t.String(), axisNames))
	}
	if err := p.advance(); err != nil {
		return 0, err
	}
	return axis(i), p.advance() // behind ::
}

// nodeTest reads a NodeTest.
//
// https://www.w3.org/TR/1999/REC-xpath-19991116/#NT-NodeTest
func (p *parser) nodeTest(a axis) (nodeTest, error) {
	t := p.token
	switch {
	case t.kind == functionToken && isNodeType(t):
		return p.nodeType()
	case t.kind == functionToken:
		return nodeTest{}, mistake(t.at, "the function %s can't be a step; write %s(…) around the path, or use it in a predicate", t, t)
	case t.kind == endToken:
		return nodeTest{}, mistake(t.at, "the expression ends where a step or a value should be")
	case t.kind != nameToken:
		return nodeTest{}, mistake(t.at, "%s is where a step or a value should be", t)
	}
	test := nodeTest{is: isName, name: t.text, lower: asciiLower(t.text), attr: a == attributeAxis}
	if t.text == "*" {
		test.is = isAnyName
	}
	if t.prefix != "" {
		if !slices.Contains(prefixes, t.prefix) {
			return test, unknownPrefix(t, a)
		}
		test.namespace, test.bound = t.prefix, true
	}
	return test, p.advance()
}

func unknownPrefix(t token, a axis) error {
	at := ""
	if a == attributeAxis {
		at = "@"
	}
	return mistake(t.at, "there is no prefix %s%s; for a name with a colon write %s*[name() = '%s']", brief(t.prefix), meant(brief(t.prefix), prefixes), at, t)
}

var nodeTypes = map[string]testKind{"node": isNode, "text": isText, "comment": isComment, "processing-instruction": isInstruction}

func isNodeType(t token) bool {
	_, ok := nodeTypes[t.text]
	return ok && t.prefix == ""
}

// nodeType reads node() and its like.
//
// https://www.w3.org/TR/1999/REC-xpath-19991116/#NT-NodeType
func (p *parser) nodeType() (nodeTest, error) {
	t := p.token
	test := nodeTest{is: nodeTypes[t.text]}
	if err := p.advance(); err != nil {
		return test, err
	}
	if err := p.advance(); err != nil { // behind the bracket
		return test, err
	}
	if test.is == isInstruction && p.token.kind == literalToken {
		test.is, test.name = isInstructionNamed, p.token.text
		if err := p.advance(); err != nil {
			return test, err
		}
	}
	return test, p.expect(")", fmt.Sprintf("write %s()", t))
}

// predicateList reads Predicates.
//
// https://www.w3.org/TR/1999/REC-xpath-19991116/#NT-Predicate
func (p *parser) predicateList() ([]predicate, error) {
	var list []predicate
	for p.is("[") {
		if err := p.advance(); err != nil {
			return nil, err
		}
		pr, err := p.predicate()
		if err != nil {
			return nil, err
		}
		if err := p.expect("]", "close what [ opens"); err != nil {
			return nil, err
		}
		list = append(list, pr)
	}
	return list, nil
}

func (p *parser) predicate() (predicate, error) {
	positional, sized := p.positional, p.sized
	p.positional, p.sized = false, false
	p.predicates++
	x, err := p.expression()
	if err != nil {
		return predicate{}, err
	}
	pr := predicate{x: x, positional: p.positional || x.kind() == Number, sized: p.sized, only: onlyPosition(x), last: isCall(x, "last")}
	p.predicates--
	p.positional, p.sized = positional, sized
	return pr, nil
}

// onlyPosition returns n for n and for position() = n.
func onlyPosition(x expr) int {
	if c, ok := x.(*chain); ok && len(c.rest) == 1 && c.rest[0].operator == opEqual && isCall(c.first, "position") {
		x = c.rest[0].x
	}
	c, ok := x.(constant)
	if n := c.value.num; ok && c.value.kind == Number && n >= 1 && n < 1<<31 && n == float64(int(n)) {
		return int(n)
	}
	return 0
}

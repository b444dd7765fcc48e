package extract

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"golang.org/x/net/html"
)

// place is where a value stands in a record. It becomes text only in a
// Problem.
type place struct {
	above *place
	name  string
	index int // position in a list from 0; -1: not in one
}

func (p *place) String() string {
	if p == nil {
		return ""
	}
	s := p.name
	if p.index >= 0 {
		s += "[" + strconv.Itoa(p.index) + "]"
	}
	if p.above != nil {
		return p.above.String() + "." + s
	}
	return s
}

// absence is why a value was not found.
type absence struct {
	what string // "no match", …
	text string // what was there instead
}

// object takes the fields from node. It is complete when no required one is
// absent.
func (e *extraction) object(fields []field, node *html.Node, above *place) (o Object, complete bool) {
	complete = true
	for i := range fields {
		f := &fields[i]
		at := place{above, f.name, -1}
		problems := len(e.problems)
		e.why = absence{}
		v, ok := e.value(f, node, at)
		failed := len(e.problems) > problems
		if !ok && !failed && f.def != nil {
			v, ok = f.def, true
		}
		if ok {
			if o == nil {
				o = make(Object, 0, len(fields))
			}
			o = append(o, Member{f.name, v})
			continue
		}
		if f.required {
			complete = false
			if !failed {
				e.problem(at, ProblemMissing, e.why.String())
			}
		}
		if e.exhausted() {
			return o, false
		}
	}
	return o, complete
}

func (e *extraction) problem(at place, code, detail string) {
	e.problems = append(e.problems, Problem{at.String(), code, detail})
}

// value takes the value of a field. Where there is none although something
// was found, the problems say why.
func (e *extraction) value(f *field, node *html.Node, at place) (v any, ok bool) {
	switch {
	case f.any != nil:
		return e.alternatives(f, node, at)
	case f.fields != nil:
		return e.nested(f, node, at)
	case f.all:
		return e.list(f, node, at)
	}
	n := e.node(f, node)
	if n == nil {
		e.why = absence{what: "nothing matches the selector"}
		return nil, false
	}
	return e.one(f, n, at)
}

// alternatives takes the first value that can be had. The problems of those
// before it count for nothing then.
func (e *extraction) alternatives(f *field, node *html.Node, at place) (any, bool) {
	problems := len(e.problems)
	for i := range f.any {
		if v, ok := e.value(&f.any[i], node, at); ok {
			e.problems = e.problems[:problems]
			return v, true
		}
	}
	e.why = absence{what: "no alternative yields"}
	return nil, false
}

// node returns the first match of a field's selector, the item's node where
// it has none.
func (e *extraction) node(f *field, node *html.Node) *html.Node {
	if f.css == nil {
		return node
	}
	return e.first(f.css, e.from(f, node))
}

// from returns the node that a field's selector is looked up from.
func (e *extraction) from(f *field, node *html.Node) *html.Node {
	if f.document {
		return e.root
	}
	return node
}

// nested takes an object, or a list of them.
func (e *extraction) nested(f *field, node *html.Node, at place) (any, bool) {
	n := e.node(f, node)
	if n == nil {
		e.why = absence{what: "nothing matches the selector"}
		return nil, false
	}
	if f.each == nil {
		o, complete := e.object(f.fields, n, &at)
		return o, complete
	}
	var list []any
	e.work.each(f.each, n, func(n *html.Node) bool {
		at.index++
		if o, complete := e.object(f.fields, n, &at); complete {
			list = append(list, o)
		}
		return !e.exhausted()
	})
	e.why = absence{what: "nothing matches each"}
	return list, len(list) > 0
}

// list takes the values of all matches.
func (e *extraction) list(f *field, node *html.Node, at place) (any, bool) {
	var list []any
	add := func(n *html.Node) bool {
		at.index++
		if v, ok := e.one(f, n, at); ok {
			list = append(list, v)
		}
		return !e.exhausted()
	}
	e.why = absence{what: "nothing matches the selector"}
	if f.css == nil {
		add(node)
	} else {
		e.work.each(f.css, e.from(f, node), add)
	}
	return list, len(list) > 0
}

// one takes the value of a match.
func (e *extraction) one(f *field, n *html.Node, at place) (any, bool) {
	if f.as.structural() {
		return e.structure(f, n, at)
	}
	t, ok := e.read(f, n)
	if !ok {
		return nil, false
	}
	if f.regex != nil {
		m := f.regex.FindStringSubmatchIndex(t.text)
		if m == nil {
			e.why = absence{"the regex does not match", t.text}
			return nil, false
		}
		if len(m) > 2 {
			m = m[2:]
		}
		if m[0] < 0 || m[0] == m[1] {
			e.why = absence{"the regex matches nothing", t.text}
			return nil, false
		}
		t.text = t.text[m[0]:m[1]]
	}
	if to, ok := f.mapping[t.text]; ok {
		t.text = to
	}
	v, err := f.as.convert(t)
	if err != nil {
		e.problem(at, ProblemType, fmt.Sprintf("%s %s", quote(t.text), err))
		return nil, false
	}
	return v, true
}

// read returns the text that a match gives the field. Text without anything
// visible is none.
func (e *extraction) read(f *field, n *html.Node) (found, bool) {
	t := found{node: n, work: &e.work}
	switch {
	case f.attr != "":
		s, ok := attr(n, f.attr)
		if !ok {
			e.why = absence{what: "the match has no attribute " + f.attr}
			return t, false
		}
		t.text, t.attr = strings.TrimSpace(s), true
		if t.text == "" && f.as == Bool { // https://html.spec.whatwg.org/multipage/common-microsyntaxes.html#boolean-attributes
			t.text = "true"
		}
	case (f.regex != nil || f.mapping != nil) && (f.as == Number || f.as == Integer || f.as == PriceType):
		t = Text.source(&e.work, n) // as the reader of the page sees it, not as a numeral
	default:
		t = f.as.source(&e.work, n)
	}
	if strings.TrimSpace(t.text) == "" {
		e.why = absence{what: "the match is empty"}
		return t, false
	}
	return t, true
}

// structure reads a table or pairs.
func (e *extraction) structure(f *field, n *html.Node, at place) (v any, ok bool) {
	var err error
	if f.as == Table {
		v, err = orNil(e.table(n))
	} else {
		v, err = orNil(e.pairs(n))
	}
	if err != nil {
		e.problem(at, ProblemType, fmt.Sprintf("<%s> %s", n.Data, err))
		return nil, false
	}
	return v, true
}

func (a absence) String() string {
	if a.text == "" {
		return a.what
	}
	return a.what + " in " + quote(a.text)
}

const maxQuote = 80 // code points

// quote shows text of a page in a Problem: on one line, without control
// characters, shortened.
func quote(s string) string {
	if len(s) > 8*maxQuote {
		s = strings.ToValidUTF8(s[:8*maxQuote], "")
	}
	s = oneLine(s)
	if utf8.RuneCountInString(s) > maxQuote {
		s = string([]rune(s)[:maxQuote]) + "…"
	}
	return strconv.Quote(s)
}

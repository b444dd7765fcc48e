package extract

import (
	"fmt"
	"slices"
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
	err  bool   // something was found that is at fault
}

// object takes the fields from a scope. It is complete when no required one
// is absent.
func (e *extraction) object(l *fieldList, sc scope, above *place) (o Object, complete bool) {
	sc.hits = e.lookUp(l, sc)
	o, complete = e.members(l.fields, sc, above)
	e.giveBack(sc.hits)
	return o, complete
}

// members takes the fields whose selectors have been looked up.
func (e *extraction) members(fields []field, sc scope, above *place) (o Object, complete bool) {
	complete = true
	late := false // some fields need the others
	for i := range fields {
		f := &fields[i]
		late = late || f.expr != nil || f.check != nil
		if f.expr != nil {
			continue
		}
		at := place{above, f.name, -1}
		problems := e.failures
		e.why = absence{}
		e.begin(&at)
		v, ok := e.value(f, sc, at)
		failed := e.failures > problems
		if !ok && !failed && f.def != nil {
			v, ok = f.def, true
		}
		e.end(v, ok)
		if ok {
			if o == nil {
				o = make(Object, 0, len(fields))
			}
			o = append(o, Member{f.name, v})
			continue
		}
		complete = e.absent(f, at, failed) && complete
		if e.exhausted() {
			return o, false
		}
	}
	if late {
		return e.late(fields, o, above, complete)
	}
	return o, complete
}

// absent takes in that a field has no value. It reports whether the record
// does without.
func (e *extraction) absent(f *field, at place, failed bool) bool {
	if !f.required {
		return true
	}
	if !failed {
		e.problem(at, ProblemMissing, e.why.String())
	}
	return false
}

// late computes the fields that need the others, in their order, and then
// checks the values.
func (e *extraction) late(fields []field, o Object, above *place, complete bool) (Object, bool) {
	before := 0 // members of fields before this one
	for i := range fields {
		f := &fields[i]
		if f.expr != nil {
			v, ok := e.compute(f, o, place{above, f.name, -1})
			if ok {
				o = slices.Insert(o, before, Member{f.name, v})
			} else if f.required {
				complete = false
			}
		}
		if before < len(o) && o[before].Name == f.name {
			before++
		}
	}
	kept := slices.Clone(o)
	for i := range fields {
		f := &fields[i]
		v, ok := o.Get(f.name)
		if f.check == nil || !ok {
			continue
		}
		if err := f.check.holds(&e.work, o, v); err != nil {
			at := place{above, f.name, -1}
			e.problem(at, ProblemCheck, fmt.Sprintf("%s: %s", describe(v), err))
			e.checkFailed(&at, f.check, err)
			kept = slices.DeleteFunc(kept, func(m Member) bool { return m.Name == f.name })
			complete = complete && !f.required
		}
	}
	return kept, complete
}

// compute gives the value of a field that is computed from others. Where one
// of them is absent it has none.
func (e *extraction) compute(f *field, o Object, at place) (v any, ok bool) {
	e.begin(&at)
	defer func() { e.end(v, ok) }()
	result, err := f.expr.run(&e.work, o, nil)
	if err == nil && result != nil {
		var value any
		if value, err = plainValue(result); err == nil {
			if text, isText := value.(string); isText || f.as != Text {
				if !isText {
					text = describe(value)
				}
				if value, err = f.read(found{text: text, attr: true, work: &e.work}); err != nil {
					err = fmt.Errorf("%s %w", quote(text), err)
				}
			}
		}
		if err == nil {
			return value, true
		}
	}
	if err != nil {
		e.problem(at, ProblemType, err.Error())
	} else if f.required {
		e.problem(at, ProblemMissing, f.expr.source+" comes to nothing")
	}
	return nil, false
}

// maxProblems is how many problems of a record are told.
const maxProblems = 1000

func (e *extraction) problem(at place, code, detail string) {
	if e.failures++; e.failures > maxProblems {
		return
	}
	e.problems = append(e.problems, Problem{at.String(), code, detail})
}

// value takes the value of a field. Where there is none although something
// was found, the problems say why.
func (e *extraction) value(f *field, sc scope, at place) (v any, ok bool) {
	switch {
	case f.any != nil:
		return e.alternatives(f, sc, at)
	case f.constant != nil:
		return f.constant, true
	case sc.hits.known(f) && sc.hits.count(f) == 0:
		e.why = noMatch
		e.tried(f, nil, nil, e.why.String())
		return nil, false
	case f.fields != nil:
		return e.nested(f, sc, at)
	case f.list():
		return e.list(f, sc, at)
	case f.nth == 0 && !f.single && sc.hits.known(f):
		return e.one(f, found{node: sc.hits.first(f), work: &e.work}, at)
	}
	return e.single(f, sc, at)
}

// alternatives takes the first value that can be had. The problems of those
// before it count for nothing then.
func (e *extraction) alternatives(f *field, sc scope, at place) (any, bool) {
	problems, failures := len(e.problems), e.failures
	for i := range f.any {
		if v, ok := e.value(&f.any[i], sc, at); ok {
			e.problems, e.failures = e.problems[:problems], failures
			return v, true
		}
	}
	e.why = absence{what: "no alternative yields"}
	return nil, false
}

// single takes the value of the piece that is meant.
func (e *extraction) single(f *field, sc scope, at place) (v any, ok bool) {
	if f.nth < 0 {
		return e.fromEnd(f, sc, at)
	}
	n := 0
	e.pieces(f, sc, at, func(p found) bool {
		switch n++; {
		case n < f.nth:
			return true
		case n == max(1, f.nth):
			v, ok = e.one(f, p, at)
			return f.single
		}
		e.problem(at, ProblemSeveral, "there are several, and one is meant: the first was taken")
		return false
	})
	switch {
	case n == 0:
		e.tried(f, nil, nil, e.why.String())
	case n < f.nth:
		e.why = absence{what: fmt.Sprintf("there are %d, not %d", n, f.nth)}
		e.tried(f, nil, nil, e.why.String())
	}
	return v, ok
}

// fromEnd takes the value of a piece that is counted from the last one.
func (e *extraction) fromEnd(f *field, sc scope, at place) (any, bool) {
	last := make([]found, -f.nth) // a ring
	n := 0
	e.pieces(f, sc, at, func(p found) bool {
		last[n%len(last)] = p
		n++
		return !e.exhausted()
	})
	if n < len(last) {
		if n > 0 {
			e.why = absence{what: fmt.Sprintf("there are %d, not %d", n, len(last))}
		}
		e.tried(f, nil, nil, e.why.String())
		return nil, false
	}
	return e.one(f, last[n%len(last)], at)
}

// nested takes an object, or a list of them.
func (e *extraction) nested(f *field, sc scope, at place) (v any, ok bool) {
	var list []any
	add := func(inner scope) bool {
		at.index++
		if o, complete := e.object(&f.fieldList, inner, &at); complete {
			list = append(list, o)
		}
		return !e.exhausted()
	}
	n := 0
	e.pieces(f, sc, at, func(p found) bool {
		n++
		inner := scope{node: p.node, json: p.json, isJSON: p.isJSON}
		if _, own := f.source.(itself); own {
			inner = sc
		}
		switch {
		case f.each != nil:
			e.matches(f.each, f.siblings, inner, add)
		case f.all:
			return add(inner)
		default:
			v, ok = e.object(&f.fieldList, inner, &at)
		}
		return false
	})
	if n == 0 {
		e.tried(f, nil, nil, e.why.String())
		return nil, false
	}
	if f.each != nil || f.all {
		e.why = absence{what: "nothing matches each"}
		return list, len(list) > 0
	}
	return v, ok
}

// list takes the values of all pieces.
func (e *extraction) list(f *field, sc scope, at place) (any, bool) {
	var list []any
	e.pieces(f, sc, at, func(p found) bool {
		e.each(f, p, &at, func(v any) bool {
			list = append(list, v)
			return !e.exhausted()
		})
		return f.all && !e.exhausted()
	})
	if at.index < 0 {
		e.tried(f, nil, nil, e.why.String())
	}
	if f.join != nil && len(list) > 0 {
		return join(list, *f.join), true
	}
	return list, len(list) > 0
}

// join puts texts together.
func join(list []any, between string) string {
	texts := make([]string, len(list))
	for i, v := range list {
		texts[i] = describe(v)
	}
	return strings.Join(texts, between)
}

// describe writes a value for people: a text as it is, others as JSON.
func describe(v any) string {
	if s, ok := v.(string); ok {
		return s
	}
	b, err := appendJSON(nil, v)
	if err != nil {
		return err.Error()
	}
	return string(b)
}

// pieces calls yield with what a field's source finds and its jq makes of
// that, until it returns false. The elements of JSON lists are pieces.
func (e *extraction) pieces(f *field, sc scope, at place, yield func(found) bool) {
	if f.jq == nil {
		if sc.hits.known(f) {
			e.why = noMatch
			sc.hits.each(f, func(n *html.Node) bool { return yield(found{node: n, work: &e.work}) })
			return
		}
		if _, css := f.source.(cssSource); css {
			f.source.find(e, sc, yield)
			return
		}
	}
	f.source.find(e, sc, func(p found) bool {
		if f.jq == nil {
			return elements(f, p, yield)
		}
		if !p.isJSON && !p.isText {
			var ok bool
			if p, ok = e.read(f, p); !ok {
				return true
			}
		}
		goOn := true
		e.why = absence{what: "jq gives nothing"}
		err := e.runJQ(f.jq, p, func(p found) bool {
			goOn = elements(f, p, yield)
			return goOn
		})
		if err != nil {
			e.problem(at, ProblemType, err.Error())
		}
		return goOn
	})
}

// elements calls yield with the elements of a JSON list, or with what is none.
func elements(f *field, p found, yield func(found) bool) bool {
	list, ok := p.json.([]any)
	if !ok || f.as == JSON && f.fields == nil && !f.all {
		return yield(p)
	}
	for _, p.json = range list {
		if !yield(p) {
			return false
		}
	}
	return true
}

// one takes the value of a piece.
func (e *extraction) one(f *field, p found, at place) (v any, ok bool) {
	at.index = -2 // no list
	e.each(f, p, &at, func(got any) bool {
		v, ok = got, true
		return false
	})
	return v, ok
}

// each calls yield with the values of a piece: one, or with split several.
// The index of at goes up for each.
func (e *extraction) each(f *field, p found, at *place, yield func(any) bool) {
	next := func() place {
		if at.index > -2 {
			at.index++
		}
		return place{at.above, at.name, max(-1, at.index)}
	}
	if f.as.structural() {
		if v, ok := e.structure(f, p, next()); ok {
			yield(v)
		}
		return
	}
	if p.isJSON && f.as == JSON {
		e.yieldJSON(f, p, next(), yield)
		return
	}
	t, ok := e.read(f, p)
	if !ok {
		if e.why.err {
			e.problem(next(), ProblemType, e.why.String())
		} else {
			next()
		}
		e.tried(f, &p, nil, e.why.String())
		return
	}
	if !f.steps.any() {
		if v, ok := e.convert(f, t, next()); ok {
			yield(v)
		}
		return
	}
	if e.steps -= f.steps.cost * len(t.text); e.exhausted() {
		next()
		e.why = absence{what: "the text is too long for what is to be done to it"}
		return
	}
	if o := f.steps.groups(t.text); o != nil && f.as == JSON {
		next()
		e.tried(f, &t, o, "")
		yield(o)
		return
	}
	took := false
	why := f.steps.apply(t.text, func(text string) bool {
		took = true
		part := t
		part.text, part.own = text, false
		v, ok := e.convert(f, part, next())
		return !ok || yield(v)
	})
	if !took {
		next()
		e.why = why
		e.tried(f, &t, nil, why.String())
	}
}

// yieldJSON yields a JSON value as it is.
func (e *extraction) yieldJSON(f *field, p found, at place, yield func(any) bool) {
	if err := e.spendJSON(p.json, 0); err != nil {
		e.problem(at, ProblemType, "the value "+err.Error())
		e.tried(f, nil, nil, err.Error())
		return
	}
	v := recordJSON(p.json)
	if v == nil {
		e.why = absence{what: "the value is null"}
		e.tried(f, &p, nil, e.why.String())
		return
	}
	e.tried(f, &p, v, "")
	yield(v)
}

// read makes of a text what the field's type says.
func (f *field) read(t found) (any, error) {
	if f.as == Enum {
		return orNil(one(f.values, t.text))
	}
	t.zone = f.zone
	return f.as.convert(t)
}

// convert reads a text as the field's type, and tells what is wrong with it.
func (e *extraction) convert(f *field, t found, at place) (v any, ok bool) {
	v, err := f.read(t)
	if err != nil {
		e.problem(at, ProblemType, fmt.Sprintf("%s %s", quote(t.text), err))
		e.tried(f, &t, nil, err.Error())
		return nil, false
	}
	e.tried(f, &t, v, "")
	return v, true
}

// read returns the text that a piece gives the field. Text without anything
// visible is none.
func (e *extraction) read(f *field, p found) (found, bool) {
	switch {
	case p.isText:
	case p.isJSON:
		text, err := jsonText(p.json, 0)
		if price, ok := jsonPrice(p.json); ok && f.as == PriceType {
			text, err = price, nil
		}
		if err != nil {
			e.why = absence{what: err.Error(), text: e.jsonExcerpt(p.json), err: true}
			return p, false
		}
		p.text, p.attr = strings.TrimSpace(text), true
	case f.attr != "":
		s, ok := attr(p.node, f.attr)
		if !ok {
			e.why = absence{what: "the match has no attribute " + f.attr}
			return p, false
		}
		p.text, p.attr = strings.TrimSpace(s), true
		if p.text == "" && f.as == Bool { // https://html.spec.whatwg.org/multipage/common-microsyntaxes.html#boolean-attributes
			p.text = "true"
		}
	case f.raw:
		p.text = strings.TrimSpace(e.nodeText(p.node))
	case f.steps.any() && (f.as == Number || f.as == Integer || f.as == PriceType):
		p = Text.source(&e.work, p.node) // as the reader of the page sees it, not as a numeral
	default:
		p = f.as.source(&e.work, p.node)
	}
	p.isText = true
	if e.steps -= len(p.text); strings.TrimSpace(p.text) == "" {
		e.why = absence{what: "the match is empty"}
		return p, false
	}
	return p, true
}

// nodeText is the text content of an element, or a text itself.
func (e *extraction) nodeText(n *html.Node) string {
	if n.Type == html.TextNode || n.Type == html.CommentNode {
		return n.Data
	}
	return e.textContent(n)
}

// structure reads what stands in a whole element.
func (e *extraction) structure(f *field, p found, at place) (v any, ok bool) {
	if p.node == nil || p.isText || p.isJSON {
		e.problem(at, ProblemType, fmt.Sprintf("a text is no element to read %s from", f.as))
		return nil, false
	}
	var err error
	switch f.as {
	case Table:
		v, err = orNil(e.table(p.node))
	case Links:
		v, err = orNil(e.linksIn(p.node))
	case Images:
		v, err = orNil(e.imagesIn(p.node))
	default:
		v, err = orNil(e.pairs(p.node))
	}
	if err != nil {
		e.problem(at, ProblemType, fmt.Sprintf("<%s> %s", p.node.Data, err))
		e.tried(f, &p, nil, err.Error())
		return nil, false
	}
	e.tried(f, &p, v, "")
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

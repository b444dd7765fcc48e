package extract

import (
	"fmt"
	"strings"

	"golang.org/x/net/html"
)

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

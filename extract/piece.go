package extract

import (
	"fmt"
	"strings"

	"golang.org/x/net/html"
)

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
		if amount, currency, ok := jsonPrice(p.json); ok && f.as == PriceType {
			text, err = amount+" "+currency, nil
			p.dotted = digitsAndDot.MatchString(amount)
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

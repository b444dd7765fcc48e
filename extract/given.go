package extract

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"golang.org/x/net/html"
)

// TextOf returns the text of n as a reader reads it: what a field of type Text
// takes from it.
func TextOf(n *html.Node) string {
	w := work{root: n, steps: maxSteps}
	return w.text(n)
}

// Given makes a record of an item out of values by the names of its fields,
// which the caller found on p itself. What the spec says of a field's type, Map,
// Required and Default holds; its selectors and Regex don't count.
//
// A string becomes what the field's type says, as text of the page would. A
// bool, a number, a time.Time, a Price, an Object, or a list of values stands
// for itself. nil and blank strings are absent values. A record without key
// fields is identified by the page and position, its place among the page's
// records of the item.
//
// complete is false for a reject. The error is a mistake of the caller: an
// item or field that the spec does not have, or a value that can't be kept in
// the field.
func (x *Extractor) Given(p Page, name string, position int, values map[string]any) (r Record, complete bool, err error) {
	i := slices.IndexFunc(x.items, func(it item) bool { return it.name == name })
	if i < 0 {
		return r, false, fmt.Errorf("no item is called %q", name)
	}
	it := &x.items[i]
	for _, value := range slices.Sorted(maps.Keys(values)) {
		if !slices.ContainsFunc(it.fields, func(f field) bool { return f.name == value }) {
			return r, false, fmt.Errorf("item %s has no field %q", name, value)
		}
	}
	if p.Root == nil { // no HTML
		p.Root = &html.Node{Type: html.DocumentNode}
	}
	e := extraction{work: newWork(&p)}
	r = Record{Item: name, URL: e.url, Position: position}
	if r.Fields, complete, err = e.given(it, values); err != nil {
		return r, false, fmt.Errorf("item %s: %w", name, err)
	}
	if r.Key = e.key(it, r.Fields, position); len(it.key) == 0 {
		r.Key = e.url + "#" + strconv.Itoa(position)
	}
	r.Problems = e.problems
	return r, complete, nil
}

func (e *extraction) given(it *item, values map[string]any) (o Object, complete bool, err error) {
	complete = true
	for i := range it.fields {
		f := &it.fields[i]
		at := place{name: f.name, index: -1}
		problems := len(e.problems)
		v, ok, err := e.givenValue(f, values[f.name], at)
		if err != nil {
			return nil, false, fmt.Errorf("field %s: %w", f.name, err)
		}
		failed := len(e.problems) > problems
		if !ok && !failed && f.def != nil {
			v, ok = f.def, true
		}
		switch {
		case ok:
			o = append(o, Member{f.name, v})
		case f.required:
			complete = false
			if !failed {
				e.problem(at, ProblemMissing, "no value was given")
			}
		}
	}
	return o, complete, nil
}

func (e *extraction) givenValue(f *field, v any, at place) (any, bool, error) {
	switch v := v.(type) {
	case nil:
		return nil, false, nil
	case string:
		return e.givenText(f, v, at)
	case []string:
		list := make([]any, len(v))
		for i, s := range v {
			list[i] = s
		}
		return e.givenList(f, list, at)
	case []any:
		return e.givenList(f, v, at)
	case time.Time:
		if f.as == Date {
			return v.Format(time.DateOnly), true, nil
		}
		return v.Format(time.RFC3339Nano), true, nil
	}
	plain, err := plainValue(v)
	if err == nil && f.any == nil && f.fields == nil && !f.as.structural() {
		plain, err = f.as.fromDefault(plain)
	}
	if err != nil {
		return nil, false, fmt.Errorf("the value %v %w", v, err)
	}
	return plain, true, nil
}

// givenText converts a text as one of the page.
func (e *extraction) givenText(f *field, s string, at place) (any, bool, error) {
	if f.as.structural() || f.fields != nil {
		return nil, false, fmt.Errorf("a text is no %s: give an Object or a list", f.as)
	}
	s = strings.TrimSpace(s)
	if s == "" {
		return nil, false, nil
	}
	if to, ok := f.steps.mapping[s]; ok {
		s = to
	}
	v, err := f.as.convert(found{text: s, node: rootElement(e.root), work: &e.work})
	if err != nil {
		e.problem(at, ProblemType, fmt.Sprintf("%s %s", quote(s), err))
		return nil, false, nil
	}
	return v, true, nil
}

func (e *extraction) givenList(f *field, values []any, at place) (any, bool, error) {
	var list []any
	for i, v := range values {
		at.index = i
		v, ok, err := e.givenValue(f, v, at)
		switch {
		case err != nil:
			return nil, false, err
		case ok:
			list = append(list, v)
		}
	}
	return list, len(list) > 0, nil
}

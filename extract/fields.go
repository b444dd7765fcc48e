package extract

import (
	"fmt"
	"slices"
)

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

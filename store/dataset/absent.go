package dataset

import "slices"

// absent finds out which fields no record has. It looks into records until each
// field has been met once.
type absent struct {
	names  []string // not met yet
	member *members // of names
}

func newAbsent(fields []Field) *absent {
	var names []string
	for _, f := range fields {
		if !f.Meta {
			names = append(names, f.Name)
		}
	}
	return &absent{names, newMembers(names...)}
}

// note takes in the fields of a record. What is no object has none.
func (a *absent) note(data []byte) {
	if len(a.names) == 0 {
		return
	}
	_ = a.member.read(data)
	if !slices.ContainsFunc(a.member.values, func(value []byte) bool { return value != nil }) {
		return
	}
	var left []string
	for i, name := range a.names {
		if a.member.values[i] == nil {
			left = append(left, name)
		}
	}
	a.names, a.member = left, newMembers(left...)
}

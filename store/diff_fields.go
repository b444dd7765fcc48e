package store

import (
	"cmp"
	"encoding/json"
	"slices"

	"github.com/tidwall/gjson"
)

// FieldChange is a field that differs between two versions of a record.
type FieldChange struct {
	Field string
	Old   json.RawMessage // nil: it had no value
	New   json.RawMessage // nil: it has no value
}

// Fields compares the versions of a changed record field by field, in the
// order of the item's fields. A value of null is none. Both versions are taken
// to be JSON objects as the store wrote them.
func (c *Change) Fields() []FieldChange {
	if c.differing == nil {
		c.differing = c.compare()
	}
	return c.differing
}

func (c *Change) compare() []FieldChange {
	var room [2][16]jsonMember // enough for most, and on the stack
	old, now := membersOf(room[0][:0], c.Old), membersOf(room[1][:0], c.New)
	var changes []FieldChange
	for _, m := range now {
		if was := valueOf(old, m.name); was != m.value {
			changes = append(changes, FieldChange{m.name, rawValue(was), rawValue(m.value)})
		}
	}
	for _, m := range old {
		if valueOf(now, m.name) == "" {
			changes = append(changes, FieldChange{m.name, rawValue(m.value), nil})
		}
	}
	if len(changes) > 1 {
		c.sort(changes)
	}
	return changes
}

// sort puts fields into the order of the item's. Behind them come those that
// it has not: the job's spec has them no more, or a hook set them undeclared.
func (c *Change) sort(changes []FieldChange) {
	place := func(name string) int {
		if i := slices.Index(c.fields, name); i >= 0 {
			return i
		}
		return len(c.fields)
	}
	slices.SortFunc(changes, func(a, b FieldChange) int {
		return cmp.Or(cmp.Compare(place(a.Field), place(b.Field)), cmp.Compare(a.Field, b.Field))
	})
}

// jsonMember is a member of a JSON object, its value as it is written.
type jsonMember struct{ name, value string }

// membersOf appends the members of a JSON object that have a value.
func membersOf(members []jsonMember, object json.RawMessage) []jsonMember {
	gjson.ParseBytes(object).ForEach(func(name, value gjson.Result) bool {
		if value.Type != gjson.Null {
			members = append(members, jsonMember{name.String(), value.Raw})
		}
		return true
	})
	return members
}

// valueOf is a member's value; "" if it has none. There are few members.
func valueOf(members []jsonMember, name string) string {
	for _, m := range members {
		if m.name == name {
			return m.value
		}
	}
	return ""
}

// rawValue is a value for programs; nil: none.
func rawValue(value string) json.RawMessage {
	if value == "" {
		return nil
	}
	return json.RawMessage(value)
}

package extract

import "strings"

// SpecError is one mistake in a Spec.
type SpecError struct {
	Path []any  // keys (string) and list positions (int) as in a job file below "items": "book", "fields", "price", "regex"
	Msg  string // what is wrong, and what to write instead
}

func (e *SpecError) Error() string { return e.Msg }

// SpecErrors are all mistakes of a Spec.
type SpecErrors []*SpecError

func (e SpecErrors) Error() string {
	msgs := make([]string, len(e))
	for i, m := range e {
		msgs[i] = m.Error()
	}
	return strings.Join(msgs, "\n")
}

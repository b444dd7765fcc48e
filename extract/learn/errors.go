package learn

import (
	"fmt"
	"strings"
)

// NotFoundError says which examples are not on the page.
type NotFoundError struct {
	Missing []Missing
}

// Missing is an example that is not on the page.
type Missing struct {
	Field string
	Value string
	Near  []string // texts of the page that are like it, the closest first, shortened
}

func (e *NotFoundError) Error() string {
	list := make([]string, len(e.Missing))
	for i, m := range e.Missing {
		list[i] = fmt.Sprintf("%s: %q is not on the page", m.Field, shorten(m.Value, maxNear))
		if len(m.Near) > 0 {
			list[i] += fmt.Sprintf("; closest is %q", m.Near[0])
		}
	}
	return strings.Join(list, "\n")
}

// maxNear is how many code points of a text are shown.
const maxNear = 80

// shorten returns a copy of the start of a text, on one line.
func shorten(s string, most int) string {
	if len(s) > 8*most {
		s = strings.ToValidUTF8(s[:8*most], "")
	}
	r := []rune(oneLine(s))
	if len(r) > most {
		return string(r[:most]) + "…"
	}
	return string(r)
}

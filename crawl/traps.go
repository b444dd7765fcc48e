package crawl

import (
	"cmp"
	"strings"

	"github.com/magpie-crawl/magpie/weburl"
)

// Traps are rules against URLs without end. Each is off where it is negative.
// Start URLs are never held to be traps.
type Traps struct {
	// Repeats is how often in a row the same path segments may stand:
	// /a/b/a/b has a/b twice. Segments of digits alone do not count. Default 2.
	Repeats int

	// Length is how long a URL may be, in bytes. Default 2083.
	Length int

	// Duplicates is how many pages in a row, at URLs of the same shape, may
	// say nearly the same and bring no new record, before the others of that
	// shape are left out. Default 100.
	Duplicates int
}

// NoTraps are no rules at all.
var NoTraps = Traps{Repeats: -1, Length: -1, Duplicates: -1}

// Defaults of Traps.
const (
	DefaultTrapDuplicates = 100
	DefaultTrapRepeats    = 2
	DefaultTrapLength     = 2083 // the longest URL that browsers once took
)

// Reasons for skipping what looks like a trap.
const (
	ReasonTrapRepeat Reason = "trap-repeat" // the same path segments again and again
	ReasonTrapLength Reason = "trap-length" // a very long URL
)

func (t Traps) withDefaults() Traps {
	t.Repeats = cmp.Or(t.Repeats, DefaultTrapRepeats)
	t.Length = cmp.Or(t.Length, DefaultTrapLength)
	t.Duplicates = cmp.Or(t.Duplicates, DefaultTrapDuplicates)
	return t
}

// verdict is why a URL looks like a trap, "" if it does not.
func (t Traps) verdict(u weburl.URL) Reason {
	switch {
	case t.Length > 0 && len(u.String()) > t.Length:
		return ReasonTrapLength
	case t.Repeats > 0 && repeats(u.Path()) > t.Repeats:
		return ReasonTrapRepeat
	}
	return ""
}

// longestCycle is of how many segments a repetition is looked for.
const longestCycle = 6

// repeats is how often the same segments of a path stand in a row at most.
func repeats(path string) int {
	segments := strings.Split(strings.Trim(path, "/"), "/")
	most := 1
	for cycle := 1; cycle <= min(longestCycle, len(segments)/2); cycle++ {
		same := 0 // segments in a row that equal the one a cycle before
		for i := cycle; i < len(segments); i++ {
			if segments[i] != segments[i-cycle] || isNumber(segments[i]) && cycle == 1 {
				same = 0
				continue
			}
			same++
			most = max(most, same/cycle+1)
		}
	}
	return most
}

func isNumber(s string) bool { return s != "" && strings.Trim(s, "0123456789") == "" }

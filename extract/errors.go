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

// nearest returns the candidate that s is most likely a misspelling of; ""
// where none is near.
func nearest(s string, candidates []string) string {
	best, at := "", len(s)/3+2
	for _, c := range candidates {
		if d := editDistance(s, c); d < at {
			best, at = c, d
		}
	}
	return best
}

// editDistance is the Levenshtein distance in bytes.
func editDistance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := diagonal
			if a[i] != b[j] {
				cost++
			}
			diagonal = row[j+1]
			row[j+1] = min(cost, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}

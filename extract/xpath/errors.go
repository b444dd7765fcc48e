package xpath

import (
	"errors"
	"fmt"
)

// ErrSteps is the error of an evaluation that used up its budget.
var ErrSteps = errors.New("the XPath expression takes too many steps on this page")

// SyntaxError is a mistake in an expression.
type SyntaxError struct {
	Offset int    // in bytes
	Msg    string // what is wrong, and what to write instead
}

func (e *SyntaxError) Error() string { return fmt.Sprintf("at byte %d: %s", e.Offset, e.Msg) }

func mistake(at int, format string, args ...any) error {
	return &SyntaxError{at, fmt.Sprintf(format, args...)}
}

// meant says which name is most likely meant, "" where none is near.
func meant(name string, names []string) string {
	best, at := "", len(name)/3+2
	for _, n := range names {
		if d := editDistance(name, n); d < at {
			best, at = n, d
		}
	}
	if best == "" {
		return ""
	}
	return "; did you mean " + best + "?"
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

package xpath

import (
	"errors"
	"fmt"

	"github.com/magpie-crawl/magpie/internal/spelling"
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
	best := spelling.Nearest(name, names)
	if best == "" {
		return ""
	}
	return "; did you mean " + best + "?"
}

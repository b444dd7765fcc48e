package loosejson

import (
	"fmt"
	"slices"
)

// Repair is something that was not JSON and was read nonetheless.
type Repair struct {
	Line int    // from 1, in the text that was read
	What string // for people
}

func (r Repair) String() string { return fmt.Sprintf("line %d: %s", r.Line, r.What) }

// What repairs are called.
const (
	repairBOM        = "byte order mark"
	repairCData      = "CDATA or HTML comment around the JSON"
	repairClosed     = "closed more often than opened"
	repairComma      = "comma without a value"
	repairComment    = "comment"
	repairControl    = "raw control character in a string"
	repairCut        = "cut off at the end"
	repairEscape     = "unknown escape in a string"
	repairLiteral    = "a literal of another language"
	repairName       = "name without quotes"
	repairNoComma    = "comma missing"
	repairNoValue    = "value missing, read as null"
	repairNumber     = "no JSON number, read as a string"
	repairReferences = "HTML character references"
	repairRest       = "left out what follows the JSON"
	repairSemicolon  = "semicolon at the end"
	repairSeveral    = "several values"
	repairSingle     = "single quotes"
	repairSpace      = "a space that JSON does not know"
	repairWord       = "value without quotes"
)

// repair notes a repair at pos, each kind once.
func (r *reader) repair(what string) {
	if !slices.ContainsFunc(r.repairs, func(p Repair) bool { return p.What == what }) {
		r.repairs = append(r.repairs, Repair{r.lines.at(r.src, r.pos), what})
	}
}

// SyntaxError says why a text could not be read.
type SyntaxError struct {
	Line int    // from 1, in the text that was read
	What string // for people
}

func (e *SyntaxError) Error() string { return fmt.Sprintf("line %d: %s", e.Line, e.What) }

func (r *reader) fail(what string) error {
	return &SyntaxError{r.lines.at(r.src, r.pos), what}
}

// lineCounter counts lines up to offsets that ascend.
type lineCounter struct{ pos, line int }

func (l *lineCounter) at(s string, pos int) int {
	for ; l.pos < pos && l.pos < len(s); l.pos++ {
		if s[l.pos] == '\n' {
			l.line++
		}
	}
	return l.line + 1
}

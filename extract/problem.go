package extract

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// place is where a value stands in a record. It becomes text only in a
// Problem.
type place struct {
	above *place
	name  string
	index int // position in a list from 0; -1: not in one
}

func (p *place) String() string {
	if p == nil {
		return ""
	}
	s := p.name
	if p.index >= 0 {
		s += "[" + strconv.Itoa(p.index) + "]"
	}
	if p.above != nil {
		return p.above.String() + "." + s
	}
	return s
}

// absence is why a value was not found.
type absence struct {
	what string // "no match", …
	text string // what was there instead
	err  bool   // something was found that is at fault
}

// maxProblems is how many problems of a record are told.
const maxProblems = 1000

func (e *extraction) problem(at place, code, detail string) {
	if e.failures++; e.failures > maxProblems {
		return
	}
	e.problems = append(e.problems, Problem{at.String(), code, detail})
}

func (a absence) String() string {
	if a.text == "" {
		return a.what
	}
	return a.what + " in " + quote(a.text)
}

const maxQuote = 80 // code points

// quote shows text of a page in a Problem: on one line, without control
// characters, shortened.
func quote(s string) string {
	if len(s) > 8*maxQuote {
		s = strings.ToValidUTF8(s[:8*maxQuote], "")
	}
	s = oneLine(s)
	if utf8.RuneCountInString(s) > maxQuote {
		s = string([]rune(s)[:maxQuote]) + "…"
	}
	return strconv.Quote(s)
}

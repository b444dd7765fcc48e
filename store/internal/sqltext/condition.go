package sqltext

import (
	"errors"
	"strings"
)

var (
	errCondition      = errors.New("write one condition, such as price_amount > 10 AND stock IS NOT NULL")
	errConditionOpen  = errors.New("a parenthesis or quote is not closed")
	errConditionClose = errors.New("there is a ) too many")
)

// CheckCondition sees to it that a text stays within the parentheses that are
// put around it: it closes what it opens, and no statement follows. What it
// says is SQLite's to judge.
func CheckCondition(text string) error {
	depth := 0
	for i := 0; i < len(text); i++ {
		end := i
		switch {
		case text[i] == '(':
			depth++
		case text[i] == ')':
			if depth--; depth < 0 {
				return errConditionClose
			}
		case text[i] == ';', text[i] == 0:
			return errCondition
		case strings.IndexByte("'\"`", text[i]) >= 0:
			end = closing(text, i+1, text[i:i+1])
		case text[i] == '[':
			end = closing(text, i+1, "]")
		case strings.HasPrefix(text[i:], "--"):
			if end = closing(text, i, "\n"); end < 0 {
				end = len(text) // the line ends behind it
			}
		case strings.HasPrefix(text[i:], "/*"):
			if end = closing(text, i+2, "*/"); end >= 0 {
				end++
			}
		}
		if end < 0 {
			return errConditionOpen
		}
		i = end
	}
	switch {
	case depth > 0:
		return errConditionOpen
	case strings.TrimSpace(text) == "":
		return errCondition
	}
	return nil
}

// closing is the place of the next mark; -1: there is none. (A quote that is
// doubled within its text ends one and begins the next.)
func closing(text string, from int, mark string) int {
	n := strings.Index(text[from:], mark)
	if n < 0 {
		return -1
	}
	return from + n
}

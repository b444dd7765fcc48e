package sqltext

import "errors"

var (
	errNoStatement    = errors.New("there is no statement: write a SELECT")
	errMoreStatements = errors.New("one statement at a time: there is more after the semicolon")
)

// OneStatement returns the one statement of a query. None is refused, and so
// are more, of which the driver would run all and show the last.
func OneStatement(query string) (string, error) {
	rest, found := statement(query)
	if !found {
		return "", errNoStatement
	}
	if _, more := statement(rest); more {
		return "", errMoreStatements
	}
	return query[:len(query)-len(rest)], nil
}

// statement finds the end of the first statement and returns what comes after
// it. found is false if there is nothing but space and comments.
// https://www.sqlite.org/lang_comment.html
func statement(query string) (rest string, found bool) {
	for i := 0; i < len(query); i++ {
		switch c := query[i]; {
		case c == ';':
			if found {
				return query[i+1:], true
			}
		case c == '\'' || c == '"' || c == '`':
			found = true
			i = after(query, i+1, string(c)) - 1
		case c == '[':
			found = true
			i = after(query, i+1, "]") - 1
		case hasAt(query, i, "--"):
			i = after(query, i+2, "\n") - 1
		case hasAt(query, i, "/*"):
			i = after(query, i+2, "*/") - 1
		case c != ' ' && c != '\t' && c != '\n' && c != '\r' && c != '\f':
			found = true
		}
	}
	return "", found
}

// hasAt tells whether part stands in s at i.
func hasAt(s string, i int, part string) bool {
	return len(s)-i >= len(part) && s[i:i+len(part)] == part
}

// after returns the place behind the next end from i on.
func after(s string, i int, end string) int {
	for ; i < len(s); i++ {
		if hasAt(s, i, end) {
			return i + len(end)
		}
	}
	return len(s)
}

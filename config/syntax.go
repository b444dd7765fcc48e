package config

import (
	"errors"
	"strings"

	"github.com/goccy/go-yaml"
)

// syntaxHints say in a user's words what the YAML parser says in its own.
// The first whose text is part of the parser's message is taken.
var syntaxHints = []struct{ parser, message string }{
	{"tab character", "a tab cannot indent in YAML: use spaces"},
	{"cannot start any token", "a tab cannot indent in YAML: use spaces"},
	{"end character of double-quoted", `the text that begins here with " has no closing "`},
	{"end character of single-quoted", `the text that begins here with ' has no closing '`},
	{"unknown escape character", `this \ begins no escape that YAML knows: write the text in single quotes, or \\ for each \`},
	{"sequence end token", "the list that begins here has no closing ] (a # that follows a space begins a comment: put such text in quotes)"},
	{"',' or ']'", "a comma or the closing ] of the list is missing before this"},
	{"flow mapping end token", "the mapping that begins here has no closing } (a # that follows a space begins a comment: put such text in quotes)"},
	{"',' or '}'", "a comma or the closing } of the mapping is missing before this"},
	{"mapping value is not allowed", `a second ": " on the line, or a line indented too far: put text that has ": " in it in quotes`},
	{"unexpected key name", "a key must be followed by a colon and a space, as in key: value"},
	{"non-map value", "a key must be followed by a colon and a space, as in key: value"},
	{"map key definition includes", "a key must be followed by a colon and a space, as in key: value"},
	{"invalid key", "a key must be a plain name followed by a colon and a space"},
	{"reserved character", "a value cannot begin with this character: put it in quotes"},
	{"unexpected directive value", "a value cannot begin with %: put it in quotes"},
	{"invalid header option", "a value that begins with > or | must be in quotes"},
	{"alias", "YAML reads a value that begins with * as an alias: put it in quotes"},
	{"anchor", "YAML reads a value that begins with & as an anchor: put it in quotes"},
	{"tag", "a value cannot begin with ! here: put it in quotes"},
	{"value is not allowed in this context", "this does not belong here: check the indentation of this line and of those above, and the brackets"},
	{"unexpected end content", "nothing may follow the line with ... that ends the document"},
}

// syntaxMistake turns an error of the YAML parser into a Mistake.
func syntaxMistake(src string, err error) *Mistake {
	var syntax yaml.Error
	if !errors.As(err, &syntax) {
		return mistakeAt(place{}, "not valid YAML: %s", err)
	}
	at, text := tokenPlace(syntax.GetToken()), syntax.GetMessage()
	if strings.Contains(text, "cannot start any token") || strings.Contains(text, "tab character") {
		at = firstTab(src, at)
	}
	for _, hint := range syntaxHints {
		if strings.Contains(text, hint.parser) {
			return mistakeAt(at, "%s", hint.message)
		}
	}
	return mistakeAt(at, "not valid YAML: %s", text)
}

// firstTab is the place of the first tab that indents a line.
func firstTab(src string, otherwise place) place {
	for i, line := range strings.Split(src, "\n") {
		if blank := line[:len(line)-len(strings.TrimLeft(line, " \t"))]; strings.Contains(blank, "\t") {
			return place{i + 1, strings.Index(blank, "\t") + 1}
		}
	}
	return otherwise
}

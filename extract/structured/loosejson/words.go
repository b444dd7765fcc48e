package loosejson

import (
	"encoding/json"
	"strings"
)

// words are the literals of JSON, and after them those of languages that
// templates are written in.
var words = map[string]any{
	"true": true, "false": false, "null": nil,
	"True": true, "False": false, "TRUE": true, "FALSE": false,
	"None": nil, "NULL": nil, "Null": nil, "undefined": nil, "NaN": nil, "void 0": nil, "!0": true, "!1": false,
}

// word reads a value that has no quotes: a number, a literal, or within an
// array or object any text up to the next comma, bracket, comment or end of
// line.
func (r *reader) word() (any, error) {
	start := r.pos
	end := start
	for end < len(r.src) && !r.endsWord(end) && r.src[end] != ' ' && r.src[end] != '\t' {
		end++
	}
	text := r.src[start:end]
	if r.depth > 0 {
		for end < len(r.src) && !r.endsWord(end) {
			end++
		}
		text = strings.TrimRight(r.src[start:end], " \t")
	}
	r.pos = start + len(text)
	if v, ok := words[text]; ok {
		if text != "true" && text != "false" && text != "null" {
			r.repair(repairLiteral)
		}
		return v, nil
	}
	if isNumber(text) {
		return json.Number(strings.Clone(text)), nil
	}
	if r.depth == 0 || text == "" {
		return nil, r.fail("has no value where one should begin")
	}
	if strings.Trim(text, "+-0123456789.eE") == "" {
		r.repair(repairNumber)
	} else {
		r.repair(repairWord)
	}
	return strings.ToValidUTF8(strings.Clone(text), "\ufffd"), nil
}

func (r *reader) endsWord(i int) bool {
	switch r.src[i] {
	case ',', ':', ';', '{', '}', '[', ']', '"', '\n', '\r', '<':
		return true
	case '/':
		return i+1 < len(r.src) && (r.src[i+1] == '/' || r.src[i+1] == '*')
	}
	return false
}

// isNumber reports whether s is a number of JSON.
//
// https://www.rfc-editor.org/rfc/rfc8259#section-6
func isNumber(s string) bool {
	s = strings.TrimPrefix(s, "-")
	whole := digits(s)
	if whole == 0 || whole > 1 && s[0] == '0' {
		return false
	}
	s = s[whole:]
	if strings.HasPrefix(s, ".") {
		n := digits(s[1:])
		if n == 0 {
			return false
		}
		s = s[1+n:]
	}
	if s != "" && (s[0] == 'e' || s[0] == 'E') {
		s = s[1:]
		if s != "" && (s[0] == '+' || s[0] == '-') {
			s = s[1:]
		}
		n := digits(s)
		return n > 0 && n == len(s)
	}
	return s == ""
}

// digits returns how many digits s begins with.
func digits(s string) int {
	n := 0
	for n < len(s) && '0' <= s[n] && s[n] <= '9' {
		n++
	}
	return n
}

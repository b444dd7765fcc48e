package extract

import (
	"fmt"
	"regexp"
	"strings"

	"golang.org/x/net/html"

	"github.com/magpie-crawl/magpie/extract/structured/loosejson"
)

// scriptSource finds JSON in the script elements that a selector matches.
type scriptSource struct {
	*selector
}

func (s scriptSource) find(e *extraction, _ scope, yield func(found) bool) {
	e.why = absence{what: "nothing matches the selector"}
	e.work.each(s.selector, e.root, func(n *html.Node) bool {
		text := e.textContent(n)
		e.steps -= jsonStepsPerByte * len(text)
		v, _, err := loosejson.Parse(text)
		if err != nil {
			e.why = absence{what: "the script is no JSON: " + err.Error(), text: text}
			return true
		}
		return yield(found{node: n, json: v, isJSON: true, work: &e.work})
	})
}

// variableSource finds what scripts assign to a variable, or hold in an
// element whose id is its name. The literal is read; no script is run.
type variableSource struct {
	name string // without "window." before it
}

var (
	variableName  = regexp.MustCompile(`^(?:(?:window|self|globalThis)\.)?([A-Za-z_$][\w$]*(?:\.[A-Za-z_$][\w$]*)*)$`)
	scriptElement = mustCompileSelector("script")
)

// jsonSource tells names of variables from selectors of scripts.
func (c *checker) jsonSource(p path, text string) source {
	if m := variableName.FindStringSubmatch(strings.TrimSpace(text)); m != nil && m[1] != "script" && !strings.HasPrefix(m[1], "script.") {
		return variableSource{m[1]}
	}
	return scriptSource{c.selector(p, text)}
}

func (s variableSource) find(e *extraction, _ scope, yield func(found) bool) {
	e.why = absence{what: "no script has " + s.name}
	e.work.each(scriptElement, e.root, func(n *html.Node) bool {
		text := e.textContent(n)
		if id, _ := attr(n, "id"); id == s.name {
			e.steps -= jsonStepsPerByte * len(text)
			if v, _, err := loosejson.Parse(text); err == nil {
				return yield(found{node: n, json: v, isJSON: true, work: &e.work})
			}
		}
		v, ok, err := s.assigned(e, text)
		if err != nil {
			e.why = absence{what: fmt.Sprintf("%s can't be read: %s", s.name, err)}
		}
		return !ok || yield(found{node: n, json: v, isJSON: true, work: &e.work})
	})
}

const jsonStepsPerByte = 4 // that reading it costs

// maxAssignments is how many mentions of a variable in one script are tried.
const maxAssignments = 100

// assigned reads what a script assigns to the variable first. err says why an
// assignment was no literal.
func (s variableSource) assigned(e *extraction, script string) (v any, ok bool, err error) {
	rest := script
	for range maxAssignments {
		i := strings.Index(rest, s.name)
		if i < 0 {
			break
		}
		before, after := rest[:i], rest[i+len(s.name):]
		rest = after
		if before != "" && isWordByte(before[len(before)-1]) {
			continue
		}
		literal, isAssignment := assignment(after)
		if !isAssignment {
			continue
		}
		if e.steps -= jsonStepsPerByte * len(literal); e.exhausted() {
			break
		}
		if v, err = literalValue(literal); err == nil {
			return v, true, nil
		}
	}
	return nil, false, err
}

// assignment is what follows the equals sign after a variable's name, which
// may have stood in brackets: window["name"] =.
func assignment(s string) (literal string, ok bool) {
	for _, bracket := range []string{`"]`, `']`} {
		s = strings.TrimPrefix(s, bracket)
	}
	s = strings.TrimLeft(s, asciiWhitespace)
	s, ok = strings.CutPrefix(s, "=")
	if !ok || strings.HasPrefix(s, "=") {
		return "", false
	}
	return strings.TrimLeft(s, asciiWhitespace), true
}

// literalValue reads an object, an array, or the JSON in JSON.parse("…").
func literalValue(s string) (any, error) {
	if quoted, ok := strings.CutPrefix(s, "JSON.parse("); ok {
		v, _, err := loosejson.Prefix(quoted)
		if text, isText := v.(string); err == nil && isText {
			v, _, err = loosejson.Parse(text)
		}
		return v, err
	}
	v, _, err := loosejson.Prefix(s)
	return v, err
}

func isWordByte(c byte) bool {
	return c == '_' || c == '$' || c >= 0x80 || '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
}

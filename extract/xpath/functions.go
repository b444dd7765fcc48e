package xpath

import (
	"math"
	"slices"
	"strings"
)

// function is a function of the core library or one beside it.
//
// https://www.w3.org/TR/1999/REC-xpath-19991116/#corelib
type function struct {
	usage       string
	least, most int  // arguments; most -1: any number
	context     bool // without arguments its argument is the context node
	nodes       bool // its arguments are sets of nodes
	result      Kind
	run         func(ev *evaluation, f focus, args []expr) Value
}

var functions = map[string]*function{
	"last":             {"last()", 0, 0, false, false, Number, last},
	"position":         {"position()", 0, 0, false, false, Number, position},
	"count":            {"count(nodes)", 1, 1, false, true, Number, count},
	"id":               {"id(value)", 1, 1, false, false, NodeSet, id},
	"local-name":       {"local-name(nodes?)", 0, 1, true, true, String, localName},
	"namespace-uri":    {"namespace-uri(nodes?)", 0, 1, true, true, String, namespaceURI},
	"name":             {"name(nodes?)", 0, 1, true, true, String, name},
	"string":           {"string(value?)", 0, 1, true, false, String, toString},
	"concat":           {"concat(string, string, …)", 2, -1, false, false, String, concat},
	"starts-with":      {"starts-with(string, beginning)", 2, 2, false, false, Boolean, startsWith},
	"contains":         {"contains(string, part)", 2, 2, false, false, Boolean, contains},
	"substring-before": {"substring-before(string, part)", 2, 2, false, false, String, substringBefore},
	"substring-after":  {"substring-after(string, part)", 2, 2, false, false, String, substringAfter},
	"substring":        {"substring(string, first, length?)", 2, 3, false, false, String, substring},
	"string-length":    {"string-length(string?)", 0, 1, true, false, Number, stringLength},
	"normalize-space":  {"normalize-space(string?)", 0, 1, true, false, String, normalizeSpace},
	"translate":        {"translate(string, from, to)", 3, 3, false, false, String, translate},
	"boolean":          {"boolean(value)", 1, 1, false, false, Boolean, toBoolean},
	"not":              {"not(value)", 1, 1, false, false, Boolean, not},
	"true":             {"true()", 0, 0, false, false, Boolean, func(*evaluation, focus, []expr) Value { return booleanValue(true) }},
	"false":            {"false()", 0, 0, false, false, Boolean, func(*evaluation, focus, []expr) Value { return booleanValue(false) }},
	"lang":             {"lang(language)", 1, 1, false, false, Boolean, lang},
	"number":           {"number(value?)", 0, 1, true, false, Number, toNumber},
	"sum":              {"sum(nodes)", 1, 1, false, true, Number, sum},
	"floor":            {"floor(number)", 1, 1, false, false, Number, numeric(math.Floor)},
	"ceiling":          {"ceiling(number)", 1, 1, false, false, Number, numeric(math.Ceil)},
	"round":            {"round(number)", 1, 1, false, false, Number, numeric(round)},
	"has-class":        {"has-class(name, …)", 1, -1, false, false, Boolean, hasClass},
	"re:test":          {"re:test(string, pattern, flags?)", 2, 3, false, false, Boolean, regexpTest},
}

// elsewhere are functions of later versions, and what to write for them.
var elsewhere = map[string]string{
	"lower-case": "translate(…, 'ABC…', 'abc…')",
	"upper-case": "translate(…, 'abc…', 'ABC…')",
	"ends-with":  "re:test(…, '…$')",
	"matches":    "re:test(…, …)",
	"re:match":   "re:test(…, …)",
	"exists":     "boolean(…)",
	"empty":      "not(…)",
	"text":       "text()",
	"class":      "has-class('…')",
	"index-of":   "position()",
}

// lookUp returns the function that a token names.
func lookUp(t token) (*function, error) {
	if fn := functions[t.String()]; fn != nil {
		return fn, nil
	}
	if write := elsewhere[t.String()]; write != "" {
		return nil, mistake(t.at, "there is no function %s in XPath 1.0; write %s", t, write)
	}
	names := make([]string, 0, len(functions))
	for n := range functions {
		names = append(names, n)
	}
	slices.Sort(names)
	return nil, mistake(t.at, "there is no function %s%s", t, meant(t.String(), names))
}

// call is a function with its arguments.
type call struct {
	*function
	args []expr
}

func (c *call) kind() Kind { return c.result }

func (c *call) eval(ev *evaluation, f focus) Value {
	ev.left--
	return c.run(ev, f, c.args)
}

// compile makes a call. A pattern that is known is compiled here.
func (fn *function) compile(t token, args []expr) (expr, error) {
	if t.prefix != "" {
		return compileTest(t, fn, args)
	}
	return &call{fn, args}, nil
}

// isCall reports whether x calls the function of that name.
func isCall(x expr, name string) bool {
	c, ok := x.(*call)
	return ok && c.function == functions[name]
}

// Functions on nodes: https://www.w3.org/TR/1999/REC-xpath-19991116/#section-Node-Set-Functions

func last(_ *evaluation, f focus, _ []expr) Value { return numberValue(float64(f.size)) }

func position(_ *evaluation, f focus, _ []expr) Value { return numberValue(float64(f.position)) }

func count(ev *evaluation, f focus, args []expr) Value {
	return numberValue(float64(len(ev.nodes(args[0], f, 0))))
}

func sum(ev *evaluation, f focus, args []expr) Value {
	s := 0.0
	for _, n := range ev.nodes(args[0], f, 0) {
		if s += parseNumber(ev.text(n)); ev.left < 0 {
			break
		}
	}
	return numberValue(s)
}

// Conversions: https://www.w3.org/TR/1999/REC-xpath-19991116/#function-string and its like

func toString(ev *evaluation, f focus, args []expr) Value {
	return stringValue(ev.string(args[0], f))
}

func toNumber(ev *evaluation, f focus, args []expr) Value {
	return numberValue(ev.number(args[0], f))
}

func toBoolean(ev *evaluation, f focus, args []expr) Value {
	return booleanValue(ev.boolean(args[0], f))
}

func not(ev *evaluation, f focus, args []expr) Value {
	return booleanValue(!ev.boolean(args[0], f))
}

func numeric(fn func(float64) float64) func(*evaluation, focus, []expr) Value {
	return func(ev *evaluation, f focus, args []expr) Value {
		return numberValue(fn(ev.number(args[0], f)))
	}
}

// htmlSpace is the white space between the words of attributes.
//
// https://infra.spec.whatwg.org/#ascii-whitespace
const htmlSpace = space + "\f"

// hasClass is true of elements that have all the classes.
func hasClass(ev *evaluation, f focus, args []expr) Value {
	class, ok := classTest.attribute(f.node)
	if !ok {
		return booleanValue(false)
	}
	s := ev.text(class)
	for _, a := range args {
		if !hasWord(s, ev.string(a, f)) {
			return booleanValue(false)
		}
	}
	return booleanValue(true)
}

var (
	classTest = attributeNamed("class")
	idTest    = attributeNamed("id")
	langTest  = attributeNamed("lang")
)

func attributeNamed(name string) *nodeTest { return &nodeTest{name: name, lower: name, attr: true} }

// hasWord reports whether one of the words of s is word.
func hasWord(s, word string) bool {
	for i := 0; word != ""; {
		at := strings.Index(s[i:], word)
		if at < 0 {
			break
		}
		begin := i + at
		end := begin + len(word)
		if (begin == 0 || strings.IndexByte(htmlSpace, s[begin-1]) >= 0) && (end == len(s) || strings.IndexByte(htmlSpace, s[end]) >= 0) {
			return !strings.ContainsAny(word, htmlSpace)
		}
		i = end
	}
	return false
}

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
	"last":             {usage: "last()", result: Number, run: last},
	"position":         {usage: "position()", result: Number, run: position},
	"count":            {usage: "count(nodes)", least: 1, most: 1, nodes: true, result: Number, run: count},
	"id":               {usage: "id(value)", least: 1, most: 1, run: id},
	"local-name":       {usage: "local-name(nodes?)", most: 1, context: true, nodes: true, result: String, run: localName},
	"namespace-uri":    {usage: "namespace-uri(nodes?)", most: 1, context: true, nodes: true, result: String, run: namespaceURI},
	"name":             {usage: "name(nodes?)", most: 1, context: true, nodes: true, result: String, run: name},
	"string":           {usage: "string(value?)", most: 1, context: true, result: String, run: toString},
	"concat":           {usage: "concat(string, string, …)", least: 2, most: -1, result: String, run: concat},
	"starts-with":      {usage: "starts-with(string, beginning)", least: 2, most: 2, result: Boolean, run: startsWith},
	"contains":         {usage: "contains(string, part)", least: 2, most: 2, result: Boolean, run: contains},
	"substring-before": {usage: "substring-before(string, part)", least: 2, most: 2, result: String, run: substringBefore},
	"substring-after":  {usage: "substring-after(string, part)", least: 2, most: 2, result: String, run: substringAfter},
	"substring":        {usage: "substring(string, first, length?)", least: 2, most: 3, result: String, run: substring},
	"string-length":    {usage: "string-length(string?)", most: 1, context: true, result: Number, run: stringLength},
	"normalize-space":  {usage: "normalize-space(string?)", most: 1, context: true, result: String, run: normalizeSpace},
	"translate":        {usage: "translate(string, from, to)", least: 3, most: 3, result: String, run: translate},
	"boolean":          {usage: "boolean(value)", least: 1, most: 1, result: Boolean, run: toBoolean},
	"not":              {usage: "not(value)", least: 1, most: 1, result: Boolean, run: not},
	"true":             {usage: "true()", result: Boolean, run: always(true)},
	"false":            {usage: "false()", result: Boolean, run: always(false)},
	"lang":             {usage: "lang(language)", least: 1, most: 1, result: Boolean, run: lang},
	"number":           {usage: "number(value?)", most: 1, context: true, result: Number, run: toNumber},
	"sum":              {usage: "sum(nodes)", least: 1, most: 1, nodes: true, result: Number, run: sum},
	"floor":            {usage: "floor(number)", least: 1, most: 1, result: Number, run: numeric(math.Floor)},
	"ceiling":          {usage: "ceiling(number)", least: 1, most: 1, result: Number, run: numeric(math.Ceil)},
	"round":            {usage: "round(number)", least: 1, most: 1, result: Number, run: numeric(round)},
	"has-class":        {usage: "has-class(name, …)", least: 1, most: -1, result: Boolean, run: hasClass},
	"re:test":          {usage: "re:test(string, pattern, flags?)", least: 2, most: 3, result: Boolean, run: regexpTest},
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

func always(b bool) func(*evaluation, focus, []expr) Value {
	return func(*evaluation, focus, []expr) Value { return booleanValue(b) }
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

package extract

import (
	"fmt"
	"regexp"
	"strings"

	"golang.org/x/net/html"
)

var typeNames = [...]string{"text", "html", "number", "integer", "price", "bool", "url", "date", "pairs", "table"}

// String returns the name of t in job files: "text", "price", …
func (t Type) String() string {
	if int(t) < len(typeNames) {
		return typeNames[t]
	}
	return fmt.Sprintf("Type(%d)", t)
}

// ParseType returns the type of a name.
func ParseType(name string) (Type, bool) {
	for i, s := range typeNames {
		if s == name {
			return Type(i), true
		}
	}
	return 0, false
}

// TypeNames returns the names of all types, in the order of their constants.
func TypeNames() []string { return append([]string(nil), typeNames[:]...) }

// structural reports whether the type reads a whole element rather than its
// text.
func (t Type) structural() bool { return t == Pairs || t == Table }

// found is a piece of a page that is to become a value.
type found struct {
	text string
	attr bool       // text is that of an attribute
	node *html.Node // where it was found; may be nil
	work *work
}

// language returns the language that f is in.
func (f found) language() string { return f.work.language(f.node) }

var digitsAndDot = regexp.MustCompile(`^[+-]?\d+\.\d+$`)

// machineDecimal reports whether f is a number as programs write it.
func (f found) machineDecimal() bool { return f.attr && digitsAndDot.MatchString(f.text) }

// longestWriting is how many bytes a number, price, date or bool may stand in.
const longestWriting = 10_000

// convert makes of f what t says. The error continues the text: `"N/A" has no
// number`.
func (t Type) convert(f found) (any, error) {
	if t != Text && t != HTML && t != URL && len(f.text) > longestWriting {
		return nil, fmt.Errorf("is too long to be a %s", t)
	}
	switch t {
	case Number:
		return orNil(parseNumber(f, Number))
	case Integer:
		return orNil(parseInteger(f))
	case PriceType:
		return orNil(parsePrice(f))
	case Bool:
		return orNil(parseBool(f.text))
	case URL:
		return orNil(f.work.resolve(f.text))
	case Date:
		return orNil(parseDate(f.text, f.language))
	}
	return strings.Clone(f.text), nil // a part of the page's text would keep the page in memory
}

func orNil[T any](v T, err error) (any, error) {
	if err != nil {
		return nil, err
	}
	return v, nil
}

// source returns what t reads of an element where no attribute is named:
// text, markup, or the attribute that holds the value for machines.
//
// https://html.spec.whatwg.org/multipage/microdata.html#values
func (t Type) source(w *work, n *html.Node) found {
	f := found{node: n, work: w}
	if name := t.attribute(n); name != "" {
		if s, ok := attr(n, name); ok {
			f.text, f.attr = strings.TrimSpace(s), true
			return f
		}
	}
	switch t {
	case HTML:
		f.text = w.innerHTML(n)
	case Number, Integer, PriceType:
		f.text = w.numeral(n)
	default:
		f.text = w.text(n)
	}
	return f
}

// attribute returns the name of the attribute that holds an element's value
// of this type, "" where its text is the value.
func (t Type) attribute(n *html.Node) string {
	if n.Type != html.ElementNode {
		return ""
	}
	switch n.Data {
	case "meta":
		return "content"
	case "input":
		return "value"
	}
	switch t {
	case Date:
		if n.Data == "time" {
			return "datetime"
		}
	case Number, Integer:
		switch n.Data {
		case "data", "meter", "progress":
			return "value"
		}
	case URL:
		switch n.Data {
		case "a", "area", "link":
			return "href"
		case "audio", "embed", "iframe", "img", "script", "source", "track", "video":
			return "src"
		case "object":
			return "data"
		case "form":
			return "action"
		case "blockquote", "q", "del", "ins":
			return "cite"
		}
	}
	return ""
}

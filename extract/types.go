package extract

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/net/html"
)

var typeNames = [...]string{"text", "html", "number", "integer", "price", "bool", "url", "date", "pairs", "table",
	"markdown", "datetime", "duration", "email", "phone", "json", "enum", "links", "images"}

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
func (t Type) structural() bool {
	switch t {
	case Pairs, Table, Links, Images:
		return true
	}
	return false
}

// language returns the language that f is in.
func (f found) language() string { return f.work.language(f.node) }

var digitsAndDot = regexp.MustCompile(`^[+-]?\d+\.\d+$`)

// machineDecimal reports whether f is a number as programs write it.
func (f found) machineDecimal() bool { return f.dotted || f.attr && digitsAndDot.MatchString(f.text) }

// longestWriting is how many bytes a number, price, date or bool may stand in.
const longestWriting = 10_000

// short reports whether a value of the type is never long.
func (t Type) short() bool {
	switch t {
	case Text, HTML, Markdown, URL, JSON:
		return false
	}
	return true
}

// country is the region of a language tag: "DE" of "de-DE", "" where it has
// none.
func country(tag string) string {
	for part := range strings.SplitSeq(tag, "-") {
		if len(part) == 2 && strings.ToUpper(part) == part {
			return part
		}
	}
	return ""
}

// parsed reports whether reading a value of the type costs more than taking
// its text.
func (t Type) parsed() bool {
	switch t {
	case Number, Integer, PriceType, Date, DateTime, Duration, Email, Phone, URL:
		return true
	}
	return false
}

// convert makes of f what t says. The error continues the text: `"N/A" has no
// number`.
func (t Type) convert(f found) (any, error) {
	if t.short() && len(f.text) > longestWriting {
		return nil, fmt.Errorf("is too long to be a %s", t)
	}
	if t.parsed() {
		f.work.steps -= stepsPerValue
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
		return orNil(parseDateAt(f.text, f.language, f.work.now()))
	case DateTime:
		return orNil(parseDateTime(f.text, f.language, f.work.now(), f.zone))
	case Duration:
		return orNil(parseDuration(f.text))
	case Email:
		return orNil(parseEmail(f.text))
	case Phone:
		return orNil(parsePhone(f.text, country(f.language())))
	case JSON:
		v, err := readJSONText(f.text)
		if err != nil {
			return nil, fmt.Errorf("is no JSON: %w", err)
		}
		return recordJSON(v), nil
	}
	if f.own {
		return f.text, nil
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
	case Markdown:
		f.text = w.markdown(n)
	case Number, Integer, PriceType:
		f.text, f.own = w.numeral(n), true
	default:
		f.text, f.own = w.text(n), true
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
	case Date, DateTime, Duration:
		if n.Data == "time" {
			return "datetime"
		}
	case Email, Phone:
		if href, _ := attr(n, "href"); n.Data == "a" && hasScheme(href, "mailto", "tel") {
			return "href"
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

// hasScheme reports whether a URL begins with one of the schemes.
func hasScheme(url string, schemes ...string) bool {
	scheme, _, ok := strings.Cut(strings.TrimSpace(url), ":")
	return ok && slices.ContainsFunc(schemes, func(s string) bool { return strings.EqualFold(s, scheme) })
}

package main

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/magpie-crawl/magpie/extract"
)

var (
	fieldName = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_-]*$`)
	// A type at the end: no selector ends with | and a word.
	typeSuffix = regexp.MustCompile(`\|\s*([A-Za-z]*)\s*$`)
	// An attribute at the end: no selector has an @ outside of quotes.
	attrSuffix = regexp.MustCompile(`@\s*([^\s@"'()\[\]]*)\s*$`)
)

// parseField reads the value of --css, name=selector@attribute|type. The
// attribute and the type may be left out; without a selector the value is
// taken from the item's node.
func parseField(s string) (extract.Field, error) {
	name, selector, found := strings.Cut(s, "=")
	name = strings.TrimSpace(name)
	if !found || !fieldName.MatchString(name) {
		return extract.Field{}, fmt.Errorf("%q does not begin with a name: write name=selector, such as title=h1", s)
	}
	f := extract.Field{Name: name}
	if m := typeSuffix.FindStringSubmatchIndex(selector); m != nil {
		word := selector[m[2]:m[3]]
		var known bool
		if f.As, known = extract.ParseType(word); !known {
			return f, fmt.Errorf("%q: there is no type %q: the types are %s", s, word, strings.Join(extract.TypeNames(), ", "))
		}
		selector = selector[:m[0]]
	}
	if m := attrSuffix.FindStringSubmatchIndex(selector); m != nil {
		if f.Attr = selector[m[2]:m[3]]; f.Attr == "" {
			return f, fmt.Errorf("%q: the name of an attribute must follow @", s)
		}
		selector = selector[:m[0]]
	}
	f.CSS = strings.TrimSpace(selector)
	return f, nil
}

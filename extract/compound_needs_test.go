package extract

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestReadNeeds(t *testing.T) {
	attribute := func(name, operation, value string) []attributeSelector {
		return []attributeSelector{{name: name, operation: operation, value: value}}
	}
	cases := []struct {
		selector string
		want     needs
	}{
		{"p", needs{tag: "p"}},
		{"P", needs{tag: "p"}},
		{"*", needs{}},
		{"*|p", needs{tag: "p"}},
		{"*|*", needs{}},
		{"/* all */ p/* of x */.x", needs{tag: "p", classes: []string{"x"}}},
		{"*.a", needs{classes: []string{"a"}}},
		{"linearGradient", needs{tag: "lineargradient"}},
		{"p.a#b.C", needs{tag: "p", ids: []string{"b"}, classes: []string{"a", "C"}}},
		{"#a#b", needs{ids: []string{"a", "b"}}},
		{"#1a", needs{ids: []string{"1a"}}},
		{".größe", needs{classes: []string{"größe"}}},
		{"\xc3Q.a", needs{tag: "\xc3q", classes: []string{"a"}}},
		{`.a\:b`, needs{classes: []string{"a:b"}}},
		{`.a.b\:c`, needs{classes: []string{"a", "b:c"}}},
		{`.\31 23.\é\e9\0000e9x`, needs{classes: []string{"123", "éééx"}}},
		{`.\0.\d800.\110000`, needs{classes: []string{"\ufffd", "\ufffd", "\ufffd"}}},
		{"[Href]", needs{attributes: attribute("href", "", "")}},
		{"a[href^=x].b", needs{tag: "a", classes: []string{"b"}, attributes: attribute("href", "^=", "x")}},
		{`a[title="]"].b`, needs{tag: "a", classes: []string{"b"}, attributes: attribute("title", "=", "]")}},
		{`[title='a\'b\
c\2c d']`, needs{attributes: attribute("title", "=", "a'bc,d")}},
		{"[a!=b]", needs{attributes: attribute("a", "!=", "b")}},
		{"[ a ]", needs{attributes: attribute("a", "", "")}},
		{"[ a = b i ]", needs{attributes: []attributeSelector{{name: "a", operation: "=", value: "b", letters: 'i'}}}},
		{`[a|="b"S]`, needs{attributes: []attributeSelector{{name: "a", operation: "|=", value: "b", letters: 's'}}}},
		{"[*|a]", needs{attributes: []attributeSelector{{name: "a", anySpace: true}}}},
		{"[|a]", needs{attributes: attribute("a", "", "")}},
		{"a:first-child.b", needs{tag: "a", classes: []string{"b"}}},
	}
	for _, c := range cases {
		t.Run(c.selector, func(t *testing.T) {
			got, err := compileCompound(c.selector)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(c.want, got.needs, cmp.AllowUnexported(needs{}, attributeSelector{})); diff != "" {
				t.Error(diff)
			}
		})
	}
}

package extract

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestReadNeeds(t *testing.T) {
	cases := []struct {
		selector string
		want     needs
		whole    bool
	}{
		{"p", needs{tag: "p"}, true},
		{"P", needs{tag: "p"}, true},
		{"*", needs{}, true},
		{"*.a", needs{classes: []string{"a"}}, true},
		{"linearGradient", needs{tag: "lineargradient"}, true},
		{"p.a#b.C", needs{tag: "p", id: "b", classes: []string{"a", "C"}}, true},
		{"#a#b", needs{id: "a"}, false},
		{".größe", needs{classes: []string{"größe"}}, true},
		{"\xc3Q.a", needs{tag: "\xc3q", classes: []string{"a"}}, true},
		{`.a\:b`, needs{}, false},
		{`.a.b\:c`, needs{classes: []string{"a"}}, false},
		{"[Href]", needs{attr: "href"}, false},
		{"a[href^=x].b", needs{tag: "a", attr: "href", classes: []string{"b"}}, false},
		{`a[title="]"].b`, needs{tag: "a", attr: "title"}, false},
		{"[a!=b]", needs{}, false},
		{"[ a ]", needs{}, false},
		{"a:first-child.b", needs{tag: "a"}, false},
	}
	for _, c := range cases {
		t.Run(c.selector, func(t *testing.T) {
			if _, err := parseBasic(c.selector); err != nil {
				t.Fatal(err)
			}
			got, whole := readNeeds(c.selector)
			if diff := cmp.Diff(c.want, got, cmp.AllowUnexported(needs{})); diff != "" || whole != c.whole {
				t.Errorf("whole: %t, wanted %t\n%s", whole, c.whole, diff)
			}
		})
	}
}

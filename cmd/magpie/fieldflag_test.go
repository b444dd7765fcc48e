package main

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/magpie-crawl/magpie/extract"
)

func TestParseField(t *testing.T) {
	tests := []struct {
		in   string
		want extract.Field
	}{
		{"title=h1", extract.Field{Name: "title", CSS: "h1"}},
		{" title = h1 > b ", extract.Field{Name: "title", CSS: "h1 > b"}},
		{"link=a@href", extract.Field{Name: "link", CSS: "a", Attr: "href"}},
		{"price=.price|price", extract.Field{Name: "price", CSS: ".price", As: extract.PriceType}},
		{"link=a.next @ href | url", extract.Field{Name: "link", CSS: "a.next", Attr: "href", As: extract.URL}},
		{"link=@href", extract.Field{Name: "link", Attr: "href"}},
		{"n=|number", extract.Field{Name: "n", As: extract.Number}},
		{"text=", extract.Field{Name: "text"}},
		{"a=[lang|=en]", extract.Field{Name: "a", CSS: "[lang|=en]"}},
		{"a=[lang|=en]@lang", extract.Field{Name: "a", CSS: "[lang|=en]", Attr: "lang"}},
		{`a=a[href="mailto:x@example.com"]`, extract.Field{Name: "a", CSS: `a[href="mailto:x@example.com"]`}},
		{"a=[x=y]", extract.Field{Name: "a", CSS: "[x=y]"}},
		{"x=use@xlink:href", extract.Field{Name: "x", CSS: "use", Attr: "xlink:href"}},
	}
	for _, tt := range tests {
		t.Run(tt.in, func(t *testing.T) {
			got, err := parseField(tt.in)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestParseFieldMistakes(t *testing.T) {
	tests := []struct{ in, want string }{
		{"h1", "does not begin with a name"},
		{"a[href=x]", "does not begin with a name"},
		{"=h1", "does not begin with a name"},
		{"price=.p|prise", `there is no type "prise"`},
		{"price=.p|", `there is no type ""`},
		{"link=a@", "attribute must follow"},
	}
	for _, tt := range tests {
		t.Run(tt.in, func(t *testing.T) {
			if _, err := parseField(tt.in); err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("got %v, want %s", err, tt.want)
			}
		})
	}
}

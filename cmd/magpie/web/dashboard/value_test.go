package dashboard

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/magpie-crawl/magpie/cmd/magpie/values"
	"github.com/magpie-crawl/magpie/extract"
	"github.com/magpie-crawl/magpie/htmlparse"
)

func TestValues(t *testing.T) {
	long := strings.Repeat("ä", 80)
	for _, tt := range []struct {
		name, json string
		field      extract.Field
		kind, text string
		link       string
	}{
		{name: "none", json: `null`, kind: "none"},
		{name: "text", json: `"a <b>"`, kind: "text", text: "a <b>"},
		{name: "number", json: `12.50`, kind: "number", text: "12.50"},
		{name: "large number", json: `123456789012345678901234567890`, kind: "number", text: "123456789012345678901234567890"},
		{name: "truth", json: `true`, kind: "truth", text: "yes"},
		{name: "price", json: `{"amount":12.50,"currency":"EUR"}`, kind: "price", text: "12.50 EUR"},
		{name: "price without a currency", json: `{"amount":12.50}`, kind: "price", text: "12.50"},
		{name: "range of prices", json: `{"amount":1,"amount_max":2,"currency":"GBP"}`, kind: "price", text: "1–2 GBP"},
		{name: "object that has an amount", json: `{"amount":"a lot","currency":"EUR"}`, kind: "object", text: "amount: a lot; currency: EUR"},
		{name: "moment", json: `"2026-11-21T10:00:00+01:00"`, field: extract.Field{As: extract.DateTime}, kind: "time", text: "2026-11-21T10:00:00+01:00"},
		{name: "moment that is none", json: `"soon"`, field: extract.Field{As: extract.DateTime}, kind: "text", text: "soon"},
		{name: "day", json: `"2026-11-21"`, field: extract.Field{As: extract.Date}, kind: "date", text: "2026-11-21"},
		{name: "link", json: `"https://example.com/a"`, field: extract.Field{As: extract.URL}, kind: "link", text: "https://example.com/a", link: "https://example.com/a"},
		{name: "link that runs", json: `"javascript:alert(1)"`, field: extract.Field{As: extract.URL}, kind: "text", text: "javascript:alert(1)"},
		{name: "text like a link", json: `"https://example.com/a"`, kind: "text", text: "https://example.com/a"},
		{name: "list", json: `["a","b"]`, kind: "list", text: "a · b"},
		{name: "empty list", json: `[]`, kind: "list"},
		{name: "nested", json: `{"stars":5,"by":{"name":"x"}}`, kind: "object", text: "stars: 5; by: name: x"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var o extract.Object
			if err := json.Unmarshal([]byte(`{"v":`+tt.json+`}`), &o); err != nil {
				t.Fatal(err)
			}
			v := valueOf(values.Member(o, "v"), tt.field)
			if v.Kind != tt.kind || v.Text != tt.text || v.Link != tt.link || v.Full() != tt.text {
				t.Errorf("%+v, in full %q", v, v.Full())
			}
			if tt.kind == "time" && !v.At.Equal(time.Date(2026, 11, 21, 9, 0, 0, 0, time.UTC)) {
				t.Errorf("at %v", v.At)
			}
		})
	}
	t.Run("a long list is cut, and says so", func(t *testing.T) {
		list := make([]any, 1000)
		for i := range list {
			list[i] = fmt.Sprint(i)
		}
		v := valueOf(list, extract.Field{})
		if len(v.List) != listShown+1 || v.List[listShown].Text != "… and 800 more" {
			t.Errorf("%d elements, the last %+v", len(v.List), v.List[len(v.List)-1])
		}
	})
	t.Run("a long text is cut between characters", func(t *testing.T) {
		if cell := (value{Text: long}).Cell(); cell != strings.Repeat("ä", 45)+"…" {
			t.Errorf("%q", cell)
		}
	})
}

func TestExcerpts(t *testing.T) {
	text := strings.Repeat("ü", 100) + "<h1>x</h1>" + strings.Repeat("é", 1000)
	for _, tt := range []struct {
		name                 string
		span                 htmlparse.Span
		before, piece, after int // their lengths; -1: there is no excerpt
		cut                  bool
	}{
		{"in the middle", htmlparse.Span{Start: 200, End: 210}, 120, 10, 120, false},
		{"at the start", htmlparse.Span{Start: 0, End: 2}, 0, 2, 120, false},
		{"at the end", htmlparse.Span{Start: len(text) - 2, End: len(text)}, 120, 2, 0, false},
		{"a long one", htmlparse.Span{Start: 200, End: len(text)}, 120, 600, 0, true},
		{"nothing", htmlparse.Span{}, -1, 0, 0, false},
		{"beyond the text", htmlparse.Span{Start: 1, End: len(text) + 1}, -1, 0, 0, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			x := excerptOf(text, tt.span)
			if x == nil || tt.before < 0 {
				if x != nil || tt.before >= 0 {
					t.Errorf("excerpt %+v", x)
				}
				return
			}
			if len(x.Before) != tt.before || len(x.Piece) != tt.piece || len(x.After) != tt.after || x.Cut != tt.cut {
				t.Errorf("%d, %d and %d bytes, cut %v", len(x.Before), len(x.Piece), len(x.After), x.Cut)
			}
			if !strings.Contains(text, x.Before+x.Piece+x.After) || strings.Contains(x.Before+x.Piece+x.After, "\uFFFD") {
				t.Errorf("it is not in the text: %+v", x)
			}
		})
	}
}

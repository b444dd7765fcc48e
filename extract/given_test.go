package extract

import (
	"encoding/json"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/magpie-crawl/magpie/htmlparse"
)

func TestGiven(t *testing.T) {
	x, err := Compile(Spec{Items: []Item{
		{Name: "book", Key: []string{"isbn"}, Fields: []Field{
			{Name: "isbn"}, {Name: "title", Required: true}, {Name: "price", As: PriceType}, {Name: "pages", As: Integer},
			{Name: "rating", As: Number}, {Name: "cover", As: URL}, {Name: "day", As: Date}, {Name: "tags", All: true},
			{Name: "stock", Default: "unknown", Map: map[string]string{"0": "none"}}, {Name: "facts", As: Pairs},
		}},
		{Name: "line", Fields: []Field{{Name: "text"}}},
	}})
	if err != nil {
		t.Fatal(err)
	}
	doc, err := htmlparse.ParseString(`<base href="/img/"><html lang=de>`, nil)
	if err != nil {
		t.Fatal(err)
	}
	at, _ := url.Parse("https://shop.test/p/1")
	page := Page{Root: doc.Root, URL: at}
	whole := map[string]any{"isbn": "12", "title": " Tea ", "stock": "1"}
	with := func(name string, v any) map[string]any {
		m := map[string]any{name: v}
		for k, v := range whole {
			if k != name {
				m[k] = v
			}
		}
		return m
	}
	for _, c := range []struct {
		name   string
		values map[string]any
		want   string // JSON of the fields
		key    string
		reject bool
		codes  string
	}{
		{"texts", whole, `{"isbn":"12","title":"Tea","stock":"1"}`, `["12"]`, false, ""},
		{"a price in words", with("price", "£1,051.77"), `{"isbn":"12","title":"Tea","price":{"amount":1051.77,"currency":"GBP"},"stock":"1"}`, `["12"]`, false, ""},
		{"a price", with("price", Price{Amount: "3.50", Currency: "EUR"}), `{"isbn":"12","title":"Tea","price":{"amount":3.50,"currency":"EUR"},"stock":"1"}`, `["12"]`, false, ""},
		{"a number as the page's language has it", with("rating", "1.234"), `{"isbn":"12","title":"Tea","rating":1234,"stock":"1"}`, `["12"]`, false, ""},
		{"an int", with("pages", 7), `{"isbn":"12","title":"Tea","pages":7,"stock":"1"}`, `["12"]`, false, ""},
		{"a float", with("rating", 4.5), `{"isbn":"12","title":"Tea","rating":4.5,"stock":"1"}`, `["12"]`, false, ""},
		{"a relative URL", with("cover", "a.png"), `{"isbn":"12","title":"Tea","cover":"https://shop.test/img/a.png","stock":"1"}`, `["12"]`, false, ""},
		{"a date", with("day", time.Date(2026, 2, 1, 3, 4, 5, 0, time.UTC)), `{"isbn":"12","title":"Tea","day":"2026-02-01","stock":"1"}`, `["12"]`, false, ""},
		{"a list", with("tags", []string{"a", "", "b"}), `{"isbn":"12","title":"Tea","tags":["a","b"],"stock":"1"}`, `["12"]`, false, ""},
		{"an object", with("facts", Object{{"a", "b"}}), `{"isbn":"12","title":"Tea","stock":"1","facts":{"a":"b"}}`, `["12"]`, false, ""},
		{"the map", with("stock", "0"), `{"isbn":"12","title":"Tea","stock":"none"}`, `["12"]`, false, ""},
		{"the default", with("stock", nil), `{"isbn":"12","title":"Tea","stock":"unknown"}`, `["12"]`, false, ""},
		{"no number", with("pages", "many"), `{"isbn":"12","title":"Tea","stock":"1"}`, `["12"]`, false, "type"},
		{"a required value is blank", with("title", " "), `{"isbn":"12","stock":"1"}`, `["12"]`, true, "missing"},
		{"no key", with("isbn", nil), `{"title":"Tea","stock":"1"}`, `https://shop.test/p/1`, false, "key"},
	} {
		t.Run(c.name, func(t *testing.T) {
			r, complete, err := x.Given(page, "book", 3, c.values)
			if err != nil {
				t.Fatal(err)
			}
			fields, err := json.Marshal(r.Fields)
			if err != nil {
				t.Fatal(err)
			}
			var codes []string
			for _, p := range r.Problems {
				codes = append(codes, p.Code)
			}
			got := []any{string(fields), r.Key, !complete, strings.Join(codes, " "), r.Position, r.URL}
			want := []any{c.want, c.key, c.reject, c.codes, 3, "https://shop.test/p/1"}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
	t.Run("a page that is no HTML", func(t *testing.T) {
		values := map[string]any{"isbn": "1", "title": "x", "price": "£1", "cover": "a.png", "day": "1 May 2026", "pages": "1,000"}
		r, complete, err := x.Given(Page{URL: at}, "book", 0, values)
		fields, jsonErr := json.Marshal(r.Fields)
		want := `{"isbn":"1","title":"x","price":{"amount":1,"currency":"GBP"},"pages":1000,"cover":"https://shop.test/p/a.png","day":"2026-05-01","stock":"unknown"}`
		if err != nil || jsonErr != nil || !complete || string(fields) != want {
			t.Errorf("%s, %v, %v, %v", fields, complete, err, r.Problems)
		}
	})
	t.Run("no key fields", func(t *testing.T) {
		r, _, err := x.Given(page, "line", 2, map[string]any{"text": "x"})
		if err != nil || r.Key != "https://shop.test/p/1#2" {
			t.Errorf("key %q, %v", r.Key, err)
		}
	})
	for name, c := range map[string]struct {
		item   string
		values map[string]any
		want   string
	}{
		"unknown item":       {"bok", nil, `no item is called "bok"`},
		"unknown field":      {"book", map[string]any{"titel": 1}, `item book has no field "titel"`},
		"a number as text":   {"book", map[string]any{"title": 1}, "item book: field title: the value 1 is no text"},
		"text for pairs":     {"book", map[string]any{"title": "x", "facts": "x"}, "field facts: a text is no pairs"},
		"what JSON can't be": {"book", map[string]any{"title": make(chan int)}, "is a chan int"},
	} {
		t.Run(name, func(t *testing.T) {
			if _, _, err := x.Given(page, c.item, 0, c.values); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("error %v, want %q", err, c.want)
			}
		})
	}
}

func TestTextOf(t *testing.T) {
	doc, err := htmlparse.ParseString("<p>One <b>two</b><br>three<script>x</script>", nil)
	if err != nil {
		t.Fatal(err)
	}
	if got := TextOf(doc.Root); got != "One two\nthree" {
		t.Errorf("TextOf = %q", got)
	}
}

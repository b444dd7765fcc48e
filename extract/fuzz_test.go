package extract

import (
	"encoding/json"
	"testing"

	"golang.org/x/net/html"

	"github.com/magpie-crawl/magpie/extract/structured/loosejson"
)

// FuzzDataPath: no path and no data make looking for values fail, and what is
// found can be written.
func FuzzDataPath(f *testing.F) {
	f.Add("Product.offers[2].price", `{"@type":"Product","@id":"a","offers":[{"@id":"a"},{"price":1}]}`)
	f.Add("@graph.a.b", `[{"@graph":[{"a":{"@list":[{"x:b":null}]}}]}]`)
	f.Add("A.b.b.b.b", `{"@type":["A"],"@id":"a","b":[{"@id":"a"},{"@id":"a"}]}`)
	f.Fuzz(func(t *testing.T, path, data string) {
		at, err := parseDataPath(path)
		if err != nil {
			return
		}
		v, _, err := loosejson.Parse(data)
		if err != nil {
			return
		}
		e := extraction{work: newWork(&Page{Root: &html.Node{Type: html.DocumentNode}})}
		e.steps = 1_000_000
		source := dataSource{at, "JSON-LD", func(*extraction) *structuredData { return &structuredData{nodes: []any{v}} }}
		pieces := 0
		source.find(&e, scope{}, func(p found) bool {
			for _, as := range []Type{Text, JSON, PriceType} {
				e.each(&field{as: as}, p, &place{name: "a", index: -1}, func(v any) bool {
					if _, err := appendJSON(nil, v); err != nil {
						t.Errorf("%q in %q as %s: %v", path, data, as, err)
					}
					return true
				})
			}
			pieces++
			return pieces < 1000
		})
		if pieces == 0 && e.why.what == "" && !e.exhausted() {
			t.Errorf("%q in %q: nothing is found, and nothing says why", path, data)
		}
	})
}

// FuzzExpression: no expression fails to be read or refused, and its value is
// true, false or told to be neither.
func FuzzExpression(f *testing.F) {
	for _, src := range []string{"price.amount * stock", "value > 0 && len(list) > 1", "any(list, # > 3)", `upper(name) + " " + string(stock)`, "list[stock].a ?? nil", "reduce(list, # + #acc, 0)",
		"sort(list)", "name matches '^a+$'", "let x = list; count(x, # in list)", "date(name).Year()", "1..stock"} {
		f.Add(src)
	}
	fields := Object{{"name", "ab"}, {"stock", int64(3)}, {"list", []any{int64(1), json.Number("2.5"), "x", nil, Object{{"a", true}}}},
		{"price", Price{Amount: "12.50", Currency: "GBP"}}}
	f.Fuzz(func(t *testing.T, src string) {
		if len(src) > 1000 {
			return
		}
		x, err := compileExpression(src, []string{"name", "stock", "list", "price", ownValue})
		if err != nil {
			return
		}
		w := newWork(&Page{})
		if v, err := x.run(&w, fields, int64(1)); err == nil {
			if v, err := plainValue(v); err == nil {
				describe(v)
			}
		}
		_ = x.holds(&w, fields, nil)
	})
}

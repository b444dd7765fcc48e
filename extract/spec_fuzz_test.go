package extract_test

import (
	"encoding/json"
	"net/url"
	"strings"
	"testing"

	"github.com/magpie-crawl/magpie/config"
	"github.com/magpie-crawl/magpie/extract"
	"github.com/magpie-crawl/magpie/htmlparse"
)

// FuzzSpec: no item of a job file makes reading it or taking records fail.
func FuzzSpec(f *testing.F) {
	for _, item := range []string{
		"each: div\nsiblings: true\nkey: a\ncheck: a > 1\nfields: {a: {css: 'p:nth-child(2n)::text', as: integer, required: true}, b: {xpath: 'count(//p)', as: number}}",
		"fields: {a: [{jsonld: 'Product.offers[2].price'}, {microdata: T.a}, p], b: {json: data, jq: '.a[]', all: true}, c: {expr: 'a * 2'}}",
		"fields: {a: {css: p, all: true, regex: '(\\d+)', trim: x, replace: {'/a/': b}, split: ',', map: {a: b}, join: ';'}, b: {each: div, fields: {c: {attr: class}}}}",
		"fields: {a: {article: text}, b: {url: 'path[1]'}, c: {header: x}, d: {meta: x}, e: {opengraph: title}, f: {const: 1}, g: {css: table, as: table}, h: {css: dl, as: pairs}}",
	} {
		f.Add(item)
	}
	doc, err := htmlparse.ParseString(`<!DOCTYPE html><meta name=x content=y><script>data = {"a":[1,2]}</script><div class=c><p>1</p><p>2, <b>x</b></p></div>
		<table><tr><th>A<tr><td>1</table><dl><dt>a<dd>b</dl><script type=application/ld+json>{"@type":"Product","offers":[{"price":1},{"price":2}]}</script>`, nil)
	if err != nil {
		f.Fatal(err)
	}
	page := extract.Page{Root: doc.Root, URL: &url.URL{Scheme: "https", Host: "a.example", Path: "/b/c"}}
	f.Fuzz(func(t *testing.T, item string) {
		job, err := config.Parse("job.yaml", []byte("start: https://a.example/\nitems:\n  x:\n    "+strings.ReplaceAll(item, "\n", "\n    ")+"\n"))
		if err != nil || job.Options.Extractor == nil {
			return
		}
		result := job.Options.Extractor.Extract(page)
		for _, r := range append(result.Records, result.Rejects...) {
			if _, err := json.Marshal(r.Fields); err != nil {
				t.Error(err)
			}
		}
	})
}

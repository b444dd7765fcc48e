package extract_test

import (
	"runtime"
	"testing"
	"time"

	"github.com/magpie-crawl/magpie/extract"
	"github.com/magpie-crawl/magpie/htmlparse"
)

// TestRecordsLetPagesGo keeps what each source and type makes of a page while
// the page is collected.
func TestRecordsLetPagesGo(t *testing.T) {
	const source = `<title>T</title><meta name=a content=meta><script type=application/ld+json>{"@type":"Product","sku":"S-1"}</script>
		<script>var state = {"a": {"b": "text"}}</script><h1>Love</h1><p>some text<a title=t href=http://a.test/>x</a><i>Ja</i>
		<table><tr><th>a<th>b<tr><td>c<td>d</table><dl><dt>n<dd>v</dl><b class=when>2026-11-03T10:00Z</b><b class=price>$12.50</b>
		<b class=mail>jo@example.com</b><b class=tel>+49 30 1234</b><b class=json>{"k": ["v"]}</b>
		<div itemscope itemtype=http://schema.org/Thing><b itemprop=name>micro</b></div>`
	fields := []extract.Field{
		{Name: "word", CSS: "h1"}, {Name: "attr", CSS: "a", Attr: "title"}, {Name: "part", CSS: "h1", Regex: "o(.)e"}, {Name: "text", CSS: "p"},
		{Name: "link", CSS: "a", Attr: "href", As: extract.URL}, {Name: "table", CSS: "table", As: extract.Table}, {Name: "pairs", CSS: "dl", As: extract.Pairs},
		{Name: "raw", CSS: "h1", Raw: true}, {Name: "xpath", XPath: "//h1/text()"}, {Name: "path_attr", XPath: "//a/@title"}, {Name: "string", XPath: "string(//h1)"},
		{Name: "meta", Meta: "a"}, {Name: "jsonld", JSONLD: "Product.sku"}, {Name: "whole", JSONLD: "Product", As: extract.JSON}, {Name: "micro", Microdata: "Thing.name"},
		{Name: "state", JSON: "state", JQ: ".a.b"}, {Name: "parsed", CSS: ".json", As: extract.JSON}, {Name: "jq", CSS: ".json", JQ: ".k[0]"},
		{Name: "html", CSS: "p", As: extract.HTML}, {Name: "markdown", CSS: "p", As: extract.Markdown}, {Name: "links", CSS: "p", As: extract.Links},
		{Name: "split", CSS: "p", Split: " "}, {Name: "trim", CSS: "h1", Trim: "L"}, {Name: "number", CSS: ".price", As: extract.Number}, {Name: "price", CSS: ".price", As: extract.PriceType},
		{Name: "when", CSS: ".when", As: extract.DateTime}, {Name: "mail", CSS: ".mail", As: extract.Email}, {Name: "tel", CSS: ".tel", As: extract.Phone},
		{Name: "kind", CSS: "i", As: extract.Enum, Values: []string{"ja", "nein"}}, {Name: "wrong", CSS: "h1", As: extract.Integer},
		{Name: "computed", Expr: "word + text"}, {Name: "title", Article: "title"},
	}
	for _, f := range fields {
		t.Run(f.Name, func(t *testing.T) {
			spec := []extract.Field{f}
			if f.Expr != "" {
				spec = append(spec, fields[0], fields[3])
			}
			x, err := extract.Compile(extract.Spec{Items: []extract.Item{{Name: "item", Fields: spec}}})
			if err != nil {
				t.Fatal(err)
			}
			freed := make(chan struct{})
			records := func() []extract.Record {
				page := append([]byte(source), make([]byte, 64<<10)...)
				runtime.AddCleanup(&page[0], func(done chan struct{}) { close(done) }, freed)
				doc, err := htmlparse.ParseBytes(page, &htmlparse.Options{Charset: "utf-8"})
				if err != nil {
					t.Fatal(err)
				}
				return x.Extract(extract.Page{Root: doc.Root}).Records
			}()
			if len(records) != 1 || len(records[0].Fields)+len(records[0].Problems) != len(spec) && f.Name != "title" {
				t.Fatalf("%+v", records)
			}
			for late := time.Now().Add(time.Minute); time.Now().Before(late); {
				runtime.GC()
				select {
				case <-freed:
					runtime.KeepAlive(records)
					return
				case <-time.After(time.Millisecond): // whoever is told needs a turn
				}
			}
			t.Errorf("the page is still in memory for the sake of %+v", records)
		})
	}
}

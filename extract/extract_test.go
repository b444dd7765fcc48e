package extract_test

import (
	"encoding/json"
	"errors"
	"net/url"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/magpie-crawl/magpie/extract"
	"github.com/magpie-crawl/magpie/htmlparse"
)

// extractFrom runs one item on a page.
func extractFrom(t testing.TB, item extract.Item, page string) extract.Result {
	t.Helper()
	if item.Name == "" {
		item.Name = "x"
	}
	x, err := extract.Compile(extract.Spec{Items: []extract.Item{item}})
	if err != nil {
		t.Fatal(err)
	}
	doc, err := htmlparse.ParseString(page, nil)
	if err != nil {
		t.Fatal(err)
	}
	u, err := url.Parse("https://shop.example/a/b.html")
	if err != nil {
		t.Fatal(err)
	}
	result := x.Extract(extract.Page{Root: doc.Root, URL: u})
	fulfilSchemas(t, x, result.Records)
	return result
}

// show writes records as JSON, a line each, problems behind them.
func show(t testing.TB, records []extract.Record) string {
	t.Helper()
	var b strings.Builder
	for _, r := range records {
		line, err := json.Marshal(r.Fields)
		if err != nil {
			t.Fatal(err)
		}
		b.Write(line)
		for _, p := range r.Problems {
			b.WriteString(" " + p.Field + ":" + p.Code)
		}
		b.WriteByte('\n')
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// TestField takes one field, f, from a page.
func TestField(t *testing.T) {
	const two = `<div class=a><p>1</p></div><div class=a><p>2</p></div>`
	cases := []struct {
		name  string
		field extract.Field
		page  string
		want  string
	}{
		{"first match", extract.Field{CSS: "p"}, two, `{"f":"1"}`},
		{"all matches", extract.Field{CSS: "p", All: true}, two, `{"f":["1","2"]}`},
		{"no match", extract.Field{CSS: "h1"}, two, `{}`},
		{"all of none", extract.Field{CSS: "h1", All: true}, two, `{}`},
		{"attribute", extract.Field{CSS: "a", Attr: "href"}, `<a href=" x ">y</a>`, `{"f":"x"}`},
		{"attribute that is not there", extract.Field{CSS: "a", Attr: "title"}, `<a href=x>y</a>`, `{}`},
		{"attribute of a foreign element", extract.Field{CSS: "svg", Attr: "viewBox"}, `<svg VIEWBOX="0 0 1 1">`, `{"f":"0 0 1 1"}`},
		{"attribute with a prefix", extract.Field{CSS: "use", Attr: "xlink:href"}, `<svg><use xlink:href="#a">`, `{"f":"#a"}`},
		{"attribute with a prefix, which HTML has not", extract.Field{CSS: "p", Attr: "xlink:href"}, `<p xlink:href="#a">`, `{"f":"#a"}`},
		{"regex with a group", extract.Field{CSS: "p", Regex: `(\d+) left`}, `<p>only 12 left!`, `{"f":"12"}`},
		{"regex without", extract.Field{CSS: "p", Regex: `\d+`}, `<p>only 12 left!`, `{"f":"12"}`},
		{"regex that does not match", extract.Field{CSS: "p", Regex: `\d+ more`}, `<p>only 12 left!`, `{}`},
		{"map", extract.Field{CSS: "p", Map: map[string]string{"Three": "3"}, As: extract.Integer}, `<p>Three`, `{"f":3}`},
		{"map passes what it does not name", extract.Field{CSS: "p", Map: map[string]string{"Three": "3"}, As: extract.Integer}, `<p>4`, `{"f":4}`},
		{"default where nothing matches", extract.Field{CSS: "h1", Default: "none"}, two, `{"f":"none"}`},
		{"no default for what fails its type", extract.Field{CSS: "p", As: extract.Integer, Default: int64(0)}, `<p>many`, `{} f:type`},
		{"template contents are not in the document", extract.Field{CSS: "p"}, `<template><p>1</p></template><p>2`, `{"f":"2"}`},
		{"template in the text", extract.Field{CSS: "p"}, `<p>a<template>b</template>c`, `{"f":"ac"}`},

		{"text: inline tags add no space", extract.Field{CSS: "p"}, `<p>a<b>b</b><i>c</i> d`, `{"f":"abc d"}`},
		{"text: white space is collapsed", extract.Field{CSS: "p"}, "<p>  a \n\t b  <b> c</b> ", `{"f":"a b c"}`},
		{"text: br breaks the line", extract.Field{CSS: "p"}, `<p>a<br>b`, `{"f":"a\nb"}`},
		{"text: blocks break the line", extract.Field{CSS: ".x"}, `<div class=x>a<div>b</div>c</div>`, `{"f":"a\nb\nc"}`},
		{"text: pre keeps white space", extract.Field{CSS: "pre"}, "<pre>a  b\n c</pre>", `{"f":"a  b\n c"}`},
		{"text: scripts and styles are not read", extract.Field{CSS: ".x"}, `<div class=x>a<script>b</script><style>c</style>d</div>`, `{"f":"ad"}`},
		{"text: of a title", extract.Field{CSS: "title"}, `<title> A  title </title>`, `{"f":"A title"}`},
		{"text: no-break space is no white space", extract.Field{CSS: "p"}, "<p>a&nbsp; b", "{\"f\":\"a\u00a0 b\"}"},

		{"html as the standard serializes it", extract.Field{CSS: "p", As: extract.HTML}, `<p>it's "q" a&nbsp;b<br><img alt='a"b'><i hidden>c</i>`, `{"f":"it's \"q\" a\u0026nbsp;b\u003cbr\u003e\u003cimg alt=\"a\u0026quot;b\"\u003e\u003ci hidden=\"\"\u003ec\u003c/i\u003e"}`},
		{"html of a template", extract.Field{CSS: "template", As: extract.HTML}, `<template><p>a</template>`, `{"f":"\u003cp\u003ea\u003c/p\u003e"}`},
		{"html", extract.Field{CSS: "p", As: extract.HTML}, `<p>a<b class=x>b</b>&amp;`, `{"f":"a\u003cb class=\"x\"\u003eb\u003c/b\u003e\u0026amp;"}`},
		{"price", extract.Field{CSS: "p", As: extract.PriceType}, `<p>£1,234.50`, `{"f":{"amount":1234.50,"currency":"GBP"}}`},
		{"price that is none", extract.Field{CSS: "p", As: extract.PriceType}, `<p>ask us`, `{} f:type`},
		{"bool", extract.Field{CSS: "p", As: extract.Bool}, `<p>yes`, `{"f":true}`},
		{"date of a time element", extract.Field{CSS: "time", As: extract.Date}, `<time datetime=2026-01-02T10:00>yesterday</time>`, `{"f":"2026-01-02"}`},
		{"list with one that fails", extract.Field{CSS: "p", All: true, As: extract.Integer}, `<p>1<p>x<p>3`, `{"f":[1,3]} f[1]:type`},

		{"url: relative", extract.Field{CSS: "a", Attr: "href", As: extract.URL}, `<a href="../c?x=1#y">`, `{"f":"https://shop.example/c?x=1#y"}`},
		{"url: by the base element", extract.Field{CSS: "a", Attr: "href", As: extract.URL}, `<base href="//cdn.example/d/"><a href=e>`, `{"f":"https://cdn.example/d/e"}`},
		{"url: by the first base element that has an address", extract.Field{CSS: "a", Attr: "href", As: extract.URL},
			`<base target=_top><template><base href=/t/></template><svg><base href=/s/></base></svg>base<p><base href=/d/><base href=/e/><a href=e>`, `{"f":"https://shop.example/d/e"}`},
		{"url: by a base element with an empty address", extract.Field{CSS: "a", Attr: "href", As: extract.URL}, `<base href=""><base href=/e/><a href=e>`, `{"f":"https://shop.example/a/e"}`},
		{"url: blanks around", extract.Field{CSS: "a", Attr: "href", As: extract.URL}, "<a href=' \n/c '>", `{"f":"https://shop.example/c"}`},
		{"url: javascript", extract.Field{CSS: "a", Attr: "href", As: extract.URL}, `<a href="javascript:alert(1)">`, `{} f:type`},

		{"pairs of a table", extract.Field{CSS: "table", As: extract.Pairs}, `<table><tr><th>UPC<td>a1<tr><th>Tax<td>£0.00</table>`, `{"f":{"UPC":"a1","Tax":"£0.00"}}`},
		{"pairs of a dl", extract.Field{CSS: "dl", As: extract.Pairs}, `<dl><dt>By<dd>Ann<dd>Bob<dt>On<dd>x</dl>`, `{"f":{"By":["Ann","Bob"],"On":"x"}}`},
		{"table", extract.Field{CSS: "table", As: extract.Table}, `<table><tr><th>A<th>B<tr><td>1<td>2<tr><td>3<td>4</table>`, `{"f":[{"A":"1","B":"2"},{"A":"3","B":"4"}]}`},
		{"table with spans", extract.Field{CSS: "table", As: extract.Table}, `<table><tr><th>A<th>B<tr><td rowspan=2>1<td>2<tr><td>3<tr><td colspan=2>4</table>`,
			`{"f":[{"A":"1","B":"2"},{"A":"1","B":"3"},{"A":"4","B":"4"}]}`},

		{"nested: one for each match", extract.Field{Each: ".a", Fields: []extract.Field{{Name: "p", CSS: "p"}}}, two, `{"f":[{"p":"1"},{"p":"2"}]}`},
		{"nested: one for the first match", extract.Field{CSS: ".a", Fields: []extract.Field{{Name: "p", CSS: "p"}}}, two, `{"f":{"p":"1"}}`},
		{"nested: a problem tells its path", extract.Field{Each: ".a", Fields: []extract.Field{{Name: "p", CSS: "p", As: extract.Bool}}},
			`<div class=a><p>yes</p></div><div class=a><p>maybe so</p></div>`, `{"f":[{"p":true},{}]} f[1].p:type`},
		{"alternatives: the first that yields", extract.Field{Any: []extract.Field{{CSS: "h1"}, {CSS: "h2"}, {CSS: "p"}}}, `<h2>b</h2><p>c`, `{"f":"b"}`},
		{"alternatives: default", extract.Field{Any: []extract.Field{{CSS: "h1"}, {CSS: "h2"}}, Default: "d"}, `<p>c`, `{"f":"d"}`},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			c.field.Name = "f"
			got := show(t, extractFrom(t, extract.Item{Fields: []extract.Field{c.field}}, "<!DOCTYPE html>"+c.page).Records)
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

func TestItem(t *testing.T) {
	const page = `<!DOCTYPE html><html lang=en><h1>Shop</h1>
		<div class=p><h2>Cup</h2><a href=1><b>more</b></a></div>
		<section><div class=p><h2>Tea</h2><p><a href=2>x</a></p></div></section>`
	name := extract.Field{Name: "name", CSS: "h2", Required: true}
	cases := []struct {
		name    string
		item    extract.Item
		records string
		rejects string
	}{
		{"one for the page", extract.Item{Fields: []extract.Field{{Name: "t", CSS: "h1"}}}, `{"t":"Shop"}`, ""},
		{"one for each match, looked up within it", extract.Item{Each: ".p", Fields: []extract.Field{name}}, "{\"name\":\"Cup\"}\n{\"name\":\"Tea\"}", ""},
		{"no match", extract.Item{Each: ".q", Fields: []extract.Field{name}}, "", ""},
		{":root looks from the document", extract.Item{Each: ".p", Fields: []extract.Field{name, {Name: "shop", CSS: ":root h1"}}},
			"{\"name\":\"Cup\",\"shop\":\"Shop\"}\n{\"name\":\"Tea\",\"shop\":\"Shop\"}", ""},
		{"from the document", extract.Item{Each: ".p", Fields: []extract.Field{{Name: "shop", CSS: "h1", From: extract.FromDocument}}},
			"{\"shop\":\"Shop\"}\n{\"shop\":\"Shop\"}", ""},
		{"an ancestor outside the item does not count", extract.Item{Each: ".p", Fields: []extract.Field{{Name: "x", CSS: "section h2"}}}, "{}\n{\"x\":\"Tea\"}", ""},
		{"a child of the item", extract.Item{Each: ".p", Fields: []extract.Field{{Name: "a", CSS: "> a", Attr: "href"}}}, "{\"a\":\"1\"}\n{}", ""},
		{"the item's own node", extract.Item{Each: ".p", Fields: []extract.Field{{Name: "c", Attr: "class"}}}, "{\"c\":\"p\"}\n{\"c\":\"p\"}", ""},
		{"a required value that is absent", extract.Item{Each: ".p", Fields: []extract.Field{name, {Name: "sku", CSS: "b", Required: true}}},
			`{"name":"Cup","sku":"more"}`, `{"name":"Tea"} sku:missing`},
		{"of this page", extract.Item{When: extract.When{URL: []string{"*/a/*"}}, Fields: []extract.Field{{Name: "t", CSS: "h1"}}}, `{"t":"Shop"}`, ""},
		{"of other pages", extract.Item{When: extract.When{URL: []string{"*/z/*", `/\.pdf$/`}}, Fields: []extract.Field{{Name: "t", CSS: "h1"}}}, "", ""},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			result := extractFrom(t, c.item, page)
			if diff := cmp.Diff([]string{c.records, c.rejects}, []string{show(t, result.Records), show(t, result.Rejects)}); diff != "" {
				t.Errorf("records, rejects (-want +got):\n%s", diff)
			}
		})
	}
}

func TestKey(t *testing.T) {
	const page = `<p class=x><b>1</b><i>a</i></p><p class=x><b>2</b></p>`
	fields := []extract.Field{{Name: "id", CSS: "b"}, {Name: "v", CSS: "i"}}
	cases := map[string]struct {
		item extract.Item
		want []string
	}{
		"of the page":              {extract.Item{Fields: fields}, []string{"https://shop.example/a/b.html"}},
		"of the place on the page": {extract.Item{Each: ".x", Fields: fields}, []string{"https://shop.example/a/b.html#0", "https://shop.example/a/b.html#1"}},
		"of a field":               {extract.Item{Each: ".x", Key: []string{"id"}, Fields: fields}, []string{`["1"]`, `["2"]`}},
		"of two, one absent":       {extract.Item{Each: ".x", Key: []string{"id", "v"}, Fields: fields}, []string{`["1","a"]`, "https://shop.example/a/b.html#1"}},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			var keys []string
			for _, r := range extractFrom(t, c.item, page).Records {
				keys = append(keys, r.Key)
			}
			if diff := cmp.Diff(c.want, keys); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

func TestCompileFindsMistakes(t *testing.T) {
	f := func(f extract.Field) extract.Item {
		f.Name = "f"
		return extract.Item{Name: "x", Fields: []extract.Field{f}}
	}
	cases := map[string]struct {
		item extract.Item
		path []any
	}{
		"name":            {extract.Item{Name: "X y", Fields: []extract.Field{{Name: "f"}}}, []any{"X y"}},
		"no fields":       {extract.Item{Name: "x"}, []any{"x"}},
		"selector":        {f(extract.Field{CSS: "p["}), []any{"x", "fields", "f", "css"}},
		"each":            {extract.Item{Name: "x", Each: "p[", Fields: []extract.Field{{Name: "f"}}}, []any{"x", "each"}},
		"regex":           {f(extract.Field{CSS: "p", Regex: "("}), []any{"x", "fields", "f", "regex"}},
		"key":             {extract.Item{Name: "x", Key: []string{"g"}, Fields: []extract.Field{{Name: "f"}}}, []any{"x", "key", 0}},
		"pattern":         {extract.Item{Name: "x", When: extract.When{URL: []string{"/(/"}}, Fields: []extract.Field{{Name: "f"}}}, []any{"x", "when", "url", 0}},
		"nested selector": {f(extract.Field{Each: "p", Fields: []extract.Field{{Name: "g", CSS: "a["}}}), []any{"x", "fields", "f", "fields", "g", "css"}},
		"alternative":     {f(extract.Field{Any: []extract.Field{{CSS: "a"}, {CSS: "a["}}}), []any{"x", "fields", "f", 1, "css"}},
		"doubled field":   {extract.Item{Name: "x", Fields: []extract.Field{{Name: "f"}, {Name: "f"}}}, []any{"x", "fields", "f"}},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			_, err := extract.Compile(extract.Spec{Items: []extract.Item{c.item}})
			var mistakes extract.SpecErrors
			if !errors.As(err, &mistakes) || len(mistakes) != 1 {
				t.Fatalf("mistakes %v, want one", err)
			}
			if diff := cmp.Diff(c.path, mistakes[0].Path); diff != "" {
				t.Errorf("%s: path (-want +got):\n%s", mistakes[0].Msg, diff)
			}
		})
	}
}

func TestPattern(t *testing.T) {
	cases := []struct {
		pattern, url string
		want         bool
	}{
		{"*", "https://a.example/", true},
		{"*/catalogue/*", "https://a.example/catalogue/x", true},
		{"*/catalogue/*", "https://a.example/catalog/x", false},
		{"https://a.example/x", "https://a.example/x", true},
		{"https://a.example/x", "https://a.example/xy", false},
		{"*?page=*", "https://a.example/?page=2", true},
		{"*.html", "https://a.example/b.html?x", false},
		{"*a*a*a*b", "https://" + strings.Repeat("a", 5000), false},
		{`/\/p\/\d+$/`, "https://a.example/p/12", true},
		{`/\/p\/\d+$/`, "https://a.example/p/x", false},
	}
	for _, c := range cases {
		t.Run(c.pattern, func(t *testing.T) {
			p, err := extract.CompilePattern(c.pattern)
			if err != nil {
				t.Fatal(err)
			}
			if got := p.Match(c.url); got != c.want {
				t.Errorf("%s matches %.60s: %v, want %v", c.pattern, c.url, got, c.want)
			}
		})
	}
}

func TestObjectKeepsItsOrder(t *testing.T) {
	const text = `{"z":1,"a":{"y":[1.50,"x",null,true],"b":{}},"m":"é"}`
	var o extract.Object
	if err := json.Unmarshal([]byte(text), &o); err != nil {
		t.Fatal(err)
	}
	again, err := json.Marshal(o)
	if err != nil {
		t.Fatal(err)
	}
	if string(again) != text {
		t.Errorf("%s became %s", text, again)
	}
}

// FuzzExtract: no page makes extraction fail or its records unwritable.
func FuzzExtract(f *testing.F) {
	x, err := extract.Compile(extract.Spec{Items: []extract.Item{
		{Name: "page", Fields: []extract.Field{
			{Name: "t", CSS: "h1, title"}, {Name: "h", CSS: "body", As: extract.HTML}, {Name: "d", CSS: "dl, table", As: extract.Pairs},
			{Name: "tab", CSS: "table", As: extract.Table, All: true}, {Name: "u", CSS: "[href]", Attr: "href", As: extract.URL, All: true},
		}},
		{Name: "each", Each: "div, p, td", Fields: []extract.Field{
			{Name: "p", As: extract.PriceType}, {Name: "n", As: extract.Number}, {Name: "d", As: extract.Date}, {Name: "b", CSS: "> :first-child", As: extract.Bool},
		}},
	}})
	if err != nil {
		f.Fatal(err)
	}
	f.Add([]byte(`<title>x</title><p>£1,234.50<div>2026-01-02<table><tr><th rowspan=9999999 colspan=9999999>a<td>b</table><dl><dt>a<dd>b</dl><a href="//x/%">`))
	f.Fuzz(func(t *testing.T, page []byte) {
		doc, err := htmlparse.ParseBytes(page, nil)
		if err != nil {
			t.Fatal(err)
		}
		result := x.Extract(extract.Page{Root: doc.Root, URL: &url.URL{Scheme: "https", Host: "a.example", Path: "/"}})
		for _, r := range append(result.Records, result.Rejects...) {
			if _, err := json.Marshal(r.Fields); err != nil {
				t.Error(err)
			}
		}
	})
}

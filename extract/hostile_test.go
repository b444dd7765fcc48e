package extract_test

import (
	"fmt"
	"io"
	"math"
	"net/url"
	"strconv"
	"strings"
	"testing"
	"time"

	"golang.org/x/net/html"

	"github.com/magpie-crawl/magpie/config"
	"github.com/magpie-crawl/magpie/extract"
	"github.com/magpie-crawl/magpie/htmlparse"
	"github.com/magpie-crawl/magpie/internal/steadytest"
)

// hostile are pages that ask an item for far more than their size. n is about
// how many times they repeat what does harm.
var hostile = []struct {
	name  string
	n     int    // such that the page would take far too long if it weren't bounded
	limit bool   // a problem says that the page asks for too much
	item  string // as a job file has it
	page  func(n int) string
}{
	{"a million matches", 1_000_000, false, "fields: {a: {css: i, all: true}}", repeat("<i>x</i>")},
	{"a million matches that fail", 1_000_000, true, "fields: {a: {css: i, all: true, as: integer}}", repeat("<i>x</i>")},
	{"a million dates", 1_000_000, true, "fields: {a: {css: i, all: true, as: date}}", repeat("<i>3 May 2026</i>")},
	{"a million records", 1_000_000, false, "each: i\nfields: {a: {}}", repeat("<i>x</i>")},
	{"a million parts of a split", 1_000_000, false, "fields: {a: {css: p, split: ','}}", around("<p>", "a,", "")},
	{"a million parts of a split that fail", 1_000_000, true, "fields: {a: {css: p, split: ',', as: price}}", around("<p>", "a,", "")},
	{"divs within divs", 100_000, true, "each: div\nfields: {a: {}}", repeat("<div>x")},
	{"divs within divs as html", 100_000, true, "each: div\nfields: {a: {as: html}}", repeat("<div>x")},
	{"divs within divs as markdown", 100_000, true, "each: div\nfields: {a: {as: markdown}}", repeat("<div>x")},
	{"nested each within each", 3_000, true, "fields: {a: {each: div, fields: {b: {each: div, fields: {c: {each: div, fields: {d: {}}}}}}}}", repeat("<div>x")},
	{"links of divs within divs", 20_000, true, "each: div\nfields: {a: {as: links}}", repeat("<div><a href=x>y</a>")},
	{"tables within tables", 10_000, false, "fields: {a: {css: table, all: true, as: table}}", repeat("<table><tr><td>x<tr><td>")},
	{"the language of deep elements", 100_000, false, "fields: {a: {css: i, all: true, as: number}}", repeat("<div><i>1,5</i>")},
	{"many headings with siblings", 100_000, false, "each: h2\nsiblings: true\nfields: {a: {}, p: p}", repeat("<h2>a</h2><p>b</p>")},
	{"siblings that look back", 50_000, true, "each: h2\nsiblings: true\nfields: {p: 'h2 ~ p'}", repeat("<h2>a</h2><p>b</p>")},
	{"siblings without an end", 100_000, false, "each: h2\nsiblings: true\nfields: {p: {css: b, all: true}}", around("<h2>x</h2>", "<p>a</p>", "")},
	{"descendants of descendants", 100_000, false, "fields: {a: 'div div div div div div div span'}", repeat("<div>")},
	{"has in has", 100_000, true, "fields: {a: 'div:has(div:has(span))'}", repeat("<div>")},
	{"nth of many siblings", 200_000, false, "fields: {a: {css: 'i:nth-last-child(2n+1):nth-of-type(3n)', all: true}}", repeat("<i>x</i>")},
	{"nth of many siblings for each", 20_000, true, "each: i\nfields: {a: ':root i:nth-last-child(1)'}", repeat("<i>x</i>")},
	{"the text of all in a selector", 50_000, true, "fields: {a: 'div:contains(zzz)'}", repeat("<div>x")},
	{"XPath that counts what is below each", 10_000, false, "fields: {a: {xpath: '//*[count(.//*) < 0]'}}", repeat("<div>")},
	{"XPath that looks at all ancestors", 10_000, false, "fields: {a: {xpath: '//*[count(ancestor::*) < 0]'}}", repeat("<div>")},
	{"XPath that looks at all before", 100_000, false, "fields: {a: {xpath: '//i[preceding::b]'}}", repeat("<i>x</i>")},
	{"XPath that compares all with all", 20_000, false, "fields: {a: {xpath: '//i[. = //b]'}}", repeat("<i>x</i><b>y</b>")},
	{"XPath for each", 20_000, true, "each: //i\nfields: {a: {xpath: 'count(//i)'}}", repeat("<i>x</i>")},
	{"XPath of a long text", 10_000_000, false, "fields: {a: {xpath: 'string-length(translate(normalize-space(//p), \"a\", \"b\"))'}}", around("<p>", "a", "")},

	{"an attribute for each record", 20_000, true, "each: i\nfields: {a: ':root body::attr(class)'}", attributeAndMany("class")},
	{"classes that each record compares", 20_000, true, "each: i\nfields: {a: ':root body.none'}", attributeAndMany("class")},
	{"styles that each text reads", 20_000, true, "each: i\nfields: {a: ':root html'}", attributeAndMany("style")},
	{"a language that is none", 20_000, false, "each: i\nfields: {a: {as: number, xpath: '.'}}", attributeAndMany("lang")},
	{"meta for each record", 20_000, true, "each: i\nfields: {a: {meta: long}}", func(n int) string {
		return "<meta name=long content='" + strings.Repeat("x", 50*n) + "'>" + strings.Repeat("<i>1</i>", n)
	}},
	{"huge attributes", 5_000_000, false, "fields: {a: {css: a, attr: title}, b: {css: a, attr: title, as: number}, c: {css: a, attr: title, as: date}, d: {css: a, attr: title, as: bool}}", around("<a title='", "1 ", "'>x</a>")},
	{"a huge address", 10_000_000, false, "fields: {a: {css: a, as: url}, b: {css: a, as: links}}", around("<a href='", "../a", "'>x</a>")},
	{"huge addresses for each record", 20_000, true, "each: i\nfields: {a: {css: ':root a', as: links}}", func(n int) string {
		return "<a title='" + strings.Repeat("x", 50*n) + "' href='" + strings.Repeat("x/", 25*n) + "'>x</a>" + strings.Repeat("<i>1</i>", n)
	}},
	{"many attributes", 300_000, false, "fields: {a: {css: '[z]'}, b: {css: a, attr: z}}", func(n int) string {
		var b strings.Builder
		for i := range n {
			b.WriteString(" a" + strconv.Itoa(i))
		}
		return "<a" + b.String() + ">x</a>"
	}},

	{"a regular expression on a long text", 10_000_000, false, `fields: {a: {css: p, regex: '(\w+)\s(\w+)$'}}`, around("<p>", "a", "")},
	{"a large regular expression on a long text", 10_000_000, true, `fields: {a: {css: p, regex: '(\w{1,200}){1,5}z'}}`, around("<p>", "a", "")},
	{"replacements in a long text", 5_000_000, false, `fields: {a: {css: p, replace: {"/a*/": "b", "b": "cc"}}}`, around("<p>", "xa", "")},
	{"XPath patterns on a long text", 10_000_000, false, `fields: {a: {xpath: 're:test(//p, "(a|aa)+z")'}}`, around("<p>", "a", "")},

	{"jq that never ends", 1, true, "fields: {a: {css: p, jq: 'last(repeat(.))'}}", around("<p>", "1", "")},
	{"jq that never ends for each", 10_000, true, "each: i\nfields: {a: {jq: 'last(repeat(.))'}}", repeat("<i>1</i>")},
	{"jq that gives values without end", 1, true, "fields: {a: {css: p, all: true, jq: 'repeat(.)'}}", around("<p>", "1", "")},
	{"jq that nests without end", 1, false, "fields: {a: {css: p, as: json, jq: 'reduce range(20000) as $i (.; [.])'}}", around("<p>", "1", "")},
	{"jq that nests without end as text", 1, false, "fields: {a: {css: p, jq: 'reduce range(20000) as $i (.; [.])'}}", around("<p>", "1", "")},
	{"jq on deep JSON", 100_000, false, "fields: {a: {css: p, jq: '..'}}", around("<p>", "[", "")},

	{"a script for each record", 20_000, true, "each: i\nfields: {a: {json: data, jq: '.[0]'}}", func(n int) string {
		return "<script>data = [" + strings.Repeat("1,", 10*n) + "1]</script>" + strings.Repeat("<i>1</i>", n)
	}},
	{"a variable that is assigned again and again", 1_000_000, true, "fields: {a: {json: data, as: json}}", func(n int) string {
		return "<script>" + strings.Repeat(`data = [/*`, 90) + strings.Repeat("1,", 2*n) + "</script>"
	}},
	{"deep JSON in a script", 100_000, false, "fields: {a: {json: data, as: json}}", around("<script>data = ", `{"a":[`, "</script>")},
	{"deep JSON-LD", 100_000, false, "fields: {a: {jsonld: Product.a, as: json}}", around(`<script type=application/ld+json>{"@type":"Product","a":`, `{"a":[`, "</script>")},
	{"broken JSON-LD", 1_000_000, false, "fields: {a: {jsonld: Product.a, as: json}}", around(`<script type=application/ld+json>{"@type":"Product","a":[`, `{'a":'b,}`, "</script>")},
	{"many scripts of JSON-LD", 50_000, false, "fields: {a: {jsonld: P.a, all: true}}", repeat(`<script type=application/ld+json>{"@type":"P","a":1}</script>`)},
	{"references to a large node", 20_000, true, "fields: {a: {jsonld: T.p.none}}", referencesToLarge},
	{"values of references to a large node", 20_000, true, "fields: {a: {jsonld: T.p, as: json, all: true}}", referencesToLarge},
	{"texts of references to a large node", 20_000, false, "fields: {a: {jsonld: T.p, all: true}}", referencesToLarge},
	{"prices of references to a large node", 20_000, true, "fields: {a: {jsonld: T.p, all: true, as: price}}", referencesToLarge},
	{"references that multiply", 1_000, true, "fields: {a: {jsonld: T.p.p.p.p.p, all: true}}", func(n int) string {
		return `<script type=application/ld+json>{"@type":"T","@id":"x","p":[` + strings.Repeat(`{"@id":"x"},`, n) + `{"@id":"x"}]}</script>`
	}},
	{"references in a circle", 3, false, "fields: {a: {jsonld: A.b.a.b.a, as: json}}", func(int) string {
		return `<script type=application/ld+json>[{"@type":"A","@id":"a","b":{"@id":"b"}},{"@id":"b","a":{"@id":"a"}}]</script>`
	}},
	{"itemref in a circle", 1_000, false, "fields: {a: {microdata: T.a.a.a, as: json}}", func(n int) string {
		return "<div itemscope itemtype=http://v.test/T itemref='x y'></div>" + strings.Repeat("<p id=x itemprop=a itemscope itemref='y x'></p><p id=y itemprop=a itemscope itemref='x y'></p>", n)
	}},
	{"itemref that doubles", 60, false, "fields: {a: {microdata: T.a, as: json, all: true}}", func(n int) string {
		var b strings.Builder
		b.WriteString("<div itemscope itemtype=http://v.test/T itemref='a0 b0'></div>")
		for i := range n {
			fmt.Fprintf(&b, "<p id=a%[1]d itemprop=a itemscope itemref='a%[2]d b%[2]d'></p><p id=b%[1]d itemprop=a itemscope itemref='a%[2]d b%[2]d'></p>", i, i+1)
		}
		return b.String()
	}},
	{"RDFa within RDFa", 100_000, false, "fields: {a: {rdfa: T.a.a.a, as: json}}", repeat("<div vocab=http://v.test/ typeof=T property=a>x")},
	{"an article without end", 100_000, false, "fields: {a: {article: text}, b: {article: markdown}, c: {article: html}}", repeat("<div><p>Some words of an article, with commas, and more.")},
	{"an article for each record", 3_000, true, "each: p\nfields: {b: {article: markdown}, c: {article: html}}", repeat("<p>Some words of an article, with commas, and more.")},

	{"a table of one cell that spans all", 400_000, true, "fields: {a: {css: table, as: table}}", func(n int) string {
		return "<table><tr><th>a<tr><td colspan=1000 rowspan=0>" + strings.Repeat("x", n) + strings.Repeat("<tr>", 190) + "</table>"
	}},
	{"a table whose header is long", 400_000, true, "fields: {a: {css: table, as: table}}", func(n int) string {
		return "<table><tr><th>" + strings.Repeat("x", n) + strings.Repeat("<tr><td>1", 10_000) + "</table>"
	}},
	{"a table of header rows", 150_000, false, "fields: {a: {css: table, as: table}}", func(n int) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, "<tr><th>%d<th>b", i)
		}
		return "<table><thead>" + b.String() + "<tbody><tr><td>1</table>"
	}},
	{"a table of empty rows for each record", 20_000, true, "each: i\nfields: {a: {css: ':root table', as: table}}", func(n int) string {
		return "<table>" + strings.Repeat("<tr>", n) + "</table>" + strings.Repeat("<i>1</i>", n)
	}},
	{"a table of spans that grow", 5_000, false, "fields: {a: {css: table, as: table}}", around("<table>", "<tr><td rowspan=65534 colspan=2>x", "</table>")},
	{"many terms with many descriptions", 50_000, true, "fields: {a: {css: dl, as: pairs}}", func(n int) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, "<dt>%d", i)
		}
		return "<dl>" + b.String() + strings.Repeat("<dd>x", n) + "</dl>"
	}},
	{"a name that comes again and again", 200_000, false, "fields: {a: {css: dl, as: pairs}}", around("<dl>", "<dt>a<dd>b", "</dl>")},

	{"an expression over a long list", 100_000, false, "fields: {a: {css: i, all: true}, b: {expr: 'count(a, # == \"x\")', as: integer}}", repeat("<i>x</i>")},
	{"an expression that compares all with all", 30_000, true, "fields: {a: {css: i, all: true}, b: {expr: 'count(a, any(a, # == \"y\"))', as: integer}}", repeat("<i>x</i>")},
	{"a check that compares all with all", 30_000, true, "fields: {a: {css: i, all: true, check: 'all(value, # not in map(a, # + \"y\"))'}}", repeat("<i>x</i>")},
	{"an expression without end", 1, false, "fields: {a: {css: i}, b: {expr: 'len(1..1000000000)', as: integer}}", repeat("<i>x</i>")},
}

func repeat(s string) func(int) string { return around("", s, "") }

func around(start, s, end string) func(int) string {
	return func(n int) string { return start + strings.Repeat(s, n) + end }
}

func attributeAndMany(name string) func(int) string {
	return func(n int) string {
		return "<body " + name + "='" + strings.Repeat("x ", 50*n) + "'>" + strings.Repeat("<i>1</i>", n)
	}
}

func referencesToLarge(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, `,"key%d":1`, i)
	}
	return `<script type=application/ld+json>[{"@type":"T","p":[` + strings.Repeat(`{"@id":"x"},`, n) + `{"@id":"x"}]},{"@id":"x"` + b.String() + `}]</script>`
}

// TestHostilePages takes records from pages that want to keep us busy.
func TestHostilePages(t *testing.T) {
	for _, h := range hostile {
		t.Run(h.name, func(t *testing.T) {
			if testing.Short() && h.limit {
				t.Skip("takes as long as a page may take: left out with -short")
			}
			atOnce(t)
			n := h.n
			if testing.Short() && n >= 1_000_000 {
				n /= 10 // still far more than any page has
			}
			result := extractHostile(t, compileItem(t, h.item), parseHostile(t, h.page(n)))
			if got := limited(result); got != h.limit {
				t.Errorf("a problem says that the page asks for too much: %v, want %v", got, h.limit)
			}
			written(t, result)
		})
	}
}

// hostileSlots is how many tests of hostile pages may run at once: each takes
// hundreds of megabytes.
var hostileSlots = make(chan struct{}, 2)

// atOnce lets a test run beside others when there is a slot for it.
func atOnce(t *testing.T) {
	t.Parallel()
	hostileSlots <- struct{}{}
	t.Cleanup(func() { <-hostileSlots })
}

// compileItem compiles an item as a job file has it.
func compileItem(t testing.TB, item string) *extract.Extractor {
	t.Helper()
	job, err := config.Parse("job.yaml", []byte("start: https://shop.example/\nitems:\n  x:\n    "+strings.ReplaceAll(item, "\n", "\n    ")+"\n"))
	if err != nil {
		t.Fatal(err)
	}
	return job.Options.Extractor
}

func parseHostile(t testing.TB, page string) *html.Node {
	t.Helper()
	doc, err := htmlparse.ParseString(page, nil)
	if err != nil {
		t.Fatal(err)
	}
	return doc.Root
}

func extractHostile(t testing.TB, x *extract.Extractor, root *html.Node) extract.Result {
	t.Helper()
	return x.Extract(extract.Page{Root: root, URL: &url.URL{Scheme: "https", Host: "shop.example", Path: "/a"}})
}

// limited reports whether a problem says that the page asks for too much.
func limited(r extract.Result) bool {
	for _, list := range [][]extract.Record{r.Records, r.Rejects} {
		for _, record := range list {
			for _, p := range record.Problems {
				if p.Code == extract.ProblemLimit {
					return true
				}
			}
		}
	}
	return false
}

// maxWritten is how much may be written of a hostile page.
const maxWritten = 200 << 20

// written writes what was taken, which must not be far more than the work that
// taking it was.
func written(t testing.TB, r extract.Result) {
	t.Helper()
	size := 0
	for _, list := range [][]extract.Record{r.Records, r.Rejects} {
		for _, record := range list {
			line, err := record.Fields.AppendJSON(nil)
			if err != nil {
				t.Fatal(err)
			}
			n, _ := io.Discard.Write(line)
			for _, p := range record.Problems {
				n += len(p.Field) + len(p.Detail)
			}
			if size += n; size > maxWritten {
				t.Fatalf("more than %d bytes are written", maxWritten)
			}
		}
	}
}

// TestDeepTrees takes values of every type and source from a tree that is
// deeper than the parser makes them.
func TestDeepTrees(t *testing.T) {
	if testing.Short() {
		t.Skip("takes as long as pages may take: left out with -short")
	}
	root := deepTree(100_000)
	fields := []string{
		"css: ':root div div b'", "css: 'div:has(b)'", "css: 'div:nth-child(1) > div'", "css: ':root b:not(div div i b)'", "xpath: //b", "xpath: 'count(//div//div)'",
		"xpath: '//*[count(.//*) > 0]'", "xpath: '//b/ancestor::div[last()]'", "xpath: '//div[div]/div[1]'", "jsonld: T.a", "microdata: T.a", "rdfa: T.a", "opengraph: title",
		"meta: x", "json: script", "json: data", "article: text", "article: markdown", "css: div, raw: true",
	}
	for _, as := range extract.TypeNames() {
		fields = append(fields, "css: div, as: "+as)
	}
	var items []string
	for _, field := range fields {
		items = append(items, "fields: {a: {"+strings.ReplaceAll(field, "as: enum", "as: enum, values: [x]")+"}}")
	}
	for _, each := range []string{"each: div", "each: div\nsiblings: true", "each: //div"} {
		items = append(items, each+"\nfields: {a: {css: b, as: number}}", each+"\nfields: {a: {xpath: count(//b)}}", each+"\nfields: {a: {as: table}, b: {as: markdown}, c: {as: html}}")
	}
	for _, item := range items {
		t.Run(item, func(t *testing.T) {
			atOnce(t)
			written(t, extractHostile(t, compileItem(t, item), root))
		})
	}
}

// deepTree is a document of divs within divs with a word in the innermost.
func deepTree(depth int) *html.Node {
	root := &html.Node{Type: html.DocumentNode}
	n := root
	for i := range depth {
		child := &html.Node{Type: html.ElementNode, Data: "div"}
		if i == 0 {
			child.Data = "html"
		}
		n.AppendChild(child)
		n = child
	}
	n.AppendChild(&html.Node{Type: html.ElementNode, Data: "b"})
	n.FirstChild.AppendChild(&html.Node{Type: html.TextNode, Data: "word"})
	return root
}

// TestHostileGrowth checks that the work for pages that aren't stopped grows
// with their size.
func TestHostileGrowth(t *testing.T) {
	if testing.Short() {
		t.Skip("measures time: left out with -short")
	}
	for _, h := range hostile {
		if h.limit || h.n < 1000 {
			continue
		}
		t.Run(h.name, func(t *testing.T) {
			x := compileItem(t, h.item)
			n := min(h.n/8, 20_000)
			one, two := parseHostile(t, h.page(n)), parseHostile(t, h.page(2*n))
			once, twice := math.Inf(1), math.Inf(1)
			for range 20 {
				if once, twice = min(once, fastest(t, x, one)), min(twice, fastest(t, x, two)); twice < 3*once {
					return
				}
			}
			t.Errorf("twice the page takes %.1f times as long", twice/once)
		})
	}
}

// fastest returns the time of the fastest of three extractions.
func fastest(t *testing.T, x *extract.Extractor, root *html.Node) float64 {
	least := time.Hour
	for range 3 {
		began := steadytest.WorkTime()
		extractHostile(t, x, root)
		least = min(least, steadytest.WorkTime()-began)
	}
	return float64(least + 5*time.Millisecond)
}

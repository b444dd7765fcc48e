package crawl

import (
	"cmp"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/magpie-crawl/magpie/extract"
	"github.com/magpie-crawl/magpie/htmlparse"
)

// Reread takes from a stored page what a crawl by the same options would.
func TestReread(t *testing.T) {
	x, err := extract.Compile(extract.Spec{Items: []extract.Item{{Name: "page", Fields: []extract.Field{{Name: "title", CSS: "title"}}}}})
	if err != nil {
		t.Fatal(err)
	}
	const body = "<!DOCTYPE html><title>Tea</title>"
	for _, c := range []struct {
		name             string
		url              string // default: "https://tea.test/1"
		page             Page
		change           func(o *Options)
		records, rejects int
		err              string
	}{
		{name: "html", page: Page{ContentType: "text/html", Body: []byte(body)}, records: 1},
		{name: "a wrong content type", page: Page{ContentType: "TEXT/HTML ; charset", Body: []byte(body)}, records: 1},
		{name: "not HTML", page: Page{ContentType: "text/plain", Body: []byte(body)}},
		{name: "noindex", page: Page{ContentType: "text/html", Body: []byte(body), Header: http.Header{"X-Robots-Tag": {"noindex"}}}, records: 1},
		{name: "noindex obeyed", page: Page{ContentType: "text/html", Body: []byte(body), Header: http.Header{"X-Robots-Tag": {"noindex"}}},
			change: func(o *Options) { o.Politeness.Noindex = NoindexObey }},
		{name: "OnRecord rejects", page: Page{ContentType: "text/html", Body: []byte(body)}, rejects: 1,
			change: func(o *Options) { o.OnRecord = func(*extract.Record) error { return errors.New("no") } }},
		{name: "a panic", page: Page{ContentType: "text/html", Body: []byte(body)}, err: "panicked: oh",
			change: func(o *Options) { o.OnRecord = func(*extract.Record) error { panic("oh") } }},
		{name: "an address that net/url refuses", url: "https://tea.test/100%?a|b=%", page: Page{ContentType: "text/html", Body: []byte(body)}, records: 1},
		{name: "no items", page: Page{ContentType: "text/html", Body: []byte(body)}, change: func(o *Options) { o.Extractor = nil }},
	} {
		t.Run(c.name, func(t *testing.T) {
			o := Options{Start: []string{"https://tea.test/"}, Extractor: x}
			if c.change != nil {
				c.change(&o)
			}
			crawler, err := New(o)
			if err != nil {
				t.Fatal(err)
			}
			result, err := crawler.Reread(cmp.Or(c.url, "https://tea.test/1"), &c.page)
			switch {
			case c.err == "" && err != nil, c.err != "" && (err == nil || !strings.Contains(err.Error(), c.err)):
				t.Errorf("error %v, want %q", err, c.err)
			case len(result.Records) != c.records || len(result.Rejects) != c.rejects:
				t.Errorf("%+v", result)
			}
		})
	}
}

// What is read from a page is the same after the page's memory was used again.
func TestRereadSharesNothing(t *testing.T) {
	x, err := extract.Compile(extract.Spec{Items: []extract.Item{{Name: "tea", Key: []string{"name"}, Fields: []extract.Field{
		{Name: "name", CSS: "h1"}, {Name: "title", CSS: "title"}, {Name: "about", Meta: "description"},
		{Name: "kind", CSS: "a", Attr: "class"}, {Name: "link", CSS: "a", Attr: "href", As: extract.URL},
		{Name: "markup", CSS: "p", As: extract.HTML}, {Name: "price", CSS: "h1", As: extract.PriceType}}}}})
	if err != nil {
		t.Fatal(err)
	}
	crawler, err := New(Options{Start: []string{"https://tea.test/"}, Extractor: x})
	if err != nil {
		t.Fatal(err)
	}
	for _, contentType := range []string{"text/html", "text/html; charset=utf-8", "text/html; charset=windows-1252"} {
		t.Run(contentType, func(t *testing.T) {
			page := Page{ContentType: contentType, Body: []byte(`<!DOCTYPE html><title>Tea of the mountains</title>
				<meta name=description content="Leaves picked by hand"><h1>Oolong from the high garden</h1>
				<p>A long description <a class="first second" href="https://tea.test/oolong?leaf=whole">more</a></p>`)}
			result, err := crawler.Reread("https://tea.test/1", &page)
			if err != nil || len(result.Records) != 1 || len(result.Records[0].Problems) == 0 {
				t.Fatalf("%+v, %v", result, err)
			}
			before := fmt.Sprintf("%+v", result)
			for i := range page.Body {
				page.Body[i] = '#'
			}
			if after := fmt.Sprintf("%+v", result); after != before {
				t.Errorf("read  %s\nis now %s", before, after)
			}
		})
	}
}

// What is read from pages, with trees in memory that is used again, is what
// their own trees give, and stays so while others are read.
func TestRereadManyPages(t *testing.T) {
	spec := extract.Spec{Items: []extract.Item{
		{Name: "page", Fields: []extract.Field{
			{Name: "title", CSS: "title"}, {Name: "h1", XPath: "//h1"}, {Name: "about", Meta: "description"}, {Name: "og", OpenGraph: "title"},
			{Name: "ld", JSONLD: "Product.offers", As: extract.JSON}, {Name: "state", JSON: "window.__STATE__", As: extract.JSON}, {Name: "text", Article: "text"},
			{Name: "article", Article: "html"}, {Name: "markup", CSS: "p", As: extract.HTML, All: true}, {Name: "raw", CSS: "main", Raw: true},
			{Name: "links", CSS: "a", Attr: "href", As: extract.URL, All: true}, {Name: "sum", Expr: "title + h1"}}},
		{Name: "tea", Each: "li", Key: []string{"name"}, Fields: []extract.Field{
			{Name: "name", CSS: "b"}, {Name: "price", CSS: "i", As: extract.PriceType}, {Name: "classes", CSS: "b", Attr: "class", Split: " "}}},
	}}
	x, err := extract.Compile(spec)
	if err != nil {
		t.Fatal(err)
	}
	crawler, err := New(Options{Start: []string{"https://tea.test/"}, Extractor: x})
	if err != nil {
		t.Fatal(err)
	}
	body := func(i int) string {
		return fmt.Sprintf(`<!DOCTYPE html><title>Teas &amp; more %d</title><meta name=description content="Page %[1]d"><meta property="og:title" content="og %[1]d">
			<script type="application/ld+json">{"@type":"Product","offers":{"price":%[1]d}}</script><script>window.__STATE__ = {"n":[%[1]d]}</script>
			<base href="/%[1]d/"><main><article><h1>Teas %[1]d</h1>%s<ul>%s</ul></article></main>`, i,
			strings.Repeat(fmt.Sprintf("<p id=p%d>Leaves, <em class=x>picked</em> by hand &lt;%[1]d&gt;, in the high garden, as they always were. <a href=%[1]d?a=b>more</a></p>\n", i), 3+i*7%40),
			strings.Repeat(fmt.Sprintf("<li><b class='one two%d'>Oolong %[1]d &amp; co</b> <i>£%[1]d.50</i>", i), i*13%30))
	}
	const n = 60
	var results [n]extract.Result
	var readers sync.WaitGroup
	for first := range 3 {
		readers.Go(func() {
			for i := first; i < n; i += 3 {
				page := Page{ContentType: "text/html; charset=utf-8", Body: []byte(body(i))}
				var err error
				if results[i], err = crawler.Reread("https://tea.test/list", &page); err != nil {
					t.Error(err)
				}
			}
		})
	}
	readers.Wait()
	at, err := url.Parse("https://tea.test/list")
	if err != nil {
		t.Fatal(err)
	}
	for i := range n {
		doc, err := htmlparse.ParseBytes([]byte(body(i)), &htmlparse.Options{ContentType: "text/html; charset=utf-8"})
		if err != nil {
			t.Fatal(err)
		}
		want := x.Extract(extract.Page{Root: doc.Root, URL: at})
		if len(want.Records) == 0 || len(want.Records[0].Fields) != len(spec.Items[0].Fields) {
			t.Fatalf("page %d: %+v", i, want)
		}
		if diff := gocmp.Diff(want, results[i]); diff != "" {
			t.Errorf("page %d: -own tree +read again:\n%s", i, diff)
		}
	}
}

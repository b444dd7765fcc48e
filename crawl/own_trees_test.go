package crawl_test

import (
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/net/html"

	"github.com/magpie-crawl/magpie/crawl"
	"github.com/magpie-crawl/magpie/extract"
	"github.com/magpie-crawl/magpie/htmlparse"
)

// brought is what a page brought.
type brought struct {
	Canonical        string
	Outline          *crawl.Outline
	Links            []crawl.Link
	Records, Rejects []extract.Record
	Warnings         []string
}

// A crawl makes the trees of its pages in memory that it uses again, unless a
// hook is shown them. What a page brings is the same, when all others have been
// read too.
func TestOwnTrees(t *testing.T) {
	x, err := extract.Compile(extract.Spec{Items: []extract.Item{
		{Name: "page", Fields: []extract.Field{{Name: "title", CSS: "title"}, {Name: "about", Meta: "description"},
			{Name: "markup", CSS: "p", As: extract.HTML, All: true}, {Name: "links", CSS: "a", Attr: "href", As: extract.URL, All: true}}},
		{Name: "tea", Each: "li", Key: []string{"name"}, Fields: []extract.Field{
			{Name: "name", CSS: "b"}, {Name: "price", CSS: "i", As: extract.PriceType}, {Name: "classes", CSS: "b", Attr: "class", Split: " "}}},
	}})
	if err != nil {
		t.Fatal(err)
	}
	s := newSite(t)
	const pages = 60
	for i := range pages {
		path := fmt.Sprintf("/%d", i)
		if i == 0 {
			path = "/"
		}
		s.pages[path] = func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
			fmt.Fprint(w, teas(i, pages))
		}
	}
	crawled := func(onPage func(*crawl.PageVisit) error) map[string]brought {
		all := map[string]brought{}
		run(t, openStore(t), quick(t, s, func(o *crawl.Options) {
			o.Extractor, o.OnPage = x, onPage
			o.OnVisit = func(v *crawl.Visit) {
				if v.State == crawl.Done {
					all[v.Request.URL] = brought{v.Page.Canonical, v.Outline, v.Links, v.Records, v.Rejects, v.Page.Warnings}
				}
			}
		}))
		return all
	}
	again := crawled(nil)
	var mu sync.Mutex
	kept := map[*htmlparse.Document]string{}
	own := crawled(func(p *crawl.PageVisit) error {
		mu.Lock()
		defer mu.Unlock()
		kept[p.Document] = rendered(t, p.Document)
		return nil
	})
	first := again[s.URL+"/"]
	if len(again) != pages || len(first.Links) == 0 || len(first.Records) == 0 || first.Canonical == "" || first.Outline == nil {
		t.Fatalf("%d pages, the first brought %+v", len(again), first)
	}
	if diff := cmp.Diff(own, again); diff != "" {
		t.Errorf("-trees of their own +memory that is used again:\n%s", diff)
	}
	if len(kept) != pages {
		t.Errorf("%d documents were shown of %d", len(kept), pages)
	}
	for doc, before := range kept {
		if after := rendered(t, doc); after != before {
			t.Errorf("a document that was shown is now %.300s\nand was %.300s", after, before)
		}
	}
}

// teas is a page of its own length, which links to the others.
func teas(i, pages int) string {
	var b strings.Builder
	fmt.Fprintf(&b, `<!DOCTYPE html><title>Teas &amp; more %d</title><meta name=description content="Page %[1]d">
		<link rel=canonical href="/1"><base href="/"><main><h1>Teas %[1]d</h1><ul>`, i)
	for j := range i * 13 % 30 {
		fmt.Fprintf(&b, "<li class=c%d><b class='one two%d'>Oolong %d &amp; %d</b> <i>£%d.50</i>", i%5, i, i, j, j)
	}
	b.WriteString("</ul>")
	for j := range 3 + i*7%40 {
		fmt.Fprintf(&b, "<p id=p%d>Leaves, <em class=x>picked</em> by hand &lt;%d&gt;. <a href='%d#f&amp;g'>more</a></p>\n", j, i, 1+(i+j)%(pages-1))
	}
	return b.String()
}

func rendered(t *testing.T, doc *htmlparse.Document) string {
	t.Helper()
	var b strings.Builder
	if err := html.Render(&b, doc.Root); err != nil {
		t.Error(err)
	}
	return b.String()
}

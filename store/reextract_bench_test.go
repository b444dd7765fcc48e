package store

import (
	"fmt"
	"maps"
	"net/url"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/magpie-crawl/magpie/crawl"
	"github.com/magpie-crawl/magpie/extract"
	"github.com/magpie-crawl/magpie/htmlparse"
)

// rereadBody is a page of 4 KB: a product among what shops put around it.
func rereadBody(i int) []byte {
	var b strings.Builder
	fmt.Fprintf(&b, "<!DOCTYPE html><html lang=en><head><meta charset=utf-8><title>Product %d</title></head><body><nav><ul>", i)
	for j := range 20 {
		fmt.Fprintf(&b, "<li class=entry><a href=\"/category/%d\" title=\"All of category %d\">Category %d</a></li>\n", j, j+i%7, j)
	}
	fmt.Fprintf(&b, `</ul></nav><main><article class=product><h1>Product %d</h1><p class="price">£%d.%02d</p>
		<p class=stock>%d in stock</p><img src="/images/%d.jpg" alt="a product"><ul class=tags><li>tag %d<li>tag %d</ul>`, i, i%100+1, i%99, i%50, i, i%10, i%11)
	for j := 0; b.Len() < 3900; j++ {
		fmt.Fprintf(&b, "<p>Sentence %d of the description of product %d, with <b>bold</b> and <i>other</i> words in it &amp; more.</p>\n", j, i)
	}
	b.WriteString("</article></main></body></html>")
	return []byte(b.String())
}

// rereadSpec is a spec of five fields; with stock "" the fifth is another.
func rereadSpec(stock string) extract.Spec {
	return extract.Spec{Items: []extract.Item{{Name: "product", Each: "article.product", Fields: []extract.Field{
		{Name: "name", CSS: "h1"}, {Name: "price", CSS: ".price", As: extract.PriceType},
		{Name: stock, CSS: ".stock", Regex: `\d+`, As: extract.Integer},
		{Name: "image", CSS: "img", Attr: "src", As: extract.URL}, {Name: "tags", CSS: ".tags li", All: true}}}}}
}

func rereadCrawler(t testing.TB, spec extract.Spec) *crawl.Crawler {
	t.Helper()
	x, err := extract.Compile(spec)
	if err != nil {
		t.Fatal(err)
	}
	c, err := crawl.New(crawl.Options{Start: []string{"https://shop.test/"}, Extractor: x})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// parseAndExtract is parsing and extracting alone, from memory, on all
// processors, as a program does it that has the libraries and nothing else:
// with a tree of its own for each page. It returns how long n pages take. Of
// these the first kept are there, again and again: no more than what a
// re-extraction has in memory.
func parseAndExtract(t testing.TB, n, kept int, spec extract.Spec, body func(i int) []byte) time.Duration {
	t.Helper()
	x, err := extract.Compile(spec)
	if err != nil {
		t.Fatal(err)
	}
	bodies := make([][]byte, kept)
	for i := range bodies {
		bodies[i] = body(i)
	}
	var next, records atomic.Int64
	var workers sync.WaitGroup
	began := time.Now()
	for range runtime.GOMAXPROCS(0) {
		workers.Go(func() {
			for i := next.Add(1) - 1; i < int64(n); i = next.Add(1) - 1 {
				doc, err := htmlparse.ParseBytes(bodies[i%int64(kept)], &htmlparse.Options{ContentType: "text/html; charset=utf-8"})
				if err != nil {
					t.Error(err)
					return
				}
				at, err := url.Parse(siteURL(int(i)))
				if err != nil {
					t.Error(err)
					return
				}
				result := x.Extract(extract.Page{Root: doc.Root, URL: at, FetchedAt: began})
				records.Add(int64(len(result.Records)))
			}
		})
	}
	workers.Wait()
	if records.Load() != int64(n) {
		t.Errorf("%d records of %d pages", records.Load(), n)
	}
	return time.Since(began)
}

// BenchmarkReextract compares a re-extraction, in which every record changes
// or none does, with parsing and extracting the same pages alone. The goal is
// a ratio of 0.8 on two processors. What it is compared with makes a new tree
// for each page, as htmlparse.ParseBytes does, while a re-extraction makes its
// trees in memory that it uses again; all the rest, the database and the
// compressed bodies, is the re-extraction's alone. The re-extraction runs with
// the memory setting of magpie reextract, what it is compared with by Go's
// default (ratio) and by the same setting (ratio-same-memory). The ratio of the
// processors' time (cpu-ratio) is the one that tells most while others use the
// machine.
func BenchmarkReextract(b *testing.B) {
	b.Run("4 KB", func(b *testing.B) {
		benchmarkReextract(b, 20_000, 200, rereadSpec("stock"), rereadSpec("left"), rereadBody)
	})
	for _, c := range []struct {
		name string
		spec func(heading string) extract.Spec
	}{{"real pages", articleSpec}, {"real pages, all links", linksSpec}} {
		b.Run(c.name, func(b *testing.B) {
			pages := corpusBodies(b)
			var bodies [][]byte
			for _, name := range slices.Sorted(maps.Keys(pages)) {
				bodies = append(bodies, pages[name])
			}
			body := func(i int) []byte { // each page of its own
				return append(slices.Clip(bodies[i%len(bodies)]), fmt.Sprintf("<!-- %d -->", i)...)
			}
			benchmarkReextract(b, 16*len(bodies), len(bodies), c.spec("heading"), c.spec("headline"), body)
		})
	}
}

// articleSpec is a spec of five short fields that most real pages have; the
// first has a name of one's own.
func articleSpec(heading string) extract.Spec {
	return extract.Spec{Items: []extract.Item{{Name: "product", Fields: []extract.Field{
		{Name: heading, CSS: "h1, h2"}, {Name: "title", CSS: "title"}, {Name: "description", Meta: "description"},
		{Name: "first", CSS: "p"}, {Name: "image", CSS: "img[src]", Attr: "src", As: extract.URL}}}}}
}

// linksSpec makes records of some 15 KB: it has all links of a page as well.
func linksSpec(heading string) extract.Spec {
	spec := articleSpec(heading)
	spec.Items[0].Fields[4] = extract.Field{Name: "links", CSS: "a[href]", Attr: "href", As: extract.URL, All: true}
	return spec
}

func benchmarkReextract(b *testing.B, n, kept int, spec, changed extract.Spec, body func(i int) []byte) {
	db, err := Open(filepath.Join(b.TempDir(), "bench.db"), Options{})
	if err != nil {
		b.Fatal(err)
	}
	defer db.Close()
	crawlBodies(b, db, n, spec, body)
	for _, c := range []struct {
		name         string
		here, before extract.Spec
	}{{"all change", changed, spec}, {"none changes", changed, changed}} {
		b.Run(c.name, func(b *testing.B) {
			var alone, aloneSame, whole, aloneCPU, wholeCPU time.Duration
			for b.Loop() {
				b.StopTimer()
				again := func(spec extract.Spec) *Reextraction {
					x, err := db.Reextract(b.Context(), ReextractOptions{Job: "shop", Items: spec, Read: rereadCrawler(b, spec).Reread})
					if err != nil {
						b.Fatal(err)
					}
					return x
				}
				again(c.before)
				runtime.GC()
				started := cpuTime(b)
				alone += parseAndExtract(b, n, kept, c.here, body)
				aloneCPU += cpuTime(b) - started
				percent := debug.SetGCPercent(400)
				aloneSame += parseAndExtract(b, n, kept, c.here, body)
				runtime.GC()
				b.StartTimer()
				started = cpuTime(b)
				x := again(c.here)
				wholeCPU += cpuTime(b) - started
				whole += x.Elapsed
				debug.SetGCPercent(percent)
				if x.Pages != int64(n) {
					b.Fatalf("%+v", x)
				}
			}
			rate := func(d time.Duration) float64 { return float64(n*b.N) / d.Seconds() }
			b.ReportMetric(rate(alone), "alone-pages/s")
			b.ReportMetric(rate(whole), "reextract-pages/s")
			b.ReportMetric(rate(whole)/rate(alone), "ratio")
			b.ReportMetric(rate(whole)/rate(aloneSame), "ratio-same-memory")
			b.ReportMetric(rate(wholeCPU)/rate(aloneCPU), "cpu-ratio")
			b.ReportMetric(float64(wholeCPU.Microseconds())/float64(n*b.N), "cpu-µs/page")
		})
	}
}

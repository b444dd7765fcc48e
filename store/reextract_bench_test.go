package store

import (
	"fmt"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/magpie-crawl/magpie/crawl"
	"github.com/magpie-crawl/magpie/extract"
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

// storeReread commits n product pages as a crawl would, with their records.
func storeReread(t testing.TB, db *DB, n int, c *crawl.Crawler, spec extract.Spec) {
	t.Helper()
	job := crawl.Job{Name: "shop", Source: "start: https://shop.test/", Items: spec}
	for i := range n {
		job.Seeds = append(job.Seeds, siteLink(i, 0))
	}
	run, err := db.Begin(t.Context(), job)
	if err != nil {
		t.Fatal(err)
	}
	for {
		due, _, err := run.Window(t.Context(), "shop.test", time.Now(), 256, nil)
		if err != nil {
			t.Fatal(err)
		}
		if len(due) == 0 {
			break
		}
		batch := make([]*crawl.Visit, len(due))
		for k, q := range due {
			var i int
			fmt.Sscanf(q.URL, "https://shop.test/p/%d", &i)
			batch[k] = siteVisit(n, crawl.Request{ID: q.ID, URL: q.URL, Attempts: 1})
			v := batch[k]
			*v = crawl.Visit{Request: q, State: crawl.Done, Lessons: v.Lessons, Page: &crawl.Page{
				FetchedAt: time.UnixMilli(1_700_000_000_000), Status: 200, ContentType: "text/html; charset=utf-8", Body: rereadBody(i),
				Header: map[string][]string{"Content-Type": {"text/html; charset=utf-8"}, "Date": {"Tue, 14 Nov 2023 22:13:20 GMT"},
					"Etag": {fmt.Sprintf(`"%d"`, i)}, "Server": {"nginx"}, "Cache-Control": {"max-age=600"}}}}
			v.Revisit = &crawl.Revisit{FetchedAt: v.Page.FetchedAt, ChangedAt: v.Page.FetchedAt}
			result, err := c.Reread(q.URL, v.Page)
			if err != nil {
				t.Fatal(err)
			}
			v.Records, v.Rejects = result.Records, result.Rejects
		}
		if _, err := run.Commit(t.Context(), batch); err != nil {
			t.Fatal(err)
		}
	}
	if err := run.Finish(t.Context(), ""); err != nil {
		t.Fatal(err)
	}
	if err := run.Close(); err != nil {
		t.Fatal(err)
	}
}

// parseAndExtract is parsing and extracting alone, from memory, on all
// processors. It returns how long n pages take.
func parseAndExtract(t testing.TB, n int, c *crawl.Crawler) time.Duration {
	t.Helper()
	const kept = 200 // no more than what a re-extraction has in memory
	bodies := make([][]byte, kept)
	for i := range bodies {
		bodies[i] = rereadBody(i)
	}
	var next, records atomic.Int64
	var workers sync.WaitGroup
	began := time.Now()
	for range runtime.GOMAXPROCS(0) {
		workers.Go(func() {
			for i := next.Add(1) - 1; i < int64(n); i = next.Add(1) - 1 {
				p := crawl.Page{Body: bodies[i%kept], ContentType: "text/html; charset=utf-8", FetchedAt: began}
				result, err := c.Reread(siteURL(int(i)), &p)
				if err != nil {
					t.Error(err)
				}
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
// a ratio of 0.8 on two processors.
func BenchmarkReextract(b *testing.B) {
	const n = 20_000
	spec, changed := rereadSpec("stock"), rereadSpec("left")
	db, err := Open(filepath.Join(b.TempDir(), "bench.db"), Options{})
	if err != nil {
		b.Fatal(err)
	}
	defer db.Close()
	storeReread(b, db, n, rereadCrawler(b, spec), spec)
	for _, c := range []struct {
		name         string
		here, before extract.Spec
	}{{"all change", changed, spec}, {"none changes", changed, changed}} {
		b.Run(c.name, func(b *testing.B) {
			crawler := rereadCrawler(b, c.here)
			var alone, whole, aloneCPU, wholeCPU time.Duration
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
				c0 := cpuTime()
				alone += parseAndExtract(b, n, crawler)
				aloneCPU += cpuTime() - c0
				runtime.GC()
				b.StartTimer()
				c1 := cpuTime()
				x := again(c.here)
				wholeCPU += cpuTime() - c1
				whole += x.Elapsed
				if x.Pages != n {
					b.Fatalf("%+v", x)
				}
			}
			rate := func(d time.Duration) float64 { return float64(n*b.N) / d.Seconds() }
			b.ReportMetric(float64(aloneCPU.Microseconds())/float64(n*b.N), "alone-µs")
			b.ReportMetric(float64(wholeCPU.Microseconds())/float64(n*b.N), "whole-µs")
			b.ReportMetric(rate(alone), "alone-pages/s")
			b.ReportMetric(rate(whole), "reextract-pages/s")
			b.ReportMetric(rate(whole)/rate(alone), "ratio")
		})
	}
}

func cpuTime() time.Duration {
	var u syscall.Rusage
	syscall.Getrusage(syscall.RUSAGE_SELF, &u)
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

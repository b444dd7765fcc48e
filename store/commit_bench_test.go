package store

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"path/filepath"
	"testing"
	"time"

	"github.com/magpie-crawl/magpie/crawl"
	"github.com/magpie-crawl/magpie/extract"
)

// benchSite makes the visits of a site of n pages, each with a body of 4 KB,
// 20 links and a record of five fields.
type benchSite struct {
	n    int
	rand *rand.Rand
}

func (s benchSite) url(i int) string {
	return fmt.Sprintf("https://shop.example/catalogue/product-%d/index.html", i)
}

func (s benchSite) link(i, depth int) crawl.Link {
	return crawl.Link{URL: s.url(i), Host: "shop.example", Depth: depth}
}

// words make bodies that compress about as well as pages do.
var words = []string{"<div class=\"item\">", "</div>", "<a href=\"/catalogue/", "price", "lantern", "brass", "delivery", "stock",
	"<span>", "</span>", "left", "shelf", "of", "the", "and", "<p>", "</p>"}

func (s benchSite) visit(i int, q crawl.Request) *crawl.Visit {
	body := fmt.Appendf(nil, "<!doctype html><title>Product %d</title>", i)
	for len(body) < 4096 {
		body = fmt.Appendf(body, "%s %d ", words[s.rand.IntN(len(words))], s.rand.IntN(1000))
	}
	v := &crawl.Visit{Request: q, State: crawl.Done, Page: &crawl.Page{
		FetchedAt: time.Now(), Duration: 3 * time.Millisecond, Status: 200, ContentType: "text/html; charset=utf-8", Body: body,
		Header: http.Header{"Content-Type": {"text/html; charset=utf-8"}, "Server": {"nginx"}, "Date": {"Mon, 02 Nov 2026 10:00:00 GMT"},
			"Etag": {`"5f-1a"`}, "Content-Length": {"4096"}},
	}}
	v.Outline = &crawl.Outline{Pattern: "https://shop.example/catalogue/*/*", Sum: uint64(i) * 0x9e3779b97f4a7c15}
	// One new URL a page, and nineteen met before: the average of a crawl.
	for j := 1; j <= 20; j++ {
		to := i - j*j*37
		if j == 1 {
			to = i + 1000
		}
		v.Links = append(v.Links, s.link(max(to, 0), q.Depth+1))
	}
	v.Records = []extract.Record{{Item: "product", Key: s.url(i), URL: s.url(i), Fields: extract.Object{
		{Name: "title", Value: fmt.Sprintf("Product %d", i)}, {Name: "stock", Value: int64(i % 9)}, {Name: "sku", Value: fmt.Sprintf("SKU-%08d", i)},
		{Name: "price", Value: extract.Object{{Name: "amount", Value: "12.50"}, {Name: "currency", Value: "GBP"}}}, {Name: "brand", Value: "Acme"},
	}}}
	return v
}

var benchJob = crawl.Job{Name: "bench", Items: extract.Spec{Items: []extract.Item{{Name: "product", Fields: []extract.Field{
	{Name: "title"}, {Name: "stock", As: extract.Integer}, {Name: "sku"}, {Name: "price", As: extract.PriceType}, {Name: "brand"}}}}}}

// BenchmarkCommit measures a page through the store: windows of the frontier
// and commits of 64 pages, as a crawl does them.
func BenchmarkCommit(b *testing.B) {
	db, err := Open(filepath.Join(b.TempDir(), "bench.db"), Options{})
	if err != nil {
		b.Fatal(err)
	}
	defer db.Close()
	s := benchSite{n: 1 << 30, rand: rand.New(rand.NewPCG(1, 2))}
	job := benchJob
	for i := range 1000 {
		job.Seeds = append(job.Seeds, s.link(i, 0))
	}
	run, err := db.Begin(b.Context(), job)
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	b.ResetTimer()
	for done := 0; done < b.N; {
		b.StopTimer()
		due, _, err := run.Window(b.Context(), "shop.example", time.Now(), min(64, b.N-done), nil)
		if err != nil {
			b.Fatal(err)
		}
		batch := make([]*crawl.Visit, len(due))
		for i, q := range due {
			var n int
			fmt.Sscanf(q.URL, "https://shop.example/catalogue/product-%d/", &n)
			batch[i] = s.visit(n, q)
		}
		b.StartTimer()
		if _, err := run.Commit(b.Context(), batch); err != nil {
			b.Fatal(err)
		}
		done += len(batch)
	}
	b.StopTimer()
	b.Logf("%+v", run.Info().Counters)
}

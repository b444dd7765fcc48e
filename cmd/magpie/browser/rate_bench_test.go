package browser

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
)

// BenchmarkDashboardOpen measures how fast magpie serve crawls a site on
// loopback while nobody looks, while a client reads the live page's events and
// asks for the overview each second, and while a browser shows the live page.
// They take turns, and the median of each counts. Run it with -benchtime 1x.
func BenchmarkDashboardOpen(b *testing.B) {
	const pages, rounds = 20_000, 3
	site := httptest.NewServer(benchSite(pages))
	defer site.Close()
	looks := []struct {
		name string
		look func(b *testing.B, s *server) (stop func())
	}{
		{"nobody", func(*testing.B, *server) func() { return func() {} }},
		{"client", lookByClient},
		{"browser", lookByBrowser},
	}
	for b.Loop() {
		rates := map[string][]float64{}
		for range rounds {
			for _, l := range looks {
				s := serving(b, map[string]string{"bench.yaml": benchJob(site.URL)})
				stop := l.look(b, s)
				rates[l.name] = append(rates[l.name], crawlRate(b, s, pages))
				stop()
			}
		}
		for _, l := range looks {
			list := rates[l.name]
			b.Logf("%s: %.0f pages/s", l.name, list)
			slices.Sort(list)
			b.ReportMetric(list[rounds/2], "pages/s-"+l.name)
			b.ReportMetric(list[rounds/2]/rates["nobody"][rounds/2], "ratio-"+l.name)
		}
	}
}

func benchJob(site string) string {
	return fmt.Sprintf(`name: bench
start: [%s/0]
politeness: {delay: 0s, adaptive: off, per_host: 32}
items:
  product:
    key: [sku]
    fields: {sku: .sku, title: {css: h1, required: true}, price: {css: .price, as: price}, text: .text, image: {css: img, attr: src, as: url}}
`, site)
}

// benchSite has pages of 4 KB with 20 links.
func benchSite(pages int) http.HandlerFunc {
	filler := strings.Repeat("Lorem ipsum dolor sit amet, consetetur sadipscing elitr, sed diam nonumy. ", 40)
	return func(w http.ResponseWriter, r *http.Request) {
		var i int
		if !scan(r.URL.Path, "/%d", &i) || i >= pages {
			http.NotFound(w, r)
			return
		}
		var text strings.Builder
		fmt.Fprintf(&text, "<!doctype html><title>%d</title><h1>Product %d</h1><p class=price>$%d.%02d<p class=sku>SKU-%d<div class=text>%s</div><img src=/i/%d.png>", i, i, i%500, i%100, i, filler, i)
		for j := range 20 {
			fmt.Fprintf(&text, "<li><a href=/%d>%d</a>", (i*20+j+1)%pages, j)
		}
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		io.WriteString(w, text.String())
	}
}

// crawlRate runs the job to its end and returns its pages a second.
func crawlRate(b *testing.B, s *server, pages int64) float64 {
	r, err := http.Post(s.url+"/api/v1/jobs/bench/start", "application/json", strings.NewReader("{}"))
	if err != nil {
		b.Fatal(err)
	}
	r.Body.Close()
	if r.StatusCode/100 != 2 {
		b.Fatalf("start the job: %s", r.Status)
	}
	db := s.store(b)
	for began := time.Now(); time.Since(began) < 2*time.Minute; time.Sleep(200 * time.Millisecond) {
		run, err := db.Run(b.Context(), "bench", 1)
		if err != nil || run.Ended.IsZero() {
			continue
		}
		if run.Counters.Pages != pages {
			b.Fatalf("%d pages, want %d", run.Counters.Pages, pages)
		}
		return float64(pages) / run.Ended.Sub(run.Started).Seconds()
	}
	b.Fatal("the crawl does not end")
	return 0
}

// lookByClient reads the live page's events as they come, and the overview
// once a second.
func lookByClient(b *testing.B, s *server) (stop func()) {
	ctx, cancel := context.WithCancel(b.Context())
	var readers sync.WaitGroup
	for path, every := range map[string]time.Duration{
		"/":                  time.Second,
		"/jobs/bench/events": 50 * time.Millisecond, // it ends when a run begins or ends
	} {
		readers.Go(func() {
			for ; ctx.Err() == nil; time.Sleep(every) {
				r, err := http.NewRequestWithContext(ctx, http.MethodGet, s.url+path, nil)
				if err != nil {
					panic(err)
				}
				if answer, err := http.DefaultClient.Do(r); err == nil {
					io.Copy(io.Discard, answer.Body)
					answer.Body.Close()
				}
			}
		})
	}
	return func() { cancel(); readers.Wait() }
}

// lookByBrowser shows the live page in a tab.
func lookByBrowser(b *testing.B, s *server) (stop func()) {
	ctx, cancel := chromedp.NewContext(needChromium(b), chromedp.WithNewBrowserContext())
	if err := chromedp.Do(ctx, chromedp.Navigate(s.url+"/jobs/bench/live")); err != nil {
		b.Fatal(err)
	}
	return cancel
}

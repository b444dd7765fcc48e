package dashboard

import (
	"fmt"
	"html"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/magpie-crawl/magpie/config"
	"github.com/magpie-crawl/magpie/crawl"
	"github.com/magpie-crawl/magpie/store"
)

// hostile is text that would break a page that takes it as it is: markup,
// scripts, controls, bidirectional overrides, half a character, a template.
const hostile = "</title><script>alert(1)</script><img src=x onerror=alert(2)>\u202egnp.exe\u2066 \x1b[31m{{.Token}}\" onmouseover=\"alert(3)' javascript:alert(4) \xff"

// hostileJob is a name that may be a job's.
const hostileJob = `a/b?c#d%2F..<script>alert("1")</script>&"' .. 日本 ` + "\u202etxt"

// shop is a site whose pages change from visit to visit.
type shop struct {
	*httptest.Server
	visit    atomic.Int64 // how often it was crawled
	hits     atomic.Int64 // requests
	products int
	delay    time.Duration // before each answer; much more for the second half
}

// newShop serves a site of some products on loopback.
func newShop(t testing.TB, products int) *shop {
	s := &shop{products: products}
	s.Server = httptest.NewServer(http.HandlerFunc(s.answer))
	t.Cleanup(s.Close)
	return s
}

func (s *shop) answer(w http.ResponseWriter, r *http.Request) {
	if s.hits.Add(1) > int64(s.products/2) { // it does not end before the test
		time.Sleep(49 * s.delay)
	}
	visit := int(s.visit.Load())
	time.Sleep(s.delay)
	var n int
	switch path := r.URL.Path; {
	case path == "/robots.txt":
		fmt.Fprint(w, "User-agent: *\nDisallow: /private\n")
	case path == "/":
		for i := range s.products {
			fmt.Fprintf(w, "<a href=/p/%d>%d</a>\n", i, i)
		}
		fmt.Fprint(w, "<a href=/private/x>p</a><a href=/lost>l</a><a href=/broken>b</a><a href='https://elsewhere.invalid/'>e</a><a href=/moved>m</a>")
	case path == "/broken":
		http.Error(w, "out of order", http.StatusInternalServerError)
	case path == "/moved":
		http.Redirect(w, r, "/p/1", http.StatusMovedPermanently)
	case sscan(path, "/p/%d", &n) && n < s.products && (n != 3 || visit < 2):
		s.product(w, n, visit)
	default:
		http.NotFound(w, r)
	}
}

func sscan(s, format string, n *int) bool {
	_, err := fmt.Sscanf(s, format, n)
	return err == nil
}

func (s *shop) product(w http.ResponseWriter, n, visit int) {
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	name := fmt.Sprintf("Lamp no. %d", n)
	if n%7 == 0 {
		name = fmt.Sprintf("%s %d", hostile, n)
	}
	price := fmt.Sprintf("%d.50 €", 10+n+(visit/2)*(n%3))
	if n%9 == 4 {
		price = "ask us" + hostile
	}
	fmt.Fprintf(w, "<title>%s</title><h1>%s</h1><p class=price>%s</p>", html.EscapeString(name), html.EscapeString(name), html.EscapeString(price))
	if visit < 3 || n%4 == 0 {
		fmt.Fprintf(w, "<p class=maker>Maker %d</p>", n%5)
	}
	fmt.Fprintf(w, "<p class=about>%s</p>", strings.Repeat("Very bright. ", n%40*3))
}

// jobFile is a job that crawls the shop.
func (s *shop) jobFile(name, more string) string {
	return fmt.Sprintf(`name: %q
start: %s/
politeness: {delay: 0s, adaptive: off}
retry: {times: 0}
health: {min_records: 5}
%s
items:
  lamp:
    when: {url: "*/p/*"}
    key: [name]
    fields:
      name: {css: h1, required: true}
      price: {css: .price, as: price}
      maker: .maker
      about: .about
`, name, s.URL, more)
}

// openStore opens a new database.
func openStore(t testing.TB) *store.DB {
	db, err := store.Open(filepath.Join(t.TempDir(), "magpie.db"), store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	return db
}

// crawlOnce runs a job file to its end.
func crawlOnce(t testing.TB, db *store.DB, source string) *config.Job {
	job, err := config.Parse("job.yaml", []byte(source))
	if err != nil {
		t.Fatal(err)
	}
	c, err := crawl.New(job.Options)
	if err != nil {
		t.Fatal(err)
	}
	_, err = c.Crawl(t.Context(), db, crawl.Job{Name: job.Name, Source: job.Source, Items: job.Items, Health: job.Options.Health})
	if err != nil {
		t.Fatal(err)
	}
	return job
}

package browser

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"time"
)

// lamps is a shop whose prices change from visit to visit.
type lamps struct {
	*httptest.Server
	visit atomic.Int64
	hits  atomic.Int64
	n     int
	delay time.Duration // before each answer; of a site that takes long much more for its second half: it does not end before the test
	gate  chan struct{} // closed: lamps are answered; nil: they are from the beginning
}

func newLamps(n int, delay time.Duration) *lamps {
	s := &lamps{n: n, delay: delay}
	s.Server = httptest.NewServer(s)
	return s
}

func (s *lamps) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if s.delay > 0 && s.hits.Add(1) > int64(s.n/2) {
		time.Sleep(49 * s.delay)
	}
	time.Sleep(s.delay)
	if s.gate != nil && strings.HasPrefix(r.URL.Path, "/lamp/") {
		<-s.gate
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	visit := int(s.visit.Load())
	var i int
	switch _, err := fmt.Sscanf(r.URL.Path, "/lamp/%d", &i); {
	case r.URL.Path == "/robots.txt":
		io.WriteString(w, "User-agent: *\nDisallow: /private\n")
	case r.URL.Path == "/":
		for i := range s.n {
			fmt.Fprintf(w, "<a href=/lamp/%d>%d</a>\n", i, i)
		}
		io.WriteString(w, "<a href=/private/x>p</a><a href=/lost>l</a><a href=/broken>b</a><a href=/moved>m</a>")
	case r.URL.Path == "/broken":
		http.Error(w, "out of order", http.StatusInternalServerError)
	case r.URL.Path == "/moved":
		http.Redirect(w, r, "/lamp/1", http.StatusMovedPermanently)
	case err == nil && i < s.n && (i != 3 || visit < 2):
		price := fmt.Sprintf("£%d.50", 10+i+visit*(i%3))
		if i == 4 {
			price = "ask us"
		}
		fmt.Fprintf(w, "<!doctype html><title>Lamp %d</title><h1>Lamp no. %d</h1><p class=price>%s</p>", i, i, price)
		if visit < 2 || i%4 == 0 {
			fmt.Fprintf(w, "<p class=maker>Maker %d</p>", i%5)
		}
		fmt.Fprintf(w, "<p class=about>%s</p>", strings.Repeat("Very bright, and warm too. ", 1+i%40))
	default:
		http.NotFound(w, r)
	}
}

// job is a job file that crawls the shop; more are lines of its top level.
func (s *lamps) job(name, more string) string {
	return fmt.Sprintf(`name: %s
start: [%s/]
politeness: {delay: 0s, adaptive: off}
retry: {times: 0}
%s
items:
  lamp:
    when: {url: "*/lamp/*"}
    key: [name]
    fields:
      name: {css: h1, required: true}
      price: {css: .price, as: price}
      maker: .maker
      about: .about
`, name, s.URL, more)
}

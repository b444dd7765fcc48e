package crawl_test

import (
	"context"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/magpie-crawl/magpie/crawl"
	"github.com/magpie-crawl/magpie/extract"
	"github.com/magpie-crawl/magpie/store"
)

// site is a real server on loopback that knows what was asked of it.
type site struct {
	*httptest.Server
	pages map[string]http.HandlerFunc

	mu       sync.Mutex
	hits     map[string]int
	starts   []time.Time // of requests but robots.txt
	inFlight int
	peak     int
	held     chan struct{} // requests but robots.txt beyond free wait until it is closed; nil: none does
	free     int
}

func newSite(t *testing.T) *site {
	s := &site{pages: map[string]http.HandlerFunc{}, hits: map[string]int{}}
	s.Server = httptest.NewServer(s)
	t.Cleanup(s.Close)
	return s
}

func (s *site) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	s.hits[r.URL.Path]++
	if r.URL.Path != "/robots.txt" {
		s.starts = append(s.starts, time.Now())
		s.inFlight++
		s.peak = max(s.peak, s.inFlight)
		defer func() {
			s.mu.Lock()
			s.inFlight--
			s.mu.Unlock()
		}()
	}
	page, wait := s.pages[r.URL.Path], s.held
	if len(s.starts) <= s.free || r.URL.Path == "/robots.txt" {
		wait = nil
	}
	s.mu.Unlock()
	if wait != nil {
		<-wait
	}
	if page == nil {
		http.NotFound(w, r)
		return
	}
	page(w, r)
}

// hold has the site answer n requests, and the others after release.
func (s *site) hold(n int) (release func()) {
	held := make(chan struct{})
	s.mu.Lock()
	defer s.mu.Unlock()
	s.held, s.free = held, n
	return func() { close(held) }
}

// untilPeak waits until so many requests were in flight at once.
func (s *site) untilPeak(ctx context.Context, n int) {
	for ctx.Err() == nil {
		s.mu.Lock()
		peak := s.peak
		s.mu.Unlock()
		if peak >= n {
			return
		}
		time.Sleep(time.Millisecond)
	}
}

// page serves an HTML body whose links are the given references.
func (s *site) page(path string, refs ...string) {
	s.html(path, path, refs...)
}

func (s *site) html(path, title string, refs ...string) {
	var b strings.Builder
	fmt.Fprintf(&b, "<!DOCTYPE html><title>%s</title><h1>%s</h1>", title, title)
	for _, ref := range refs {
		fmt.Fprintf(&b, "<p><a href=%q>%s</a>", ref, ref)
	}
	s.pages[path] = func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprint(w, b.String())
	}
}

// text serves a plain body.
func (s *site) text(path, body string) {
	s.pages[path] = func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, body) }
}

// status answers with a status; kv are header names and values.
func (s *site) status(path string, status int, kv ...string) {
	s.pages[path] = func(w http.ResponseWriter, _ *http.Request) {
		for i := 0; i < len(kv); i += 2 {
			w.Header().Set(kv[i], kv[i+1])
		}
		w.WriteHeader(status)
	}
}

// first answers n times with a status before it lets the page be.
func (s *site) first(n int, path string, status int) {
	then := s.pages[path]
	var mu sync.Mutex
	s.pages[path] = func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		failing := n > 0
		n--
		mu.Unlock()
		if failing {
			w.WriteHeader(status)
			return
		}
		then(w, r)
	}
}

// asked returns the paths that were requested, robots.txt apart.
func (s *site) asked() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	paths := slices.Sorted(maps.Keys(s.hits))
	return slices.DeleteFunc(paths, func(p string) bool { return p == "/robots.txt" })
}

// titles is an extractor of one record a page.
func titles(t *testing.T) *extract.Extractor {
	x, err := extract.Compile(extract.Spec{Items: []extract.Item{{
		Name:   "page",
		Fields: []extract.Field{{Name: "title", CSS: "h1", Required: true}},
	}}})
	if err != nil {
		t.Fatal(err)
	}
	return x
}

// quick are options that let tests wait for milliseconds where users wait for
// seconds.
func quick(t *testing.T, s *site, change func(*crawl.Options)) crawl.Options {
	o := crawl.Options{
		Start:     []string{s.URL + "/"},
		Retry:     crawl.Retry{Delay: time.Millisecond},
		Extractor: titles(t),
	}
	if change != nil {
		change(&o)
	}
	return o
}

func openStore(t *testing.T) *store.DB {
	return openStoreAt(t, filepath.Join(t.TempDir(), "test.db"))
}

func openStoreAt(t *testing.T, path string) *store.DB {
	db, err := store.Open(path, store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	return db
}

// run crawls to the end.
func run(t *testing.T, db *store.DB, o crawl.Options) *crawl.Summary {
	t.Helper()
	c, err := crawl.New(o)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	defer cancel()
	sum, err := c.Crawl(ctx, db, crawl.Job{Name: "test"})
	if err != nil {
		t.Fatal(err)
	}
	return sum
}

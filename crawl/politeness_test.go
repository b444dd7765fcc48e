package crawl_test

import (
	"fmt"
	"net/http"
	"testing"
	"time"

	"github.com/magpie-crawl/magpie/crawl"
)

func TestCrawlIsPolite(t *testing.T) {
	wide := func(t *testing.T, n int) *site {
		s := newSite(t)
		var refs []string
		for i := range n {
			path := fmt.Sprintf("/%d", i)
			refs = append(refs, path)
			s.page(path)
		}
		s.page("/", refs...)
		return s
	}
	t.Run("requests in flight to one host", func(t *testing.T) {
		t.Parallel()
		s := wide(t, 40)
		for path, inner := range s.pages {
			s.pages[path] = func(w http.ResponseWriter, r *http.Request) {
				if path != "/" {
					s.untilPeak(r.Context(), 3)
				}
				inner(w, r)
			}
		}
		run(t, openStore(t), quick(t, s, func(o *crawl.Options) { o.Politeness.PerHost = 3 }))
		if s.peak != 3 {
			t.Errorf("at most %d requests at once, want 3", s.peak)
		}
	})
	t.Run("delay", func(t *testing.T) {
		t.Parallel()
		try(t, func(t *testing.T) faults {
			s := wide(t, 6)
			run(t, openStore(t), quick(t, s, func(o *crawl.Options) { o.Politeness.Delay = 40 * time.Millisecond }))
			return spacingFaults(t, s, 40*time.Millisecond, 7)
		})
	})
	t.Run("Crawl-delay", func(t *testing.T) {
		t.Parallel()
		try(t, func(t *testing.T) faults {
			s := wide(t, 6)
			s.text("/robots.txt", "User-agent: *\nCrawl-delay: 0.05")
			run(t, openStore(t), quick(t, s, nil))
			return spacingFaults(t, s, 50*time.Millisecond, 7)
		})
	})
	t.Run("Retry-After", func(t *testing.T) {
		t.Parallel()
		s := wide(t, 3)
		root := s.pages["/"]
		var first time.Time
		s.pages["/"] = func(w http.ResponseWriter, r *http.Request) {
			if first.IsZero() {
				first = time.Now()
				w.Header().Set("Retry-After", "1")
				w.WriteHeader(http.StatusTooManyRequests)
				return
			}
			if waited := time.Since(first); waited < time.Second {
				t.Errorf("asked again after %v, want a second", waited)
			}
			root(w, r)
		}
		if c := run(t, openStore(t), quick(t, s, nil)).Run.Counters; c.Pages != 4 {
			t.Errorf("%d pages, want 4", c.Pages)
		}
	})
}

// spacingFaults wants n requests, spread over n-1 delays. One that was held up
// on its way stands closer to the next, so half a delay is granted.
func spacingFaults(t *testing.T, s *site, delay time.Duration, n int) (f faults) {
	t.Helper()
	if len(s.starts) != n {
		t.Fatalf("%d requests, want %d", len(s.starts), n)
	}
	if span, least := s.starts[n-1].Sub(s.starts[0]), time.Duration(n-1)*delay-delay/2; span < least {
		f.add("%d requests came within %v, want at least %v", n, span, least)
	}
	for i := 1; i < n; i++ {
		if gap := s.starts[i].Sub(s.starts[i-1]); gap < delay/2 {
			f.add("request %d came %v after the one before it, want about %v", i, gap, delay)
		}
	}
	return f
}

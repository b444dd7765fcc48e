package crawl_test

import (
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/magpie-crawl/magpie/crawl"
	"github.com/magpie-crawl/magpie/crawl/fetch"
)

// TestLargeBodiesTakeTurns has room for one large body at a time, and pages that are tried again.
func TestLargeBodiesTakeTurns(t *testing.T) {
	s := newSite(t)
	var refs []string
	large := strings.Repeat("x", 2*fetch.LargeBody)
	const n = 10
	for i := range n {
		path := fmt.Sprintf("/%d", i)
		refs = append(refs, path)
		s.pages[path] = func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/html")
			io.WriteString(w, "<h1>x</h1>"+large)
		}
		s.first(i%2, path, http.StatusServiceUnavailable)
	}
	s.page("/", refs...)
	sum := run(t, openStore(t), quick(t, s, func(o *crawl.Options) {
		o.Limits.Memory = 1
		o.Politeness.PerHost, o.Politeness.Adaptive = 16, crawl.AdaptiveOff
	}))
	if c := sum.Run.Counters; c.Pages != n+1 || c.Failed != 0 {
		t.Errorf("%+v, want %d pages", c, n+1)
	}
}

// TestPanicFreesNoOther has room for one large body, which is still read when the program fails on the next request.
func TestPanicFreesNoOther(t *testing.T) {
	s := newSite(t)
	large := func(w http.ResponseWriter) {
		w.Header().Set("Content-Type", "text/html")
		io.WriteString(w, "<h1>x</h1>"+strings.Repeat("x", 2*fetch.LargeBody))
	}
	asked := make(chan struct{})
	s.page("/", "/large", "/panic", "/next")
	s.pages["/large"] = func(w http.ResponseWriter, _ *http.Request) { large(w) }
	s.pages["/next"] = func(w http.ResponseWriter, _ *http.Request) { close(asked); large(w) }
	var reading atomic.Int32
	sum := run(t, openStore(t), quick(t, s, func(o *crawl.Options) {
		o.Limits.Memory, o.Politeness.Concurrency, o.Retry.Times = 1, 1, -1
		o.OnRequest = func(r *crawl.Outgoing) error {
			if strings.HasSuffix(r.URL, "/panic") {
				panic("oh")
			}
			return nil
		}
		o.OnPage = func(p *crawl.PageVisit) error {
			if len(p.Body) < fetch.LargeBody {
				return nil
			}
			if n := reading.Add(1); n > 1 {
				t.Errorf("%d large bodies are held", n)
			}
			defer reading.Add(-1)
			if strings.HasSuffix(p.URL, "/large") {
				<-asked
				time.Sleep(200 * time.Millisecond) // for a body to come in that must not
			}
			return nil
		}
	}))
	if c := sum.Run.Counters; c.Pages != 3 || c.Failures[crawl.ReasonPanic] != 1 {
		t.Errorf("%+v", c)
	}
}

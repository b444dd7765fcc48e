package crawl_test

import (
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

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

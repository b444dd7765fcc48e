package storetest

import (
	"errors"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/magpie-crawl/magpie/crawl"
)

// testConcurrency has a store used from several goroutines.
func testConcurrency(t *testing.T, open opener) {
	runCases(t, open, []testCase{
		{"readers and renewals beside commits", func(t *testing.T, s crawl.Store) {
			r := begin(t, s, job(numbered("p%d", 60)...))
			stop := overAndOver(t, []func() error{
				func() error { return r.Renew(t.Context()) },
				func() error { return r.Hosts(t.Context(), func(crawl.HostQueue) bool { return true }) },
				func() error { _, _, err := r.Window(t.Context(), host, time.Now(), 10, nil); return err },
				func() error { r.Info(); return nil },
			})
			defer stop()
			for _, q := range window(t, r) {
				commit(t, r, &crawl.Visit{Request: q, State: crawl.Done, Page: page(q.URL), Links: []crawl.Link{link("x", 1)}})
			}
			stop()
			same(t, "pages", counters(r).Pages, int64(60))
		}},
		{"of many who want a job one gets it", func(t *testing.T, s crawl.Store) {
			var all sync.WaitGroup
			var got atomic.Int32
			for range 8 {
				all.Go(func() {
					r, err := s.Begin(t.Context(), job("a"))
					if err != nil {
						if !errors.Is(err, crawl.ErrHeld) {
							t.Error(err)
						}
						return
					}
					t.Cleanup(func() { r.Close() })
					got.Add(1)
				})
			}
			all.Wait()
			same(t, "how many got it", got.Load(), int32(1))
		}},
	})
}

// overAndOver makes each call again and again in a goroutine of its own, until
// one fails or stop is called, which returns when none is under way.
func overAndOver(t *testing.T, calls []func() error) (stop func()) {
	var all sync.WaitGroup
	var stopped atomic.Bool
	for _, call := range calls {
		all.Go(func() {
			for !stopped.Load() {
				if err := call(); err != nil {
					t.Error(err)
					return
				}
			}
		})
	}
	return func() {
		stopped.Store(true)
		all.Wait()
	}
}

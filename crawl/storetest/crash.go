package storetest

import (
	"errors"
	"sync"
	"testing"
	"time"

	"github.com/magpie-crawl/magpie/crawl"
)

func testCrash(t *testing.T, open func(t *testing.T) crawl.Store) {
	crash := func(t *testing.T, s crawl.Store) crawl.Store {
		t.Helper()
		f, ok := s.(Faulty)
		if !ok {
			t.Skip("the store does not implement storetest.Faulty: it cannot be made to crash")
		}
		return f.Crash(t)
	}
	runCases(t, open, []testCase{
		{"what was committed is there, what was in flight is pending", func(t *testing.T, s crawl.Store) {
			r := begin(t, s, job("a", "b"))
			v := fetched(t, r, "a", link("c", 1), skipped("d", 1, crawl.ReasonScope))
			v.Records = records(book("a", "k", "One"))
			commit(t, r, v)
			inFlight := request(t, r, "b")
			info, want := r.Info(), counters(r)

			left := crash(t, s)
			resumed := begin(t, left, job("x"))
			got := resumed.Info()
			if !got.Resumed || got.ID != info.ID || got.Number != info.Number || !got.Started.Equal(info.Started) {
				t.Errorf("Info = %+v, want %+v, resumed", got, info)
			}
			same(t, "counters", counters(resumed), want)
			same(t, "pending", pending(t, resumed), []string{"b", "c"})
			same(t, "request that was in flight", request(t, resumed, "b"), inFlight)
			commit(t, resumed, fetched(t, resumed, "b", link("c", 1)))
			same(t, "pending", pending(t, resumed), []string{"c"})
		}},
		{"a crash before the first page", func(t *testing.T, s crawl.Store) {
			begin(t, s, job("a"))
			r := begin(t, crash(t, s), job("a"))
			if info := r.Info(); info.Number != 1 || !info.Resumed {
				t.Errorf("Info = %+v", info)
			}
			same(t, "pending", pending(t, r), []string{"a"})
		}},
		{"a crash between Finish and Close", func(t *testing.T, s crawl.Store) {
			r := begin(t, s, job("a"))
			if err := r.Finish(t.Context(), ""); err != nil {
				t.Fatal(err)
			}
			if info := begin(t, crash(t, s), job("a")).Info(); info.Number != 2 || info.Resumed {
				t.Errorf("Info = %+v", info)
			}
		}},
	})
}

func testConcurrency(t *testing.T, open func(t *testing.T) crawl.Store) {
	t.Run("readers and renewals beside commits", func(t *testing.T) {
		r := begin(t, open(t), job(numbered("p%d", 60)...))
		var others sync.WaitGroup
		stop := make(chan struct{})
		for _, call := range []func() error{
			func() error { return r.Renew(t.Context()) },
			func() error { return r.Hosts(t.Context(), func(crawl.HostQueue) bool { return true }) },
			func() error { _, _, err := r.Window(t.Context(), host, time.Now(), 10, nil); return err },
			func() error { r.Info(); return nil },
		} {
			others.Go(func() {
				for {
					select {
					case <-stop:
						return
					default:
						if err := call(); err != nil {
							t.Error(err)
							return
						}
					}
				}
			})
		}
		for _, q := range window(t, r) {
			commit(t, r, &crawl.Visit{Request: q, State: crawl.Done, Page: page(q.URL), Links: []crawl.Link{link("x", 1)}})
		}
		close(stop)
		others.Wait()
		same(t, "pages", counters(r).Pages, int64(60))
	})
	t.Run("of many who want a job one gets it", func(t *testing.T) {
		s := open(t)
		var all sync.WaitGroup
		var mu sync.Mutex
		got := 0
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
				mu.Lock()
				got++
				mu.Unlock()
			})
		}
		all.Wait()
		if got != 1 {
			t.Errorf("%d got it", got)
		}
	})
}

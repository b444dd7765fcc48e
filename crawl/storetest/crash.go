package storetest

import (
	"testing"

	"github.com/magpie-crawl/magpie/crawl"
)

// testCrash goes on after a process was killed.
func testCrash(t *testing.T, open opener) {
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
			finish(t, r, "")
			if info := begin(t, crash(t, s), job("a")).Info(); info.Number != 2 || info.Resumed {
				t.Errorf("Info = %+v", info)
			}
		}},
	})
}

// crash kills the process, and returns the store it left.
func crash(t *testing.T, s crawl.Store) crawl.Store {
	t.Helper()
	f, ok := s.(Faulty)
	if !ok {
		t.Skip("the store does not implement storetest.Faulty: it cannot be made to crash")
	}
	return f.Crash(t)
}

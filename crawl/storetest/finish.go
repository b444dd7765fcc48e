package storetest

import (
	"testing"

	"github.com/magpie-crawl/magpie/crawl"
)

// testFinish looks at what is left of a run that was finished or closed.
func testFinish(t *testing.T, open opener) {
	runCases(t, open, []testCase{
		{"a finished run is followed by a new one at the seeds", func(t *testing.T, s crawl.Store) {
			r := begin(t, s, job("a"))
			commit(t, r, fetched(t, r, "a", link("b", 1)))
			commit(t, r, fetched(t, r, "b"))
			r = next(t, s, r, job("a"))
			if info := r.Info(); info.Number != 2 || info.Resumed {
				t.Errorf("Info = %+v", info)
			}
			same(t, "pending", pending(t, r), []string{"a"})
			same(t, "counters", counters(r), crawl.Counters{})
		}},
		{"a finished run's leftovers are not in the next one's frontier", func(t *testing.T, s crawl.Store) {
			r := begin(t, s, job("a", "b"))
			r = next(t, s, r, job("a"))
			same(t, "pending", pending(t, r), []string{"a"})
		}},
		{"a finished run is not resumed", func(t *testing.T, s crawl.Store) {
			r := begin(t, s, job("a", "b"))
			finish(t, r, "pages")
			r.Close()
			if info := begin(t, s, job("a")).Info(); info.Number != 2 || info.Resumed {
				t.Errorf("Info = %+v", info)
			}
		}},
		{"a finished run takes no visits", func(t *testing.T, s crawl.Store) {
			r := begin(t, s, job("a"))
			visit := fetched(t, r, "a")
			finish(t, r, "")
			if _, err := r.Commit(t.Context(), []*crawl.Visit{visit}); err == nil {
				t.Error("Commit succeeded")
			}
		}},
		{"a closed run takes no visits", func(t *testing.T, s crawl.Store) {
			r := begin(t, s, job("a"))
			visit := fetched(t, r, "a")
			r.Close()
			if _, err := r.Commit(t.Context(), []*crawl.Visit{visit}); err == nil {
				t.Error("Commit succeeded")
			}
			same(t, "pending", pending(t, begin(t, s, job())), []string{"a"})
		}},
	})
}

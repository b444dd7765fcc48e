package storetest

import (
	"testing"

	"github.com/magpie-crawl/magpie/crawl"
)

// testResume begins jobs whose last run was interrupted.
func testResume(t *testing.T, open opener) {
	runCases(t, open, []testCase{
		{"an unfinished run is resumed with its own frontier", func(t *testing.T, s crawl.Store) {
			r := begin(t, s, job("a", "b"))
			commit(t, r, fetched(t, r, "a", link("c", 1)))
			first, want := r.Info(), counters(r)
			r = again(t, s, r, job("x"))
			info := r.Info()
			if info.ID != first.ID || info.Number != 1 || !info.Resumed || !info.Started.Equal(first.Started) {
				t.Errorf("Info = %+v, want that of %+v, resumed", info, first)
			}
			same(t, "pending", pending(t, r), []string{"b", "c"})
			same(t, "counters", counters(r), want)
		}},
		{"an unfinished run whose frontier is empty is resumed too", func(t *testing.T, s crawl.Store) {
			r := begin(t, s, job("a"))
			commit(t, r, fetched(t, r, "a"))
			r = again(t, s, r, job("a"))
			if info := r.Info(); info.Number != 1 || !info.Resumed {
				t.Errorf("Info = %+v", info)
			}
			same(t, "pending", pending(t, r), []string{})
		}},
		{"a fresh start leaves the unfinished run behind", func(t *testing.T, s crawl.Store) {
			r := begin(t, s, job("a"))
			commit(t, r, fetched(t, r, "a", link("b", 1), link("c", 1)))
			first := r.Info().ID
			j := job("a", "b")
			j.Fresh = true
			r = again(t, s, r, j)
			info := r.Info()
			if info.ID == first || info.Number != 2 || info.Resumed {
				t.Errorf("Info = %+v", info)
			}
			same(t, "pending", pending(t, r), []string{"a", "b"})
		}},
	})
}

// testContinue begins jobs whose last run is to go on although it is finished.
func testContinue(t *testing.T, open opener) {
	runCases(t, open, []testCase{
		{"continued, a run that a limit ended goes on", func(t *testing.T, s crawl.Store) {
			r := begin(t, s, job("a", "b"))
			commit(t, r, fetched(t, r, "a", link("c", 1)))
			first := r.Info().ID
			finish(t, r, crawl.LimitPages)
			j := job("a")
			j.Continue = true
			r = again(t, s, r, j)
			if info := r.Info(); info.ID != first || !info.Resumed || info.Counters.Pages != 1 {
				t.Errorf("Info = %+v", info)
			}
			same(t, "pending", pending(t, r), []string{"b", "c"})
		}},
		{"continued, a run that is through is followed by a new one", func(t *testing.T, s crawl.Store) {
			r := begin(t, s, job("a"))
			commit(t, r, fetched(t, r, "a"))
			j := job("a")
			j.Continue = true
			r = next(t, s, r, j)
			if info := r.Info(); info.Number != 2 || info.Resumed {
				t.Errorf("Info = %+v", info)
			}
		}},
	})
}

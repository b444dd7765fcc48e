package storetest

import (
	"testing"
	"time"

	"github.com/magpie-crawl/magpie/crawl"
)

// testRecall puts pages of earlier runs into the frontier.
func testRecall(t *testing.T, open opener) {
	runCases(t, open, []testCase{
		{"pages that no link of the run led to", func(t *testing.T, s crawl.Store) {
			r := orphans(t, s, job("a"))
			same(t, "pending before", pending(t, r), []string{})
			same(t, "added", recall(t, r, 100), map[string]int64{host: 2, elsewhere.Host: 1})
			same(t, "pending", pending(t, r), []string{"b", "c"})
			same(t, "Past", request(t, r, "b").Past, revisit(0))
			same(t, "added again", len(recall(t, r, 100)), 0)
		}},
		{"a few at a time, each once", func(t *testing.T, s crawl.Store) {
			r := orphans(t, s, job("a"))
			var total int64
			for {
				added := recall(t, r, 1)
				if len(added) == 0 {
					break
				}
				for _, n := range added {
					total += n
				}
			}
			same(t, "recalled", total, int64(3))
		}},
		{"none in a first run", func(t *testing.T, s crawl.Store) {
			r := begin(t, s, job("a"))
			commit(t, r, remembered(t, r, "a", revisit(0)))
			same(t, "added", len(recall(t, r, 100)), 0)
		}},
		{"none of runs with another plan", func(t *testing.T, s crawl.Store) {
			other := job("a")
			other.Plan = "other"
			r := orphans(t, s, other)
			same(t, "added", len(recall(t, r, 100)), 0)
		}},
		{"none that are gone", func(t *testing.T, s crawl.Store) {
			r := orphans(t, s, job("a", "b"))
			commit(t, r, missing(t, r, "b", 1, true))
			r = next(t, s, r, job("a"))
			commit(t, r, remembered(t, r, "a", revisit(0)))
			same(t, "added", recall(t, r, 100), map[string]int64{host: 1, elsewhere.Host: 1})
			same(t, "pending", pending(t, r), []string{"c"})
		}},
		{"not those of another job", func(t *testing.T, s crawl.Store) {
			r := orphans(t, s, job("a"))
			other := begin(t, s, otherJob("z"))
			same(t, "added", len(recall(t, other, 100)), 0)
			same(t, "added here", len(recall(t, r, 100)), 2)
		}},
		{"what was put back is there after an interruption", func(t *testing.T, s crawl.Store) {
			r := orphans(t, s, job("a"))
			recall(t, r, 1)
			r = again(t, s, r, job("a"))
			same(t, "pending", pending(t, r), []string{"b"})
			same(t, "added", recall(t, r, 100), map[string]int64{host: 1, elsewhere.Host: 1})
		}},
	})
}

// orphans begins the second run of a job. Pages "b" and "c" and elsewhere are
// those that page "a" linked to in the first run alone, and that answered well;
// "never" was not visited.
func orphans(t *testing.T, s crawl.Store, second crawl.Job) crawl.Run {
	t.Helper()
	r := begin(t, s, job("a"))
	commit(t, r, remembered(t, r, "a", revisit(0), link("b", 1), link("c", 1), link("never", 1), elsewhere))
	commit(t, r, remembered(t, r, "b", revisit(0)), remembered(t, r, "c", revisit(0)))
	due, _, err := r.Window(t.Context(), elsewhere.Host, time.Now(), 10, nil)
	if err != nil || len(due) != 1 {
		t.Fatal(due, err)
	}
	commit(t, r, &crawl.Visit{Request: due[0], State: crawl.Done, Page: page("x"), Lessons: crawl.Lessons{Revisit: revisit(0)}})
	r = next(t, s, r, second)
	commit(t, r, remembered(t, r, "a", revisit(0)))
	return r
}

// recall recalls up to limit pages, and returns how many by host.
func recall(t *testing.T, r crawl.Run, limit int) map[string]int64 {
	t.Helper()
	added, err := r.Recall(t.Context(), limit)
	if err != nil {
		t.Fatal(err)
	}
	return added
}

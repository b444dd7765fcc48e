package storetest

import (
	"testing"
	"time"

	"github.com/magpie-crawl/magpie/crawl"
)

// testNewRun begins jobs that have no run to go on with.
func testNewRun(t *testing.T, open opener) {
	runCases(t, open, []testCase{
		{"a new job starts run 1 at its seeds", func(t *testing.T, s crawl.Store) {
			before := time.Now().Add(-time.Second)
			r := begin(t, s, job("a", "b"))
			info := r.Info()
			if info.Number != 1 || info.Resumed || info.ID == 0 {
				t.Errorf("Info = %+v", info)
			}
			if info.Started.Before(before) || info.Started.After(time.Now().Add(time.Second)) {
				t.Errorf("Started = %v", info.Started)
			}
			same(t, "pending", pending(t, r), []string{"a", "b"})
			same(t, "counters", counters(r), crawl.Counters{})
		}},
		{"a job without seeds has an empty frontier", func(t *testing.T, s crawl.Store) {
			r := begin(t, s, job())
			same(t, "pending", pending(t, r), []string{})
			same(t, "hosts", hosts(t, r), map[string]int64{})
		}},
		{"a seed given twice is one URL", func(t *testing.T, s crawl.Store) {
			same(t, "pending", pending(t, begin(t, s, job("a", "a"))), []string{"a"})
		}},
		{"a seed with a verdict is skipped and counted", func(t *testing.T, s crawl.Store) {
			j := job("a")
			j.Seeds = append(j.Seeds, skipped("b", 0, crawl.ReasonRobots))
			r := begin(t, s, j)
			same(t, "pending", pending(t, r), []string{"a"})
			same(t, "counters", counters(r), crawl.Counters{Skipped: map[crawl.Reason]int64{crawl.ReasonRobots: 1}})
		}},
		{"jobs are apart", func(t *testing.T, s crawl.Store) {
			a, b := begin(t, s, job("a", "b")), begin(t, s, otherJob("a"))
			commit(t, a, fetched(t, a, "a", link("c", 1)))
			same(t, "pending in the other job", pending(t, b), []string{"a"})
			if a.Info().ID == b.Info().ID {
				t.Error("two jobs share a run")
			}
		}},
		{"a context that has ended begins nothing", func(t *testing.T, s crawl.Store) {
			if r, err := s.Begin(canceled(t), job("a")); err == nil {
				r.Close()
				t.Fatal("Begin succeeded")
			}
			if info := begin(t, s, job("a")).Info(); info.Number != 1 || info.Resumed {
				t.Errorf("Info = %+v", info)
			}
		}},
	})
}

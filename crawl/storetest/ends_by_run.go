package storetest

import (
	"testing"

	"github.com/magpie-crawl/magpie/crawl"
)

// testEndsByRun looks at what ends with a run as a whole.
func testEndsByRun(t *testing.T, open opener) {
	runCases(t, open, []testCase{
		{"a run that looks for other items", func(t *testing.T, s crawl.Store) {
			firstRun(t, s)
			j := job("a", "b")
			j.Items.Items[0].Name = "author"
			got := visitAll(t, s, j, func(r crawl.Run) []*crawl.Visit { return []*crawl.Visit{showing(t, r, "a")} })
			same(t, "changes", got, changes{})
		}},
		{"an item that no spec declares", func(t *testing.T, s crawl.Store) {
			j := job("a", "b")
			j.Items.Items = nil
			for i, want := range []changes{{New: 3}, {Unchanged: 1, Gone: 1}} {
				got := visitAll(t, s, j, func(r crawl.Run) []*crawl.Visit {
					if i == 0 {
						return allShown(t, r)
					}
					return []*crawl.Visit{showing(t, r, "a", "k1", "One")}
				})
				same(t, "changes", got, want)
			}
		}},
		{"another job's records", func(t *testing.T, s crawl.Store) {
			firstRun(t, s)
			got := visitAll(t, s, otherJob("a", "b"), func(r crawl.Run) []*crawl.Visit { return []*crawl.Visit{showing(t, r, "a")} })
			same(t, "changes", got, changes{})
		}},
		{"once", func(t *testing.T, s crawl.Store) {
			firstRun(t, s)
			for _, want := range []changes{{Unchanged: 1, Gone: 1}, {Unchanged: 1}} {
				got := visitAll(t, s, job("a", "b"), func(r crawl.Run) []*crawl.Visit { return []*crawl.Visit{showing(t, r, "a", "k1", "One")} })
				same(t, "changes", got, want)
			}
		}},
		{"a run that a limit ended and that goes on", func(t *testing.T, s crawl.Store) {
			firstRun(t, s)
			r := begin(t, s, job("a", "b"))
			commit(t, r, showing(t, r, "a", "k1", "One"))
			same(t, "at the limit", foundAtEnd(t, r, crawl.LimitPages), changes{Unchanged: 1, Gone: 1})
			j := job()
			j.Continue = true
			r = begin(t, s, j)
			same(t, "gone so far", counters(r).RecordsGone, int64(0))
			commit(t, r, showing(t, r, "b", "k2", "Two", "k3", "Three!"))
			same(t, "at the end", foundAtEnd(t, r, ""), changes{Unchanged: 2, Changed: 1})
		}},
		{"an interrupted run ends nothing before it is finished", func(t *testing.T, s crawl.Store) {
			firstRun(t, s)
			r := begin(t, s, job("a", "b"))
			commit(t, r, showing(t, r, "a", "k1", "One"))
			r = again(t, s, r, job("a", "b"))
			same(t, "gone so far", counters(r).RecordsGone, int64(0))
			commit(t, r, showing(t, r, "b", "k2", "Two"))
			same(t, "at the end", foundAtEnd(t, r, ""), changes{Unchanged: 2, Gone: 1})
		}},
	})
}

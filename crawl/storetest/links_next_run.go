package storetest

import (
	"testing"

	"github.com/magpie-crawl/magpie/crawl"
)

// testLinksNextRun finds a URL of one run in the next.
func testLinksNextRun(t *testing.T, open opener) {
	visit := func(state crawl.State, reason crawl.Reason) func(t *testing.T, r crawl.Run) {
		return func(t *testing.T, r crawl.Run) {
			commit(t, r, fetched(t, r, "a", link("x", 5)))
			commit(t, r, &crawl.Visit{Request: request(t, r, "x"), State: state, Reason: reason})
		}
	}
	cases := []struct {
		name  string
		first func(t *testing.T, r crawl.Run)
	}{
		{"done", visit(crawl.Done, "")},
		{"failed", visit(crawl.Failed, "dns")},
		{"skipped by a visit", visit(crawl.Skipped, crawl.ReasonRobots)},
		{"put back", visit(crawl.Pending, "status")},
		{"left pending", func(t *testing.T, r crawl.Run) { commit(t, r, fetched(t, r, "a", link("x", 5))) }},
		{"skipped by its link", func(t *testing.T, r crawl.Run) {
			commit(t, r, fetched(t, r, "a", skipped("x", 5, crawl.ReasonScope)))
		}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			s := open(t)
			r := begin(t, s, job("a"))
			c.first(t, r)
			r = next(t, s, r, job("a", "b"))
			same(t, "pending before", pending(t, r), []string{"a", "b"})
			out := commit(t, r, fetched(t, r, "a", link("x", 7)))
			same(t, "added", out[0].Added, map[string]int64{host: 1})
			q := request(t, r, "x")
			if q.Depth != 7 || q.Attempts != 0 {
				t.Errorf("request = %+v", q)
			}
			out = commit(t, r, fetched(t, r, "b", link("x", 7)))
			same(t, "added a second time", len(out[0].Added), 0)
			same(t, "skipped", counters(r).Skipped, map[crawl.Reason]int64(nil))
		})
		t.Run(c.name+", now with a verdict", func(t *testing.T) {
			s := open(t)
			r := begin(t, s, job("a"))
			c.first(t, r)
			r = next(t, s, r, job("a"))
			out := commit(t, r, fetched(t, r, "a", skipped("x", 7, crawl.ReasonScope)))
			same(t, "added", len(out[0].Added), 0)
			same(t, "pending", pending(t, r), []string{})
			same(t, "skipped", counters(r).Skipped, map[crawl.Reason]int64{crawl.ReasonScope: 1})
		})
	}
}

package storetest

import (
	"testing"

	"github.com/magpie-crawl/magpie/crawl"
)

func testLinks(t *testing.T, open func(t *testing.T) crawl.Store) {
	t.Run("found twice in a run", func(t *testing.T) { testSecondLink(t, open) })
	t.Run("found again in the next run", func(t *testing.T) { testNextRun(t, open) })
	runCases(t, open, []testCase{
		{"what was added is told by host", func(t *testing.T, s crawl.Store) {
			r := begin(t, s, job("a"))
			out := commit(t, r, fetched(t, r, "a", link("b", 1), link("c", 1), link("a", 1), skipped("d", 1, crawl.ReasonScope),
				crawl.Link{URL: "http://other.test/", Host: "other.test", Depth: 1}))
			same(t, "added", out[0].Added, map[string]int64{host: 2, "other.test": 1})
		}},
		{"a URL that stands twice among the links", func(t *testing.T, s crawl.Store) {
			r := begin(t, s, job("a"))
			out := commit(t, r, fetched(t, r, "a", link("b", 1), link("b", 1), skipped("c", 9, crawl.ReasonDepth), link("c", 1)))
			same(t, "added", out[0].Added, map[string]int64{host: 2})
			same(t, "pending", pending(t, r), []string{"b", "c"})
			same(t, "skipped", counters(r).Skipped, map[crawl.Reason]int64(nil))
		}},
		{"a page with very many links", func(t *testing.T, s crawl.Store) {
			r := begin(t, s, job("a", "b"))
			var links []crawl.Link
			for _, path := range numbered("l%d", 1000) {
				links = append(links, link(path, 1))
			}
			out := commit(t, r, fetched(t, r, "a", links[:700]...), fetched(t, r, "b", links...))
			same(t, "added by the first", out[0].Added, map[string]int64{host: 700})
			same(t, "added by the second", out[1].Added, map[string]int64{host: 300})
			same(t, "pending", len(window(t, r)), 1000)
		}},
		{"URLs that differ in little are different", func(t *testing.T, s crawl.Store) {
			r := begin(t, s, job("a"))
			paths := []string{"x", "X", "x/", "x?", "x?a", "x%20", "\u00e9", "e\u0301"}
			var links []crawl.Link
			for _, path := range paths {
				links = append(links, link(path, 1))
			}
			commit(t, r, fetched(t, r, "a", links...))
			same(t, "pending", pending(t, r), paths)
		}},
	})
}

// testSecondLink finds a URL twice in one run.
func testSecondLink(t *testing.T, open func(t *testing.T) crawl.Store) {
	redirected := func(depth, redirects int) crawl.Link {
		l := link("x", depth)
		l.Redirects = redirects
		return l
	}
	cases := []struct {
		name          string
		first, second crawl.Link
		added         int64 // by the second
		pending       bool
		depth         int // if pending
		skipped       map[crawl.Reason]int64
	}{
		{"pending, same depth", link("x", 2), link("x", 2), 0, true, 2, nil},
		{"pending, deeper", link("x", 2), link("x", 3), 0, true, 2, nil},
		{"pending, less deep", link("x", 3), link("x", 2), 0, true, 2, nil},
		{"pending, less deep after a redirect", link("x", 3), redirected(2, 1), 0, true, 2, nil},
		{"pending, then too deep", link("x", 2), skipped("x", 9, crawl.ReasonDepth), 0, true, 2, nil},
		{"too deep, then near enough", skipped("x", 9, crawl.ReasonDepth), link("x", 2), 1, true, 2, nil},
		{"too deep, then too deep but less so", skipped("x", 9, crawl.ReasonDepth), skipped("x", 8, crawl.ReasonDepth), 0, false, 0, map[crawl.Reason]int64{crawl.ReasonDepth: 1}},
		{"too deep, then out of scope", skipped("x", 9, crawl.ReasonDepth), skipped("x", 2, crawl.ReasonScope), 0, false, 0, map[crawl.Reason]int64{crawl.ReasonDepth: 1}},
		{"too many redirects, then a plain link", skipped("x", 2, crawl.ReasonRedirects), link("x", 2), 1, true, 2, nil},
		{"out of scope stays so", skipped("x", 2, crawl.ReasonScope), link("x", 1), 0, false, 0, map[crawl.Reason]int64{crawl.ReasonScope: 1}},
		{"forbidden stays so", skipped("x", 2, crawl.ReasonRobots), link("x", 1), 0, false, 0, map[crawl.Reason]int64{crawl.ReasonRobots: 1}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			s := open(t)
			r := begin(t, s, job("a", "b", "c"))
			commit(t, r, fetched(t, r, "a", c.first))
			out := commit(t, r, fetched(t, r, "b", c.second))
			same(t, "added", out[0].Added[host], c.added)
			check := func(what string, r crawl.Run) {
				depth, isPending := 0, false
				for _, q := range window(t, r) {
					if q.URL == url("x") {
						depth, isPending = q.Depth, true
					}
				}
				if isPending != c.pending || depth != c.depth {
					t.Errorf("%s: pending = %v at depth %d, want %v at %d", what, isPending, depth, c.pending, c.depth)
				}
				same(t, what+": skipped", counters(r).Skipped, c.skipped)
			}
			check("run", r)
			r = again(t, s, r, false, job())
			check("resumed run", r)
			// Once more, now that nothing is remembered but what is stored.
			out = commit(t, r, fetched(t, r, "c", c.first, c.second))
			same(t, "added once more", out[0].Added[host], int64(0))
			check("once more", r)
		})
	}
	for _, state := range []crawl.State{crawl.Done, crawl.Failed, crawl.Skipped} {
		t.Run("settled "+[]string{crawl.Done: "done", crawl.Failed: "failed", crawl.Skipped: "skipped"}[state], func(t *testing.T) {
			r := begin(t, open(t), job("a", "x"))
			v := &crawl.Visit{Request: request(t, r, "x"), State: state}
			if state != crawl.Done {
				v.Reason = "robots"
			}
			commit(t, r, v)
			out := commit(t, r, fetched(t, r, "a", link("x", 0)))
			same(t, "added", out[0].Added[host], int64(0))
			same(t, "pending", pending(t, r), []string{})
		})
	}
	t.Run("skipped for its depth by a visit, then near enough", func(t *testing.T) {
		r := begin(t, open(t), job("a", "x"))
		commit(t, r, &crawl.Visit{Request: request(t, r, "x"), State: crawl.Skipped, Reason: crawl.ReasonDepth})
		out := commit(t, r, fetched(t, r, "a", link("x", 1)))
		same(t, "added", out[0].Added[host], int64(1))
		same(t, "pending", pending(t, r), []string{"x"})
	})
	t.Run("a link of a visit that was not stored is not known", func(t *testing.T) {
		r := begin(t, open(t), job("a", "b"))
		a := fetched(t, r, "a", link("x", 1))
		if _, err := r.Commit(canceled(t), []*crawl.Visit{a}); err == nil {
			t.Fatal("Commit succeeded")
		}
		commit(t, r, fetched(t, r, "b", link("x", 1)))
		same(t, "pending", pending(t, r), []string{"a", "x"})
	})
}

// testNextRun finds a URL of one run in the next.
func testNextRun(t *testing.T, open func(t *testing.T) crawl.Store) {
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
			r = again(t, s, r, true, job("a", "b"))
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
			r = again(t, s, r, true, job("a"))
			out := commit(t, r, fetched(t, r, "a", skipped("x", 7, crawl.ReasonScope)))
			same(t, "added", len(out[0].Added), 0)
			same(t, "pending", pending(t, r), []string{})
			same(t, "skipped", counters(r).Skipped, map[crawl.Reason]int64{crawl.ReasonScope: 1})
		})
	}
}

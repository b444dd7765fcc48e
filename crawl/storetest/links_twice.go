package storetest

import (
	"testing"

	"github.com/magpie-crawl/magpie/crawl"
)

// testLinksTwice finds a URL twice in one run.
func testLinksTwice(t *testing.T, open opener) {
	for _, c := range []secondLink{
		{"pending, same depth", link("x", 2), link("x", 2), 0, true, 2, nil},
		{"pending, deeper", link("x", 2), link("x", 3), 0, true, 2, nil},
		{"pending, less deep", link("x", 3), link("x", 2), 0, true, 2, nil},
		{"pending, less deep after a redirect", link("x", 3), redirected("x", 2, 1), 0, true, 2, nil},
		{"pending, then too deep", link("x", 2), skipped("x", 9, crawl.ReasonDepth), 0, true, 2, nil},
		{"too deep, then near enough", skipped("x", 9, crawl.ReasonDepth), link("x", 2), 1, true, 2, nil},
		{"too deep, then too deep but less so", skipped("x", 9, crawl.ReasonDepth), skipped("x", 8, crawl.ReasonDepth), 0, false, 0, map[crawl.Reason]int64{crawl.ReasonDepth: 1}},
		{"too deep, then out of scope", skipped("x", 9, crawl.ReasonDepth), skipped("x", 2, crawl.ReasonScope), 0, false, 0, map[crawl.Reason]int64{crawl.ReasonDepth: 1}},
		{"too many redirects, then a plain link", skipped("x", 2, crawl.ReasonRedirects), link("x", 2), 1, true, 2, nil},
		{"out of scope stays so", skipped("x", 2, crawl.ReasonScope), link("x", 1), 0, false, 0, map[crawl.Reason]int64{crawl.ReasonScope: 1}},
		{"forbidden stays so", skipped("x", 2, crawl.ReasonRobots), link("x", 1), 0, false, 0, map[crawl.Reason]int64{crawl.ReasonRobots: 1}},
	} {
		t.Run(c.name, func(t *testing.T) { c.run(t, open(t)) })
	}
}

// secondLink is a link to page "x", found after another one.
type secondLink struct {
	name          string
	first, second crawl.Link
	added         int64 // by the second
	pending       bool
	depth         int // if pending
	skipped       map[crawl.Reason]int64
}

// run finds the links on two pages, and both once more after an interruption,
// when nothing is remembered but what is stored.
func (c secondLink) run(t *testing.T, s crawl.Store) {
	r := begin(t, s, job("a", "b", "c"))
	commit(t, r, fetched(t, r, "a", c.first))
	out := commit(t, r, fetched(t, r, "b", c.second))
	same(t, "added", out[0].Added[host], c.added)
	c.check(t, "run", r)
	r = again(t, s, r, job())
	c.check(t, "resumed run", r)
	out = commit(t, r, fetched(t, r, "c", c.first, c.second))
	same(t, "added once more", out[0].Added[host], int64(0))
	c.check(t, "once more", r)
}

// check looks at what became of page "x".
func (c secondLink) check(t *testing.T, what string, r crawl.Run) {
	t.Helper()
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

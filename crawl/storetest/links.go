package storetest

import (
	"testing"

	"github.com/magpie-crawl/magpie/crawl"
)

// testLinks commits the links of one page.
func testLinks(t *testing.T, open opener) {
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

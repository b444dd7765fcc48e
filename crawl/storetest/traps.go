package storetest

import (
	"slices"
	"strings"
	"testing"

	"github.com/magpie-crawl/magpie/crawl"
)

func testTraps(t *testing.T, open func(t *testing.T) crawl.Store) {
	runCases(t, open, []testCase{
		{"requests go by rank, then by depth", func(t *testing.T, s crawl.Store) {
			r := begin(t, s, job("a"))
			ranked := func(path string, depth, rank int) crawl.Link {
				l := link(path, depth)
				l.Rank = rank
				return l
			}
			commit(t, r, fetched(t, r, "a", ranked("last", 1, 7), ranked("second", 2, 5), ranked("first", 9, -5), ranked("third", 3, 5)))
			var order []string
			for _, q := range window(t, r) {
				order = append(order, q.URL)
			}
			same(t, "order", order, []string{url("first"), url("second"), url("third"), url("last")})
		}},
		{"what was learned of URLs like a page's", func(t *testing.T, s crawl.Store) {
			r := begin(t, s, job("a", "b", "c"))
			same(t, "traps of a new run", traps(t, r), []crawl.Trap(nil))
			visit := func(path string, trap crawl.Trap) *crawl.Visit {
				v := fetched(t, r, path)
				v.Trap = &trap
				return v
			}
			commit(t, r, visit("a", crawl.Trap{Shape: "x/#", Streak: 10, Sums: []uint64{1, 1 << 63}}), visit("b", crawl.Trap{Shape: "y/#?a", Streak: 30}))
			r = again(t, s, r, false, job())
			commit(t, r, visit("c", crawl.Trap{Shape: "x/#", Streak: 20, Sums: []uint64{2}}))
			r = again(t, s, r, false, job())
			same(t, "traps", traps(t, r), []crawl.Trap{{Shape: "x/#", Streak: 20, Sums: []uint64{2}}, {Shape: "y/#?a", Streak: 30}})
			r = again(t, s, r, true, job("a"))
			same(t, "traps of the next run", traps(t, r), []crawl.Trap(nil))
		}},
		{"what was asked for", func(t *testing.T, s crawl.Store) {
			r := begin(t, s, job("a", "b", "c", "d", "e"))
			commit(t, r,
				fetched(t, r, "a", link("f", 1), skipped("g", 1, crawl.ReasonScope)),
				retry(request(t, r, "b"), moment(0)),
				&crawl.Visit{Request: request(t, r, "c"), State: crawl.Failed, Reason: "http-404"},
				&crawl.Visit{Request: request(t, r, "d"), State: crawl.Skipped, Reason: crawl.ReasonRobots},
				&crawl.Visit{Request: request(t, r, "e"), State: crawl.Failed, Reason: crawl.ReasonHostDown})
			var asked []string
			if err := r.Asked(t.Context(), func(u, h string) bool { asked = append(asked, u+" "+h); return true }); err != nil {
				t.Fatal(err)
			}
			slices.Sort(asked)
			same(t, "asked", asked, []string{url("a") + " " + host, url("b") + " " + host, url("c") + " " + host})
		}},
		{"where start URLs went", func(t *testing.T, s crawl.Store) {
			r := begin(t, s, job("a", "b"))
			moved := func(path string, depth, redirects int) crawl.Link {
				l := link(path, depth)
				l.Redirects = redirects
				return l
			}
			commit(t, r, fetched(t, r, "a", moved("a2", 0, 1)), fetched(t, r, "b", link("c", 1)))
			commit(t, r, fetched(t, r, "a2", moved("a3", 0, 2)), fetched(t, r, "c", moved("c2", 1, 1)))
			r = again(t, s, r, false, job())
			var starts []string
			if err := r.MovedStarts(t.Context(), func(u string) bool { starts = append(starts, u); return true }); err != nil {
				t.Fatal(err)
			}
			same(t, "moved", starts, []string{url("a2"), url("a3")})
		}},
	})
}

// traps are those of a run, by shape.
func traps(t *testing.T, r crawl.Run) (list []crawl.Trap) {
	t.Helper()
	if err := r.Traps(t.Context(), func(trap crawl.Trap) bool { list = append(list, trap); return true }); err != nil {
		t.Fatal(err)
	}
	slices.SortFunc(list, func(a, b crawl.Trap) int { return strings.Compare(a.Shape, b.Shape) })
	return list
}

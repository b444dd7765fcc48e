package storetest

import (
	"slices"
	"strings"
	"testing"

	"github.com/magpie-crawl/magpie/crawl"
)

// testTraps keeps what was learned of URLs like a page's.
func testTraps(t *testing.T, open opener) {
	runCases(t, open, []testCase{
		{"what was learned of URLs like a page's", func(t *testing.T, s crawl.Store) {
			r := begin(t, s, job("a", "b", "c"))
			same(t, "traps of a new run", traps(t, r), []crawl.Trap(nil))
			visit := func(path string, trap crawl.Trap) *crawl.Visit {
				v := fetched(t, r, path)
				v.Trap = &trap
				return v
			}
			commit(t, r, visit("a", crawl.Trap{Shape: "x/#", Streak: 10, Sums: []uint64{1, 1 << 63}}), visit("b", crawl.Trap{Shape: "y/#?a", Streak: 30}))
			r = again(t, s, r, job())
			commit(t, r, visit("c", crawl.Trap{Shape: "x/#", Streak: 20, Sums: []uint64{2}}))
			r = again(t, s, r, job())
			same(t, "traps", traps(t, r), []crawl.Trap{{Shape: "x/#", Streak: 20, Sums: []uint64{2}}, {Shape: "y/#?a", Streak: 30}})
			r = next(t, s, r, job("a"))
			same(t, "traps of the next run", traps(t, r), []crawl.Trap(nil))
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

package storetest

import (
	"fmt"
	"testing"

	"github.com/magpie-crawl/magpie/crawl"
)

// testAbsence has a page be missing and come back.
func testAbsence(t *testing.T, open opener) {
	runCases(t, open, []testCase{
		{"absence is counted, confirmed once, and taken back", func(t *testing.T, s crawl.Store) {
			r := begin(t, s, job("a"))
			commit(t, r, remembered(t, r, "a", revisit(0)))
			for i, c := range []struct {
				visit    func(r crawl.Run) *crawl.Visit
				gone     int64 // counted in this run
				missing  int   // known in the next
				isAbsent bool
			}{
				{func(r crawl.Run) *crawl.Visit { return missing(t, r, "a", 1, false) }, 0, 1, false},
				{func(r crawl.Run) *crawl.Visit { return missing(t, r, "a", 2, true) }, 1, 2, true},
				{func(r crawl.Run) *crawl.Visit { return missing(t, r, "a", 3, true) }, 0, 3, true},
				{func(r crawl.Run) *crawl.Visit { return remembered(t, r, "a", revisit(0)) }, 0, 0, false},
				{func(r crawl.Run) *crawl.Visit { return missing(t, r, "a", 1, true) }, 1, 1, true},
			} {
				r = next(t, s, r, job("a"))
				commit(t, r, c.visit(r))
				same(t, fmt.Sprintf("gone in case %d", i), counters(r).Gone, c.gone)
				r = next(t, s, r, job("a"))
				want := revisit(0)
				want.Missing, want.Gone = c.missing, c.isAbsent
				same(t, fmt.Sprintf("Past after case %d", i), request(t, r, "a").Past, want)
			}
		}},
	})
}

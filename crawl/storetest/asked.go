package storetest

import (
	"slices"
	"testing"

	"github.com/magpie-crawl/magpie/crawl"
)

// testAsked lists what a resumed run needs to know of URLs that were visited.
func testAsked(t *testing.T, open opener) {
	runCases(t, open, []testCase{
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
			commit(t, r, fetched(t, r, "a", redirected("a2", 0, 1)), fetched(t, r, "b", link("c", 1)))
			commit(t, r, fetched(t, r, "a2", redirected("a3", 0, 2)), fetched(t, r, "c", redirected("c2", 1, 1)))
			r = again(t, s, r, job())
			var starts []string
			if err := r.MovedStarts(t.Context(), func(u string) bool { starts = append(starts, u); return true }); err != nil {
				t.Fatal(err)
			}
			same(t, "moved", starts, []string{url("a2"), url("a3")})
		}},
	})
}

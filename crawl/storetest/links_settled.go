package storetest

import (
	"testing"

	"github.com/magpie-crawl/magpie/crawl"
)

// testLinksSettled finds a URL that a visit has settled.
func testLinksSettled(t *testing.T, open opener) {
	for _, c := range []struct {
		name   string
		state  crawl.State
		reason crawl.Reason
	}{
		{"settled done", crawl.Done, ""},
		{"settled failed", crawl.Failed, "robots"},
		{"settled skipped", crawl.Skipped, crawl.ReasonRobots},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := begin(t, open(t), job("a", "x"))
			commit(t, r, &crawl.Visit{Request: request(t, r, "x"), State: c.state, Reason: c.reason})
			out := commit(t, r, fetched(t, r, "a", link("x", 0)))
			same(t, "added", out[0].Added[host], int64(0))
			same(t, "pending", pending(t, r), []string{})
		})
	}
	runCases(t, open, []testCase{
		{"skipped for its depth by a visit, then near enough", func(t *testing.T, s crawl.Store) {
			r := begin(t, s, job("a", "x"))
			commit(t, r, &crawl.Visit{Request: request(t, r, "x"), State: crawl.Skipped, Reason: crawl.ReasonDepth})
			out := commit(t, r, fetched(t, r, "a", link("x", 1)))
			same(t, "added", out[0].Added[host], int64(1))
			same(t, "pending", pending(t, r), []string{"x"})
		}},
	})
}

package storetest

import (
	"testing"

	"github.com/magpie-crawl/magpie/crawl"
)

// testCounters looks at what each kind of visit counts as.
func testCounters(t *testing.T, open opener) {
	redirect := func(v *crawl.Visit) { v.Page.Status, v.Page.Location = 301, url("elsewhere") }
	reason := func(m ...crawl.Reason) map[crawl.Reason]int64 {
		n := map[crawl.Reason]int64{}
		for _, r := range m {
			n[r]++
		}
		return n
	}
	cases := []struct {
		name string
		edit func(v *crawl.Visit)
		want crawl.Counters
	}{
		{"a page", func(v *crawl.Visit) {}, crawl.Counters{Pages: 1}},
		{"a redirect", redirect, crawl.Counters{Redirects: 1}},
		{"a sitemap", func(v *crawl.Visit) { v.Request.Kind = crawl.SitemapKind }, crawl.Counters{Sitemaps: 1}},
		{"a sitemap that redirects", func(v *crawl.Visit) { v.Request.Kind = crawl.SitemapKind; redirect(v) }, crawl.Counters{Redirects: 1}},
		{"a URL given up with its last answer", func(v *crawl.Visit) {
			v.State, v.Reason, v.Page.Status = crawl.Failed, "status", 503
		}, crawl.Counters{Failed: 1, Failures: reason("status")}},
		{"a sitemap given up", func(v *crawl.Visit) {
			v.Request.Kind, v.State, v.Reason = crawl.SitemapKind, crawl.Failed, "status"
		}, crawl.Counters{Failed: 1, Failures: reason("status")}},
		{"a URL given up without an answer", func(v *crawl.Visit) {
			v.State, v.Reason, v.Page = crawl.Failed, "timeout", nil
		}, crawl.Counters{Failed: 1, Failures: reason("timeout")}},
		{"a URL skipped before it was fetched", func(v *crawl.Visit) {
			v.State, v.Reason, v.Page = crawl.Skipped, crawl.ReasonRobots, nil
		}, crawl.Counters{Skipped: reason(crawl.ReasonRobots)}},
		{"links with verdicts", func(v *crawl.Visit) {
			v.Links = []crawl.Link{link("b", 1), skipped("c", 1, crawl.ReasonScope), skipped("d", 1, crawl.ReasonScope), skipped("e", 1, crawl.ReasonDepth)}
		}, crawl.Counters{Pages: 1, Skipped: reason(crawl.ReasonScope, crawl.ReasonScope, crawl.ReasonDepth)}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			s := open(t)
			r := begin(t, s, job("a"))
			v := fetched(t, r, "a")
			c.edit(v)
			commit(t, r, v)
			if v.Page != nil {
				c.want.Bytes = int64(len(v.Page.Body))
			}
			same(t, "counters", counters(r), c.want)
			r = again(t, s, r, job())
			same(t, "counters of the resumed run", counters(r), c.want)
		})
	}
	t.Run("what Info returns is the caller's", func(t *testing.T) {
		r := begin(t, open(t), job("a"))
		commit(t, r, fetched(t, r, "a", skipped("b", 1, crawl.ReasonScope)))
		r.Info().Counters.Skipped[crawl.ReasonScope] = 99
		same(t, "skipped", counters(r).Skipped, reason(crawl.ReasonScope))
	})
}

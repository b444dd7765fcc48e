package storetest

import (
	"slices"
	"testing"
	"time"

	"github.com/magpie-crawl/magpie/crawl"
	"github.com/magpie-crawl/magpie/extract"
	"github.com/magpie-crawl/magpie/htmlparse"
)

func testCommit(t *testing.T, open func(t *testing.T) crawl.Store) {
	runCases(t, open, []testCase{
		{"nothing is nothing", func(t *testing.T, s crawl.Store) {
			r := begin(t, s, job("a"))
			same(t, "results", commit(t, r), []crawl.Committed{})
			same(t, "pending", pending(t, r), []string{"a"})
		}},
		{"a visit with everything", func(t *testing.T, s crawl.Store) {
			r := begin(t, s, job("a"))
			v := fetched(t, r, "a", link("b", 1))
			v.Page.Encoding = htmlparse.Encoding{Name: "windows-1252", Confidence: 1, Source: "meta"}
			v.Page.Truncated, v.Page.Warnings = true, []string{"the gzip trailer is broken"}
			v.Records = records(book("a", "1", "One"), book("a", "2", "Two"))
			v.Records[1].Position = 1
			v.Records[1].Problems = []extract.Problem{{Field: "price", Code: extract.ProblemType, Detail: `"free"`}}
			v.Rejects = records(book("a", "3", ""))
			v.Rejects[0].Problems = []extract.Problem{{Field: "title", Code: extract.ProblemMissing}}
			commit(t, r, v)
			same(t, "counters", counters(r), crawl.Counters{Pages: 1, Bytes: int64(len(v.Page.Body)), New: 2, Rejects: 1, Problems: 2})
		}},
		{"a visit without a response", func(t *testing.T, s crawl.Store) {
			r := begin(t, s, job("a", "b"))
			commit(t, r, &crawl.Visit{Request: request(t, r, "a"), State: crawl.Failed, Reason: "dns", Detail: "no such host"})
			same(t, "pending", pending(t, r), []string{"b"})
		}},
		{"bodies of any size and content, the same one often", func(t *testing.T, s crawl.Store) {
			r := begin(t, s, job("a", "b", "c", "d"))
			for i, body := range [][]byte{nil, {}, make([]byte, 3<<20), []byte("\xff\x00\xfe<b>")} {
				v := fetched(t, r, []string{"a", "b", "c", "d"}[i])
				v.Page.Body, v.Page.Header, v.Page.FetchedAt = body, nil, time.Time{}
				commit(t, r, v)
			}
			same(t, "counters", counters(r), crawl.Counters{Pages: 4, Bytes: 3<<20 + 6})
		}},
		{"a second visit of a URL changes nothing", func(t *testing.T, s crawl.Store) {
			r := begin(t, s, job("a"))
			v := fetched(t, r, "a", link("b", 1))
			v.Records = records(book("a", "1", "One"))
			commit(t, r, v)
			before := counters(r)
			second := *v
			second.Links = []crawl.Link{link("c", 1)}
			second.Records = records(book("a", "2", "Two"))
			out, err := r.Commit(t.Context(), []*crawl.Visit{&second})
			if err != nil || out[0].Stored || len(out[0].Added) > 0 {
				t.Errorf("Commit: %+v, %v", out, err)
			}
			same(t, "pending", pending(t, r), []string{"b"})
			same(t, "counters", counters(r), before)
		}},
		{"of two visits of a URL in one batch the first counts", func(t *testing.T, s crawl.Store) {
			r := begin(t, s, job("a"))
			first, second := fetched(t, r, "a", link("b", 1)), fetched(t, r, "a", link("c", 1))
			out, err := r.Commit(t.Context(), []*crawl.Visit{first, second})
			if err != nil || !out[0].Stored || out[1].Stored {
				t.Errorf("Commit: %+v, %v", out, err)
			}
			same(t, "pending", pending(t, r), []string{"b"})
			same(t, "pages", counters(r).Pages, int64(1))
		}},
		{"a URL that does not exist", func(t *testing.T, s crawl.Store) {
			r := begin(t, s, job("a"))
			v := fetched(t, r, "a", link("b", 1))
			v.Request.ID += 1000
			out, err := r.Commit(t.Context(), []*crawl.Visit{v})
			if err != nil || out[0].Stored {
				t.Errorf("Commit: %+v, %v", out, err)
			}
			same(t, "pending", pending(t, r), []string{"a"})
		}},
		{"a URL that is pending in an earlier run alone", func(t *testing.T, s crawl.Store) {
			r := begin(t, s, job("a", "b"))
			v := fetched(t, r, "b")
			r = again(t, s, r, true, job("a"))
			out, err := r.Commit(t.Context(), []*crawl.Visit{v})
			if err != nil || out[0].Stored {
				t.Errorf("Commit: %+v, %v", out, err)
			}
			same(t, "counters", counters(r), crawl.Counters{})
		}},
		{"a batch of many", func(t *testing.T, s crawl.Store) {
			paths := numbered("p%d", 150)
			r := begin(t, s, job(paths...))
			var batch []*crawl.Visit
			for i, q := range window(t, r) {
				batch = append(batch, &crawl.Visit{Request: q, State: crawl.Done, Page: page(paths[i]), Links: []crawl.Link{link("shared", 1), link("of-"+paths[i], 1)}})
			}
			out := commit(t, r, batch...)
			same(t, "added by the first", out[0].Added, map[string]int64{host: 2})
			same(t, "added by the second", out[1].Added, map[string]int64{host: 1})
			same(t, "hosts", hosts(t, r), map[string]int64{host: 151})
		}},
		{"a context that has ended commits nothing", func(t *testing.T, s crawl.Store) {
			r := begin(t, s, job("a"))
			v := fetched(t, r, "a", link("b", 1))
			if _, err := r.Commit(canceled(t), []*crawl.Visit{v}); err == nil {
				t.Fatal("Commit succeeded")
			}
			same(t, "pending", pending(t, r), []string{"a"})
			commit(t, r, v)
			same(t, "pending", pending(t, r), []string{"b"})
		}},
		{"it changes none of its arguments", func(t *testing.T, s crawl.Store) {
			r := begin(t, s, job("a"))
			v := fetched(t, r, "a", link("b", 1))
			v.Records = records(book("a", "1", "One"))
			links, fields, body := slices.Clone(v.Links), slices.Clone(v.Records[0].Fields), slices.Clone(v.Page.Body)
			commit(t, r, v)
			same(t, "links", v.Links, links)
			same(t, "fields", v.Records[0].Fields, fields)
			same(t, "body", v.Page.Body, body)
			v.Page.Body[0] = 'X' // the store has no use for it any more
		}},
	})
}

func records(r ...extract.Record) []extract.Record { return r }

func testCounters(t *testing.T, open func(t *testing.T) crawl.Store) {
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
			r = again(t, s, r, false, job())
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

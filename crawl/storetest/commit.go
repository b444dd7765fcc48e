package storetest

import (
	"slices"
	"testing"
	"time"

	"github.com/magpie-crawl/magpie/crawl"
	"github.com/magpie-crawl/magpie/extract"
	"github.com/magpie-crawl/magpie/htmlparse"
)

// testCommit commits visits of all kinds.
func testCommit(t *testing.T, open opener) {
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

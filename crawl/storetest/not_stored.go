package storetest

import (
	"testing"

	"github.com/magpie-crawl/magpie/crawl"
)

// testNotStored commits visits that change nothing.
func testNotStored(t *testing.T, open opener) {
	runCases(t, open, []testCase{
		{"a second visit of a URL changes nothing", func(t *testing.T, s crawl.Store) {
			r := begin(t, s, job("a"))
			v := fetched(t, r, "a", link("b", 1))
			v.Records = records(book("a", "1", "One"))
			commit(t, r, v)
			before := counters(r)
			second := *v
			second.Links = []crawl.Link{link("c", 1)}
			second.Records = records(book("a", "2", "Two"))
			refused(t, r, &second)
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
			refused(t, r, v)
			same(t, "pending", pending(t, r), []string{"a"})
		}},
		{"a URL that is pending in an earlier run alone", func(t *testing.T, s crawl.Store) {
			r := begin(t, s, job("a", "b"))
			v := fetched(t, r, "b")
			r = next(t, s, r, job("a"))
			refused(t, r, v)
			same(t, "counters", counters(r), crawl.Counters{})
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
		{"a link of a visit that was not stored is not known", func(t *testing.T, s crawl.Store) {
			r := begin(t, s, job("a", "b"))
			a := fetched(t, r, "a", link("x", 1))
			if _, err := r.Commit(canceled(t), []*crawl.Visit{a}); err == nil {
				t.Fatal("Commit succeeded")
			}
			commit(t, r, fetched(t, r, "b", link("x", 1)))
			same(t, "pending", pending(t, r), []string{"a", "x"})
		}},
	})
}

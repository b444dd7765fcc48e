package storetest

import (
	"testing"
	"time"

	"github.com/magpie-crawl/magpie/crawl"
)

// testPast looks at what a run knows of a URL that earlier ones visited.
func testPast(t *testing.T, open opener) {
	runCases(t, open, []testCase{
		{"a URL that never answered well has no past", func(t *testing.T, s crawl.Store) {
			r := begin(t, s, job("a"))
			commit(t, r, &crawl.Visit{Request: request(t, r, "a"), State: crawl.Failed, Reason: "http-404", Page: page("no")})
			r = next(t, s, r, job("a"))
			if past := request(t, r, "a").Past; past != nil {
				t.Errorf("Past = %+v", past)
			}
		}},
		{"what a visit left is there in the next run", func(t *testing.T, s crawl.Store) {
			r := begin(t, s, job("a"))
			commit(t, r, remembered(t, r, "a", revisit(0)))
			r = next(t, s, r, job("a"))
			same(t, "Past", request(t, r, "a").Past, revisit(0))
		}},
		{"a fingerprint and validators may be absent", func(t *testing.T, s crawl.Store) {
			r := begin(t, s, job("a"))
			want := &crawl.Revisit{FetchedAt: moment(0), ChangedAt: moment(0)}
			commit(t, r, remembered(t, r, "a", want))
			r = next(t, s, r, job("a"))
			past := *request(t, r, "a").Past
			if len(past.Content) == 0 {
				past.Content = nil
			}
			same(t, "Past", past, *want)
		}},
		{"a later visit takes its place", func(t *testing.T, s crawl.Store) {
			r := begin(t, s, job("a"))
			commit(t, r, remembered(t, r, "a", revisit(0)))
			r = next(t, s, r, job("a"))
			commit(t, r, remembered(t, r, "a", revisit(30)))
			r = next(t, s, r, job("a"))
			same(t, "Past", request(t, r, "a").Past, revisit(30))
		}},
		{"the past is there through retries and interruptions", func(t *testing.T, s crawl.Store) {
			r := begin(t, s, job("a"))
			commit(t, r, remembered(t, r, "a", revisit(0)))
			r = next(t, s, r, job("a"))
			commit(t, r, retry(request(t, r, "a"), time.Time{}))
			r = again(t, s, r, job("a"))
			same(t, "Past", request(t, r, "a").Past, revisit(0))
		}},
		{"what a sitemap says of known pages", func(t *testing.T, s crawl.Store) {
			r := begin(t, s, job("a", "map"))
			commit(t, r, remembered(t, r, "a", revisit(0)))
			r = next(t, s, r, job("a", "map"))
			entry, other := link("a", 1), link("new", 1)
			entry.LastMod, other.LastMod = moment(5), moment(5)
			commit(t, r, fetched(t, r, "map", entry, other))
			if got := request(t, r, "a").Past.LastMod; !got.Equal(moment(5)) {
				t.Errorf("LastMod = %v", got)
			}
			if past := request(t, r, "new").Past; past != nil {
				t.Errorf("of a new URL: %+v", past)
			}
			commit(t, r, remembered(t, r, "a", revisit(30)))
			r = next(t, s, r, job("a"))
			same(t, "Past after the next visit", request(t, r, "a").Past, revisit(30))
		}},
	})
}

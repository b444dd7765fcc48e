package storetest

import (
	"net/http"
	"testing"

	"github.com/magpie-crawl/magpie/crawl"
)

// testStoredPage reads the last good answer of a URL.
func testStoredPage(t *testing.T, open opener) {
	runCases(t, open, []testCase{
		{"the stored response is the last good one", func(t *testing.T, s crawl.Store) {
			r := begin(t, s, job("a"))
			v := remembered(t, r, "a", revisit(0))
			v.Page.FetchedAt, v.Page.Truncated = moment(0), true
			commit(t, r, v)
			r = next(t, s, r, job("a"))
			q := request(t, r, "a")
			stored, err := r.StoredPage(t.Context(), q.ID)
			if err != nil {
				t.Fatal(err)
			}
			same(t, "stored response", *stored, *v.Page)
			commit(t, r, missing(t, r, "a", 1, false))
			if stored, err = r.StoredPage(t.Context(), q.ID); err != nil || string(stored.Body) != "body of a" {
				t.Errorf("after a 404: %+v, %v", stored, err)
			}
		}},
		{"no response is stored of a URL without a past", func(t *testing.T, s crawl.Store) {
			r := begin(t, s, job("a"))
			if p, err := r.StoredPage(t.Context(), request(t, r, "a").ID); err == nil {
				t.Errorf("StoredPage: %+v", p)
			}
		}},
		{"an answer that nothing was modified refers to the stored body", func(t *testing.T, s crawl.Store) {
			r := begin(t, s, job("a"))
			commit(t, r, remembered(t, r, "a", revisit(0)))
			for run := range 2 {
				r = next(t, s, r, job("a"))
				q := request(t, r, "a")
				stored, err := r.StoredPage(t.Context(), q.ID)
				if err != nil || string(stored.Body) != "body of a" {
					t.Fatalf("run %d: StoredPage: %+v, %v", run+2, stored, err)
				}
				stored.Status, stored.NotModified = http.StatusNotModified, true
				commit(t, r, &crawl.Visit{Request: q, State: crawl.Done, Page: stored, Lessons: crawl.Lessons{Revisit: revisit(run)}})
				same(t, "counters", counters(r), crawl.Counters{Pages: 1, NotModified: 1})
			}
		}},
		{"where no bodies are kept, none is stored and none is asked for", func(t *testing.T, s crawl.Store) {
			j := job("a")
			j.Keep.Bodies = crawl.KeepNone
			r := begin(t, s, j)
			commit(t, r, remembered(t, r, "a", revisit(0)))
			r = next(t, s, r, j)
			q := request(t, r, "a")
			if q.Past == nil || q.Past.ETag != "" || q.Past.LastModified != "" {
				t.Errorf("Past = %+v, want one without validators", q.Past)
			}
			if p, err := r.StoredPage(t.Context(), q.ID); err == nil {
				t.Errorf("StoredPage: %+v", p)
			}
		}},
	})
}

package storetest

import (
	"net/http"
	"testing"
	"time"

	"github.com/magpie-crawl/magpie/crawl"
)

// fetched is the visit of a pending page that brought links.
func fetched(t *testing.T, r crawl.Run, path string, links ...crawl.Link) *crawl.Visit {
	t.Helper()
	return &crawl.Visit{Request: request(t, r, path), State: crawl.Done, Page: page("body of " + path), Links: links}
}

// retry is a visit that puts a request back.
func retry(q crawl.Request, at time.Time) *crawl.Visit {
	return &crawl.Visit{Request: q, State: crawl.Pending, Reason: "status", Detail: "503 Service Unavailable", RetryAt: at}
}

// revisit is what a visit at a moment leaves for the next one.
func revisit(minutes int) *crawl.Revisit {
	return &crawl.Revisit{ETag: `W/"a\"b"`, LastModified: "Tue, 14 Nov 2023 22:13:20 GMT", FetchedAt: moment(minutes), ChangedAt: moment(minutes - 10),
		Content: []byte{0, 1, 0xff}, Interval: 36 * time.Hour}
}

// remembered is the visit of a pending page that leaves something for the next.
func remembered(t *testing.T, r crawl.Run, path string, left *crawl.Revisit, links ...crawl.Link) *crawl.Visit {
	t.Helper()
	v := fetched(t, r, path, links...)
	v.Revisit = left
	return v
}

// missing is the visit of a pending page that answered 404, for that many times
// now; gone: its absence is confirmed.
func missing(t *testing.T, r crawl.Run, path string, times int, gone bool) *crawl.Visit {
	t.Helper()
	v := &crawl.Visit{Request: request(t, r, path), State: crawl.Failed, Reason: "http-404", Page: page("not found")}
	v.Page.Status = http.StatusNotFound
	v.Revisit = &crawl.Revisit{Missing: times, Gone: gone}
	return v
}

// showing is the visit of a pending page that shows books: key, title, key, …
func showing(t *testing.T, r crawl.Run, path string, books ...string) *crawl.Visit {
	t.Helper()
	v := remembered(t, r, path, revisit(0))
	for i := 0; i < len(books); i += 2 {
		b := book(path, books[i], books[i+1])
		b.Position = i / 2
		v.Records = append(v.Records, b)
	}
	return v
}

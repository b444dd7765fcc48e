package storetest

import (
	"fmt"
	"net/http"
	"time"

	"github.com/magpie-crawl/magpie/crawl"
	"github.com/magpie-crawl/magpie/extract"
)

const host = "site.test"

// url is a page of the test's site.
func url(path string) string { return "https://" + host + "/" + path }

// link is a link to a page of the test's site.
func link(path string, depth int) crawl.Link {
	return crawl.Link{URL: url(path), Host: host, Depth: depth}
}

// elsewhere is a link to a page of another host.
var elsewhere = crawl.Link{URL: "https://other.test/x", Host: "other.test", Depth: 1}

// skipped is a link with a verdict: it is not to be followed.
func skipped(path string, depth int, reason crawl.Reason) crawl.Link {
	l := link(path, depth)
	l.Skip = reason
	return l
}

// redirected is a link that hops led to.
func redirected(path string, depth, hops int) crawl.Link {
	l := link(path, depth)
	l.Redirects = hops
	return l
}

// job is a job whose start URLs are these pages.
func job(seeds ...string) crawl.Job {
	j := crawl.Job{
		Name:   "books",
		Source: "name: books\n",
		Items: extract.Spec{Items: []extract.Item{
			{Name: "book", Fields: []extract.Field{{Name: "title"}, {Name: "price", As: extract.PriceType}}},
		}},
	}
	for _, path := range seeds {
		j.Seeds = append(j.Seeds, link(path, 0))
	}
	return j
}

// otherJob is a job of another name whose start URLs are these pages.
func otherJob(seeds ...string) crawl.Job {
	j := job(seeds...)
	j.Name = "other"
	return j
}

// page is a response with a body of its own.
func page(body string) *crawl.Page {
	return &crawl.Page{
		FetchedAt: time.Now(), Duration: 5 * time.Millisecond, Status: http.StatusOK,
		Header:      http.Header{"Content-Type": {"text/html"}, "X-Two": {"a", "b"}},
		ContentType: "text/html", Body: []byte(body),
	}
}

// book is a record of the page at path.
func book(path, key, title string) extract.Record {
	return extract.Record{Item: "book", Key: key, URL: url(path), Fields: extract.Object{{Name: "title", Value: title}}}
}

// records are what a visit brings.
func records(r ...extract.Record) []extract.Record { return r }

// moment is a time that a store can keep to the point.
func moment(minutes int) time.Time {
	return time.UnixMilli(1_700_000_000_000).UTC().Add(time.Duration(minutes) * time.Minute)
}

// numbered is the format with 0 … n-1.
func numbered(format string, n int) []string {
	out := make([]string, n)
	for i := range out {
		out[i] = fmt.Sprintf(format, i)
	}
	return out
}

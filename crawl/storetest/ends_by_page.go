package storetest

import (
	"net/http"
	"testing"

	"github.com/magpie-crawl/magpie/crawl"
	"github.com/magpie-crawl/magpie/extract"
)

// testEndsByShown looks at what ends because pages show it no more.
func testEndsByShown(t *testing.T, open opener) {
	runEndCases(t, open, []endCase{
		{"a page that does not show it any more", func(t *testing.T, r crawl.Run) []*crawl.Visit {
			return oneLeft(t, r, func(v *crawl.Visit) {})
		}, changes{Unchanged: 1, Gone: 1}},
		{"a page that shows nothing any more", func(t *testing.T, r crawl.Run) []*crawl.Visit {
			return []*crawl.Visit{showing(t, r, "a")}
		}, changes{Gone: 2}},
		{"a page that says so without being sent again", func(t *testing.T, r crawl.Run) []*crawl.Visit {
			return oneLeft(t, r, func(v *crawl.Visit) { v.Page.Status, v.Page.NotModified = http.StatusNotModified, true })
		}, changes{Unchanged: 1, Gone: 1}},
		{"on another page, before", func(t *testing.T, r crawl.Run) []*crawl.Visit {
			return []*crawl.Visit{showing(t, r, "b", "k3", "Three", "k2", "Two"), showing(t, r, "a", "k1", "One")}
		}, changes{Unchanged: 3}},
		{"on another page, after", func(t *testing.T, r crawl.Run) []*crawl.Visit {
			return []*crawl.Visit{showing(t, r, "a", "k1", "One"), showing(t, r, "b", "k3", "Three", "k2", "Two!")}
		}, changes{Unchanged: 2, Changed: 1}},
		{"a page that was cut", func(t *testing.T, r crawl.Run) []*crawl.Visit {
			return oneLeft(t, r, func(v *crawl.Visit) { v.Page.Truncated = true })
		}, changes{Unchanged: 1}},
		{"a reject with its key", func(t *testing.T, r crawl.Run) []*crawl.Visit {
			return oneLeft(t, r, func(v *crawl.Visit) { v.Rejects = records(book("a", "k2", "")) })
		}, changes{Unchanged: 1}},
		{"a reject with another key", func(t *testing.T, r crawl.Run) []*crawl.Visit {
			return oneLeft(t, r, func(v *crawl.Visit) { v.Rejects = records(book("a", "k9", "")) })
		}, changes{Unchanged: 1, Gone: 1}},
		{"a record whose key could not be had", func(t *testing.T, r crawl.Run) []*crawl.Visit {
			return oneLeft(t, r, func(v *crawl.Visit) {
				odd := book("a", url("a"), "Two")
				odd.Problems = []extract.Problem{{Field: "title", Code: extract.ProblemKey}}
				v.Records = append(v.Records, odd)
			})
		}, changes{New: 1, Unchanged: 1}},
	})
}

// testEndsByPage looks at what ends because of what became of its page.
func testEndsByPage(t *testing.T, open opener) {
	runEndCases(t, open, []endCase{
		{"pages that nobody visited", func(t *testing.T, r crawl.Run) []*crawl.Visit { return nil }, changes{}},
		{"a page that failed", func(t *testing.T, r crawl.Run) []*crawl.Visit {
			return []*crawl.Visit{{Request: request(t, r, "a"), State: crawl.Failed, Reason: "http-503", Page: page("sorry")}}
		}, changes{}},
		{"a page that is missing for the first time", func(t *testing.T, r crawl.Run) []*crawl.Visit {
			return []*crawl.Visit{missing(t, r, "a", 1, false)}
		}, changes{}},
		{"a page that is gone", func(t *testing.T, r crawl.Run) []*crawl.Visit {
			return []*crawl.Visit{missing(t, r, "a", 2, true)}
		}, changes{Gone: 2}},
		{"a page that was left alone", func(t *testing.T, r crawl.Run) []*crawl.Visit {
			return []*crawl.Visit{{Request: request(t, r, "a"), State: crawl.Skipped, Reason: crawl.ReasonNotDue}}
		}, changes{}},
		{"a page that moved for good", func(t *testing.T, r crawl.Run) []*crawl.Visit {
			return oneLeft(t, r, func(v *crawl.Visit) {
				v.Page.Status, v.Page.Location, v.Records, v.Revisit = http.StatusMovedPermanently, url("c"), nil, nil
			})
		}, changes{Gone: 2}},
		{"a page that moved for now", func(t *testing.T, r crawl.Run) []*crawl.Visit {
			return oneLeft(t, r, func(v *crawl.Visit) {
				v.Page.Status, v.Page.Location, v.Records, v.Revisit = http.StatusFound, url("c"), nil, nil
			})
		}, changes{}},
	})
}

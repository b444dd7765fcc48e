// Package storetest is the contract of crawl.Store as tests. Every
// implementation runs it:
//
//	func TestContract(t *testing.T) {
//		storetest.Run(t, func(t *testing.T) crawl.Store { … })
//	}
package storetest

import (
	"context"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/magpie-crawl/magpie/crawl"
	"github.com/magpie-crawl/magpie/extract"
)

// Faulty is a store that can have happen to it what happens to processes. The
// tests of crashes and lost holds need it, and are skipped without.
type Faulty interface {
	crawl.Store

	// Crash returns another store, with what would be left of this one if
	// its process had been killed just now.
	Crash(t *testing.T) crawl.Store

	// Expire makes the hold on a job look as if it had not been renewed for
	// longer than a hold lasts.
	Expire(t *testing.T, job string)
}

// Run runs the suite. open returns a new, empty store, and sees to it that it
// is closed when the test ends.
func Run(t *testing.T, open func(t *testing.T) crawl.Store) {
	for _, group := range []struct {
		name  string
		tests func(t *testing.T, open func(t *testing.T) crawl.Store)
	}{
		{"Begin", testBegin},
		{"Hold", testHold},
		{"Hosts", testHosts},
		{"Window", testWindow},
		{"Commit", testCommit},
		{"Counters", testCounters},
		{"Retries", testRetries},
		{"Revisits", testRevisits},
		{"Recall", testRecall},
		{"HostState", testHostState},
		{"RobotsFile", testRobotsFile},
		{"Traps", testTraps},
		{"Archives", testArchives},
		{"Links", testLinks},
		{"Records", testRecords},
		{"Duplicates", testDuplicates},
		{"Ends", testEnds},
		{"Finish", testFinish},
		{"Crash", testCrash},
		{"Concurrency", testConcurrency},
	} {
		t.Run(group.name, func(t *testing.T) { group.tests(t, open) })
	}
}

// testCase is a test on a store of its own.
type testCase struct {
	name string
	test func(t *testing.T, s crawl.Store)
}

func runCases(t *testing.T, open func(t *testing.T) crawl.Store, cases []testCase) {
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) { c.test(t, open(t)) })
	}
}

const host = "site.test"

// url is a page of the test's site.
func url(path string) string { return "https://" + host + "/" + path }

// link is a link to a page of the test's site.
func link(path string, depth int) crawl.Link {
	return crawl.Link{URL: url(path), Host: host, Depth: depth}
}

func skipped(path string, depth int, reason crawl.Reason) crawl.Link {
	l := link(path, depth)
	l.Skip = reason
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

// begin begins a run that is closed when the test ends.
func begin(t *testing.T, s crawl.Store, j crawl.Job) crawl.Run {
	t.Helper()
	r, err := s.Begin(t.Context(), j)
	if err != nil {
		t.Fatalf("Begin: %v", err)
	}
	t.Cleanup(func() { r.Close() })
	return r
}

// again closes a run, after finishing it if asked to, and begins anew.
func again(t *testing.T, s crawl.Store, r crawl.Run, finish bool, j crawl.Job) crawl.Run {
	t.Helper()
	if finish {
		if err := r.Finish(t.Context(), ""); err != nil {
			t.Fatalf("Finish: %v", err)
		}
	}
	if err := r.Close(); err != nil {
		t.Fatalf("Close: %v", err)
	}
	return begin(t, s, j)
}

// window returns the requests of the test's host that are due now.
func window(t *testing.T, r crawl.Run) []crawl.Request {
	t.Helper()
	due, _, err := r.Window(t.Context(), host, time.Now(), 1000, nil)
	if err != nil {
		t.Fatalf("Window: %v", err)
	}
	return due
}

// pending returns the paths of the test's host that are due, in order.
func pending(t *testing.T, r crawl.Run) []string {
	t.Helper()
	paths := []string{}
	for _, q := range window(t, r) {
		paths = append(paths, q.URL[len(url("")):])
	}
	return paths
}

// request returns the pending request for a page.
func request(t *testing.T, r crawl.Run, path string) crawl.Request {
	t.Helper()
	due := window(t, r)
	i := slices.IndexFunc(due, func(q crawl.Request) bool { return q.URL == url(path) })
	if i < 0 {
		t.Fatalf("%s is not pending: %v", path, pending(t, r))
	}
	return due[i]
}

// page is a response with a body of its own.
func page(body string) *crawl.Page {
	return &crawl.Page{
		FetchedAt: time.Now(), Duration: 5 * time.Millisecond, Status: http.StatusOK,
		Header:      http.Header{"Content-Type": {"text/html"}, "X-Two": {"a", "b"}},
		ContentType: "text/html", Body: []byte(body),
	}
}

// fetched is the visit of a pending page that brought links.
func fetched(t *testing.T, r crawl.Run, path string, links ...crawl.Link) *crawl.Visit {
	t.Helper()
	return &crawl.Visit{Request: request(t, r, path), State: crawl.Done, Page: page("body of " + path), Links: links}
}

// commit commits visits, of which each must be stored.
func commit(t *testing.T, r crawl.Run, visits ...*crawl.Visit) []crawl.Committed {
	t.Helper()
	out, err := r.Commit(t.Context(), visits)
	if err != nil {
		t.Fatalf("Commit: %v", err)
	}
	if len(out) != len(visits) {
		t.Fatalf("Commit returned %d results for %d visits", len(out), len(visits))
	}
	for i, c := range out {
		if !c.Stored || c.Err != nil {
			t.Fatalf("visit %d of %s: Stored = %v, Err = %v", i, visits[i].Request.URL, c.Stored, c.Err)
		}
	}
	return out
}

// counters are a run's, with empty maps left out.
func counters(r crawl.Run) crawl.Counters {
	c := r.Info().Counters
	clean := func(m map[crawl.Reason]int64) map[crawl.Reason]int64 {
		maps.DeleteFunc(m, func(_ crawl.Reason, n int64) bool { return n == 0 })
		if len(m) == 0 {
			return nil
		}
		return m
	}
	c.Skipped, c.Failures = clean(c.Skipped), clean(c.Failures)
	return c
}

func same(t *testing.T, what string, got, want any) {
	t.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", what, diff)
	}
}

// hosts returns the hosts with pending URLs and how many they have.
func hosts(t *testing.T, r crawl.Run) map[string]int64 {
	t.Helper()
	got := map[string]int64{}
	err := r.Hosts(t.Context(), func(q crawl.HostQueue) bool {
		if _, twice := got[q.Host]; twice {
			t.Errorf("host %s comes twice", q.Host)
		}
		got[q.Host] = q.Pending
		return true
	})
	if err != nil {
		t.Fatalf("Hosts: %v", err)
	}
	return got
}

// book is a record of the page at path.
func book(path, key, title string) extract.Record {
	return extract.Record{Item: "book", Key: key, URL: url(path), Fields: extract.Object{{Name: "title", Value: title}}}
}

// canceled is a context that has ended.
func canceled(t *testing.T) context.Context {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	return ctx
}

// permutations of 0 … n-1.
func permutations(n int) [][]int {
	if n == 0 {
		return [][]int{nil}
	}
	var all [][]int
	for _, p := range permutations(n - 1) {
		for i := range n {
			all = append(all, slices.Insert(slices.Clone(p), i, n-1))
		}
	}
	return all
}

func numbered(format string, n int) []string {
	out := make([]string, n)
	for i := range out {
		out[i] = fmt.Sprintf(format, i)
	}
	return out
}

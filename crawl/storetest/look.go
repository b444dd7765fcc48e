package storetest

import (
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/magpie-crawl/magpie/crawl"
)

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
	return paths(window(t, r))
}

// paths are the pages of the test's host that requests are for, in their order.
func paths(requests []crawl.Request) []string {
	list := []string{}
	for _, q := range requests {
		list = append(list, strings.TrimPrefix(q.URL, url("")))
	}
	return list
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

// counters are a run's, with empty maps left out.
func counters(r crawl.Run) crawl.Counters {
	c := r.Info().Counters
	c.Skipped, c.Failures = counted(c.Skipped), counted(c.Failures)
	return c
}

// counted are the reasons that were met; nil: none.
func counted(reasons map[crawl.Reason]int64) map[crawl.Reason]int64 {
	maps.DeleteFunc(reasons, func(_ crawl.Reason, n int64) bool { return n == 0 })
	if len(reasons) == 0 {
		return nil
	}
	return reasons
}

// same compares what a store gave with what it should have.
func same(t *testing.T, what string, got, want any) {
	t.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", what, diff)
	}
}

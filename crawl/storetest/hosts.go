package storetest

import (
	"testing"
	"time"

	"github.com/magpie-crawl/magpie/crawl"
)

// testHosts lists the hosts that have pending URLs.
func testHosts(t *testing.T, open opener) {
	atPort := crawl.Link{URL: "https://other.test:8443/x", Host: "other.test:8443", Depth: 1}
	runCases(t, open, []testCase{
		{"each host comes once with its pending URLs", func(t *testing.T, s crawl.Store) {
			r := begin(t, s, job("a", "b"))
			commit(t, r, fetched(t, r, "a", atPort, link("c", 1), skipped("d", 1, crawl.ReasonScope)))
			same(t, "hosts", hosts(t, r), map[string]int64{host: 2, atPort.Host: 1})
		}},
		{"URLs that wait for another try count", func(t *testing.T, s crawl.Store) {
			r := begin(t, s, job("a", "b"))
			commit(t, r, retry(request(t, r, "a"), time.Now().Add(time.Hour)))
			same(t, "hosts", hosts(t, r), map[string]int64{host: 2})
		}},
		{"it is told when the first URL of a host is due", func(t *testing.T, s crawl.Store) {
			r := begin(t, s, job("a", "b"))
			due := func() (due time.Time) {
				if err := r.Hosts(t.Context(), func(q crawl.HostQueue) bool { due = q.Due; return true }); err != nil {
					t.Fatal(err)
				}
				return due
			}
			commit(t, r, retry(request(t, r, "a"), moment(20)))
			same(t, "with one that waits for nothing", due(), time.Time{})
			commit(t, r, retry(request(t, r, "b"), moment(10)))
			same(t, "with two that wait", due(), moment(10))
		}},
		{"hosts without pending URLs do not come", func(t *testing.T, s crawl.Store) {
			r := begin(t, s, job("a"))
			commit(t, r, fetched(t, r, "a", atPort))
			same(t, "hosts", hosts(t, r), map[string]int64{atPort.Host: 1})
		}},
		{"it stops when told to", func(t *testing.T, s crawl.Store) {
			r := begin(t, s, job("a"))
			commit(t, r, fetched(t, r, "a", atPort, link("b", 1)))
			calls := 0
			if err := r.Hosts(t.Context(), func(crawl.HostQueue) bool { calls++; return false }); err != nil || calls != 1 {
				t.Errorf("%d calls, error %v", calls, err)
			}
		}},
		{"the store can be used meanwhile", func(t *testing.T, s crawl.Store) {
			r := begin(t, s, job("a"))
			err := r.Hosts(t.Context(), func(q crawl.HostQueue) bool {
				commit(t, r, fetched(t, r, "a", link("b", 1)))
				return true
			})
			if err != nil {
				t.Fatal(err)
			}
			same(t, "pending", pending(t, r), []string{"b"})
		}},
	})
}

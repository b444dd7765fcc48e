package storetest

import (
	"slices"
	"testing"
	"time"

	"github.com/magpie-crawl/magpie/crawl"
)

func testHosts(t *testing.T, open func(t *testing.T) crawl.Store) {
	elsewhere := crawl.Link{URL: "https://other.test:8443/x", Host: "other.test:8443", Depth: 1}
	runCases(t, open, []testCase{
		{"each host comes once with its pending URLs", func(t *testing.T, s crawl.Store) {
			r := begin(t, s, job("a", "b"))
			commit(t, r, fetched(t, r, "a", elsewhere, link("c", 1), skipped("d", 1, crawl.ReasonScope)))
			same(t, "hosts", hosts(t, r), map[string]int64{host: 2, elsewhere.Host: 1})
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
			commit(t, r, fetched(t, r, "a", elsewhere))
			same(t, "hosts", hosts(t, r), map[string]int64{elsewhere.Host: 1})
		}},
		{"it stops when told to", func(t *testing.T, s crawl.Store) {
			r := begin(t, s, job("a"))
			commit(t, r, fetched(t, r, "a", elsewhere, link("b", 1)))
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

// retry is a visit that puts a request back.
func retry(q crawl.Request, at time.Time) *crawl.Visit {
	return &crawl.Visit{Request: q, State: crawl.Pending, Reason: "status", Detail: "503 Service Unavailable", RetryAt: at}
}

func testWindow(t *testing.T, open func(t *testing.T) crawl.Store) {
	runCases(t, open, []testCase{
		{"requests are as the links were", func(t *testing.T, s crawl.Store) {
			j := job()
			j.Seeds = []crawl.Link{{URL: url("sitemap.xml?a=1&b=%20"), Host: host, Kind: crawl.SitemapKind, Depth: 3, Redirects: 2}}
			due := window(t, begin(t, s, j))
			if len(due) != 1 || due[0].ID == 0 {
				t.Fatalf("Window: %+v", due)
			}
			due[0].ID = 0
			same(t, "request", due[0], crawl.Request{
				URL: url("sitemap.xml?a=1&b=%20"), Host: host, Kind: crawl.SitemapKind, Depth: 3, Redirects: 2})
		}},
		{"the shallow go first, then the first met", func(t *testing.T, s crawl.Store) {
			r := begin(t, s, job("a"))
			commit(t, r, fetched(t, r, "a", link("deep", 5), link("z", 2), link("b", 2), link("top", 1)))
			same(t, "pending", pending(t, r), []string{"top", "z", "b", "deep"})
		}},
		{"no more than the limit", func(t *testing.T, s crawl.Store) {
			r := begin(t, s, job(numbered("p%d", 9)...))
			due, _, err := r.Window(t.Context(), host, time.Now(), 4, nil)
			if err != nil || len(due) != 4 || due[0].URL != url("p0") || due[3].URL != url("p3") {
				t.Errorf("Window: %+v, %v", due, err)
			}
		}},
		{"those in flight are left out and others take their place", func(t *testing.T, s crawl.Store) {
			r := begin(t, s, job(numbered("p%d", 9)...))
			all := window(t, r)
			due, _, err := r.Window(t.Context(), host, time.Now(), 3, []int64{all[0].ID, all[2].ID, all[3].ID})
			if err != nil {
				t.Fatal(err)
			}
			same(t, "window", due, []crawl.Request{all[1], all[4], all[5]})
		}},
		{"a host of which all is in flight has none", func(t *testing.T, s crawl.Store) {
			r := begin(t, s, job("a", "b"))
			all := window(t, r)
			due, next, err := r.Window(t.Context(), host, time.Now(), 5, []int64{all[0].ID, all[1].ID})
			if err != nil || len(due) != 0 || !next.IsZero() {
				t.Errorf("Window: %+v, %v, %v", due, next, err)
			}
		}},
		{"an unknown host has none", func(t *testing.T, s crawl.Store) {
			r := begin(t, s, job("a"))
			due, next, err := r.Window(t.Context(), "nowhere.test", time.Now(), 5, nil)
			if err != nil || len(due) != 0 || !next.IsZero() {
				t.Errorf("Window: %+v, %v, %v", due, next, err)
			}
		}},
		{"hosts are apart, by port too", func(t *testing.T, s crawl.Store) {
			j := job("a")
			j.Seeds = append(j.Seeds, crawl.Link{URL: "https://site.test:8443/a", Host: "site.test:8443"})
			same(t, "pending", pending(t, begin(t, s, j)), []string{"a"})
		}},
		{"it claims nothing", func(t *testing.T, s crawl.Store) {
			r := begin(t, s, job("a", "b"))
			same(t, "second window", window(t, r), window(t, r))
		}},
		{"what waits is not due before its time, and then goes first", func(t *testing.T, s crawl.Store) {
			r := begin(t, s, job("a", "b", "c"))
			now := time.Now().Truncate(time.Millisecond)
			commit(t, r, retry(request(t, r, "b"), now.Add(2*time.Hour)), retry(request(t, r, "c"), now.Add(time.Hour)))
			for _, c := range []struct {
				at   time.Duration
				due  []string
				next time.Duration // 0: none
			}{
				{0, []string{"a"}, time.Hour},
				{time.Hour - time.Millisecond, []string{"a"}, time.Hour},
				{time.Hour, []string{"c", "a"}, 2 * time.Hour},
				{2 * time.Hour, []string{"c", "b", "a"}, 0},
			} {
				due, next, err := r.Window(t.Context(), host, now.Add(c.at), 10, nil)
				if err != nil {
					t.Fatal(err)
				}
				got := []string{}
				for _, q := range due {
					got = append(got, q.URL[len(url("")):])
				}
				same(t, "due after "+c.at.String(), got, c.due)
				want := time.Time{}
				if c.next != 0 {
					want = now.Add(c.next)
				}
				if !next.Equal(want) {
					t.Errorf("next after %v = %v, want %v", c.at, next, want)
				}
			}
		}},
		{"a limit that the due for another try fill", func(t *testing.T, s crawl.Store) {
			r := begin(t, s, job("a", "b", "c"))
			now := time.Now()
			commit(t, r, retry(request(t, r, "b"), now.Add(-time.Hour)), retry(request(t, r, "c"), now.Add(-2*time.Hour)))
			due, _, err := r.Window(t.Context(), host, now, 2, nil)
			if err != nil || len(due) != 2 || due[0].URL != url("c") || due[1].URL != url("b") {
				t.Errorf("Window: %+v, %v", due, err)
			}
		}},
		{"many are read piece by piece, each once", func(t *testing.T, s crawl.Store) {
			r := begin(t, s, job(numbered("p%03d", 300)...))
			var got []string
			for {
				due, _, err := r.Window(t.Context(), host, time.Now(), 7, nil)
				if err != nil {
					t.Fatal(err)
				}
				if len(due) == 0 {
					break
				}
				for _, q := range due {
					got = append(got, q.URL[len(url("")):])
					commit(t, r, &crawl.Visit{Request: q, State: crawl.Done})
				}
			}
			same(t, "order", got, slices.Clone(numbered("p%03d", 300)))
		}},
	})
}

func testRetries(t *testing.T, open func(t *testing.T) crawl.Store) {
	runCases(t, open, []testCase{
		{"each failed try counts", func(t *testing.T, s crawl.Store) {
			r := begin(t, s, job("a"))
			for want := range 3 {
				q := request(t, r, "a")
				if q.Attempts != want {
					t.Fatalf("Attempts = %d, want %d", q.Attempts, want)
				}
				commit(t, r, retry(q, time.Now().Add(-time.Second)))
			}
			same(t, "counters", counters(r), crawl.Counters{Retries: 3})
		}},
		{"without a time the next try is due at once", func(t *testing.T, s crawl.Store) {
			r := begin(t, s, job("a"))
			commit(t, r, retry(request(t, r, "a"), time.Time{}))
			if q := request(t, r, "a"); q.Attempts != 1 {
				t.Errorf("Attempts = %d", q.Attempts)
			}
		}},
		{"of a repeated try, nothing else is kept", func(t *testing.T, s crawl.Store) {
			r := begin(t, s, job("a"))
			v := retry(request(t, r, "a"), time.Time{})
			v.Page, v.Links, v.Records = page("busy"), []crawl.Link{link("b", 1)}, records(book("a", "1", "One"))
			commit(t, r, v)
			same(t, "pending", pending(t, r), []string{"a"})
			same(t, "counters", counters(r), crawl.Counters{Retries: 1, Bytes: 4})
		}},
		{"tries and their times outlast an interruption", func(t *testing.T, s crawl.Store) {
			r := begin(t, s, job("a"))
			at := time.Now().Add(time.Hour).Truncate(time.Millisecond)
			commit(t, r, retry(request(t, r, "a"), at))
			r = again(t, s, r, false, job("a"))
			due, next, err := r.Window(t.Context(), host, time.Now(), 10, nil)
			if err != nil || len(due) != 0 || !next.Equal(at) {
				t.Errorf("Window: %+v, %v, %v; want none before %v", due, next, err, at)
			}
			due, _, err = r.Window(t.Context(), host, at, 10, nil)
			if err != nil || len(due) != 1 || due[0].Attempts != 1 {
				t.Errorf("Window: %+v, %v", due, err)
			}
		}},
		{"a new run begins without tries", func(t *testing.T, s crawl.Store) {
			r := begin(t, s, job("a"))
			commit(t, r, retry(request(t, r, "a"), time.Now().Add(time.Hour)))
			r = again(t, s, r, true, job("a"))
			if q := request(t, r, "a"); q.Attempts != 0 {
				t.Errorf("Attempts = %d", q.Attempts)
			}
		}},
		{"a try of a URL that was settled meanwhile changes nothing", func(t *testing.T, s crawl.Store) {
			r := begin(t, s, job("a"))
			q := request(t, r, "a")
			commit(t, r, fetched(t, r, "a"))
			out, err := r.Commit(t.Context(), []*crawl.Visit{retry(q, time.Time{})})
			if err != nil || out[0].Stored {
				t.Errorf("Commit: %+v, %v", out, err)
			}
			same(t, "pending", pending(t, r), []string{})
		}},
	})
}

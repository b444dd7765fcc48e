package storetest

import (
	"testing"
	"time"

	"github.com/magpie-crawl/magpie/crawl"
)

// testRetries puts requests back.
func testRetries(t *testing.T, open opener) {
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
		{"of a repeated try, nothing else is kept", func(t *testing.T, s crawl.Store) {
			r := begin(t, s, job("a"))
			v := retry(request(t, r, "a"), time.Time{})
			v.Page, v.Links, v.Records = page("busy"), []crawl.Link{link("b", 1)}, records(book("a", "1", "One"))
			commit(t, r, v)
			same(t, "pending", pending(t, r), []string{"a"})
			same(t, "counters", counters(r), crawl.Counters{Retries: 1, Bytes: 4})
		}},
		{"a new run begins without tries", func(t *testing.T, s crawl.Store) {
			r := begin(t, s, job("a"))
			commit(t, r, retry(request(t, r, "a"), time.Now().Add(time.Hour)))
			r = next(t, s, r, job("a"))
			if q := request(t, r, "a"); q.Attempts != 0 {
				t.Errorf("Attempts = %d", q.Attempts)
			}
		}},
		{"a try of a URL that was settled meanwhile changes nothing", func(t *testing.T, s crawl.Store) {
			r := begin(t, s, job("a"))
			q := request(t, r, "a")
			commit(t, r, fetched(t, r, "a"))
			refused(t, r, retry(q, time.Time{}))
			same(t, "pending", pending(t, r), []string{})
		}},
		{"a visit that was put off changes nothing but what it taught", func(t *testing.T, s crawl.Store) {
			r := begin(t, s, job("a"))
			q := request(t, r, "a")
			state := crawl.HostState{CrawlDelay: time.Second}
			commit(t, r, &crawl.Visit{Request: q, State: crawl.Pending, Lessons: crawl.Lessons{Host: &state}})
			same(t, "request", request(t, r, "a"), q)
			same(t, "counters", counters(r), crawl.Counters{})
			same(t, "host", hostState(t, r, host), state)
		}},
	})
}

// testRetryTimes looks at when requests that were put back are due.
func testRetryTimes(t *testing.T, open opener) {
	runCases(t, open, []testCase{
		{"without a time the next try is due at once", func(t *testing.T, s crawl.Store) {
			r := begin(t, s, job("a"))
			commit(t, r, retry(request(t, r, "a"), time.Time{}))
			if q := request(t, r, "a"); q.Attempts != 1 {
				t.Errorf("Attempts = %d", q.Attempts)
			}
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
				same(t, "due after "+c.at.String(), paths(due), c.due)
				want := time.Time{}
				if c.next != 0 {
					want = now.Add(c.next)
				}
				if !next.Equal(want) {
					t.Errorf("next after %v = %v, want %v", c.at, next, want)
				}
			}
		}},
		{"tries and their times outlast an interruption", func(t *testing.T, s crawl.Store) {
			r := begin(t, s, job("a"))
			at := time.Now().Add(time.Hour).Truncate(time.Millisecond)
			commit(t, r, retry(request(t, r, "a"), at))
			r = again(t, s, r, job("a"))
			due, next, err := r.Window(t.Context(), host, time.Now(), 10, nil)
			if err != nil || len(due) != 0 || !next.Equal(at) {
				t.Errorf("Window: %+v, %v, %v; want none before %v", due, next, err, at)
			}
			due, _, err = r.Window(t.Context(), host, at, 10, nil)
			if err != nil || len(due) != 1 || due[0].Attempts != 1 {
				t.Errorf("Window: %+v, %v", due, err)
			}
		}},
		{"a retry that no clock can have meant waits no longer than the longest", func(t *testing.T, s crawl.Store) {
			r := begin(t, s, job("a"))
			commit(t, r, retry(request(t, r, "a"), time.Now().Add(10*365*24*time.Hour)))
			r = again(t, s, r, job("a"))
			_, next, err := r.Window(t.Context(), host, time.Now(), 10, nil)
			if latest := time.Now().Add(crawl.MaxRetryAfter + time.Second); err != nil || next.IsZero() || next.After(latest) {
				t.Errorf("the next try is at %v, %v; want one before %v", next, err, latest)
			}
		}},
	})
}

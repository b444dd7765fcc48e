package storetest

import (
	"testing"
	"time"

	"github.com/magpie-crawl/magpie/crawl"
)

// learned is what visits teach of a host.
var learned = crawl.HostState{NotBefore: moment(0), CrawlDelay: 2 * time.Second, Slow: 1500 * time.Millisecond, Failures: 3}

// testHostState looks at what is known of a host, and for how long.
func testHostState(t *testing.T, open opener) {
	runCases(t, open, []testCase{
		{"of a host that nothing is known of", func(t *testing.T, s crawl.Store) {
			r := begin(t, s, job("a"))
			same(t, "state", hostState(t, r, host), crawl.HostState{})
			same(t, "state of an unknown host", hostState(t, r, "nowhere.test"), crawl.HostState{})
		}},
		{"it outlasts an interruption, and is what was taught last", func(t *testing.T, s crawl.Store) {
			r := begin(t, s, job("a", "b"))
			first, second := fetched(t, r, "a"), fetched(t, r, "b")
			first.Host, second.Host = &crawl.HostState{Failures: 9}, &learned
			commit(t, r, first, second)
			r = again(t, s, r, job("a"))
			same(t, "state", hostState(t, r, host), learned)
		}},
		{"the next run knows all but the failures", func(t *testing.T, s crawl.Store) {
			r := begin(t, s, job("a"))
			v := fetched(t, r, "a")
			v.Host = &learned
			commit(t, r, v)
			r = next(t, s, r, job("a"))
			want := learned
			want.Failures = 0
			same(t, "state", hostState(t, r, host), want)
		}},
		{"a time is never early", func(t *testing.T, s crawl.Store) {
			r := begin(t, s, job("a"))
			v := fetched(t, r, "a")
			v.Host = &crawl.HostState{NotBefore: moment(0).Add(time.Microsecond)}
			commit(t, r, v)
			if got := hostState(t, r, host).NotBefore; got.Before(v.Host.NotBefore) {
				t.Errorf("NotBefore = %v, want not before %v", got, v.Host.NotBefore)
			}
		}},
	})
}

// testHostLessons has visits teach, whatever becomes of them.
func testHostLessons(t *testing.T, open opener) {
	for _, c := range []struct {
		name  string
		visit func(q crawl.Request) *crawl.Visit
	}{
		{"fetched", func(q crawl.Request) *crawl.Visit {
			return &crawl.Visit{Request: q, State: crawl.Done, Page: page("a")}
		}},
		{"put back", func(q crawl.Request) *crawl.Visit { return retry(q, time.Now().Add(time.Hour)) }},
		{"failed", func(q crawl.Request) *crawl.Visit {
			return &crawl.Visit{Request: q, State: crawl.Failed, Reason: "timeout"}
		}},
		{"skipped", func(q crawl.Request) *crawl.Visit {
			return &crawl.Visit{Request: q, State: crawl.Skipped, Reason: crawl.ReasonRobots}
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := begin(t, open(t), job("a"))
			v := c.visit(request(t, r, "a"))
			v.Host = &learned
			commit(t, r, v)
			same(t, "state", hostState(t, r, host), learned)
		})
	}
}

// hostState is what a run knows of a host.
func hostState(t *testing.T, r crawl.Run, host string) crawl.HostState {
	t.Helper()
	s, err := r.HostState(t.Context(), host)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

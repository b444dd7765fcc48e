package crawl_test

import (
	"fmt"
	"net/http"
	"testing"
	"time"

	"github.com/magpie-crawl/magpie/crawl"
)

// robotsHits is how often a run asked for robots.txt.
func (r *recrawls) robotsHits() int {
	r.t.Helper()
	r.run()
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.hits["/robots.txt"]
}

func (s *site) robots(body string, kv ...string) {
	s.pages["/robots.txt"] = func(w http.ResponseWriter, _ *http.Request) {
		for i := 0; i < len(kv); i += 2 {
			w.Header().Add(kv[i], kv[i+1])
		}
		fmt.Fprint(w, body)
	}
}

func TestRobotsFileIsKept(t *testing.T) {
	for name, c := range map[string]struct {
		header         []string
		fresh, expired time.Duration // after which it is still good, and not any more
	}{
		"for a day":                             {nil, 23 * time.Hour, 25 * time.Hour},
		"for as long as it says":                {[]string{"Cache-Control", "public, max-age=3600"}, 59 * time.Minute, 61 * time.Minute},
		"for a day at most":                     {[]string{"Cache-Control", "max-age=31536000"}, 23 * time.Hour, 25 * time.Hour},
		"for minutes, where it says not at all": {[]string{"Cache-Control", "no-store"}, 4 * time.Minute, 6 * time.Minute},
		"for minutes, where it says no time":    {[]string{"Cache-Control", "max-age=0"}, 4 * time.Minute, 6 * time.Minute},
		"for a day, where it says nonsense":     {[]string{"Cache-Control", "max-age=soon"}, 23 * time.Hour, 25 * time.Hour},
		"by the first field that says":          {[]string{"Cache-Control", "private", "Cache-Control", `MAX-AGE="600"`}, 9 * time.Minute, 11 * time.Minute},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := small(t)
			s.robots("User-agent: *\nDisallow: /d", c.header...)
			r := newRecrawls(t, s, nil)
			for _, step := range []struct {
				pass time.Duration
				want int
			}{{0, 1}, {0, 0}, {c.fresh, 0}, {c.expired - c.fresh, 1}} {
				if step.pass > 0 {
					r.pass(step.pass)
				}
				if n := r.robotsHits(); n != step.want {
					t.Errorf("after another %v it was asked for %d times, want %d", step.pass, n, step.want)
				}
				if r.hits["/d"] != 0 {
					t.Error("what it forbids was asked for")
				}
			}
		})
	}
	t.Run("not what a wrong clock wrote", func(t *testing.T) {
		t.Parallel()
		r := newRecrawls(t, small(t), nil)
		r.run()
		r.pass(-5 * 365 * 24 * time.Hour)
		if n := r.robotsHits(); n != 1 {
			t.Errorf("it was asked for %d times, want 1", n)
		}
	})
	t.Run("the new rules hold", func(t *testing.T) {
		t.Parallel()
		s := small(t)
		r := newRecrawls(t, s, nil)
		r.run()
		s.robots("User-agent: *\nDisallow: /d")
		r.pass(25 * time.Hour)
		r.want("after a day", []string{"/", "/a", "/b", "/c"}, func(c crawl.Counters) bool { return c.Skipped[crawl.ReasonRobots] == 1 })
	})
	t.Run("its absence too", func(t *testing.T) {
		t.Parallel()
		r := newRecrawls(t, small(t), nil)
		if n := r.robotsHits() + r.robotsHits(); n != 1 {
			t.Errorf("it was asked for %d times, want 1", n)
		}
	})
}

// One that cannot be had is remembered with the time of the next try.
func TestUnreachableRobotsFileIsKept(t *testing.T) {
	t.Parallel()
	s := small(t)
	s.status("/robots.txt", http.StatusServiceUnavailable, "Retry-After", "600")
	r := newRecrawls(t, s, func(o *crawl.Options) { o.Retry.Times = -1 })
	r.want("first", []string{}, func(c crawl.Counters) bool { return c.Failures[crawl.ReasonRobotsUnreachable] == 1 })
	if r.hits["/robots.txt"] != 1 {
		t.Errorf("asked %d times, want 1", r.hits["/robots.txt"])
	}
	// The host wants to be left alone, which a run would wait for.
	execSQL(t, r.path, `UPDATE magpie_politeness SET not_before = 0`)
	if n := r.robotsHits(); n != 0 {
		t.Errorf("asked %d times before it was time", n)
	}
	execSQL(t, r.path, `UPDATE magpie_politeness SET not_before = 0`)
	r.pass(11 * time.Minute)
	s.robots("")
	r.want("when it is back", smallPages, func(c crawl.Counters) bool { return c.Pages == 5 })
}

package crawl

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/magpie-crawl/magpie/crawl/fetch"
)

// forgetful is a store that knows of no robots.txt.
type forgetful struct{ Memory }

func (forgetful) RobotsFile(context.Context, string) (*RobotsFile, error) { return nil, nil }

func TestRobotsCacheIsBounded(t *testing.T) {
	for name, n := range map[string]int{"many small files": maxRobots + 100, "large files": 2 * maxRobotsBytes / (500 << 10)} {
		t.Run(name, func(t *testing.T) {
			size := 10
			if n < maxRobots {
				size = 500 << 10
			}
			c := newRobotsCache(Options{}.withDefaults(), forgetful{}, time.Now)
			body := []byte("User-agent: *\nDisallow: /x\n#" + strings.Repeat("x", size))
			get := func(context.Context, string, bool) (*fetch.Response, error) {
				return &fetch.Response{Status: 200, Body: body, FetchedAt: time.Now()}, nil
			}
			for i := range n {
				if v := c.ask(t.Context(), get, fmt.Sprintf("http://h%d.test/x", i)); v.allowed || v.fetched == nil {
					t.Fatalf("%+v", v)
				}
			}
			if len(c.origins) > maxRobots || c.bytes > maxRobotsBytes+len(body) || c.bytes != len(c.origins)*len(body) {
				t.Errorf("%d origins, %d bytes", len(c.origins), c.bytes)
			}
		})
	}
}

// What a store kept is believed as far as it can be true, whatever the clock
// was that wrote it.
func TestHostRecall(t *testing.T) {
	now := time.Now()
	limits := hostLimits{inFlight: 2, maxDelay: time.Minute, adaptive: true, backoff: time.Second}
	for _, c := range []struct {
		name    string
		kept    HostState
		resumed bool
		want    time.Duration // from now to the next request
	}{
		{"nothing", HostState{}, false, 0},
		{"to be left alone", HostState{NotBefore: now.Add(10 * time.Minute)}, false, 10 * time.Minute},
		{"not any more", HostState{NotBefore: now.Add(-time.Minute)}, false, 0},
		{"for as long as may be", HostState{NotBefore: now.Add(MaxRetryAfter)}, false, MaxRetryAfter},
		{"for years", HostState{NotBefore: now.AddDate(10, 0, 0)}, false, MaxRetryAfter},
		{"since the year 1970", HostState{NotBefore: time.UnixMilli(1)}, false, 0},
		{"a delay, in a new run", HostState{CrawlDelay: 3 * time.Second}, false, 0},
		{"a delay, in a run that goes on", HostState{CrawlDelay: 3 * time.Second}, true, 3 * time.Second},
		{"overload, in a run that goes on", HostState{Slow: 7 * time.Second}, true, 7 * time.Second},
		{"overload beyond the limit", HostState{Slow: time.Hour}, true, time.Minute},
	} {
		t.Run(c.name, func(t *testing.T) {
			l := limits
			if c.resumed {
				l.resumed = now
			}
			h := &host{}
			h.recall(c.kept, now, l)
			if got := max(0, h.next.Sub(now)); got != c.want {
				t.Errorf("next request after %v, want %v", got, c.want)
			}
		})
	}
}

func TestRobotsFileFresh(t *testing.T) {
	now := time.Now()
	file := func(fetched, expires time.Duration, err string) *RobotsFile {
		return &RobotsFile{FetchedAt: now.Add(fetched), Expires: now.Add(expires), Err: err}
	}
	for _, c := range []struct {
		name string
		file *RobotsFile
		want bool
	}{
		{"just fetched", file(0, 24*time.Hour, ""), true},
		{"nearly over", file(-23*time.Hour, time.Second, ""), true},
		{"over", file(-25*time.Hour, -time.Hour, ""), false},
		{"fetched in the future", file(time.Hour, 24*time.Hour, ""), false},
		{"good for longer than any", file(-time.Hour, 25*time.Hour, ""), false},
		{"unreachable, not yet to be asked again", file(-time.Second, 30*time.Second, "503"), true},
		{"unreachable, to be asked again", file(-time.Minute, -time.Second, "503"), false},
		{"unreachable for longer than any", file(-time.Minute, 20*time.Hour, "503"), false},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := c.file.fresh(now); got != c.want {
				t.Errorf("fresh: %v, want %v", got, c.want)
			}
		})
	}
}

func TestChangedSince(t *testing.T) {
	day := time.Date(2026, 3, 10, 0, 0, 0, 0, time.UTC)
	now := day.Add(20 * time.Hour)
	for _, c := range []struct {
		name             string
		lastMod, fetched time.Time
		changed, ok      bool
	}{
		{"nothing said", time.Time{}, day, false, false},
		{"after the visit", day.Add(5*time.Hour + 1), day.Add(4 * time.Hour), true, true},
		{"before the visit", day.Add(3*time.Hour + 1), day.Add(4 * time.Hour), false, true},
		{"on the day of the visit", day, day.Add(4 * time.Hour), true, true},
		{"on the day before", day.AddDate(0, 0, -1), day.Add(4 * time.Hour), false, true},
		{"in the future", day.AddDate(0, 0, 1), day, false, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			changed, ok := (&Revisit{LastMod: c.lastMod, FetchedAt: c.fetched}).changedSince(now)
			if changed != c.changed || ok != c.ok {
				t.Errorf("%v, %v; want %v, %v", changed, ok, c.changed, c.ok)
			}
		})
	}
}

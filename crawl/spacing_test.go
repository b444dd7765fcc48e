package crawl_test

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/magpie-crawl/magpie/crawl"
)

// arrivals notes when requests come to a server, whatever they are for.
type arrivals struct {
	mu    sync.Mutex
	at    []time.Time
	what  []string
	inner http.Handler
}

func (a *arrivals) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	now := time.Now()
	a.mu.Lock()
	a.at, a.what = append(a.at, now), append(a.what, r.URL.Path)
	a.mu.Unlock()
	a.inner.ServeHTTP(w, r)
}

// count waits for the arrivals so far.
func (a *arrivals) count() int {
	a.mu.Lock()
	defer a.mu.Unlock()
	return len(a.at)
}

// holdUps watches for how long this machine holds up a goroutine that has
// something to do. It returns the longest time so far.
func holdUps(t *testing.T) func() time.Duration {
	var longest atomic.Int64
	go func() {
		const nap = time.Millisecond
		for t.Context().Err() == nil {
			start := time.Now()
			time.Sleep(nap)
			longest.Store(max(longest.Load(), int64(time.Since(start)-nap)))
		}
	}()
	return func() time.Duration { return time.Duration(longest.Load()) }
}

// faults wants no two arrivals closer to each other than delay. held is the
// longest that an exchange took, or a goroutine was held up: up to that, what
// was sent in time can have come in late, and the next is sent later for a part
// of it.
func (a *arrivals) faults(delay, held time.Duration) (f faults) {
	a.mu.Lock()
	defer a.mu.Unlock()
	least := delay - max(0, held-delay/20)
	for i := 1; i < len(a.at); i++ {
		if gap := a.at[i].Sub(a.at[i-1]); gap < least {
			f.add("%s came %v after %s, want at least %v", a.what[i], gap, a.what[i-1], least)
		}
	}
	return f
}

// busy is a host with all that can make a crawler ask twice: redirects, also
// of robots.txt, failures that pass, a sitemap, pages that are not there.
func busy(t *testing.T) (*site, *arrivals) {
	s := newSite(t)
	s.status("/robots.txt", http.StatusMovedPermanently, "Location", "/rules.txt")
	s.text("/rules.txt", "User-agent: *\nDisallow: /private\nSitemap: "+s.URL+"/map.xml")
	s.text("/map.xml", `<urlset><url><loc>`+s.URL+`/listed</loc></url></urlset>`)
	s.page("/", "/moved", "/flaky", "/broken", "/lost", "/private", "/plain")
	s.status("/moved", http.StatusFound, "Location", "/target")
	for _, path := range []string{"/target", "/flaky", "/broken", "/plain", "/private", "/listed"} {
		s.page(path)
	}
	s.first(1, "/flaky", http.StatusInternalServerError)
	broken := s.pages["/broken"]
	n := 0
	s.pages["/broken"] = func(w http.ResponseWriter, r *http.Request) {
		if n++; n == 1 {
			panic(http.ErrAbortHandler)
		}
		broken(w, r)
	}
	a := &arrivals{inner: s}
	s.Config.Handler = a
	return s, a
}

func TestRequestsKeepTheirDistance(t *testing.T) {
	t.Parallel()
	try(t, func(t *testing.T) faults { return busyHostsFaults(t, 60*time.Millisecond, 12) })
}

// busyHostsFaults crawls several hosts at once.
func busyHostsFaults(t *testing.T, delay time.Duration, hosts int) (f faults) {
	var o crawl.Options
	var all []*arrivals
	for range hosts {
		s, a := busy(t)
		o.Start = append(o.Start, s.URL+"/")
		all = append(all, a)
	}
	o.Retry.Delay = time.Millisecond
	o.Politeness = crawl.Politeness{Delay: delay, PerHost: 4, Concurrency: 16}
	o.Sitemaps.FromRobots = true
	var held time.Duration
	machine := holdUps(t)
	o.OnVisit = func(v *crawl.Visit) {
		if v.Page != nil {
			held = max(held, v.Page.Duration)
		}
	}
	c := run(t, openStore(t), o).Run.Counters
	n := int64(hosts)
	if c.Pages != 6*n || c.Redirects != n || c.Sitemaps != n || c.Retries != 2*n || c.Failed != n || c.Skipped[crawl.ReasonRobots] != n {
		t.Errorf("%+v, want all of %d hosts", c, hosts)
	}
	for _, a := range all {
		// robots.txt and where it leads, 6 pages, a redirect, a page that is
		// lost, a sitemap, 2 retries.
		if n := a.count(); n != 13 {
			t.Errorf("%d requests: %v", n, a.what)
		}
		f = append(f, a.faults(delay, max(held, machine()))...)
	}
	return f
}

// A crawl that is stopped and resumed keeps the distance between the last
// request of one process and the first of the next.
func TestResumedCrawlKeepsItsDistance(t *testing.T) {
	t.Parallel()
	try(t, resumedFaults)
}

func resumedFaults(t *testing.T) faults {
	const delay = 80 * time.Millisecond
	s := chain(t, 9)
	a := &arrivals{inner: s}
	s.Config.Handler = a
	db := openStore(t)
	machine := holdUps(t)
	var held time.Duration
	for round := 0; ; round++ {
		var c *crawl.Crawler
		o := quick(t, s, func(o *crawl.Options) {
			o.Politeness.Delay = delay
			o.OnVisit = func(v *crawl.Visit) { held = max(held, v.Page.Duration); c.Stop() }
		})
		c, err := crawl.New(o)
		if err != nil {
			t.Fatal(err)
		}
		sum, err := c.Crawl(t.Context(), db, crawl.Job{Name: "test"})
		if err != nil {
			t.Fatal(err)
		}
		if sum.Finished {
			if round < 8 { // the next request was sent before this one's visit was told of
				return faults{fmt.Sprintf("stopped %d times, want 8", round)}
			}
			break
		}
	}
	if robots := slices.DeleteFunc(slices.Clone(a.what), func(path string) bool { return path != "/robots.txt" }); len(robots) != 1 || len(a.what) != 10 {
		t.Errorf("requests: %v, want 9 pages and robots.txt once", a.what)
	}
	return a.faults(delay, max(held, machine()))
}

// A Crawl-delay counts from the request that brought it.
func TestCrawlDelayCountsFromRobots(t *testing.T) {
	t.Parallel()
	try(t, func(t *testing.T) faults {
		s := chain(t, 3)
		s.text("/robots.txt", "User-agent: *\nCrawl-delay: 0.08")
		a := &arrivals{inner: s}
		s.Config.Handler = a
		machine := holdUps(t)
		if c := run(t, openStore(t), quick(t, s, nil)).Run.Counters; c.Pages != 3 || c.Retries != 0 || len(a.what) != 4 {
			t.Errorf("%+v, requests %v", c, a.what)
		}
		return a.faults(80*time.Millisecond, 2*machine())
	})
}

func TestCrawlDelayIsCapped(t *testing.T) {
	t.Parallel()
	s := chain(t, 3)
	s.text("/robots.txt", "User-agent: *\nCrawl-delay: 3600")
	c := run(t, openStore(t), quick(t, s, func(o *crawl.Options) { o.Politeness.MaxDelay = 20 * time.Millisecond })).Run.Counters
	if c.Pages != 3 {
		t.Errorf("%+v, want 3 pages", c)
	}
}

// The promise of Retry-After outlasts the process: the second crawl of the
// run has no memory but the store's.
func TestRetryAfterOutlastsTheProcess(t *testing.T) {
	for name, fresh := range map[string]bool{"resumed": false, "started afresh": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, db := newSite(t), openStore(t)
			s.page("/", "/a", "/b")
			s.page("/a")
			s.page("/b")
			var mu sync.Mutex
			var refused time.Time
			a := s.pages["/a"]
			s.pages["/a"] = func(w http.ResponseWriter, r *http.Request) {
				mu.Lock()
				defer mu.Unlock()
				if refused.IsZero() {
					refused = time.Now()
					w.Header().Set("Retry-After", "2")
					w.WriteHeader(http.StatusServiceUnavailable)
					return
				}
				a(w, r)
			}
			log := &arrivals{inner: s}
			s.Config.Handler = log
			var c *crawl.Crawler
			o := quick(t, s, func(o *crawl.Options) {
				o.Politeness.PerHost = 1
				o.OnVisit = func(v *crawl.Visit) {
					if v.Reason == "http-503" {
						c.Stop()
					}
				}
			})
			var err error
			if c, err = crawl.New(o); err != nil {
				t.Fatal(err)
			}
			if sum, err := c.Crawl(t.Context(), db, crawl.Job{Name: "test"}); err != nil || sum.Finished {
				t.Fatalf("first: %+v, %v", sum, err)
			}
			before := log.count()
			if c, err = crawl.New(o); err != nil {
				t.Fatal(err)
			}
			if sum, err := c.Crawl(t.Context(), db, crawl.Job{Name: "test", Fresh: fresh}); err != nil || !sum.Finished {
				t.Fatalf("second: %+v, %v", sum, err)
			}
			if log.count() == before {
				t.Fatal("nothing was asked by the second crawl")
			}
			if wait := log.at[before].Sub(refused); wait < 2*time.Second {
				t.Errorf("%s was asked for %v after the server wanted to be left alone for 2s", log.what[before], wait)
			}
		})
	}
}

// What no clock can have meant is not waited for.
func TestHostStateFromAnotherClock(t *testing.T) {
	t.Parallel()
	r := newRecrawls(t, small(t), func(o *crawl.Options) { o.Politeness.Delay = time.Millisecond })
	r.run()
	for _, at := range []time.Duration{-10 * 365 * 24 * time.Hour, -time.Minute} {
		execSQL(t, r.path, `UPDATE magpie_politeness SET not_before = ?`, time.Now().Add(at).UnixMilli())
		r.want(fmt.Sprint("state of ", at), smallPages, func(c crawl.Counters) bool { return c.Unchanged == 5 })
	}
}

func TestOverloadedHostIsSlowedDown(t *testing.T) {
	serve := func(t *testing.T, backoff time.Duration, change func(*crawl.Options)) []time.Duration {
		s := newSite(t)
		var refs []string
		for i := range 6 {
			path := fmt.Sprintf("/%d", i)
			refs = append(refs, path)
			s.page(path)
		}
		s.page("/", refs...)
		s.first(1, "/", http.StatusTooManyRequests)
		a := &arrivals{inner: s}
		s.Config.Handler = a
		run(t, openStore(t), quick(t, s, func(o *crawl.Options) {
			o.Retry.Delay = backoff
			if change != nil {
				change(o)
			}
		}))
		var gaps []time.Duration
		for i := 3; i < len(a.at); i++ { // after robots.txt, the refusal, and its retry
			gaps = append(gaps, a.at[i].Sub(a.at[i-1]))
		}
		if len(gaps) != 6 {
			t.Fatalf("requests: %v", a.what)
		}
		return gaps
	}
	t.Run("and stays so for a while", func(t *testing.T) {
		t.Parallel()
		try(t, func(t *testing.T) (f faults) {
			for i, gap := range serve(t, 100*time.Millisecond, nil) {
				if gap < 50*time.Millisecond {
					f.add("request %d came %v after the one before", i, gap)
				}
			}
			return f
		})
	})
	t.Run("unless the job does not want it", func(t *testing.T) {
		t.Parallel()
		const backoff = 3 * time.Second
		gaps := serve(t, backoff, func(o *crawl.Options) { o.Politeness.Adaptive = crawl.AdaptiveOff })
		if slices.Min(gaps) >= backoff/2 {
			t.Errorf("gaps of %v", gaps)
		}
	})
}

func TestManyHostsShareNothing(t *testing.T) {
	t.Parallel()
	slow, quickSite := chain(t, 5), chain(t, 41)
	slow.text("/robots.txt", "User-agent: *\nCrawl-delay: 3600")
	var c *crawl.Crawler
	pages := 0
	o := quick(t, quickSite, func(o *crawl.Options) {
		o.Start = append(o.Start, slow.URL+"/")
		o.Politeness.Concurrency, o.Politeness.MaxDelay = 2, time.Hour
		o.OnVisit = func(v *crawl.Visit) {
			if strings.HasPrefix(v.Request.URL, quickSite.URL) {
				if pages++; pages == 41 {
					c.Stop() // the slow one would take hours
				}
			}
		}
	})
	c, err := crawl.New(o)
	if err != nil {
		t.Fatal(err)
	}
	if sum, err := c.Crawl(t.Context(), openStore(t), crawl.Job{Name: "test"}); err != nil || sum.Finished || pages != 41 {
		t.Errorf("%+v, %v: %d pages of the quick host", sum, err, pages)
	}
	if len(slow.starts) > 1 {
		t.Errorf("%d requests to the slow host", len(slow.starts))
	}
}

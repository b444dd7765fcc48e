package crawl_test

import (
	"fmt"
	"net/http"
	"testing"
	"time"

	"github.com/magpie-crawl/magpie/crawl"
	"github.com/magpie-crawl/magpie/internal/steadytest"
)

// start begins a crawl that ends with the test.
func start(t *testing.T, o crawl.Options) *crawl.Crawler {
	t.Helper()
	c, err := crawl.New(o)
	if err != nil {
		t.Fatal(err)
	}
	db, ended := openStore(t), make(chan struct{})
	go func() {
		defer close(ended)
		c.Crawl(t.Context(), db, crawl.Job{Name: "test"})
	}()
	t.Cleanup(func() { <-ended })
	return c
}

// until waits for a crawl's first host to be as wanted.
func until(t *testing.T, c *crawl.Crawler, want func(h crawl.HostProgress) bool) {
	t.Helper()
	var last []crawl.HostProgress
	for late := time.Now().Add(steadytest.Patience); time.Now().Before(late); time.Sleep(5 * time.Millisecond) {
		if last = c.Hosts(10); len(last) > 0 && want(last[0]) {
			return
		}
	}
	t.Errorf("after %v: %+v", steadytest.Patience, last)
}

func TestHostProgress(t *testing.T) {
	// wide is a site of many pages that are answered in a moment.
	wide := func(t *testing.T) *site {
		s := newSite(t)
		var refs []string
		for i := range 50 {
			path := fmt.Sprintf("/%d", i)
			refs = append(refs, path)
			s.page(path)
		}
		s.page("/", refs...)
		return s
	}
	// refuse lets all pages but the first be refused.
	refuse := func(s *site, status int, kv ...string) {
		for i := range 50 {
			s.status(fmt.Sprintf("/%d", i), status, kv...)
		}
	}
	hang := func(t *testing.T, s *site, path string) {
		s.pages[path] = func(_ http.ResponseWriter, r *http.Request) {
			select {
			case <-r.Context().Done():
			case <-t.Context().Done():
			}
		}
	}
	for _, c := range []struct {
		wait   crawl.Wait
		site   func(t *testing.T, s *site)
		change func(o *crawl.Options)
		want   func(h crawl.HostProgress) bool
	}{
		{
			wait:   crawl.WaitDelay,
			change: func(o *crawl.Options) { o.Politeness.Delay = time.Hour },
			want: func(h crawl.HostProgress) bool {
				return h.Delay == time.Hour && time.Until(h.Next) > 59*time.Minute && h.Queue == 1 && h.InFlight == 0
			},
		},
		{
			wait:   crawl.WaitCrawlDelay,
			site:   func(_ *testing.T, s *site) { s.text("/robots.txt", "User-agent: *\nCrawl-delay: 30") },
			change: func(o *crawl.Options) { o.Politeness.Delay = time.Second },
			want:   func(h crawl.HostProgress) bool { return h.Delay == 30*time.Second },
		},
		{
			wait: crawl.WaitRetryAfter,
			site: func(_ *testing.T, s *site) { refuse(s, 503, "Retry-After", "600") },
			want: func(h crawl.HostProgress) bool {
				return h.Failures > 0 && time.Until(h.Next) > 9*time.Minute && h.Queue == 50
			},
		},
		{
			wait:   crawl.WaitBackoff,
			site:   func(_ *testing.T, s *site) { refuse(s, 503) },
			change: func(o *crawl.Options) { o.Retry.Delay = time.Minute },
			want:   func(h crawl.HostProgress) bool { return h.Failures == 1 && h.Queue == 50 },
		},
		{
			wait: crawl.WaitSlow,
			site: func(_ *testing.T, s *site) { s.first(1, "/1", 429) },
			change: func(o *crawl.Options) {
				o.Retry.Delay = 200 * time.Millisecond
				o.Politeness.Delay = time.Millisecond
			},
			want: func(h crawl.HostProgress) bool { return h.Delay >= 50*time.Millisecond && h.Failures == 0 },
		},
		{
			wait: crawl.WaitRobots,
			site: func(_ *testing.T, s *site) { s.status("/robots.txt", 500) },
			change: func(o *crawl.Options) {
				o.Retry.Delay = time.Minute
				o.Sitemaps.URLs = []string{o.Start[0] + "map.xml"}
			},
			want: func(h crawl.HostProgress) bool { return h.Queue == 2 },
		},
		{
			wait:   crawl.WaitRetry,
			site:   func(_ *testing.T, s *site) { s.status("/", 500) },
			change: func(o *crawl.Options) { o.Retry.Delay = time.Minute },
			want:   func(h crawl.HostProgress) bool { return h.Queue == 1 && time.Until(h.Next) > 50*time.Second },
		},
		{
			wait: crawl.WaitFirst,
			site: func(t *testing.T, s *site) { hang(t, s, "/robots.txt") },
			want: func(h crawl.HostProgress) bool { return h.InFlight == 1 && h.Next.IsZero() },
		},
		{
			wait: crawl.WaitInFlight,
			site: func(t *testing.T, s *site) { hang(t, s, "/3"); hang(t, s, "/7") },
			want: func(h crawl.HostProgress) bool { return h.InFlight == 2 && h.Queue > 40 && h.Next.IsZero() },
		},
		{
			wait:   crawl.WaitWorkers,
			site:   func(t *testing.T, s *site) { hang(t, s, "/3") },
			change: func(o *crawl.Options) { o.Politeness.Concurrency = 1 },
			want:   func(h crawl.HostProgress) bool { return h.InFlight == 1 && !h.Next.After(time.Now()) },
		},
	} {
		t.Run(string(c.wait), func(t *testing.T) {
			t.Parallel()
			s := wide(t)
			if c.site != nil {
				c.site(t, s)
			}
			until(t, start(t, quick(t, s, c.change)), func(h crawl.HostProgress) bool { return h.Wait == c.wait && c.want(h) })
			if c.wait.Text() == "" {
				t.Error("no words for it")
			}
		})
	}
	t.Run("neighbour", func(t *testing.T) {
		t.Parallel()
		s, hosts := wide(t), new(crawl.Hosts)
		hang(t, s, "/3")
		one := func(o *crawl.Options) { o.Politeness.PerHost = 1; o.Hosts = hosts }
		until(t, start(t, quick(t, s, one)), func(h crawl.HostProgress) bool { return h.Wait == crawl.WaitInFlight && h.Queue > 40 })
		until(t, start(t, quick(t, s, one)), func(h crawl.HostProgress) bool {
			return h.Wait == crawl.WaitNeighbour && h.InFlight == 0 && h.Queue == 1
		})
	})
	t.Run("down", func(t *testing.T) {
		t.Parallel()
		s := wide(t)
		refuse(s, 503)
		c := start(t, quick(t, s, func(o *crawl.Options) {
			o.Politeness.Adaptive, o.Politeness.PerHost, o.Retry.Times = crawl.AdaptiveOff, 1, -1
			o.OnVisit = func(v *crawl.Visit) {
				if v.Reason == crawl.ReasonHostDown {
					<-t.Context().Done()
				}
			}
		}))
		until(t, c, func(h crawl.HostProgress) bool { return h.Wait == crawl.WaitDown && h.Failures >= 10 })
	})
	t.Run("latency", func(t *testing.T) {
		t.Parallel()
		s := wide(t)
		s.pages["/3"] = func(http.ResponseWriter, *http.Request) { time.Sleep(300 * time.Millisecond) }
		hang(t, s, "/10")
		hang(t, s, "/11")
		until(t, start(t, quick(t, s, nil)), func(h crawl.HostProgress) bool { return h.InFlight == 2 && h.Latency > 0 })
	})
	t.Run("the busiest first, and no more than asked for", func(t *testing.T) {
		t.Parallel()
		s := wide(t)
		var starts []string
		port := s.URL[len("http://127.0.0.1:"):]
		for i := range 30 {
			starts = append(starts, fmt.Sprintf("http://127.0.2.%d:%s/", i+1, port)) // nobody listens there
		}
		hang(t, s, "/3")
		hang(t, s, "/4")
		c := start(t, quick(t, s, func(o *crawl.Options) {
			o.Start = append(o.Start, starts...)
			o.Retry.Delay = time.Minute
		}))
		until(t, c, func(h crawl.HostProgress) bool { return h.InFlight == 2 })
		for _, limit := range []int{0, 1, 5, 31, 100} {
			// The list is not made anew where the scheduler is busy.
			steadytest.Await(t, fmt.Sprintf("a list of %d hosts at most", limit), func() bool {
				list := c.Hosts(limit)
				return len(list) == min(limit, 31) && (limit == 0 || list[0].InFlight == 2)
			})
		}
	})
	t.Run("none before and after the crawl", func(t *testing.T) {
		t.Parallel()
		s := wide(t)
		c, err := crawl.New(quick(t, s, nil))
		if err != nil {
			t.Fatal(err)
		}
		if list := c.Hosts(10); list != nil {
			t.Errorf("before: %+v", list)
		}
		if _, err := c.Crawl(t.Context(), openStore(t), crawl.Job{Name: "test"}); err != nil {
			t.Fatal(err)
		}
		if list := c.Hosts(10); list != nil {
			t.Errorf("after: %+v", list)
		}
	})
}

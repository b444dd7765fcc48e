package crawl_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/magpie-crawl/magpie/crawl"
	"github.com/magpie-crawl/magpie/extract"
)

// calendar is a site with an endless calendar, of which each day says the same but for its date, and with n pages of a
// list that say something.
func calendar(t *testing.T, n int) *site {
	s := newSite(t)
	s.page("/", "/day/0", "/list/1")
	filler := strings.Repeat("Nothing is planned for this day, but there is a lot of text around it. ", 10)
	day := func(w http.ResponseWriter, r *http.Request) {
		var d int
		fmt.Sscanf(r.URL.Path, "/day/%d", &d)
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprintf(w, "<h2>Day %d</h2><p>%s<a href=/day/%d>next</a>", d, filler, d+1)
	}
	for d := range 2000 {
		s.pages["/day/"+strconv.Itoa(d)] = day
	}
	for i := 1; i <= n; i++ {
		s.pages["/list/"+strconv.Itoa(i)] = func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/html")
			fmt.Fprintf(w, "<h2>Page %d</h2>", i)
			for j := range 10 {
				name := strings.Map(func(r rune) rune { return 'a' + (r-'0'+rune(j))%26 }, fmt.Sprintf("%06d", i*37+j*1009))
				fmt.Fprintf(w, "<p>Thing %s costs little, says %s", name, strings.ToUpper(name))
			}
			fmt.Fprintf(w, "<a href=/list/%d>next</a>", i+1)
		}
	}
	return s
}

func countPrefix(paths []string, prefix string) (n int) {
	for _, p := range paths {
		if strings.HasPrefix(p, prefix) {
			n++
		}
	}
	return n
}

func TestTrapDuplicates(t *testing.T) {
	pages := 500
	if testing.Short() {
		pages = 200
	}
	options := func(o *crawl.Options) { o.Traps.Duplicates = 30; o.Extractor = nil }
	check := func(t *testing.T, s *site, sum *crawl.Summary) {
		t.Helper()
		if got := countPrefix(s.asked(), "/list/"); got != pages+1 { // the last one's link leads to nothing
			t.Errorf("%d pages of the list were asked for, want %d", got, pages+1)
		}
		if got := countPrefix(s.asked(), "/day/"); got < 30 || got > 30+16 { // those in flight come on top
			t.Errorf("%d days were asked for, want 30 or few more", got)
		}
		if got := sum.Run.Counters.Skipped[crawl.ReasonTrapDuplicates]; got == 0 {
			t.Errorf("skipped %v, want some for %s", sum.Run.Counters.Skipped, crawl.ReasonTrapDuplicates)
		}
	}
	t.Run("endless calendar", func(t *testing.T) {
		t.Parallel()
		s := calendar(t, pages)
		check(t, s, run(t, openStore(t), quick(t, s, options)))
	})
	t.Run("known after an interruption", func(t *testing.T) {
		t.Parallel()
		s, db := calendar(t, pages), openStore(t)
		visits := 0
		var c *crawl.Crawler
		c, err := crawl.New(quick(t, s, func(o *crawl.Options) {
			options(o)
			o.OnVisit = func(*crawl.Visit) {
				if visits++; visits == 150 { // past the days, amid the list
					c.Stop()
				}
			}
		}))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := c.Crawl(t.Context(), db, crawl.Job{Name: "test"}); err != nil {
			t.Fatal(err)
		}
		check(t, s, run(t, db, quick(t, s, options)))
	})
	t.Run("records are news", func(t *testing.T) {
		t.Parallel()
		x, err := extract.Compile(extract.Spec{Items: []extract.Item{{Name: "day", Fields: []extract.Field{{Name: "title", CSS: "h2", Required: true}}}}})
		if err != nil {
			t.Fatal(err)
		}
		s := calendar(t, 1)
		sum := run(t, openStore(t), quick(t, s, func(o *crawl.Options) { o.Traps.Duplicates = 30; o.Extractor = x; o.Limits.Pages = 300 }))
		if sum.Run.Counters.Pages != 300 || len(sum.Run.Counters.Skipped) > 0 {
			t.Errorf("%+v, want 300 pages and nothing skipped", sum.Run.Counters)
		}
	})
	t.Run("a gallery", func(t *testing.T) {
		t.Parallel()
		s := newSite(t)
		s.page("/", "/photo/1")
		for i := 1; i <= 200; i++ {
			s.pages[fmt.Sprintf("/photo/%d", i)] = func(w http.ResponseWriter, _ *http.Request) {
				w.Header().Set("Content-Type", "text/html")
				fmt.Fprintf(w, "<p>Photo %d<img src=/img/%d.jpg><a href=/photo/%d>next</a>", i, i, i+1)
			}
		}
		sum := run(t, openStore(t), quick(t, s, options))
		if got := sum.Run.Counters; got.Pages != 201 || len(got.Skipped) > 0 {
			t.Errorf("%+v, want 201 pages and nothing skipped", got)
		}
	})
	t.Run("off", func(t *testing.T) {
		t.Parallel()
		s := calendar(t, 1)
		sum := run(t, openStore(t), quick(t, s, func(o *crawl.Options) { o.Traps = crawl.NoTraps; o.Extractor = nil; o.Limits.Pages = 300 }))
		if sum.Run.Counters.Pages != 300 {
			t.Errorf("%d pages, want 300", sum.Run.Counters.Pages)
		}
	})
}

func TestBudgets(t *testing.T) {
	wide := func(t *testing.T) *site {
		s := newSite(t)
		var refs []string
		for i := range 60 {
			path := fmt.Sprintf("/%s/%d", []string{"a", "b", "c"}[i%3], i)
			s.page(path)
			refs = append(refs, path)
		}
		s.page("/", refs...)
		return s
	}
	cases := []struct {
		name    string
		limits  crawl.Limits
		want    map[string]int
		skipped int64
	}{
		{"by host", crawl.Limits{PerHost: 7}, map[string]int{"/": 7}, 54},
		{"by path", crawl.Limits{Paths: []crawl.Budget{{URL: "*/a/*", Pages: 5}, {URL: "*/b/*", Pages: 100}}}, map[string]int{"/a/": 5, "/b/": 20, "/c/": 20}, 15},
		{"by both", crawl.Limits{PerHost: 30, Paths: []crawl.Budget{{URL: "*/a/*", Pages: 1}}}, map[string]int{"/": 30, "/a/": 1}, 31},
	}
	for _, c := range cases {
		for _, interrupted := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s, interrupted %v", c.name, interrupted), func(t *testing.T) {
				t.Parallel()
				s, db := wide(t), openStore(t)
				options := quick(t, s, func(o *crawl.Options) { o.Limits = c.limits })
				if interrupted {
					stopAfter(t, s, db, options, 3)
				}
				sum := run(t, db, options)
				for prefix, want := range c.want {
					if got := countPrefix(s.asked(), prefix); got != want {
						t.Errorf("%d URLs of %s were asked for, want %d", got, prefix, want)
					}
				}
				if diff := cmp.Diff(map[crawl.Reason]int64{crawl.ReasonBudget: c.skipped}, sum.Run.Counters.Skipped); diff != "" {
					t.Errorf("skipped (-want +got):\n%s", diff)
				}
			})
		}
	}
}

// A page whose robots.txt could not be had at first counts like any other, in whatever try it is asked for.
func TestBudgetAfterRobotsWereUnreachable(t *testing.T) {
	for _, c := range []struct {
		name   string
		limits crawl.Limits
	}{
		{"by host", crawl.Limits{PerHost: 1}},
		{"by path", crawl.Limits{Paths: []crawl.Budget{{URL: "*", Pages: 1}}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s := newSite(t)
			s.text("/robots.txt", "")
			s.first(1, "/robots.txt", http.StatusServiceUnavailable)
			sum := run(t, openStore(t), quick(t, s, func(o *crawl.Options) {
				o.Start, o.Limits = nil, c.limits
				for _, path := range []string{"/1", "/2", "/3"} {
					s.page(path)
					o.Start = append(o.Start, s.URL+path)
				}
			}))
			if got := len(s.asked()); got != 1 || sum.Run.Counters.Skipped[crawl.ReasonBudget] != 2 {
				t.Errorf("%d pages were asked for, want 1: %+v", got, sum.Run.Counters)
			}
		})
	}
}

// stopAfter crawls until n visits are stored and then stops softly. Until then
// the site answers no more.
func stopAfter(t *testing.T, s *site, db crawl.Store, o crawl.Options, n int) {
	t.Helper()
	var c *crawl.Crawler
	release := sync.OnceFunc(s.hold(n))
	defer release()
	o.Politeness.Concurrency = 1
	o.OnVisit = func(*crawl.Visit) {
		if n--; n == 0 {
			c.Stop()
			release()
		}
	}
	c, err := crawl.New(o)
	if err != nil {
		t.Fatal(err)
	}
	sum, err := c.Crawl(t.Context(), db, crawl.Job{Name: "test"})
	if err != nil || sum.Finished {
		t.Fatalf("finished %v, error %v, want a stop before the end", sum.Finished, err)
	}
}

func TestPrioritiesGoFirst(t *testing.T) {
	s := newSite(t)
	s.page("/", "/late/1", "/plain", "/late/2", "/early/1", "/early/2")
	var order []string // one request at a time
	for _, p := range []string{"/late/1", "/late/2", "/plain", "/early/1", "/early/2"} {
		s.pages[p] = func(http.ResponseWriter, *http.Request) { order = append(order, p) }
	}
	run(t, openStore(t), quick(t, s, func(o *crawl.Options) {
		o.Priorities = []crawl.Priority{{URL: "*/early/*", Boost: 10}, {URL: "*/late/*", Boost: -10}}
		o.Politeness.Concurrency = 1
	}))
	if diff := cmp.Diff([]string{"/early/1", "/early/2", "/plain", "/late/1", "/late/2"}, order); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestStartThatMoved begins at a URL that redirects to another host, where the site is.
func TestStartThatMoved(t *testing.T) {
	for _, interrupted := range []bool{false, true} {
		t.Run(fmt.Sprintf("interrupted %v", interrupted), func(t *testing.T) {
			there := small(t)
			there.page("/d", "http://third.invalid/")
			here := httptest.NewServer(http.RedirectHandler(there.URL+"/", http.StatusMovedPermanently))
			t.Cleanup(here.Close)
			db := openStore(t)
			options := quick(t, there, func(o *crawl.Options) { o.Start = []string{here.URL + "/"}; o.AllowPrivate = true })
			if interrupted {
				stopAfter(t, there, db, options, 1)
			}
			sum := run(t, db, options)
			if diff := cmp.Diff(smallPages, there.asked()); diff != "" {
				t.Errorf("asked (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(map[crawl.Reason]int64{crawl.ReasonScope: 1}, sum.Run.Counters.Skipped); diff != "" {
				t.Errorf("skipped (-want +got):\n%s", diff)
			}
		})
	}
}

func TestNoindex(t *testing.T) {
	for _, obey := range []bool{false, true} {
		t.Run(fmt.Sprintf("obeyed %v", obey), func(t *testing.T) {
			s := small(t)
			page := s.pages["/a"]
			s.pages["/a"] = func(w http.ResponseWriter, r *http.Request) {
				w.Header().Set("X-Robots-Tag", "noindex")
				page(w, r)
			}
			sum := run(t, openStore(t), quick(t, s, func(o *crawl.Options) {
				if obey {
					o.Politeness.Noindex = crawl.NoindexObey
				}
			}))
			want := int64(5)
			if obey {
				want = 4
			}
			if c := sum.Run.Counters; c.Pages != 5 || c.New != want {
				t.Errorf("%d pages and %d records, want 5 and %d", c.Pages, c.New, want)
			}
		})
	}
}

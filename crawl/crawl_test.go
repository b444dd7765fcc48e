package crawl_test

import (
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/magpie-crawl/magpie/crawl"
)

// small is a site with links in circles, absolute, relative and doubled.
func small(t *testing.T) *site {
	s := newSite(t)
	s.page("/", "/a", "b", "#top", "/a#part", "mailto:x@example.com", "javascript:void(0)")
	s.page("/a", "/", "/c", s.URL+"/c")
	s.page("/b", "../c", "//"+s.Listener.Addr().String()+"/d")
	s.page("/c", "/a")
	s.page("/d")
	return s
}

var smallPages = []string{"/", "/a", "/b", "/c", "/d"}

func TestCrawl(t *testing.T) {
	cases := []struct {
		name    string
		site    func(t *testing.T, s *site) // on top of small
		options func(s *site, o *crawl.Options)
		asked   []string // paths requested; nil: smallPages
		want    func(c *crawl.Counters)
		reason  string
	}{
		{
			name: "every page once",
			want: func(c *crawl.Counters) { c.Pages, c.New = 5, 5 },
		},
		{
			name:    "only the links that the job follows",
			options: func(_ *site, o *crawl.Options) { o.Follow = []string{`a[href="/a"]`} },
			asked:   []string{"/", "/a"},
			want:    func(c *crawl.Counters) { c.Pages, c.New = 2, 2 },
		},
		{
			name:    "no links where follow is empty",
			options: func(_ *site, o *crawl.Options) { o.Follow = []string{} },
			asked:   []string{"/"},
			want:    func(c *crawl.Counters) { c.Pages, c.New = 1, 1 },
		},
		{
			name:    "a selector may name what holds the links",
			options: func(_ *site, o *crawl.Options) { o.Follow = []string{"p:nth-of-type(2)"} },
			asked:   []string{"/", "/b", "/d"},
			want:    func(c *crawl.Counters) { c.Pages, c.New = 3, 3 },
		},
		{
			name:    "depth",
			options: func(_ *site, o *crawl.Options) { o.Limits.Depth = 1 },
			asked:   []string{"/", "/a", "/b"},
			want: func(c *crawl.Counters) {
				c.Pages, c.New = 3, 3
				c.Skipped = map[crawl.Reason]int64{crawl.ReasonDepth: 2}
			},
		},
		{
			name:    "denied by pattern",
			options: func(_ *site, o *crawl.Options) { o.Scope.Deny = []string{"*/b"} },
			asked:   []string{"/", "/a", "/c"},
			want: func(c *crawl.Counters) {
				c.Pages, c.New = 3, 3
				c.Skipped = map[crawl.Reason]int64{crawl.ReasonScope: 1}
			},
		},
		{
			name:    "allowed by pattern, the start always",
			options: func(_ *site, o *crawl.Options) { o.Scope.Allow = []string{`/\/[ac]$/`} },
			asked:   []string{"/", "/a", "/c"},
			want: func(c *crawl.Counters) {
				c.Pages, c.New = 3, 3
				c.Skipped = map[crawl.Reason]int64{crawl.ReasonScope: 1}
			},
		},
		{
			name: "another host is out of scope",
			site: func(_ *testing.T, s *site) { s.page("/d", "http://elsewhere.invalid/") },
			want: func(c *crawl.Counters) {
				c.Pages, c.New = 5, 5
				c.Skipped = map[crawl.Reason]int64{crawl.ReasonScope: 1}
			},
		},
		{
			name:  "forbidden by robots.txt",
			site:  func(_ *testing.T, s *site) { s.text("/robots.txt", "User-agent: *\nDisallow: /a\nDisallow: /d") },
			asked: []string{"/", "/b", "/c"},
			want: func(c *crawl.Counters) {
				c.Pages, c.New = 3, 3
				c.Skipped = map[crawl.Reason]int64{crawl.ReasonRobots: 2}
			},
		},
		{
			name:    "robots.txt ignored when asked for",
			site:    func(_ *testing.T, s *site) { s.text("/robots.txt", "User-agent: *\nDisallow: /") },
			options: func(_ *site, o *crawl.Options) { o.Politeness.Robots = crawl.RobotsIgnore },
			want:    func(c *crawl.Counters) { c.Pages, c.New = 5, 5 },
		},
		{
			name:  "robots.txt that can't be had forbids all",
			site:  func(_ *testing.T, s *site) { s.status("/robots.txt", 500) },
			asked: []string{},
			want: func(c *crawl.Counters) {
				c.Retries, c.Failed = 2, 1
				c.Failures = map[crawl.Reason]int64{crawl.ReasonRobotsUnreachable: 1}
			},
		},
		{
			name: "a failure that passes is tried again",
			site: func(_ *testing.T, s *site) { s.first(2, "/b", 503) },
			want: func(c *crawl.Counters) { c.Pages, c.New, c.Retries = 5, 5, 2 },
		},
		{
			name: "a failure that stays is given up",
			site: func(_ *testing.T, s *site) { s.first(100, "/d", 500) },
			want: func(c *crawl.Counters) {
				c.Pages, c.New, c.Retries, c.Failed = 4, 4, 2, 1
				c.Failures = map[crawl.Reason]int64{"http-500": 1}
			},
		},
		{
			name: "a page that is not there is not tried again",
			site: func(_ *testing.T, s *site) { s.first(100, "/d", 404) },
			want: func(c *crawl.Counters) {
				c.Pages, c.New, c.Failed = 4, 4, 1
				c.Failures = map[crawl.Reason]int64{"http-404": 1}
			},
		},
		{
			name:    "as many pages as the limit says",
			options: func(_ *site, o *crawl.Options) { o.Limits.Pages = 1 },
			asked:   []string{"/"},
			want:    func(c *crawl.Counters) { c.Pages, c.New = 1, 1 },
			reason:  "pages",
		},
		{
			name: "a record without a required value is a reject",
			site: func(_ *testing.T, s *site) {
				s.pages["/d"] = func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "<html><p>no title") }
			},
			want: func(c *crawl.Counters) { c.Pages, c.New, c.Rejects, c.Problems = 5, 4, 1, 1 },
		},
		{
			name: "what is no HTML is kept and not read",
			site: func(_ *testing.T, s *site) {
				s.pages["/d"] = func(w http.ResponseWriter, _ *http.Request) {
					w.Header().Set("Content-Type", "application/pdf")
					fmt.Fprint(w, "%PDF-1.7 <a href=/never>")
				}
			},
			want: func(c *crawl.Counters) { c.Pages, c.New = 5, 4 },
		},
		{
			name: "links in a template are not in the document",
			site: func(_ *testing.T, s *site) {
				s.pages["/d"] = func(w http.ResponseWriter, _ *http.Request) {
					fmt.Fprint(w, "<html><h1>d</h1><template><a href=/never>x</a></template>")
				}
			},
			want: func(c *crawl.Counters) { c.Pages, c.New = 5, 5 },
		},
		{
			name: "sitemaps that robots.txt names",
			site: func(_ *testing.T, s *site) {
				s.text("/robots.txt", "Sitemap: "+s.URL+"/map.xml")
				s.text("/map.xml", `<?xml version="1.0"?><urlset><url><loc>`+s.URL+`/hidden</loc></url></urlset>`)
				s.page("/hidden")
			},
			options: func(_ *site, o *crawl.Options) { o.Sitemaps.FromRobots = true },
			asked:   []string{"/", "/a", "/b", "/c", "/d", "/hidden", "/map.xml"},
			want:    func(c *crawl.Counters) { c.Pages, c.New, c.Sitemaps = 6, 6, 1 },
		},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s := small(t)
			if c.site != nil {
				c.site(t, s)
			}
			sum := run(t, openStore(t), quick(t, s, func(o *crawl.Options) {
				if c.options != nil {
					c.options(s, o)
				}
			}))
			if !sum.Finished || sum.Reason != c.reason {
				t.Errorf("finished: %v, reason %q, want true, %q", sum.Finished, sum.Reason, c.reason)
			}
			asked := c.asked
			if asked == nil {
				asked = smallPages
			}
			if diff := cmp.Diff(asked, s.asked()); diff != "" {
				t.Errorf("paths requested (-want +got):\n%s", diff)
			}
			want := crawl.Counters{Skipped: map[crawl.Reason]int64{}, Failures: map[crawl.Reason]int64{}}
			c.want(&want)
			got := sum.Run.Counters
			got.Bytes = 0
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("counters (-want +got):\n%s", diff)
			}
		})
	}
}

func TestCrawlRedirects(t *testing.T) {
	cases := []struct {
		name     string
		location func(s *site) string
		asked    []string
		skipped  map[crawl.Reason]int64
		failures map[crawl.Reason]int64
	}{
		{name: "relative", location: func(*site) string { return "b" }, asked: []string{"/", "/b"}},
		{name: "absolute", location: func(s *site) string { return s.URL + "/b#part" }, asked: []string{"/", "/b"}},
		{name: "forbidden by robots.txt", location: func(*site) string { return "/private" }, asked: []string{"/"},
			skipped: map[crawl.Reason]int64{crawl.ReasonRobots: 1}},
		{name: "file", location: func(*site) string { return "file:///etc/passwd" }, asked: []string{"/"},
			failures: map[crawl.Reason]int64{crawl.ReasonBadRedirect: 1}},
		{name: "javascript", location: func(*site) string { return "javascript:alert(1)" }, asked: []string{"/"},
			failures: map[crawl.Reason]int64{crawl.ReasonBadRedirect: 1}},
		{name: "missing", location: func(*site) string { return "" }, asked: []string{"/"},
			failures: map[crawl.Reason]int64{crawl.ReasonBadRedirect: 1}},
		{name: "to itself", location: func(*site) string { return "/" }, asked: []string{"/"},
			failures: map[crawl.Reason]int64{crawl.ReasonBadRedirect: 1}},
		{name: "loop of two", location: func(*site) string { return "/back" }, asked: []string{"/", "/back"}},
		{name: "endless", location: func(*site) string { return "/hop/0" },
			asked:   []string{"/", "/hop/0", "/hop/1", "/hop/2", "/hop/3", "/hop/4", "/hop/5", "/hop/6", "/hop/7", "/hop/8", "/hop/9"},
			skipped: map[crawl.Reason]int64{crawl.ReasonRedirects: 1}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s := newSite(t)
			s.text("/robots.txt", "User-agent: *\nDisallow: /private")
			s.status("/", http.StatusFound, "Location", c.location(s))
			s.status("/back", http.StatusMovedPermanently, "Location", "/")
			s.page("/b")
			s.page("/private")
			for i := range 20 {
				s.status(fmt.Sprintf("/hop/%d", i), http.StatusFound, "Location", fmt.Sprintf("/hop/%d", i+1))
			}
			counters := run(t, openStore(t), quick(t, s, nil)).Run.Counters
			if diff := cmp.Diff(c.asked, s.asked()); diff != "" {
				t.Errorf("paths requested (-want +got):\n%s", diff)
			}
			if !sameCounts(c.skipped, counters.Skipped) || !sameCounts(c.failures, counters.Failures) {
				t.Errorf("skipped %v, failures %v; want %v, %v", counters.Skipped, counters.Failures, c.skipped, c.failures)
			}
		})
	}
}

// Servers have a page asked for again once there is a cookie.
func TestRedirectThatSetsACookie(t *testing.T) {
	wall := func(s *site, accepts bool) http.HandlerFunc {
		page := s.pages["/"]
		return func(w http.ResponseWriter, r *http.Request) {
			if _, err := r.Cookie("seen"); err == nil && accepts {
				page(w, r)
				return
			}
			http.SetCookie(w, &http.Cookie{Name: "seen", Value: "1"})
			w.Header().Set("Location", "/")
			w.WriteHeader(http.StatusFound)
		}
	}
	for _, c := range []struct {
		name     string
		accepts  bool
		policy   crawl.CookiePolicy
		pages    int64
		failures map[crawl.Reason]int64
		hits     int
	}{
		{"that it accepts", true, crawl.CookiesOn, 2, nil, 2},
		{"that it never accepts", false, crawl.CookiesOn, 0, map[crawl.Reason]int64{crawl.ReasonBadRedirect: 1}, 1 + crawl.DefaultRetries},
		{"that is not kept", true, crawl.CookiesOff, 0, map[crawl.Reason]int64{crawl.ReasonBadRedirect: 1}, 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s := newSite(t)
			s.page("/", "/next")
			s.page("/next")
			s.pages["/"] = wall(s, c.accepts)
			got := run(t, openStore(t), quick(t, s, func(o *crawl.Options) { o.Requests.Cookies = c.policy })).Run.Counters
			if got.Pages != c.pages || !sameCounts(c.failures, got.Failures) || s.hits["/"] != c.hits {
				t.Errorf("%d pages, failures %v, after %d requests; want %d, %v, %d", got.Pages, got.Failures, s.hits["/"], c.pages, c.failures, c.hits)
			}
		})
	}
}

func sameCounts(want, got map[crawl.Reason]int64) bool {
	return len(want) == 0 && len(got) == 0 || cmp.Equal(want, got)
}

func TestCrawlAgainFindsNothingChanged(t *testing.T) {
	s, db := small(t), openStore(t)
	o := quick(t, s, nil)
	run(t, db, o)
	again := run(t, db, o)
	if c := again.Run.Counters; again.Run.Number != 2 || c.Unchanged != 5 || c.New != 0 || c.Changed != 0 {
		t.Errorf("run %d: %+v, want run 2 with 5 unchanged", again.Run.Number, c)
	}
	s.html("/c", "another title", "/a")
	third := run(t, db, o)
	if c := third.Run.Counters; c.Unchanged != 4 || c.Changed != 1 {
		t.Errorf("after a change: %+v, want 4 unchanged, 1 changed", c)
	}
}

func TestPageLimitIsExact(t *testing.T) {
	s := chain(t, 100)
	sum := run(t, openStore(t), quick(t, s, func(o *crawl.Options) {
		o.Limits.Pages = 37
		o.Politeness.PerHost = 8
	}))
	if sum.Run.Counters.Pages != 37 || sum.Reason != "pages" {
		t.Errorf("%d pages, reason %q; want 37, pages", sum.Run.Counters.Pages, sum.Reason)
	}
	if got := len(s.asked()); got != 37 {
		t.Errorf("%d pages requested, want 37", got)
	}
}

func TestJobIsHeld(t *testing.T) {
	s, db := small(t), openStore(t)
	inside := make(chan struct{})
	release := make(chan struct{})
	s.pages["/d"] = func(http.ResponseWriter, *http.Request) { close(inside); <-release }
	done := make(chan *crawl.Summary)
	go func() { done <- run(t, db, quick(t, s, nil)) }()
	<-inside
	c, err := crawl.New(quick(t, s, nil))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := c.Crawl(t.Context(), db, crawl.Job{Name: "test"}); !errors.Is(err, crawl.ErrHeld) {
		t.Errorf("second crawl of the job: %v, want ErrHeld", err)
	}
	close(release)
	if sum := <-done; !sum.Finished {
		t.Error("the first crawl did not finish")
	}
}

func TestAddressesThatNobodyNamed(t *testing.T) {
	other := newSite(t)
	other.page("/")
	s := newSite(t)
	s.page("/", strings.Replace(other.URL, "127.0.0.1", "localhost", 1)+"/")
	o := quick(t, s, func(o *crawl.Options) { o.Scope.Within = crawl.WithinAny })

	c := run(t, openStore(t), o).Run.Counters
	if len(other.asked()) != 0 || c.Failed != 1 {
		t.Errorf("requested %v, failures %v; want no request, 1 failure", other.asked(), c.Failures)
	}
	o.AllowPrivate = true
	run(t, openStore(t), o)
	if !slices.Equal(other.asked(), []string{"/"}) {
		t.Errorf("with AllowPrivate requested %v, want /", other.asked())
	}
}

func TestHostThatIsDown(t *testing.T) {
	s := newSite(t)
	s.Close()
	sum := run(t, openStore(t), quick(t, s, nil))
	if c := sum.Run.Counters; c.Pages != 0 || c.Failed != 1 || c.Retries != 2 {
		t.Errorf("%+v, want 2 retries and 1 failure", c)
	}
}

func TestNewRefuses(t *testing.T) {
	cases := map[string]struct {
		options crawl.Options
		want    string
	}{
		"nowhere to start": {crawl.Options{}, "nowhere to start"},
		"no URL":           {crawl.Options{Start: []string{"books"}}, `"books"`},
		"another scheme":   {crawl.Options{Start: []string{"ftp://example.com/"}}, `"ftp://example.com/"`},
		"bad selector":     {crawl.Options{Start: []string{"http://example.com"}, Follow: []string{"a["}}, `"a["`},
		"bad pattern":      {crawl.Options{Start: []string{"http://example.com"}, Scope: crawl.Scope{Deny: []string{"/(/"}}}, `"/(/"`},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			if _, err := crawl.New(c.options); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("error %v, want one with %s", err, c.want)
			}
		})
	}
}

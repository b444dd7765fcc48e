package crawl_test

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/magpie-crawl/magpie/crawl"
	"github.com/magpie-crawl/magpie/crawl/crawltest"
)

// What the answers to a request for robots.txt mean.
// https://www.rfc-editor.org/rfc/rfc9309#section-2.3.1
func TestRobotsAnswers(t *testing.T) {
	const rules = "User-agent: *\nDisallow: /d"
	status := func(status int) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(status); fmt.Fprint(w, rules) }
	}
	body := func(body string) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, body) }
	}
	// hops redirects n times before it has the rules.
	hops := func(n int) func(s *site) http.HandlerFunc {
		return func(s *site) http.HandlerFunc {
			for i := range n {
				to := fmt.Sprintf("/hop/%d", i+1)
				if i == n-1 {
					to = "/rules"
				}
				s.status(fmt.Sprintf("/hop/%d", i), http.StatusFound, "Location", to)
			}
			s.text("/rules", rules)
			return s.pages["/hop/0"]
		}
	}
	plain := func(h http.HandlerFunc) func(*site) http.HandlerFunc {
		return func(*site) http.HandlerFunc { return h }
	}
	heed := []string{"/", "/a", "/b", "/c"}
	for name, c := range map[string]struct {
		answer func(s *site) http.HandlerFunc
		asked  []string
	}{
		"200":                      {plain(status(200)), heed},
		"203":                      {plain(status(203)), heed},
		"400":                      {plain(status(400)), smallPages},
		"401":                      {plain(status(401)), smallPages},
		"403":                      {plain(status(403)), smallPages},
		"404":                      {plain(status(404)), smallPages},
		"410":                      {plain(status(410)), smallPages},
		"429":                      {plain(status(429)), []string{}},
		"500":                      {plain(status(500)), []string{}},
		"503":                      {plain(status(503)), []string{}},
		"599":                      {plain(status(599)), []string{}},
		"reset":                    {plain(func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }), []string{}},
		"a redirect":               {hops(1), heed},
		"5 redirects":              {hops(5), heed},
		"6 redirects":              {hops(6), smallPages},
		"a redirect to itself":     {func(s *site) http.HandlerFunc { s.status("/x", 302, "Location", "/robots.txt"); return s.pages["/x"] }, smallPages},
		"a redirect to nowhere":    {plain(status(302)), smallPages},
		"a redirect to a file":     {func(s *site) http.HandlerFunc { s.status("/x", 302, "Location", "file:///etc"); return s.pages["/x"] }, smallPages},
		"an empty file":            {plain(body("")), smallPages},
		"HTML":                     {plain(body("<!DOCTYPE html><title>404</title><p>Disallow: /")), smallPages},
		"binary":                   {plain(body("\x89PNG\r\n\x1a\n\x00\xff" + strings.Repeat("\x00", 10_000))), smallPages},
		"a byte order mark and CR": {plain(body("\ufeffUser-agent: *\rDisallow: /d\r")), heed},
		"a line of a megabyte":     {plain(body("User-agent: *\nDisallow: /d\n# " + strings.Repeat("x", 1<<20))), heed},
		"rules after 500 KiB":      {plain(body("User-agent: *\nDisallow: /d\n" + strings.Repeat("# filler\n", 60_000) + "Disallow: /\n")), heed},
		"a body without end": {plain(func(w http.ResponseWriter, r *http.Request) {
			fmt.Fprintln(w, rules)
			crawltest.Endless().ServeHTTP(w, r)
		}), heed},
		"a delay that is nonsense":   {plain(body("User-agent: *\nCrawl-delay: soon\nDisallow: /d")), heed},
		"rules without a group":      {plain(body("Disallow: /\nUser-agent: *\nDisallow: /d")), heed},
		"said to be gzip, but plain": {plain(crawltest.PlainGzip(rules).ServeHTTP), heed},
		"more Sitemaps than wanted":  {plain(body(rules + strings.Repeat("\nSitemap: http://sitemap.invalid/x.xml", 5000))), heed},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := small(t)
			s.pages["/robots.txt"] = c.answer(s)
			got := run(t, openStore(t), quick(t, s, nil)).Run.Counters
			asked := slices.DeleteFunc(s.asked(), func(path string) bool { return strings.HasPrefix(path, "/hop/") || path == "/rules" })
			if diff := cmp.Diff(c.asked, asked); diff != "" {
				t.Errorf("paths requested (-want +got):\n%s", diff)
			}
			if unreachable := got.Failures[crawl.ReasonRobotsUnreachable]; (unreachable > 0) != (len(c.asked) == 0) {
				t.Errorf("%+v", got)
			}
		})
	}
	t.Run("asked for once, whoever wants to know", func(t *testing.T) {
		t.Parallel()
		s := chain(t, 101)
		s.robots(rules)
		run(t, openStore(t), quick(t, s, func(o *crawl.Options) { o.Politeness.PerHost, o.Politeness.Concurrency = 32, 32 }))
		if n := s.hits["/robots.txt"]; n != 1 {
			t.Errorf("asked for %d times", n)
		}
	})
	t.Run("each origin has its own", func(t *testing.T) {
		t.Parallel()
		s, other := small(t), small(t)
		s.robots(rules)
		run(t, openStore(t), quick(t, s, func(o *crawl.Options) { o.Start = append(o.Start, other.URL+"/") }))
		if !slices.Equal(s.asked(), heed) || !slices.Equal(other.asked(), smallPages) {
			t.Errorf("asked for %v and %v", s.asked(), other.asked())
		}
	})
	t.Run("the rule is named", func(t *testing.T) {
		t.Parallel()
		s, db := small(t), openStore(t)
		s.robots("User-agent: *\nDisallow: /*d$")
		run(t, db, quick(t, s, nil))
		p, err := db.Page(t.Context(), "test", s.URL+"/d", 0)
		if err != nil || p.Reason != crawl.ReasonRobots || !strings.Contains(p.Detail, "Disallow: /*d$") {
			t.Errorf("%+v, %v", p, err)
		}
	})
}

func TestSitemapsOfASite(t *testing.T) {
	set := func(s *site, paths ...string) string {
		var b strings.Builder
		for _, path := range paths {
			fmt.Fprintf(&b, "<url><loc>%s%s</loc></url>", s.URL, path)
		}
		return "<urlset>" + b.String() + "</urlset>"
	}
	index := func(s *site, paths ...string) string {
		return strings.NewReplacer("urlset", "sitemapindex", "<url>", "<sitemap>", "</url>", "</sitemap>").Replace(set(s, paths...))
	}
	cases := []struct {
		name  string
		files func(s *site) map[string]string // "/map" is the one that robots.txt names
		asked []string
	}{
		{"urlset", func(s *site) map[string]string { return map[string]string{"/map": set(s, "/x")} }, []string{"/", "/map", "/x"}},
		{"text", func(s *site) map[string]string { return map[string]string{"/map": s.URL + "/x\n"} }, []string{"/", "/map", "/x"}},
		{"RSS", func(s *site) map[string]string {
			return map[string]string{"/map": "<rss><channel><item><link>" + s.URL + "/x</link></item></channel></rss>"}
		}, []string{"/", "/map", "/x"}},
		{"Atom", func(s *site) map[string]string {
			return map[string]string{"/map": `<feed><entry><link href="` + s.URL + `/x"/></entry></feed>`}
		}, []string{"/", "/map", "/x"}},
		{"index", func(s *site) map[string]string {
			return map[string]string{"/map": index(s, "/m1", "/m2"), "/m1": set(s, "/x"), "/m2": set(s, "/x")}
		}, []string{"/", "/m1", "/m2", "/map", "/x"}},
		{"indexes in circles", func(s *site) map[string]string {
			return map[string]string{"/map": index(s, "/m1", "/map"), "/m1": index(s, "/map", "/m1", "/m2"), "/m2": set(s, "/x")}
		}, []string{"/", "/m1", "/m2", "/map", "/x"}},
		{"indexes too deep", func(s *site) map[string]string {
			return map[string]string{"/map": index(s, "/m1"), "/m1": index(s, "/m2"), "/m2": index(s, "/m3"), "/m3": set(s, "/x")}
		}, []string{"/", "/m1", "/m2", "/map"}},
		{"DOCTYPE", func(s *site) map[string]string {
			return map[string]string{"/map": "<!DOCTYPE urlset>" + set(s, "/x")}
		}, []string{"/", "/map"}},
		{"what is out of scope is not asked for", func(s *site) map[string]string {
			return map[string]string{"/map": "<urlset><url><loc>http://elsewhere.invalid/</loc></url></urlset>"}
		}, []string{"/", "/map"}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s := newSite(t)
			s.page("/")
			s.page("/x")
			s.robots("Sitemap: " + s.URL + "/map")
			for path, body := range c.files(s) {
				s.text(path, body)
			}
			run(t, openStore(t), quick(t, s, func(o *crawl.Options) { o.Sitemaps.FromRobots = true }))
			if diff := cmp.Diff(c.asked, s.asked()); diff != "" {
				t.Errorf("paths requested (-want +got):\n%s", diff)
			}
			for path, n := range s.hits {
				if n > 1 {
					t.Errorf("%s was asked for %d times", path, n)
				}
			}
		})
	}
	t.Run("larger than a page may be", func(t *testing.T) {
		t.Parallel()
		s := newSite(t)
		s.page("/")
		s.page("/x")
		s.text("/map", "<urlset>"+strings.Repeat(" ", 1<<20)+strings.TrimPrefix(set(s, "/x"), "<urlset>"))
		run(t, openStore(t), quick(t, s, func(o *crawl.Options) {
			o.Limits.Body = 1000
			o.Sitemaps.URLs = []string{s.URL + "/map"}
		}))
		if diff := cmp.Diff([]string{"/", "/map", "/x"}, s.asked()); diff != "" {
			t.Errorf("paths requested (-want +got):\n%s", diff)
		}
	})
	t.Run("a sitemap that is not modified still names its pages", func(t *testing.T) {
		t.Parallel()
		s := newSite(t)
		s.page("/")
		s.page("/x")
		s.pages["/map"] = func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("ETag", `"1"`)
			if r.Header.Get("If-None-Match") == `"1"` {
				w.WriteHeader(http.StatusNotModified)
				return
			}
			fmt.Fprint(w, set(s, "/x"))
		}
		r := newRecrawls(t, s, func(o *crawl.Options) { o.Sitemaps.URLs = []string{s.URL + "/map"} })
		r.run()
		r.want("again", []string{"/", "/map", "/x"}, func(c crawl.Counters) bool { return c.NotModified == 1 && c.Sitemaps == 1 && c.Pages == 2 })
	})
}

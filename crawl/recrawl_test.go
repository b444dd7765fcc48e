package crawl_test

import (
	"database/sql"
	"fmt"
	"net/http"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	_ "github.com/mattn/go-sqlite3"

	"github.com/magpie-crawl/magpie/crawl"
	"github.com/magpie-crawl/magpie/crawl/crawltest"
	"github.com/magpie-crawl/magpie/extract"
	"github.com/magpie-crawl/magpie/store"
)

// execSQL changes a database behind everybody's back.
func execSQL(t *testing.T, path, statement string, args ...any) {
	t.Helper()
	db, err := sql.Open("sqlite3", "file:"+path+"?_busy_timeout=5000")
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if _, err := db.Exec(statement, args...); err != nil {
		t.Fatalf("%s: %v", statement, err)
	}
}

// recrawls is a site with its database, whose time can be made to pass.
type recrawls struct {
	*site
	t    *testing.T
	path string
	o    crawl.Options
}

func newRecrawls(t *testing.T, s *site, change func(*crawl.Options)) *recrawls {
	return &recrawls{s, t, filepath.Join(t.TempDir(), "test.db"), quick(t, s, change)}
}

// run crawls once and returns the counters with the paths that were asked for.
func (r *recrawls) run() (crawl.Counters, []string) {
	r.t.Helper()
	r.mu.Lock()
	clear(r.hits)
	r.mu.Unlock()
	db := openStoreAt(r.t, r.path)
	defer db.Close()
	return run(r.t, db, r.o).Run.Counters, r.asked()
}

// pass moves everything that was remembered into the past.
func (r *recrawls) pass(d time.Duration) {
	r.t.Helper()
	execSQL(r.t, r.path, `UPDATE magpie_revisits SET fetched_at = fetched_at - ?1, changed_at = changed_at - ?1`, d.Milliseconds())
	execSQL(r.t, r.path, `UPDATE robots SET fetched_at = fetched_at - ?1, expires_at = expires_at - ?1`, d.Milliseconds())
}

// want compares what a run asked for and its counters, of which those that are
// zero in want are not looked at unless named.
func (r *recrawls) want(what string, asked []string, check func(c crawl.Counters) bool) {
	r.t.Helper()
	c, got := r.run()
	if diff := cmp.Diff(asked, got); diff != "" {
		r.t.Errorf("%s: paths requested (-want +got):\n%s", what, diff)
	}
	if !check(c) {
		r.t.Errorf("%s: %+v", what, c)
	}
}

func adaptive(o *crawl.Options) { o.Recrawl.Policy = crawl.RecrawlAdaptive }

func TestRecrawlAdaptive(t *testing.T) {
	t.Parallel()
	r := newRecrawls(t, small(t), adaptive)
	r.run()
	r.want("at once, the start alone", []string{"/"}, func(c crawl.Counters) bool {
		return c.Pages == 1 && c.Skipped[crawl.ReasonNotDue] == 4 && c.Unchanged == 5 && c.New+c.Changed == 0
	})
	r.pass(23 * time.Hour)
	r.want("before a day has passed", []string{"/"}, func(c crawl.Counters) bool { return c.Unchanged == 5 })
	r.pass(2 * time.Hour)
	r.want("after a day, all", smallPages, func(c crawl.Counters) bool { return c.Pages == 5 && c.Unchanged == 5 })
	r.pass(30 * time.Hour)
	r.want("unchanged pages are let alone for longer", []string{"/"}, func(c crawl.Counters) bool { return c.Unchanged == 5 })
	r.html("/c", "another title", "/a")
	r.pass(10 * time.Hour)
	r.want("and then visited", smallPages, func(c crawl.Counters) bool { return c.Changed == 1 && c.Unchanged == 4 })
	r.pass(21 * time.Hour)
	r.want("a changed one is visited sooner", []string{"/", "/c"}, func(c crawl.Counters) bool { return c.Pages == 2 && c.Unchanged == 5 })
	r.page("/b", "/c", "/new")
	r.page("/", "/a", "/b", "/new")
	r.page("/new")
	r.want("a new page always", []string{"/", "/new"}, func(c crawl.Counters) bool { return c.New == 1 && c.Unchanged == 5 })
}

func TestRecrawlAdaptiveBounds(t *testing.T) {
	t.Parallel()
	r := newRecrawls(t, small(t), func(o *crawl.Options) {
		o.Recrawl = crawl.Recrawl{Policy: crawl.RecrawlAdaptive, Min: 40 * time.Hour, Max: 45 * time.Hour}
	})
	r.run()
	r.pass(39 * time.Hour)
	r.want("before the shortest", []string{"/"}, func(c crawl.Counters) bool { return c.Pages == 1 })
	r.pass(2 * time.Hour)
	r.want("after the shortest", smallPages, func(c crawl.Counters) bool { return c.Pages == 5 })
	r.pass(46 * time.Hour)
	r.want("after the longest", smallPages, func(c crawl.Counters) bool { return c.Pages == 5 })
}

// Clocks that were set must neither make pages wait for years nor be believed.
func TestRecrawlAfterClockJumps(t *testing.T) {
	for name, jump := range map[string]time.Duration{"back by years": -9 * 365 * 24 * time.Hour, "forward by years": 9 * 365 * 24 * time.Hour} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := newRecrawls(t, small(t), adaptive)
			r.run()
			r.pass(jump)
			r.want("all are due", smallPages, func(c crawl.Counters) bool { return c.Unchanged == 5 })
			r.want("and then rest again", []string{"/"}, func(c crawl.Counters) bool { return c.Unchanged == 5 })
		})
	}
	t.Run("back by a minute", func(t *testing.T) {
		t.Parallel()
		r := newRecrawls(t, small(t), adaptive)
		r.run()
		r.pass(-time.Minute)
		r.want("no page is due", []string{"/"}, func(c crawl.Counters) bool { return c.Unchanged == 5 })
	})
}

func TestRecrawlAdaptiveReadsTextWithoutItems(t *testing.T) {
	t.Parallel()
	s := small(t)
	r := newRecrawls(t, s, func(o *crawl.Options) { adaptive(o); o.Extractor = nil })
	token := 0
	s.pages["/d"] = func(w http.ResponseWriter, _ *http.Request) {
		token++
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprintf(w, "<p>the same <script>token = %d</script></p><!-- %d -->%*s text", token, token, token, "")
	}
	r.run()
	r.pass(25 * time.Hour)
	r.run()
	r.pass(30 * time.Hour)
	r.want("a page whose text stayed the same rests", []string{"/"}, func(c crawl.Counters) bool { return c.Pages == 1 })
}

func TestLastModSteersRecrawls(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	// The start leads to none of them: what the sitemap says comes first.
	s.page("/")
	s.page("/stale", "/unknown")
	for _, path := range []string{"/fresh", "/today", "/future", "/unknown"} {
		s.page(path)
	}
	r := newRecrawls(t, s, func(o *crawl.Options) {
		adaptive(o)
		o.Start, o.Sitemaps.URLs = []string{s.URL + "/"}, []string{s.URL + "/map.xml"}
	})
	sitemap := func() {
		at := func(d time.Duration) string { return time.Now().Add(d).UTC().Format(time.RFC3339) }
		s.text("/map.xml", `<?xml version="1.0"?><urlset>`+
			entry(s.URL+"/stale", at(-100*time.Hour))+entry(s.URL+"/fresh", at(-time.Hour))+
			entry(s.URL+"/today", time.Now().UTC().Format(time.DateOnly))+entry(s.URL+"/future", at(1000*time.Hour))+`</urlset>`)
	}
	sitemap()
	r.run()
	r.pass(12 * time.Hour)
	sitemap()
	r.want("modified since, before the interval is over", []string{"/", "/fresh", "/map.xml", "/today"}, func(c crawl.Counters) bool { return c.Unchanged == 6 })
	r.pass(50 * time.Hour)
	sitemap()
	r.want("not modified since, after the interval", []string{"/", "/fresh", "/future", "/map.xml", "/today", "/unknown"},
		func(c crawl.Counters) bool { return c.Unchanged == 6 })
	r.pass(31 * 24 * time.Hour)
	sitemap()
	r.want("nobody is believed for longer than the longest interval", []string{"/", "/fresh", "/future", "/map.xml", "/stale", "/today", "/unknown"},
		func(c crawl.Counters) bool { return c.Unchanged == 6 })
}

// What sitemaps say counts in the run that reads them, whatever leads to a page before.
func TestLastModOfTheSameRun(t *testing.T) {
	const pages = 200 // more than the scheduler reads at once
	for _, c := range []struct {
		name   string
		change func(o *crawl.Options, s *site)
		asked  []string
	}{
		{"a sitemap of the job", func(o *crawl.Options, s *site) { o.Sitemaps.URLs = []string{s.URL + "/map"} }, []string{"/", "/map", "/p150"}},
		{"an index of the job", func(o *crawl.Options, s *site) { o.Sitemaps.URLs = []string{s.URL + "/index"} }, []string{"/", "/index", "/map", "/p150"}},
		{"an index of robots.txt", func(o *crawl.Options, _ *site) { o.Sitemaps.FromRobots = true }, []string{"/", "/index", "/map", "/p150"}},
	} {
		for _, perHost := range []int{1, 4} {
			t.Run(fmt.Sprintf("%s, %d in flight", c.name, perHost), func(t *testing.T) {
				t.Parallel()
				s := newSite(t)
				var refs []string
				var entries strings.Builder
				for i := range pages {
					path := fmt.Sprint("/p", i)
					s.page(path)
					refs = append(refs, path)
					entries.WriteString(entry(s.URL+path, "2001-01-01"))
				}
				s.page("/", refs...)
				s.text("/robots.txt", "Sitemap: "+s.URL+"/index")
				s.text("/index", "<sitemapindex><sitemap><loc>"+s.URL+"/map</loc></sitemap></sitemapindex>")
				s.text("/map", "<urlset>"+entries.String()+"</urlset>")
				r := newRecrawls(t, s, func(o *crawl.Options) {
					adaptive(o)
					c.change(o, s)
					o.Politeness.PerHost = perHost
				})
				r.run()
				r.pass(time.Hour)
				s.text("/map", "<urlset>"+strings.Replace(entries.String(),
					entry(s.URL+"/p150", "2001-01-01"), entry(s.URL+"/p150", time.Now().UTC().Format(time.RFC3339)), 1)+"</urlset>")
				r.want("the page that the sitemap says has changed", c.asked, func(c crawl.Counters) bool {
					return c.Skipped[crawl.ReasonNotDue] == pages-1 && c.Unchanged == pages+1
				})
			})
		}
	}
}

// Sitemaps that cannot be had hold nobody up.
func TestSitemapsThatFailHoldNoPage(t *testing.T) {
	t.Parallel()
	s := small(t)
	r := newRecrawls(t, s, func(o *crawl.Options) {
		adaptive(o)
		o.Sitemaps.URLs = []string{s.URL + "/missing", s.URL + "/broken", s.URL + "/error"}
	})
	s.text("/broken", "no sitemap")
	s.status("/error", http.StatusInternalServerError)
	r.run()
	r.want("the start alone", []string{"/", "/broken", "/error", "/missing"}, func(c crawl.Counters) bool {
		return c.Skipped[crawl.ReasonNotDue] == 4 && c.Unchanged == 5
	})
}

func entry(loc, lastmod string) string {
	return "<url><loc>" + loc + "</loc><lastmod>" + lastmod + "</lastmod></url>"
}

func TestGonePages(t *testing.T) {
	// Each page has a record, which ends with it.
	gone := func(n int64) func(crawl.Counters) bool {
		return func(c crawl.Counters) bool { return c.Gone == n && c.RecordsGone == n }
	}
	t.Run("410 at once", func(t *testing.T) {
		t.Parallel()
		r := newRecrawls(t, small(t), nil)
		r.run()
		r.status("/d", http.StatusGone)
		r.want("linked", smallPages, gone(1))
		r.want("counted once", smallPages, gone(0))
		for p, err := range openStoreAt(t, r.path).Pages(t.Context(), store.PageFilter{Gone: true}) {
			if err != nil || p.URL != r.URL+"/d" {
				t.Errorf("%s is gone, %v", p.URL, err)
			}
		}
	})
	t.Run("404 in the second run in a row", func(t *testing.T) {
		t.Parallel()
		r := newRecrawls(t, small(t), nil)
		r.run()
		r.status("/d", http.StatusNotFound)
		r.want("first", smallPages, gone(0))
		r.want("second", smallPages, gone(1))
		r.page("/d")
		r.want("it comes back", smallPages, func(c crawl.Counters) bool { return c.Gone == 0 && c.Unchanged == 4 && c.New == 1 })
		r.status("/d", http.StatusNotFound)
		r.want("once more, first", smallPages, gone(0))
		r.want("once more, second", smallPages, gone(1))
	})
	t.Run("404 with a good answer in between", func(t *testing.T) {
		t.Parallel()
		r := newRecrawls(t, small(t), nil)
		r.run()
		for range 2 {
			r.status("/d", http.StatusNotFound)
			r.want("missing", smallPages, gone(0))
			r.page("/d")
			r.want("there", smallPages, gone(0))
		}
	})
	t.Run("errors say nothing", func(t *testing.T) {
		t.Parallel()
		r := newRecrawls(t, small(t), nil)
		r.run()
		for _, status := range []int{500, 403, 500, 503} {
			r.status("/d", status)
			r.want(fmt.Sprint(status), smallPages, gone(0))
		}
	})
	t.Run("a page that never was there cannot be gone", func(t *testing.T) {
		t.Parallel()
		r := newRecrawls(t, small(t), nil)
		r.status("/d", http.StatusNotFound)
		for range 3 {
			r.want("missing", smallPages, gone(0))
		}
	})
	t.Run("no link leads there any more", func(t *testing.T) {
		t.Parallel()
		s := small(t)
		r := newRecrawls(t, s, nil)
		r.run()
		r.page("/b", "/c") // d was linked from here alone
		r.want("still there", smallPages, func(c crawl.Counters) bool { return c.Unchanged == 5 && c.Gone == 0 })
		r.status("/d", http.StatusNotFound)
		r.want("missing", smallPages, gone(0))
		r.want("confirmed", smallPages, gone(1))
		r.want("not asked for any more", []string{"/", "/a", "/b", "/c"}, gone(0))
		r.page("/d")
		r.page("/b", "/c", "/d")
		r.want("linked again", smallPages, func(c crawl.Counters) bool { return c.Unchanged == 4 && c.New == 1 })
	})
	t.Run("a job that follows other links leaves them alone", func(t *testing.T) {
		t.Parallel()
		r := newRecrawls(t, small(t), nil)
		r.run()
		r.o.Follow = []string{`a[href="/a"]`}
		r.want("fewer links", []string{"/", "/a"}, gone(0))
	})
	t.Run("an adaptive run confirms what was missing without delay", func(t *testing.T) {
		t.Parallel()
		r := newRecrawls(t, small(t), adaptive)
		r.run()
		r.pass(25 * time.Hour)
		r.status("/d", http.StatusNotFound)
		r.want("missing", smallPages, gone(0))
		r.want("confirmed", []string{"/", "/d"}, gone(1))
	})
}

// Whatever the policy, it is known since when a page reads as it does.
func TestChangedAt(t *testing.T) {
	t.Parallel()
	r := newRecrawls(t, small(t), nil)
	changed := func() time.Duration {
		r.run()
		m, err := openStoreAt(t, r.path).Memory(t.Context(), "test", r.URL+"/c")
		if err != nil || m.Revisit == nil {
			t.Fatal(m, err)
		}
		return time.Since(m.Revisit.ChangedAt).Round(time.Hour)
	}
	changed()
	r.pass(5 * time.Hour)
	if ago := changed(); ago != 5*time.Hour {
		t.Errorf("changed %v ago, want 5h", ago)
	}
	r.html("/c", "another title", "/a")
	if ago := changed(); ago != 0 {
		t.Errorf("changed %v ago, want now", ago)
	}
}

// A run that ended at a limit says nothing of the pages it did not come to.
func TestLimitedRunForgetsNoPage(t *testing.T) {
	t.Parallel()
	r := newRecrawls(t, small(t), nil)
	r.run()
	r.o.Limits.Pages = 2
	if c, asked := r.run(); c.Pages != 2 || len(asked) != 2 {
		t.Errorf("%+v, asked for %v; want 2 pages", c, asked)
	}
	r.o.Limits.Pages = 0
	r.want("all again", smallPages, func(c crawl.Counters) bool { return c.Pages == 5 && c.Unchanged == 5 })
}

// A page that came in part says nothing of the records in the rest of it.
func TestPartOfAPageEndsNoRecord(t *testing.T) {
	const head, tail = "<!DOCTYPE html><ul><li>one</li><li>two</li></ul>", "<ul><li>three</li></ul>"
	filler := strings.Repeat("<p>the quick brown fox jumps over the lazy dog", 10_000)
	part := func(status int) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/html")
			w.WriteHeader(status)
			fmt.Fprint(w, head)
		}
	}
	gone := crawltest.HTML(head)
	for _, c := range []struct {
		name  string
		then  http.Handler
		ended int64
	}{
		{"whole", gone, 1},
		{"206, which nobody asked for", part(http.StatusPartialContent), 0},
		{"a coding that breaks off", crawltest.TruncatedGzip(head + filler + tail), 0},
		{"a coding with something behind it", crawltest.Coded("gzip", append(crawltest.Encode(strings.NewReader(head), "gzip"), "and a sentence behind it"...)), 1},
		{"longer than the limit", crawltest.HTML(head + filler + filler + tail), 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s := newSite(t)
			r := newRecrawls(t, s, func(o *crawl.Options) {
				o.Extractor = words(t)
				o.Limits.Body = int64(len(filler) + 1000)
			})
			s.pages["/"] = crawltest.HTML(head + tail).ServeHTTP
			if got, _ := r.run(); got.New != 3 {
				t.Fatalf("%+v, want 3 records", got)
			}
			s.pages["/"] = c.then.ServeHTTP
			if got, _ := r.run(); got.Pages != 1 || got.Unchanged != 2 || got.RecordsGone != c.ended {
				t.Errorf("%d pages, %d records unchanged, %d gone; want 1, 2, %d", got.Pages, got.Unchanged, got.RecordsGone, c.ended)
			}
		})
	}
}

// words is an extractor of a record for each item of a list.
func words(t *testing.T) *extract.Extractor {
	x, err := extract.Compile(extract.Spec{Items: []extract.Item{{
		Name: "word", Each: "li", Key: []string{"text"}, Fields: []extract.Field{{Name: "text", Required: true}},
	}}})
	if err != nil {
		t.Fatal(err)
	}
	return x
}

package crawl_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/magpie-crawl/magpie/crawl"
	"github.com/magpie-crawl/magpie/extract"
)

// versioned is a page with validators, which answers 304 as servers should.
type versioned struct {
	title, etag, modified string
	refs                  []string

	mu    sync.Mutex
	asked []string // the condition of each request
}

func (p *versioned) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	p.mu.Lock()
	defer p.mu.Unlock()
	condition := r.Header.Get("If-None-Match") + "|" + r.Header.Get("If-Modified-Since")
	p.asked = append(p.asked, condition)
	for name, value := range map[string]string{"ETag": p.etag, "Last-Modified": p.modified} {
		if value != "" {
			w.Header().Set(name, value)
		}
	}
	if condition != "|" && condition == p.etag+"|"+p.modified {
		w.WriteHeader(http.StatusNotModified)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	fmt.Fprintf(w, "<!DOCTYPE html><h1>%s</h1><b>%s</b>", p.title, p.title+" in bold")
	for _, ref := range p.refs {
		fmt.Fprintf(w, "<a href=%q>x</a>", ref)
	}
}

// took returns the conditions since the last call.
func (p *versioned) took() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	asked := p.asked
	p.asked = nil
	return asked
}

func (s *site) versioned(path string, p *versioned) *versioned {
	s.pages[path] = p.ServeHTTP
	return p
}

const longAgo = "Tue, 14 Nov 2023 22:13:20 GMT"

func TestConditionalRequests(t *testing.T) {
	for name, c := range map[string]struct{ etag, modified string }{
		"a strong tag":              {etag: `"v1"`},
		"a weak tag":                {etag: `W/"v1"`},
		"a modification date":       {modified: longAgo},
		"both":                      {etag: `"v1"`, modified: longAgo},
		"a tag without its quotes":  {etag: `v1`},
		"a tag with a comma in it":  {etag: `"a,b"`},
		"a tag of many bytes":       {etag: `"` + strings.Repeat("x", 1000) + `"`},
		"a tag beyond US-ASCII":     {etag: "\"caf\xe9\""},
		"a date of the old manners": {modified: "Tuesday, 14-Nov-23 22:13:20 GMT"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, db := newSite(t), openStore(t)
			p := s.versioned("/", &versioned{title: "one", etag: c.etag, modified: c.modified, refs: []string{"/a"}})
			s.page("/a")
			run(t, db, quick(t, s, nil))
			if diff := cmp.Diff([]string{"|"}, p.took()); diff != "" {
				t.Errorf("conditions of the first run:\n%s", diff)
			}
			for n := range 2 {
				got := run(t, db, quick(t, s, nil)).Run.Counters
				if diff := cmp.Diff([]string{c.etag + "|" + c.modified}, p.took()); diff != "" {
					t.Errorf("conditions of run %d:\n%s", n+2, diff)
				}
				if got.Pages != 2 || got.NotModified != 1 || got.Unchanged != 2 || got.New+got.Changed != 0 {
					t.Errorf("run %d: %+v, want 2 pages, one of them not modified, 2 unchanged records", n+2, got)
				}
			}
			if p.title, p.etag, p.modified = "two", `"v2"`, ""; true {
				got := run(t, db, quick(t, s, nil)).Run.Counters
				if got.NotModified != 0 || got.Changed != 1 || got.Unchanged != 1 {
					t.Errorf("after a change: %+v, want 1 changed", got)
				}
			}
		})
	}
}

func TestNoValidatorsOf(t *testing.T) {
	cases := map[string]func(w http.ResponseWriter){
		"a page without":                  func(http.ResponseWriter) {},
		"a date that is none":             func(w http.ResponseWriter) { w.Header().Set("Last-Modified", "yesterday") },
		"a tag that is empty":             func(w http.ResponseWriter) { w.Header().Set("ETag", `""`) },
		"a tag without end":               func(w http.ResponseWriter) { w.Header().Set("ETag", strings.Repeat("x", 5000)) },
		"a response cut at the limit":     func(w http.ResponseWriter) { w.Header().Set("ETag", `"v"`); w.Header().Set("X-Long", "1") },
		"a response with a broken coding": func(w http.ResponseWriter) { w.Header().Set("ETag", `"v"`); w.Header().Set("Content-Encoding", "gzip") },
		"a page modified in this second":  func(w http.ResponseWriter) { w.Header().Set("Last-Modified", w.Header().Get("Date")) },
		"an answer that is not quite a 200": func(w http.ResponseWriter) {
			w.Header().Set("ETag", `"v"`)
			w.WriteHeader(http.StatusNonAuthoritativeInfo)
		},
	}
	for name, header := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, db := newSite(t), openStore(t)
			s.pages["/"] = func(w http.ResponseWriter, r *http.Request) {
				if c := r.Header.Get("If-None-Match") + r.Header.Get("If-Modified-Since"); c != "" {
					t.Errorf("a condition was sent: %.40q", c)
				}
				w.Header().Set("Date", "Tue, 14 Nov 2023 22:13:20 GMT")
				w.Header().Set("Content-Type", "text/html")
				header(w)
				fmt.Fprint(w, "<h1>page</h1>")
				if w.Header().Get("X-Long") != "" {
					fmt.Fprint(w, strings.Repeat("long ", 1000))
				}
			}
			for range 2 {
				got := run(t, db, quick(t, s, func(o *crawl.Options) { o.Limits.Body = 1000 })).Run.Counters
				if got.Pages != 1 || got.NotModified != 0 || got.Retries != 0 {
					t.Errorf("%+v, want 1 page", got)
				}
			}
		})
	}
}

// A certificate that was not checked, and cookies that were not kept, are nothing that is wrong with a response.
func TestValidatorsInSpiteOfWarnings(t *testing.T) {
	db := openStore(t)
	page := &versioned{title: "one", etag: `"v1"`}
	s := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/robots.txt" {
			http.NotFound(w, r)
			return
		}
		w.Header().Set("Set-Cookie", "huge="+strings.Repeat("x", 5000))
		page.ServeHTTP(w, r)
	}))
	t.Cleanup(s.Close)
	for _, notModified := range []int64{0, 1, 1} {
		got := run(t, db, quick(t, newSite(t), func(o *crawl.Options) {
			o.Start = []string{s.URL + "/"}
			o.Requests.InsecureTLS = true
		})).Run.Counters
		if got.Pages != 1 || got.NotModified != notModified {
			t.Errorf("%+v, want a page, %d not modified", got, notModified)
		}
	}
}

func TestRecrawlFullAsksWithoutCondition(t *testing.T) {
	s, db := newSite(t), openStore(t)
	p := s.versioned("/", &versioned{title: "one", etag: `"v1"`})
	run(t, db, quick(t, s, nil))
	run(t, db, quick(t, s, func(o *crawl.Options) { o.Recrawl.Policy = crawl.RecrawlFull }))
	if diff := cmp.Diff([]string{"|", "|"}, p.took()); diff != "" {
		t.Error(diff)
	}
}

// A page that is not modified is read again from the store, so that a changed
// job finds in it what it looks for now.
func TestNotModifiedUnderAnotherJob(t *testing.T) {
	s, db := newSite(t), openStore(t)
	s.versioned("/", &versioned{title: "one", etag: `"v1"`, refs: []string{"/a", "/b"}})
	s.page("/a")
	s.page("/b")
	run(t, db, quick(t, s, func(o *crawl.Options) { o.Follow = []string{`a[href="/a"]`} }))
	x, err := extract.Compile(extract.Spec{Items: []extract.Item{
		{Name: "page", Fields: []extract.Field{{Name: "title", CSS: "b"}}},
		{Name: "extra", Fields: []extract.Field{{Name: "title", CSS: "h1"}}},
	}})
	if err != nil {
		t.Fatal(err)
	}
	got := run(t, db, quick(t, s, func(o *crawl.Options) { o.Extractor, o.Limits.Pages = x, 1 })).Run.Counters
	if got.NotModified != 1 || got.Changed != 1 || got.New != 1 {
		t.Errorf("%+v, want 1 page not modified with a changed record and a new one", got)
	}
	run(t, db, quick(t, s, nil))
	if diff := cmp.Diff([]string{"/", "/a", "/b"}, s.asked()); diff != "" {
		t.Errorf("links of a page that was not modified:\n%s", diff)
	}
}

func TestWrong304(t *testing.T) {
	answer304 := func(w http.ResponseWriter, etag string) {
		if etag != "" {
			w.Header().Set("ETag", etag)
		}
		w.WriteHeader(http.StatusNotModified)
	}
	t.Run("nothing was asked", func(t *testing.T) {
		s := newSite(t)
		s.pages["/"] = func(w http.ResponseWriter, _ *http.Request) { answer304(w, "") }
		got := run(t, openStore(t), quick(t, s, nil)).Run.Counters
		if got.Retries != 2 || got.Failures["http-304"] != 1 || got.Pages != 0 {
			t.Errorf("%+v, want 2 retries and 1 failure", got)
		}
	})
	t.Run("nothing was asked, once", func(t *testing.T) {
		s := newSite(t)
		s.page("/")
		s.first(1, "/", http.StatusNotModified)
		if got := run(t, openStore(t), quick(t, s, nil)).Run.Counters; got.Retries != 1 || got.Pages != 1 {
			t.Errorf("%+v, want 1 retry and 1 page", got)
		}
	})
	t.Run("another version than was asked for", func(t *testing.T) {
		s, db := newSite(t), openStore(t)
		p := s.versioned("/", &versioned{title: "one", etag: `"v1"`})
		run(t, db, quick(t, s, nil))
		p.title, p.etag = "two", `"v2"`
		s.pages["/"] = func(w http.ResponseWriter, r *http.Request) {
			if r.Header.Get("If-None-Match") != "" {
				answer304(w, `"v2"`)
				return
			}
			p.ServeHTTP(w, r)
		}
		if got := run(t, db, quick(t, s, nil)).Run.Counters; got.Retries != 1 || got.Changed != 1 || got.NotModified != 0 {
			t.Errorf("%+v, want 1 retry without condition and 1 changed record", got)
		}
	})
	t.Run("the same version, called weak", func(t *testing.T) {
		s, db := newSite(t), openStore(t)
		s.versioned("/", &versioned{title: "one", etag: `"v1"`})
		run(t, db, quick(t, s, nil))
		s.pages["/"] = func(w http.ResponseWriter, _ *http.Request) { answer304(w, `W/"v1"`) }
		if got := run(t, db, quick(t, s, nil)).Run.Counters; got.NotModified != 1 || got.Retries != 0 {
			t.Errorf("%+v, want 1 not modified", got)
		}
	})
	t.Run("the stored body is damaged", func(t *testing.T) {
		path := filepath.Join(t.TempDir(), "test.db")
		s, db := newSite(t), openStoreAt(t, path)
		s.versioned("/", &versioned{title: "one", etag: `"v1"`})
		run(t, db, quick(t, s, nil))
		execSQL(t, path, `UPDATE bodies SET hash = zeroblob(32)`)
		if got := run(t, db, quick(t, s, nil)).Run.Counters; got.Retries != 1 || got.Unchanged != 1 || got.NotModified != 0 {
			t.Errorf("%+v, want 1 retry without condition and 1 unchanged record", got)
		}
	})
}

// The header of a stored response is brought up to date by a 304, but for what
// speaks of the stored body.
func TestNotModifiedHeader(t *testing.T) {
	s, db := newSite(t), openStore(t)
	s.versioned("/", &versioned{title: "one", etag: `"v1"`})
	run(t, db, quick(t, s, nil))
	s.pages["/"] = func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("ETag", `"v1"`)
		w.Header().Set("Content-Type", "image/png")
		w.Header().Set("X-Later", "yes")
		w.WriteHeader(http.StatusNotModified)
	}
	run(t, db, quick(t, s, nil))
	p, err := db.Page(t.Context(), "test", s.URL+"/", 2)
	if err != nil {
		t.Fatal(err)
	}
	r := p.Response
	if r.Status != 304 || r.ContentType != "text/html; charset=utf-8" || r.Header.Get("X-Later") != "yes" || r.Header.Get("Content-Type") != r.ContentType {
		t.Errorf("stored: %+v", r)
	}
	if body, err := db.Body(t.Context(), r); err != nil || !strings.Contains(string(body), "<h1>one</h1>") {
		t.Errorf("body %q, %v", body, err)
	}
}

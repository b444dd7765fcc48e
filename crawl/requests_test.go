package crawl_test

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/magpie-crawl/magpie/crawl"
)

// headers lets a test see the header of its requests, by path.
type headers struct {
	mu   sync.Mutex
	seen map[string]http.Header
}

// watch puts note in front of all pages of a site.
func (h *headers) watch(s *site) *headers {
	h.seen = map[string]http.Header{}
	handler := s.Config.Handler
	s.Config.Handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h.mu.Lock()
		h.seen[r.URL.Path] = r.Header.Clone()
		h.mu.Unlock()
		handler.ServeHTTP(w, r)
	})
	return h
}

func (h *headers) get(path, name string) string {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.seen[path].Get(name)
}

func TestRedirectOutOfScope(t *testing.T) {
	s := newSite(t)
	s.page("/", "/go")
	s.status("/go", http.StatusFound, "Location", "http://elsewhere.invalid/")
	sum := run(t, openStore(t), quick(t, s, nil))
	if diff := cmp.Diff(map[crawl.Reason]int64{crawl.ReasonScope: 1}, sum.Run.Counters.Skipped); diff != "" {
		t.Errorf("skipped (-want +got):\n%s", diff)
	}
}

// TestCredentialsStayAtTheirOrigin crawls a site that links and redirects to another one, which redirects back.
func TestCredentialsStayAtTheirOrigin(t *testing.T) {
	here, there := newSite(t), newSite(t)
	elsewhere := strings.Replace(there.URL, "127.0.0.1", "localhost", 1) // cookies know hosts, but no ports
	here.page("/", "/plain", "/away", elsewhere+"/linked")
	here.page("/plain")
	here.status("/away", http.StatusFound, "Location", elsewhere+"/hop")
	there.status("/hop", http.StatusFound, "Location", here.URL+"/back")
	there.page("/linked")
	here.page("/back", "/after")
	here.page("/after")
	here.pages["/"] = cookieThen(here.pages["/"])
	seenHere, seenThere := new(headers).watch(here), new(headers).watch(there)
	sum := run(t, openStore(t), quick(t, here, func(o *crawl.Options) {
		o.Scope.Within, o.AllowPrivate = crawl.WithinAny, true
		o.Requests.Header = map[string]string{"X-Key": "k"}
		o.Requests.Credentials = []crawl.Credentials{{Origin: here.URL, User: "me", Password: "secret"}}
	}))
	if sum.Run.Counters.Failed != 0 || sum.Run.Counters.Pages != 5 {
		t.Fatalf("%+v", sum.Run.Counters)
	}
	r := http.Request{Header: http.Header{}}
	r.SetBasicAuth("me", "secret")
	for _, path := range []string{"/robots.txt", "/", "/plain", "/after"} {
		if seenHere.get(path, "Authorization") != r.Header.Get("Authorization") || seenHere.get(path, "X-Key") != "k" {
			t.Errorf("%s was asked for without credentials: %v", path, seenHere.seen[path])
		}
	}
	if got := seenHere.get("/plain", "Cookie"); got != "session=1" {
		t.Errorf("/plain was asked for with the cookies %q", got)
	}
	for _, name := range []string{"Authorization", "X-Key", "Cookie"} {
		for _, path := range []string{"/robots.txt", "/hop", "/linked"} {
			if got := seenThere.get(path, name); got != "" {
				t.Errorf("the other origin was told %s %q at %s", name, got, path)
			}
		}
		if got := seenHere.get("/back", name); got != "" {
			t.Errorf("on the way back %s %q was sent again", name, got)
		}
	}
}

// A robots.txt that another origin led to is asked for without credentials, like all else.
func TestCredentialsNotForTheRobotsOfOthers(t *testing.T) {
	here, there := newSite(t), newSite(t)
	here.page("/", there.URL+"/linked")
	there.page("/linked")
	there.status("/robots.txt", http.StatusFound, "Location", here.URL+"/robots.txt")
	seen := new(headers).watch(here)
	sum := run(t, openStore(t), quick(t, here, func(o *crawl.Options) {
		o.Scope.Within, o.AllowPrivate = crawl.WithinAny, true
		o.Requests.Header = map[string]string{"X-Key": "k"}
	}))
	if sum.Run.Counters.Pages != 2 || here.hits["/robots.txt"] != 2 {
		t.Fatalf("%+v, asked for %v", sum.Run.Counters, here.hits)
	}
	if got := seen.get("/robots.txt", "X-Key"); got != "" {
		t.Errorf("the last request for robots.txt told X-Key %q", got)
	}
}

func cookieThen(page http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		w.Header().Add("Set-Cookie", "session=1; Path=/; HttpOnly")
		page(w, r)
	}
}

func TestCookies(t *testing.T) {
	flood := func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		for i := range 150 {
			w.Header().Add("Set-Cookie", fmt.Sprintf("c%d=%d", i, i))
		}
		w.Header().Add("Set-Cookie", "huge="+strings.Repeat("x", 5000))
		fmt.Fprint(w, "<h1>x</h1><a href=/next>")
	}
	cases := []struct {
		name string
		page http.HandlerFunc
		off  bool
		want string // the Cookie field of the next request; "#n": n of them
	}{
		{"sent back", func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/html")
			w.Header().Add("Set-Cookie", "a=1")
			w.Header().Add("Set-Cookie", "b=2; Path=/elsewhere")
			w.Header().Add("Set-Cookie", "c=3; Max-Age=0")
			fmt.Fprint(w, "<h1>x</h1><a href=/next>")
		}, false, "a=1"},
		{"off", cookieThen(func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "<!DOCTYPE html><h1>x</h1><a href=/next>") }), true, ""},
		{"endless", flood, false, "#100"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			s := newSite(t)
			s.pages["/"] = c.page
			s.page("/next")
			seen := new(headers).watch(s)
			run(t, openStore(t), quick(t, s, func(o *crawl.Options) {
				if c.off {
					o.Requests.Cookies = crawl.CookiesOff
				}
			}))
			got := seen.get("/next", "Cookie")
			if strings.HasPrefix(c.want, "#") {
				got = fmt.Sprintf("#%d", strings.Count(got, "=")) // of the short ones
			}
			if got != c.want {
				t.Errorf("the next request had the cookies %q, want %q", got, c.want)
			}
		})
	}
}

// TestCookiesOfPublicSuffixes is RFC 6265, section 5.3, step 5.
func TestCookiesOfPublicSuffixes(t *testing.T) {
	proxy := proxyTo(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		switch r.URL.Host + r.URL.Path {
		case "a.example.co.uk/":
			w.Header().Add("Set-Cookie", "suffix=1; Domain=co.uk")
			w.Header().Add("Set-Cookie", "domain=1; Domain=example.co.uk")
			fmt.Fprint(w, "<h1>x</h1><a href=http://b.example.co.uk/><a href=http://other.co.uk/>")
		default:
			fmt.Fprintf(w, "<h1>%s</h1>", r.Header.Get("Cookie"))
		}
	})
	titles := map[string]string{}
	o := quick(t, newSite(t), func(o *crawl.Options) {
		o.Start = []string{"http://a.example.co.uk/"}
		o.Scope.Within = crawl.WithinAny
		o.Requests.Proxies = []string{proxy.URL}
		o.OnVisit = func(v *crawl.Visit) {
			for _, r := range v.Records {
				title, _ := r.Fields.Get("title")
				titles[v.Request.Host] = fmt.Sprint(title)
			}
		}
	})
	run(t, openStore(t), o)
	if _, any := titles["other.co.uk"]; any || titles["b.example.co.uk"] != "domain=1" { // an empty title is a reject
		t.Errorf("cookies sent: %v", titles)
	}
}

// proxyTo is a proxy on loopback that answers all requests itself.
func proxyTo(t *testing.T, answer http.HandlerFunc) *httptest.Server {
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !r.URL.IsAbs() {
			t.Errorf("%s is not how a proxy is asked", r.URL)
		}
		if r.URL.Path == "/robots.txt" {
			http.NotFound(w, r)
			return
		}
		answer(w, r)
	}))
	t.Cleanup(s.Close)
	return s
}

func TestProxies(t *testing.T) {
	page := func(name string, hits *sync.Map) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) {
			n, _ := hits.LoadOrStore(name, new(int))
			*n.(*int)++ // one request at a time
			w.Header().Set("Content-Type", "text/html")
			fmt.Fprintf(w, "<h1>%s</h1>", name)
			for i := range 10 {
				fmt.Fprintf(w, "<a href=/%d>", i)
			}
			io.WriteString(w, r.Header.Get("Proxy-Authorization"))
		}
	}
	count := func(hits *sync.Map, name string) int {
		if n, ok := hits.Load(name); ok {
			return *n.(*int)
		}
		return 0
	}
	crawlBy := func(t *testing.T, change func(*crawl.Requests)) *crawl.Summary {
		return run(t, openStore(t), quick(t, newSite(t), func(o *crawl.Options) {
			o.Start = []string{"http://a.example/"}
			o.Politeness.Concurrency = 1
			change(&o.Requests)
		}))
	}
	dead := httptest.NewServer(http.NotFoundHandler())
	dead.Close()
	t.Run("in turn", func(t *testing.T) {
		var hits sync.Map
		a, b := proxyTo(t, page("a", &hits)), proxyTo(t, page("b", &hits))
		sum := crawlBy(t, func(r *crawl.Requests) { r.Proxies = []string{a.URL, b.URL} })
		if sum.Run.Counters.Pages != 11 || count(&hits, "a") < 4 || count(&hits, "b") < 4 {
			t.Errorf("%d pages, by a %d, by b %d", sum.Run.Counters.Pages, count(&hits, "a"), count(&hits, "b"))
		}
	})
	t.Run("past a dead one", func(t *testing.T) {
		var hits sync.Map
		a := proxyTo(t, page("a", &hits))
		sum := crawlBy(t, func(r *crawl.Requests) { r.Proxies = []string{dead.URL, a.URL} })
		if c := sum.Run.Counters; c.Pages != 11 || c.Failed != 0 {
			t.Errorf("%+v", c)
		}
	})
	t.Run("none but a dead one", func(t *testing.T) {
		sum := crawlBy(t, func(r *crawl.Requests) { r.Proxies = []string{dead.URL} })
		if diff := cmp.Diff(map[crawl.Reason]int64{crawl.ReasonRobotsUnreachable: 1}, sum.Run.Counters.Failures); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	})
	t.Run("by host", func(t *testing.T) {
		var hits sync.Map
		a, b := proxyTo(t, page("a", &hits)), proxyTo(t, page("b", &hits))
		crawlBy(t, func(r *crawl.Requests) {
			r.Proxies = []string{a.URL}
			r.HostProxies = []crawl.HostProxy{{Host: "a.example", Proxies: []string{b.URL}}}
		})
		if count(&hits, "a") != 0 || count(&hits, "b") != 11 {
			t.Errorf("by a %d, by b %d, want all by b", count(&hits, "a"), count(&hits, "b"))
		}
	})
	t.Run("with a password", func(t *testing.T) {
		var auth sync.Map
		a := proxyTo(t, func(w http.ResponseWriter, r *http.Request) { auth.Store(r.Header.Get("Proxy-Authorization"), true) })
		u, err := url.Parse(a.URL)
		if err != nil {
			t.Fatal(err)
		}
		u.User = url.UserPassword("me", "secret")
		crawlBy(t, func(r *crawl.Requests) { r.Proxies = []string{u.String()} })
		if _, ok := auth.Load("Basic bWU6c2VjcmV0"); !ok {
			t.Errorf("the proxy was not told who asks")
		}
	})
	t.Run("private addresses stay out of reach", func(t *testing.T) {
		asked := false
		a := proxyTo(t, func(w http.ResponseWriter, r *http.Request) {
			asked = asked || r.URL.Hostname() != "a.example"
			w.Header().Set("Content-Type", "text/html")
			fmt.Fprint(w, "<h1>x</h1><a href=http://127.0.0.1:9/><a href=http://[::1]/><a href=http://localhost/><a href=http://0x7f.1/>")
		})
		sum := run(t, openStore(t), quick(t, newSite(t), func(o *crawl.Options) {
			o.Start, o.Scope.Within = []string{"http://a.example/"}, crawl.WithinAny
			o.Requests.Proxies = []string{a.URL}
		}))
		if asked || sum.Run.Counters.Pages != 1 {
			t.Errorf("asked %v, %+v", asked, sum.Run.Counters)
		}
	})
}

func TestInsecureTLS(t *testing.T) {
	for _, insecure := range []bool{false, true} {
		t.Run(fmt.Sprint(insecure), func(t *testing.T) {
			s := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				w.Header().Set("Content-Type", "text/html")
				fmt.Fprint(w, "<h1>x</h1>")
			}))
			t.Cleanup(s.Close)
			var warnings []string
			sum := run(t, openStore(t), quick(t, newSite(t), func(o *crawl.Options) {
				o.Start = []string{s.URL + "/"}
				o.Requests.InsecureTLS = insecure
				o.OnVisit = func(v *crawl.Visit) {
					if v.Page != nil {
						warnings = v.Page.Warnings
					}
				}
			}))
			if got := sum.Run.Counters.Pages == 1; got != insecure || insecure != strings.Contains(fmt.Sprint(warnings), "insecure_tls") {
				t.Errorf("%+v, warnings %q", sum.Run.Counters, warnings)
			}
		})
	}
}

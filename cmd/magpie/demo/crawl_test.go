package demo

import (
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/andybalholm/cascadia"
	"github.com/google/go-cmp/cmp"
	"github.com/temoto/robotstxt"
	"golang.org/x/net/html"

	"github.com/magpie-crawl/magpie/config"
	"github.com/magpie-crawl/magpie/htmlparse"
)

// crawler visits a site breadth first, as the job says, one request at a time.
type crawler struct {
	t      *testing.T
	host   string
	client *http.Client
	robots *robotstxt.Group
	follow []cascadia.Selector
	seen   map[string]bool
	queue  []string
	pages  map[string]int // status by URL; a request that failed is asked again
}

// TestEveryProductIsLinked crawls the shop over HTTP with other people's
// parser of robots.txt.
func TestEveryProductIsLinked(t *testing.T) {
	site := New()
	server := httptest.NewServer(site)
	defer server.Close()
	c := newCrawler(t, server.URL)
	c.visit(server.URL + "/")
	for len(c.queue) > 0 {
		u := c.queue[0]
		c.queue = c.queue[1:]
		c.fetch(u)
	}

	requests := site.Requests()
	for _, p := range site.Products() {
		if requests[p.Path] == 0 || c.pages[server.URL+p.Path] != http.StatusOK {
			t.Errorf("%s is not reached", p.Path)
		}
	}
	for from := range redirects {
		if requests[escape(from)] != 1 {
			t.Errorf("%s is asked for %d times, want once", from, requests[escape(from)])
		}
	}
	for path := range faults {
		if requests[escape(path)] != 2 {
			t.Errorf("%s is asked for %d times, want twice", path, requests[escape(path)])
		}
	}
	for _, path := range []string{"/private/visit.html", "/cart/help.html", "/closed.html", "/guestbook.html"} {
		if requests[path] != 1 {
			t.Errorf("%s is asked for %d times, want once", path, requests[path])
		}
	}
	if got := site.Forbidden(); got != nil {
		t.Errorf("robots.txt forbids %q", got)
	}
	var others []string
	for u, status := range c.pages {
		if status != http.StatusOK && status/100 != 3 {
			others = append(others, strings.TrimPrefix(u, server.URL))
		}
	}
	if diff := cmp.Diff([]string{"/closed.html"}, others); diff != "" {
		t.Errorf("pages that are not there: -want +got\n%s", diff)
	}
}

func newCrawler(t *testing.T, base string) *crawler {
	t.Helper()
	job, err := config.Parse("job.yaml", []byte(JobAt(base+"/")))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{base + "/"}, job.Options.Start); diff != "" {
		t.Errorf("start of the job: -want +got\n%s", diff)
	}
	c := &crawler{t: t, host: strings.TrimPrefix(base, "http://"), seen: map[string]bool{}, pages: map[string]int{}}
	for _, s := range job.Options.Follow {
		c.follow = append(c.follow, cascadia.MustCompile(s))
	}
	c.client = &http.Client{
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		Transport:     &http.Transport{DisableKeepAlives: true}, // a kept connection is retried unseen
	}
	resp, err := c.client.Get(base + "/robots.txt")
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	rules, err := robotstxt.FromResponse(resp)
	if err != nil {
		t.Fatal(err)
	}
	c.robots = rules.FindGroup("magpie")
	return c
}

// visit queues a URL that is new, on the host and allowed.
func (c *crawler) visit(ref string) {
	u, err := url.Parse(ref)
	if err != nil {
		c.t.Errorf("%q: %v", ref, err)
		return
	}
	u.Fragment = ""
	if c.seen[u.String()] || u.Scheme != "http" || u.Host != c.host || !c.robots.Test(u.RequestURI()) || strings.HasPrefix(u.Path, "/login") {
		return
	}
	c.seen[u.String()] = true
	c.queue = append(c.queue, u.String())
}

func (c *crawler) fetch(u string) {
	resp, err := c.client.Get(u)
	if err != nil {
		c.queue = append(c.queue, u)
		return
	}
	defer resp.Body.Close()
	src, err := io.ReadAll(resp.Body)
	if err != nil || resp.StatusCode == http.StatusServiceUnavailable {
		c.queue = append(c.queue, u)
		return
	}
	c.pages[u] = resp.StatusCode
	if to, err := resp.Location(); err == nil {
		c.visit(to.String())
		return
	}
	doc, err := htmlparse.ParseBytes(src, &htmlparse.Options{ContentType: resp.Header.Get("Content-Type")})
	if err != nil {
		c.t.Fatal(err)
	}
	dropTemplates(doc.Root)
	base, _ := url.Parse(u)
	for _, href := range baseOf(doc.Root) {
		base, _ = base.Parse(href)
	}
	for _, s := range c.follow {
		for _, n := range cascadia.QueryAll(doc.Root, s) {
			c.link(base, n)
		}
	}
}

func (c *crawler) link(base *url.URL, n *html.Node) {
	for _, a := range n.Attr {
		if a.Key != "href" {
			continue
		}
		to, err := base.Parse(strings.Trim(a.Val, " \t\r\n"))
		if err != nil {
			c.t.Errorf("link %q: %v", a.Val, err)
			continue
		}
		c.visit(to.String())
	}
}

// TestForbidden holds the site's own idea of its robots.txt to that of
// another reader.
func TestForbidden(t *testing.T) {
	rules, err := robotstxt.FromBytes(body(t, get(t, New(), "/robots.txt")))
	if err != nil {
		t.Fatal(err)
	}
	magpie := rules.FindGroup("magpie")
	for path, want := range map[string]bool{
		"/": false, "/en/": false, "/en/?page=2": false, "/robots.txt": false, "/private": false,
		"/private/": true, "/private/product/ledger.html": true, "/private/visit.html": false,
		"/cart": true, "/cart?add=MP-EN-01": true, "/cart/help.html": false, "/cartography.html": true,
		"/en/?sort=price": true, "/en/?page=2&sort=price": false, "/catalogue.pdf": true, "/catalogue.pdf?x": false,
	} {
		t.Run(path, func(t *testing.T) {
			if got := forbidden(path); got != want {
				t.Errorf("forbidden is %t", got)
			}
			if got := !magpie.Test(path); got != want {
				t.Errorf("robots.txt: forbidden is %t", got)
			}
		})
	}
}

func TestForbiddenAreCounted(t *testing.T) {
	site := New()
	for _, path := range []string{"/en/?sort=price", "/cart", "/cart", "/private/product/ledger.html", "/go/ledger", "/"} {
		get(t, site, path)
	}
	if diff := cmp.Diff([]string{"/cart", "/en/?sort=price", "/private/product/ledger.html"}, site.Forbidden()); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
	if got := site.Requests()["/cart"]; got != 2 {
		t.Errorf("/cart is counted %d times, want 2", got)
	}
}

// TestImages asks for what a browser needs to show a product.
func TestImages(t *testing.T) {
	site := New()
	for _, p := range site.Products() {
		resp := get(t, site, p.Image)
		if resp.StatusCode != http.StatusOK || resp.Header.Get("Content-Type") != "image/svg+xml" {
			t.Errorf("%s: %s %v", p.Image, resp.Status, resp.Header)
		}
	}
}

func TestSitemap(t *testing.T) {
	site := New()
	doc, err := html.Parse(get(t, site, "/sitemap.xml").Body)
	if err != nil {
		t.Fatal(err)
	}
	listed := map[string]bool{}
	for _, n := range cascadia.QueryAll(doc, cascadia.MustCompile("loc")) {
		listed[strings.TrimPrefix(text(n), "http://example.com")] = true
	}
	for _, p := range site.Products() {
		if !listed[p.Path] {
			t.Errorf("%s is not listed in %q", p.Path, slices.Sorted(maps.Keys(listed)))
			return
		}
	}
}

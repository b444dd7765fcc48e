package crawl_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/magpie-crawl/magpie/crawl"
)

func TestExplain(t *testing.T) {
	for _, c := range []struct {
		name  string
		scope crawl.Scope
		url   string
		want  string // reason and rule; "": fetched
	}{
		{"in scope", crawl.Scope{}, "https://shop.test/a", ""},
		{"another host", crawl.Scope{}, "https://www.shop.test/a", "scope its host www.shop.test is none of the start URLs' (shop.test): scope is within: host, wider is within: domain"},
		{"another port", crawl.Scope{}, "https://shop.test:8443/a", "scope its host shop.test:8443 is none"},
		{"a host of the domain", crawl.Scope{Within: crawl.WithinDomain}, "https://www.shop.test/a", ""},
		{"another domain", crawl.Scope{Within: crawl.WithinDomain}, "https://www.other.test/a", "scope its domain other.test is none"},
		{"any", crawl.Scope{Within: crawl.WithinAny}, "https://www.other.test/a", ""},
		{"not allowed", crawl.Scope{Allow: []string{"*/p/*", "*/q/*"}}, "https://shop.test/a", "scope it matches no pattern of scope.allow: */p/*, */q/*"},
		{"allowed", crawl.Scope{Allow: []string{"*/p/*"}}, "https://shop.test/p/1", ""},
		{"denied", crawl.Scope{Deny: []string{"*/x*", "*/login*"}}, "https://shop.test/login?a", "scope it matches the pattern of scope.deny */login*"},
		{"the start, whatever is denied", crawl.Scope{Deny: []string{"*"}}, "HTTPS://shop.test:443/#top", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			crawler, err := crawl.New(crawl.Options{Start: []string{"https://shop.test/"}, Scope: c.scope})
			if err != nil {
				t.Fatal(err)
			}
			x, err := crawler.Explain(c.url)
			if err != nil {
				t.Fatal(err)
			}
			got := strings.TrimSpace(string(x.Reason) + " " + x.Rule)
			if c.want == "" && got != "" || !strings.HasPrefix(got, c.want) {
				t.Errorf("Explain = %q, want %q", got, c.want)
			}
		})
	}
	crawler, err := crawl.New(crawl.Options{Start: []string{"https://shop.test/"}})
	if err != nil {
		t.Fatal(err)
	}
	if x, err := crawler.Explain("HTTPS://Shop.test:443/a/../b#c"); err != nil || x.URL != "https://shop.test/b" {
		t.Errorf("the canonical URL: %+v, %v", x, err)
	}
	if _, err := crawler.Explain("mailto:x@shop.test"); err == nil {
		t.Error("mailto: is explained")
	}
}

// A crawl may find meanwhile that a start URL has moved, which widens the scope.
func TestExplainWhileCrawling(t *testing.T) {
	s, elsewhere := newSite(t), newSite(t)
	s.status("/", http.StatusMovedPermanently, "Location", elsewhere.URL+"/")
	elsewhere.page("/", "http://third.test/")
	crawler, err := crawl.New(quick(t, s, func(o *crawl.Options) { o.AllowPrivate = true }))
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan error)
	go func() {
		_, err := crawler.Crawl(t.Context(), openStore(t), crawl.Job{Name: "test"})
		done <- err
	}()
	for {
		x, err := crawler.Explain("http://third.test/")
		if err != nil || x.Reason != crawl.ReasonScope || x.Rule == "" {
			t.Fatalf("%+v, %v", x, err)
		}
		select {
		case err := <-done:
			if err != nil {
				t.Fatal(err)
			}
			if x, _ := crawler.Explain(elsewhere.URL + "/a"); x.Reason != "" {
				t.Errorf("where the start has moved: %+v", x)
			}
			return
		default:
		}
	}
}

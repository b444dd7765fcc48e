package demo

import (
	"compress/gzip"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// serve starts a shop and a client that tries each request once, asks for no
// coding and follows no redirect.
func serve(t *testing.T) (base string, client *http.Client) {
	t.Helper()
	server := httptest.NewServer(New())
	t.Cleanup(server.Close)
	return server.URL, &http.Client{
		Transport:     &http.Transport{DisableKeepAlives: true, DisableCompression: true},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}

// read returns the status, the body and what went wrong.
func read(client *http.Client, url string) (*http.Response, string, error) {
	resp, err := client.Get(url)
	if err != nil {
		return nil, "", err
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	return resp, string(body), err
}

func TestBusyOnce(t *testing.T) {
	base, client := serve(t)
	resp, _, err := read(client, base+"/pl/")
	if err != nil {
		t.Fatal(err)
	}
	if resp.StatusCode != http.StatusServiceUnavailable || resp.Header.Get("Retry-After") != "1" {
		t.Errorf("first: %s, Retry-After %q", resp.Status, resp.Header.Get("Retry-After"))
	}
	if resp, _, err = read(client, base+"/pl/"); err != nil || resp.StatusCode != http.StatusOK {
		t.Errorf("second: %v %v", resp, err)
	}
}

func TestCutOnce(t *testing.T) {
	for _, path := range []string{"/ko/product/bronze-bowl.html", "/el/product/briki.html"} {
		t.Run(path, func(t *testing.T) {
			base, client := serve(t)
			resp, part, err := read(client, base+path)
			if !errors.Is(err, io.ErrUnexpectedEOF) || part == "" {
				t.Fatalf("first: %d bytes, error %v", len(part), err)
			}
			if resp.ContentLength <= int64(len(part)) {
				t.Errorf("first: Content-Length %d, %d bytes", resp.ContentLength, len(part))
			}
			_, whole, err := read(client, base+path)
			if err != nil || !strings.HasPrefix(whole, part) || int64(len(whole)) != resp.ContentLength {
				t.Errorf("second: %d bytes, error %v", len(whole), err)
			}
		})
	}
}

func TestSilentOnce(t *testing.T) {
	base, client := serve(t)
	if resp, _, err := read(client, base+"/ru/product/podstakannik.html"); err == nil {
		t.Errorf("first: %s", resp.Status)
	}
	if resp, _, err := read(client, base+"/ru/product/podstakannik.html"); err != nil || resp.StatusCode != http.StatusOK {
		t.Errorf("second: %v %v", resp, err)
	}
}

// TestHeadIsSpared holds that a HEAD request does not use up a fault.
func TestHeadIsSpared(t *testing.T) {
	base, client := serve(t)
	resp, err := client.Head(base + "/pl/")
	if err != nil || resp.StatusCode != http.StatusOK {
		t.Fatalf("%v %v", resp, err)
	}
	if resp, _, err = read(client, base+"/pl/"); err != nil || resp.StatusCode != http.StatusServiceUnavailable {
		t.Errorf("GET after HEAD: %v %v", resp, err)
	}
}

func TestGzip(t *testing.T) {
	base, client := serve(t)
	for _, path := range []string{"/el/", "/vi/product/den-long.html", "/guestbook.html"} {
		t.Run(path, func(t *testing.T) {
			plain, want, err := read(client, base+path)
			if err != nil || plain.Header.Get("Content-Encoding") != "" {
				t.Fatalf("not asked for: %v %v", plain, err)
			}
			req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, base+path, nil)
			if err != nil {
				t.Fatal(err)
			}
			req.Header.Set("Accept-Encoding", "br, gzip")
			resp, err := client.Do(req)
			if err != nil {
				t.Fatal(err)
			}
			defer resp.Body.Close()
			if got := resp.Header.Get("Content-Encoding"); got != "gzip" {
				t.Fatalf("Content-Encoding %q", got)
			}
			z, err := gzip.NewReader(resp.Body)
			if err != nil {
				t.Fatal(err)
			}
			got, err := io.ReadAll(z)
			if err != nil || string(got) != want {
				t.Errorf("%d bytes, want %d; %v", len(got), len(want), err)
			}
		})
	}
}

func TestRedirects(t *testing.T) {
	base, client := serve(t)
	for _, hop := range []struct {
		path, to string
		code     int
	}{
		{"/en/product/glasses.html", base + "/en/product/opera-glasses.html", http.StatusMovedPermanently},
		{"/ja/product/%E6%96%87%E6%88%BF%E5%9B%9B%E5%AE%9D/%E7%8C%AB.html", base + "/ja/product/%E6%96%87%E9%8E%AE.html", http.StatusMovedPermanently},
		{"/de/artikel.php", base + "/de/artikel/2", http.StatusFound},
		{"/de/artikel/2", base + "/de/product/taschenuhr.html", http.StatusFound},
		{"/go/ledger", base + "/private/product/ledger.html", http.StatusFound},
		{"/go/friends", "http://elsewhere.invalid/friends", http.StatusFound},
	} {
		t.Run(hop.path, func(t *testing.T) {
			resp, _, err := read(client, base+hop.path)
			if err != nil {
				t.Fatal(err)
			}
			to, err := resp.Location()
			if err != nil || to.String() != hop.to || resp.StatusCode != hop.code {
				t.Errorf("%d to %v, want %d to %s; %v", resp.StatusCode, to, hop.code, hop.to, err)
			}
		})
	}
}

func TestNotFound(t *testing.T) {
	base, client := serve(t)
	for _, path := range []string{"/closed.html", "/en/?page=4", "/en/?page=2%C2%A9=1", "/en/?page=0", "/xx/", "/en/product/"} {
		t.Run(path, func(t *testing.T) {
			resp, _, err := read(client, base+path)
			if err != nil || resp.StatusCode != http.StatusNotFound {
				t.Errorf("%v %v", resp, err)
			}
		})
	}
}

func TestSort(t *testing.T) {
	base, client := serve(t)
	_, page, err := read(client, base+"/en/?sort=price")
	if err != nil {
		t.Fatal(err)
	}
	last := -1
	for _, slug := range []string{"pocket-mirror", "silver-thimble", "kaleidoscope", "glasses", "brass-sextant"} {
		at := strings.Index(page, slug+".html")
		if at <= last {
			t.Errorf("%s is at %d, after %d", slug, at, last)
		}
		last = at
	}
}

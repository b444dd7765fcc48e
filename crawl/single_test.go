package crawl

import (
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/magpie-crawl/magpie/crawl/fetch"
)

func TestSingle(t *testing.T) {
	var other string
	echo := func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/away":
			http.Redirect(w, r, other+"/seen", http.StatusFound)
		case "/near":
			http.Redirect(w, r, "/seen", http.StatusFound)
		case "/ring":
			http.Redirect(w, r, "/ring?"+r.URL.RawQuery+"x", http.StatusFound)
		case "/lost":
			http.NotFound(w, r)
		default:
			fmt.Fprintf(w, "%s %s", r.UserAgent(), r.Header.Get("X-Secret"))
		}
	}
	site := httptest.NewServer(http.HandlerFunc(echo))
	defer site.Close()
	elsewhere := httptest.NewServer(http.HandlerFunc(echo))
	defer elsewhere.Close()
	other = elsewhere.URL
	options := Options{Start: []string{site.URL + "/"}, Politeness: Politeness{UserAgent: "tester"}, Requests: Requests{Header: map[string]string{"X-Secret": "s3cret"}}}
	open := options
	open.AllowPrivate = true
	tests := []struct {
		name      string
		options   Options
		url       string
		body      string
		status    int
		redirects int
		reason    fetch.Reason // of the error; "": another error
		err       string
	}{
		{name: "the job's own", options: options, url: site.URL + "/seen", body: "tester s3cret", status: 200},
		{name: "a redirect", options: options, url: site.URL + "/near", body: "tester s3cret", status: 200, redirects: 1},
		{name: "an answer that is no page", options: options, url: site.URL + "/lost", status: 404},
		{name: "a private address", options: options, url: elsewhere.URL + "/seen", reason: fetch.ReasonAddress, err: "public"},
		{name: "a redirect to a private address", options: options, url: site.URL + "/away", reason: fetch.ReasonAddress, err: "public"},
		{name: "another origin gets no secret", options: open, url: site.URL + "/away", body: "tester ", status: 200, redirects: 1},
		{name: "redirects without end", options: options, url: site.URL + "/ring", err: "redirects"},
		{name: "no URL", options: options, url: "ftp://x/", err: "ftp"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			c, err := New(tt.options)
			if err != nil {
				t.Fatal(err)
			}
			p, err := c.Single(t.Context(), tt.url)
			if tt.err != "" {
				failed, _ := errors.AsType[*fetch.Error](err)
				if err == nil || !strings.Contains(err.Error(), tt.err) || tt.reason != "" && (failed == nil || failed.Reason != tt.reason) {
					t.Errorf("error %v", err)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if p.Status != tt.status || len(p.Redirects) != tt.redirects || tt.body != "" && string(p.Body) != tt.body || slices.Contains(p.Redirects, p.URL) {
				t.Errorf("status %d, body %q, by %v", p.Status, p.Body, p.Redirects)
			}
		})
	}
}

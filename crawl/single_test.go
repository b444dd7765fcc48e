package crawl

import (
	"cmp"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/magpie-crawl/magpie/crawl/fetch"
)

func TestSingle(t *testing.T) {
	var home, other string
	const usual = "User-agent: *\nDisallow: /nobody\nUser-agent: tester\nDisallow: /private\n"
	rules := usual
	var mu sync.Mutex
	var asked []string // by whom for robots.txt
	echo := func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/robots.txt":
			if rules == "" {
				http.Error(w, "out of order", http.StatusServiceUnavailable)
				return
			}
			fmt.Fprint(w, rules)
			mu.Lock()
			defer mu.Unlock()
			asked = append(asked, r.UserAgent()+r.Header.Get("X-Secret"))
		case "/to-private":
			http.Redirect(w, r, "/private/x", http.StatusFound)
		case "/login":
			http.SetCookie(w, &http.Cookie{Name: "session", Value: "42"})
			if r.Method == http.MethodGet {
				fmt.Fprint(w, "<form method=post><input name=user><input type=password name=p></form>")
			}
		case "/members":
			if cookie, err := r.Cookie("session"); err == nil {
				fmt.Fprint(w, "member ", cookie.Value)
			}
		case "/away":
			http.Redirect(w, r, other+"/seen", http.StatusFound)
		case "/there-and-back":
			http.Redirect(w, r, other+"/back", http.StatusFound)
		case "/back":
			http.Redirect(w, r, home+"/seen", http.StatusFound)
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
	home, other = site.URL, elsewhere.URL
	options := Options{Start: []string{site.URL + "/"}, Politeness: Politeness{UserAgent: "tester"}, Requests: Requests{Header: map[string]string{"X-Secret": "s3cret"}}}
	open := options
	open.AllowPrivate = true
	rude := options
	rude.Politeness.Robots = RobotsIgnore
	member, stranger := options, options
	member.Login = &Login{URL: site.URL + "/login", Fields: map[string]string{"user": "me", "p": "geheim"}}
	stranger.Login = &Login{URL: site.URL + "/seen", Fields: map[string]string{"user": "me"}}
	tests := []struct {
		name      string
		rules     string // of robots.txt; "": the usual; "-": it is not to be had
		ignored   bool   // robots.txt is not asked for
		robots    bool   // the error is a *RobotsError
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
		{name: "nor does its own where another led back", options: open, url: site.URL + "/there-and-back", body: "tester ", status: 200, redirects: 2},
		{name: "redirects without end", options: options, url: site.URL + "/ring", err: "redirects"},
		{name: "forbidden", options: options, url: site.URL + "/private/x", err: "is forbidden by robots.txt: Disallow: /private", robots: true},
		{name: "forbidden to others", options: options, url: site.URL + "/nobody", body: "tester s3cret", status: 200},
		{name: "a redirect to what is forbidden", options: options, url: site.URL + "/to-private", err: "/private/x is forbidden by robots.txt", robots: true},
		{name: "forbidden and asked for all the same", options: rude, url: site.URL + "/private/x", body: "tester s3cret", status: 200, ignored: true},
		{name: "no robots.txt to be had", options: options, rules: "-", url: site.URL + "/seen", err: "could not be had, which forbids all: get " + site.URL + "/robots.txt: status 503", robots: true},
		{name: "no cookie without login", options: options, url: site.URL + "/members", status: 200},
		{name: "after the login", options: member, url: site.URL + "/members", body: "member 42", status: 200},
		{name: "forbidden before any login", options: stranger, url: site.URL + "/private/x", err: "robots.txt", robots: true},
		{name: "a login that fails", options: stranger, url: site.URL + "/members", err: "no such form"},
		{name: "no URL", options: options, url: "ftp://x/", err: "ftp"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			rules, asked = cmp.Or(strings.ReplaceAll(tt.rules, "-", ""), map[bool]string{false: usual}[tt.rules == "-"]), nil
			c, err := New(tt.options)
			if err != nil {
				t.Fatal(err)
			}
			p, err := c.Single(t.Context(), tt.url)
			if tt.err != "" {
				if forbidden, _ := errors.AsType[*RobotsError](err); (forbidden != nil) != (tt.robots || tt.reason != "") {
					t.Errorf("error %#v", err)
				}
				failed, _ := errors.AsType[*fetch.Error](err)
				if err == nil || !strings.Contains(err.Error(), tt.err) || tt.reason != "" && (failed == nil || failed.Reason != tt.reason) {
					t.Errorf("error %v", err)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if want := "testers3cret"; tt.ignored && len(asked) > 0 || !tt.ignored && (len(asked) == 0 || asked[0] != want) {
				t.Errorf("robots.txt was asked for by %q", asked)
			}
			if p.Status != tt.status || len(p.Redirects) != tt.redirects || tt.body != "" && string(p.Body) != tt.body || slices.Contains(p.Redirects, p.URL) {
				t.Errorf("status %d, body %q, by %v", p.Status, p.Body, p.Redirects)
			}
		})
	}
}

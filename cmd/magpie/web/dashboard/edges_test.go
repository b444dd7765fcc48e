package dashboard

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/magpie-crawl/magpie/cmd/magpie/daemon"
	"github.com/magpie-crawl/magpie/config"
)

// serveJobs serves a dashboard over a database with a run of each job file.
func serveJobs(t *testing.T, files ...string) *httptest.Server {
	t.Helper()
	db, f := openStore(t), &folder{}
	for _, source := range files {
		job := crawlOnce(t, db, source)
		f.list = append(f.list, daemon.Job{Name: job.Name, File: job.Name + ".yaml", Config: job, State: daemon.Idle})
	}
	f.list = append(f.list, daemon.Job{Name: "never", File: "never.yaml", Config: &config.Job{}, State: daemon.Idle})
	f.settings.InUse = &config.Serve{}
	d := newDashboard(Options{DB: db, Token: func(*http.Request) string { return "token" }})
	d.jobs = f
	server := httptest.NewServer(d)
	t.Cleanup(server.Close)
	return server
}

// TestLongKeys shows a record whose key is too long for an address, wherever it
// is listed.
func TestLongKeys(t *testing.T) {
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprintf(w, "<h1>lantern %s</h1>", strings.Repeat("\u202ebrass ", 2000))
	}))
	defer site.Close()
	s := serveJobs(t, fmt.Sprintf("name: long\nstart: %s/\npoliteness: {robots: ignore}\nitems: {lamp: {key: [name], fields: {name: h1}}}\n", site.URL))
	for name, path := range map[string]string{
		"records": "/jobs/long/records", "search": "/jobs/long/search?q=lantern", "changes": "/jobs/long/runs/1/changes", "page": pagePath("long", site.URL+"/", 0),
	} {
		t.Run(name, func(t *testing.T) {
			status, _, body := get(t, s.URL+path)
			if status != http.StatusOK || !strings.Contains(body, "lantern") || strings.Contains(body, `href=""`) {
				t.Errorf("status %d\n%.20000s", status, body)
			}
			checkPage(t, body)
		})
	}
}

// TestNothingFetched shows a job whose only run failed at once, and one that
// never ran.
func TestNothingFetched(t *testing.T) {
	s := serveJobs(t, "name: dead\nstart: http://127.0.0.1:1/\npoliteness: {robots: ignore}\nretry: {times: 0}\nitems: {lamp: {key: [name], fields: {name: h1}}}\n")
	for path, has := range map[string]string{
		"/": "Nothing was fetched", "/jobs/dead": "Nothing was fetched", "/jobs/dead/live": "Nothing crawls this job now", "/jobs/dead/runs/1": "There were no answers",
		"/jobs/dead/runs/1/changes": "compared with", "/jobs/dead/records": "no current records", "/jobs/dead/search?q=lamp": "Nothing found",
		"/jobs/dead/pages": "Failed", "/jobs/dead/exports": "The job file has no", "/messages": "Nothing waits",
		"/jobs/never": "has not run yet", "/jobs/never/live": "Nothing crawls", "/jobs/never/search?q=lamp": "Nothing found", "/jobs/never/records": "no records yet",
		"/jobs/never/pages": "No URL has been met yet", "/jobs/never/exports": "no records yet",
	} {
		t.Run(path, func(t *testing.T) {
			status, _, body := get(t, s.URL+path)
			if status != http.StatusOK || !strings.Contains(body, has) && path != "/jobs/dead/runs/1/changes" {
				t.Errorf("status %d\n%s", status, body)
			}
			checkPage(t, body)
		})
	}
}

// TestBeyondTheEnd asks for parts of lists that there are not.
func TestBeyondTheEnd(t *testing.T) {
	s := newShown(t)
	for _, v := range []struct{ name, path, has, hasNot string }{
		{"runs", "/jobs/lamps?before=1", `/jobs/lamps/runs/5"`, "has not run yet"},
		{"runs before a number below 0", "/jobs/lamps?before=-7", `/jobs/lamps/runs/5"`, "has not run yet"},
		{"changes", "/jobs/lamps/runs/1/changes?kind=added&page=77", "<ins>", "No record of this item"},
		{"records", "/jobs/lamps/records?page=77", `href="/jobs/lamps/records?item=lamp"`, "There are no current records"},
		{"records far behind", "/jobs/lamps/records?page=99999999999", `href="/jobs/lamps/records?item=lamp"`, "There are no current records"},
		{"jobs", "/?page=77", ">lamps<", "No job is like that"},
		{"pages", "/jobs/lamps/pages?after=99999999", "There are no more", "No URL has been met yet"},
	} {
		t.Run(v.name, func(t *testing.T) {
			status, _, body := get(t, s.URL+v.path)
			if status != http.StatusOK || !strings.Contains(body, v.has) || strings.Contains(body, v.hasNot) {
				t.Errorf("status %d\n%s", status, body)
			}
			checkPage(t, body)
		})
	}
}

// TestFiltersStay: a condition is what it was after the form is sent again, also
// where its value has characters that pages don't show.
func TestFiltersStay(t *testing.T) {
	s := newServed(t)
	const value = "\u200fz\u202e"
	for path, want := range map[string]int{
		"/?q=%s": 1, "/jobs/lamps/records?f=name&op=<&v=%s": 2, "/jobs/lamps/search?q=%s": 1, "/jobs/lamps/pages?url=%s": 1, "/jobs/lamps/pages?host=%s": 1,
	} {
		t.Run(path, func(t *testing.T) {
			_, _, body := get(t, s.URL+fmt.Sprintf(path, url.QueryEscape(value+"\x1b")))
			checkPage(t, body)
			if n := strings.Count(body, `value="`+value+`"`); n != want {
				t.Errorf("the value stands in %d of %d forms\n%s", n, want, body)
			}
		})
	}
}

// TestLargeForms: forms that are too large are told as that.
func TestLargeForms(t *testing.T) {
	s := newServed(t)
	large := url.Values{"source": {strings.Repeat("x", maxForm)}}
	for _, path := range []string{"/jobs/lamps/edit", "/new", "/act", "/theme", "/jobs/lamps/trial"} {
		t.Run(path, func(t *testing.T) {
			r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, path, strings.NewReader(large.Encode()))
			r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
			answer := httptest.NewRecorder()
			s.dashboard.ServeHTTP(answer, r)
			if answer.Code != http.StatusRequestEntityTooLarge {
				t.Errorf("status %d\n%s", answer.Code, answer.Body)
			}
			checkPage(t, answer.Body.String())
		})
	}
}

// TestHostileAddresses asks each view for what nobody would, in each of its
// parameters: what comes is a page with nothing of it at work.
func TestHostileAddresses(t *testing.T) {
	s := newServed(t)
	for path, names := range map[string][]string{
		"/":                              {"q", "show", "sort", "desc", "page", "said"},
		"/new?":                          {"template"},
		"/jobs/lamps":                    {"before", "said"},
		"/jobs/lamps/live":               {"run"},
		"/jobs/lamps/records":            {"item", "sort", "desc", "col", "page", "after", "before"},
		"/jobs/lamps/records?f=name&v=x": {"op"},
		"/jobs/lamps/records?op=>":       {"f"},
		"/jobs/lamps/record?item=lamp":   {"key"},
		"/jobs/lamps/record?key=x":       {"item"},
		"/jobs/lamps/search":             {"q"},
		"/jobs/lamps/pages":              {"url", "state", "reason", "status", "host", "run", "after"},
		"/jobs/lamps/page?url=" + url.QueryEscape(s.shop.URL+"/p/5"): {"run", "show"},
		"/jobs/lamps/exports":                                            {"item"},
		"/jobs/lamps/exports/now?format=csv":                             {"item"},
		"/jobs/lamps/exports/now?item=lamp":                              {"format"},
		"/jobs/lamps/exports/now?item=lamp&format=csv&f=price&op=%3C":    {"v"},
		"/jobs/lamps/exports/now?item=lamp&format=csv&op=%3C&v=1&page=1": {"f"},
		"/jobs/lamps/runs/2/changes":                                     {"item", "kind", "page"},
		"/jobs/lamps/runs/2":                                             {"run"},
		"/nothing":                                                       {"x"},
	} {
		for _, name := range names {
			to := path + "?"
			if strings.Contains(path, "?") {
				to = path + "&"
			}
			t.Run(to+name, func(t *testing.T) {
				status, header, body := get(t, s.URL+to+url.Values{name: {hostile}}.Encode())
				if status >= http.StatusInternalServerError || header.Get("Content-Type") != "text/html; charset=utf-8" {
					t.Errorf("status %d, %v\n%s", status, header, body)
				}
				checkPage(t, body)
			})
		}
	}
	t.Run("a path", func(t *testing.T) {
		for _, path := range []string{"/%s", "/jobs/%s", "/jobs/lamps/runs/%s", "/jobs/lamps/exports/1/%s", "/jobs/lamps/exports/%s/x", "/jobs/%s/page/body?url=x"} {
			status, _, body := get(t, s.URL+fmt.Sprintf(path, url.PathEscape(hostile)))
			if status != http.StatusNotFound {
				t.Errorf("%s: status %d", path, status)
			}
			checkPage(t, body)
		}
	})
}

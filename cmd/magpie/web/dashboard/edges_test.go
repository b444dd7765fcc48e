package dashboard

import (
	"fmt"
	"net/http"
	"net/http/httptest"
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

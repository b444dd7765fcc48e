package dashboard

import (
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/magpie-crawl/magpie/cmd/magpie/daemon"
	"github.com/magpie-crawl/magpie/config"
	"github.com/magpie-crawl/magpie/config/schedule"
)

// shown is a dashboard over a database with real crawls, and jobs in all
// states.
type shownDashboard struct {
	*dashboard
	*folder
	*httptest.Server
}

// newShown crawls a shop some times and serves the dashboard.
func newShown(t *testing.T) *shownDashboard {
	db, s := openStore(t), newShop(t, 30)
	for i := range 5 {
		s.visit.Store(int64(i))
		crawlOnce(t, db, s.jobFile("lamps", ""))
		crawlOnce(t, db, s.jobFile(hostileJob, ""))
	}
	crawlOnce(t, db, s.jobFile("old", "limits: {pages: 5}"))
	daily := &config.Job{Schedule: schedule.Options{Cron: "@daily", Jitter: time.Minute}}
	now := time.Now()
	f := &folder{list: []daemon.Job{
		{Name: "lamps", File: "lamps.yaml", Config: daily, State: daemon.Idle, Next: now.Add(time.Hour)},
		{Name: hostileJob, File: hostile, Config: daily, State: daemon.Idle, Paused: true, Err: hostile + "\n" + hostile},
		{Name: "typo", File: "typo.yaml", Fault: "typo.yaml:3:1: " + hostile + strings.Repeat(" long", 200), State: daemon.Idle},
		{Name: "waits", File: "waits.yaml", Config: daily, State: daemon.Queued},
		{Name: "never", File: "never.yaml", Config: &config.Job{}, State: daemon.Idle},
	}}
	d := newDashboard(Options{DB: db, Version: "0.8", LogOut: true, Token: func(*http.Request) string { return "t<o>ken" }})
	f.settings.InUse = &config.Serve{}
	d.jobs = f
	server := httptest.NewServer(d)
	t.Cleanup(server.Close)
	return &shownDashboard{d, f, server}
}

// get asks for a page.
func get(t *testing.T, address string) (status int, header http.Header, body string) {
	t.Helper()
	client := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	resp, err := client.Get(address)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	b, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return resp.StatusCode, resp.Header, string(b)
}

// Each view, of good jobs and of hostile ones, is a page without a parse
// error, with nothing active in it but our own script, and with what a screen
// reader goes by.
func TestViews(t *testing.T) {
	s := newShown(t)
	evil := "/jobs/" + url.PathEscape(hostileJob)
	for _, v := range []struct {
		name, path string
		status     int
		has        []string
	}{
		{"overview", "/", 200, []string{">lamps<", "lamps.yaml", "Finished with faults", "typo.yaml:3:1: ", "Queued", "never", "Not in the folder", "Paused"}},
		{"overview sorted and filtered", "/?q=LAMP&show=problems&sort=records&desc=1", 200, []string{`aria-sort="descending"`, ">lamps<"}},
		{"overview of nothing", "/?q=nosuch" + url.QueryEscape(hostile), 200, []string{"No job is like that"}},
		{"job", "/jobs/lamps", 200, []string{"Run now", "Pause the schedule", "every day at 00:00", "lamp.maker"}},
		{"runs before", "/jobs/lamps?before=3", 200, []string{"Newest", `/jobs/lamps/runs/2"`}},
		{"hostile job", evil, 200, []string{"Resume the schedule", "The last run went wrong", "&lt;script&gt;alert("}},
		{"job with mistakes", "/jobs/typo", 200, []string{"The job file has mistakes", "typo.yaml:3:1: ", "This job has not run yet", "<details"}},
		{"job that is not in the folder", "/jobs/old", 200, []string{"Not in the folder"}},
		{"live without a run", "/jobs/lamps/live", 200, []string{"Nothing crawls this job now", `data-live="/jobs/lamps/events?run=0"`}},
		{"run", "/jobs/lamps/runs/5", 200, []string{"forbidden by robots.txt", "reason=robots", "the server answered with status 404", "lamp.price", "Slowest hosts", "Run before", "status=404"}},
		{"hostile run", evil + "/runs/4", 200, []string{"Worse than usual", "records that have it", "usually 100%"}},
		{"changes", "/jobs/lamps/runs/5/changes", 200, []string{"compared with run 4"}},
		{"hostile changes", evil + "/runs/4/changes?kind=changed", 200, []string{"<del>", "&lt;script&gt;alert(1)", "Maker 1"}},
		{"all is new", "/jobs/lamps/runs/1/changes", 200, []string{"there was no finished run before it", "<ins>"}},
		{"no such job", "/jobs/nope", 404, []string{"There is no job of this name"}},
		{"no such run", "/jobs/lamps/runs/99", 404, []string{"Run 99"}},
		{"a run without a number", "/jobs/lamps/runs/x", 404, []string{"Runs have numbers"}},
		{"no such page", "/nope", 404, []string{"There is no page at this address"}},
	} {
		t.Run(v.name, func(t *testing.T) {
			status, header, body := get(t, s.URL+v.path)
			if status != v.status || header.Get("Content-Type") != "text/html; charset=utf-8" || header.Get("Cache-Control") != "no-store" {
				t.Errorf("status %d, %v", status, header)
			}
			for _, has := range v.has {
				if !strings.Contains(body, has) {
					t.Errorf("it does not have %q", has)
				}
			}
			if strings.Contains(body, filepath.Dir(s.db.Path())) {
				t.Error("it tells where the database is")
			}
			checkPage(t, body)
		})
	}
}

// An empty database says what to do first.
func TestEmpty(t *testing.T) {
	d := newDashboard(Options{DB: openStore(t)})
	d.jobs = &folder{}
	server := httptest.NewServer(d)
	defer server.Close()
	_, _, body := get(t, server.URL+"/")
	checkPage(t, body)
	if !strings.Contains(body, "No jobs yet") {
		t.Error("it does not say that there are no jobs")
	}
	if _, err := config.Parse("books.yaml", []byte(exampleJob)); err != nil {
		t.Errorf("the job file that it shows: %v", err)
	}
}

// What a job's buttons do, and what they answer.
func TestAct(t *testing.T) {
	s := newShown(t)
	client := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	for _, c := range []struct {
		name   string
		form   url.Values
		status int
		to     string
		did    string
	}{
		{"start", url.Values{"start": {"lamps"}, "back": {"/jobs/lamps"}}, 303, "/jobs/lamps?said=started", "start lamps"},
		{"start a job of a hostile name", url.Values{"start": {hostileJob}, "back": {"/?q=x"}}, 303, "/?q=x&said=started", "start " + hostileJob},
		{"pause", url.Values{"pause": {"lamps"}}, 303, "/?said=paused", "pause lamps"},
		{"resume", url.Values{"resume": {"lamps"}}, 303, "/?said=resumed", "resume lamps"},
		{"stop", url.Values{"stop": {"lamps"}}, 303, "/?said=stopped", "stop lamps"},
		{"unknown", url.Values{"start": {"nope"}}, 404, "", ""},
		{"nothing", url.Values{}, 400, "", ""},
		{"back to another site", url.Values{"stop": {"lamps"}, "back": {"//evil.example/"}}, 303, "/?said=stopped", "stop lamps"},
		{"back by a backslash", url.Values{"stop": {"lamps"}, "back": {`/\evil.example/`}}, 303, "/?said=stopped", "stop lamps"},
		{"back to a script", url.Values{"stop": {"lamps"}, "back": {"javascript:alert(1)"}}, 303, "/?said=stopped", "stop lamps"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s.did = nil
			resp, err := client.PostForm(s.URL+"/act", c.form)
			if err != nil {
				t.Fatal(err)
			}
			body, _ := io.ReadAll(resp.Body)
			resp.Body.Close()
			if resp.StatusCode != c.status || resp.Header.Get("Location") != c.to || strings.Join(s.did, ",") != c.did {
				t.Errorf("status %d to %q, did %q", resp.StatusCode, resp.Header.Get("Location"), s.did)
			}
			if c.status >= 400 {
				checkPage(t, string(body))
			}
		})
	}
	t.Run("resume without a schedule", func(t *testing.T) {
		resp, err := client.PostForm(s.URL+"/act", url.Values{"resume": {"never"}})
		if err != nil {
			t.Fatal(err)
		}
		defer resp.Body.Close()
		if body, _ := io.ReadAll(resp.Body); resp.StatusCode != 409 || !strings.Contains(string(body), "The job has no schedule") {
			t.Errorf("status %d: %s", resp.StatusCode, body)
		}
	})
	t.Run("start while it stops", func(t *testing.T) {
		s.stopping = true
		resp, err := client.PostForm(s.URL+"/act", url.Values{"start": {"lamps"}})
		if err != nil {
			t.Fatal(err)
		}
		defer resp.Body.Close()
		if body, _ := io.ReadAll(resp.Body); resp.StatusCode != 503 || !strings.Contains(string(body), "Magpie serve is being stopped: it begins no run") {
			t.Errorf("status %d: %s", resp.StatusCode, body)
		}
	})
	t.Run("by GET", func(t *testing.T) {
		s.did = nil
		if status, _, _ := get(t, s.URL+"/act?start=lamps"); status == 303 || s.did != nil {
			t.Errorf("status %d, did %q", status, s.did)
		}
	})
}

// The theme is kept by a cookie, without a script too.
func TestTheme(t *testing.T) {
	s := newShown(t)
	client := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	resp, err := client.PostForm(s.URL+"/theme", url.Values{"theme": {"dark"}, "back": {"/jobs/lamps"}})
	if err != nil {
		t.Fatal(err)
	}
	resp.Body.Close()
	cookies := resp.Cookies()
	if resp.StatusCode != 303 || len(cookies) != 1 {
		t.Fatalf("status %d, cookies %v", resp.StatusCode, cookies)
	}
	req, _ := http.NewRequest("GET", s.URL+resp.Header.Get("Location"), nil)
	req.AddCookie(cookies[0])
	page, err := client.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer page.Body.Close()
	body, _ := io.ReadAll(page.Body)
	if !strings.Contains(string(body), `data-theme="dark"`) {
		t.Error("the page is not dark")
	}
	if resp, err := client.PostForm(s.URL+"/theme", url.Values{"theme": {`"><script>`}}); err != nil || resp.StatusCode != 400 {
		t.Errorf("an odd theme: %v, %v", resp, err)
	}
}

// Files are served under their hashes alone, to be kept for ever.
func TestAssets(t *testing.T) {
	s := newShown(t)
	for name, path := range s.assets.paths {
		t.Run(name, func(t *testing.T) {
			status, header, body := get(t, s.URL+path)
			if status != 200 || body == "" || !strings.Contains(header.Get("Cache-Control"), "immutable") || header.Get("Content-Type") == "" {
				t.Errorf("status %d, %v", status, header)
			}
			if status, _, _ := get(t, s.URL+"/static/"+name); status != 404 {
				t.Errorf("without its hash: status %d", status)
			}
		})
	}
}

// A job's page tells the times at which it will run: after a clock that was
// ahead was set right, those that passed already are due no more.
func TestNextDueTimes(t *testing.T) {
	d := newDashboard(Options{DB: openStore(t)})
	now := d.now()
	j := daemon.Job{Name: "x", Config: &config.Job{Schedule: schedule.Options{Cron: "0 * * * *", Zone: time.UTC}}}
	for _, c := range []struct {
		name        string
		past, after time.Time
	}{
		{"the clock is right", now.Add(-time.Minute), now},
		{"it was ahead", now.Add(5 * time.Hour), now.Add(5 * time.Hour)},
	} {
		t.Run(c.name, func(t *testing.T) {
			j.Past = c.past
			card, err := d.readSchedule(t.Context(), &j)
			if err != nil || len(card.Next) != nextShown {
				t.Fatalf("%+v, %v", card, err)
			}
			if first := card.Next[0].At; first.Before(c.after) || first.After(c.after.Add(2*time.Hour)) {
				t.Errorf("next is %v, want it after %v", first, c.after)
			}
		})
	}
}

func TestAgo(t *testing.T) {
	now := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	for text, d := range map[string]time.Duration{
		"just now": -4 * time.Second, "in a moment": 3 * time.Second, "12 seconds ago": -12 * time.Second, "in 1 minute": 61 * time.Second,
		"2 hours ago": -2*time.Hour - 59*time.Minute, "in 3 days": 80 * time.Hour, "1 day ago": -25 * time.Hour,
	} {
		t.Run(text, func(t *testing.T) {
			if got := ago(now.Add(d), now); got != text {
				t.Errorf("got %q", got)
			}
		})
	}
}

// A job is stale when a due time has passed, and the time that a run may take,
// without success.
func TestStale(t *testing.T) {
	began := time.Date(2026, 11, 20, 3, 0, 0, 0, time.UTC)
	j := &daemon.Job{Name: "x", Config: &config.Job{Schedule: schedule.Options{Cron: "0 3 * * *", Zone: time.UTC}}}
	f := &jobFigures{successStart: began, success: began.Add(10 * time.Minute)}
	for _, c := range []struct {
		name string
		job  *daemon.Job
		now  time.Time
		want bool
	}{
		{"just finished", j, began.Add(time.Hour), false},
		{"due, and may still run", j, began.Add(24*time.Hour + 30*time.Minute), false},
		{"due, and not done", j, began.Add(24*time.Hour + 36*time.Minute), true},
		{"no schedule", &daemon.Job{Name: "x", Config: &config.Job{}}, began.Add(1000 * time.Hour), false},
		{"not in the folder", nil, began.Add(1000 * time.Hour), false},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := (&dashboard{}).stale(c.job, f, c.now); got != c.want {
				t.Errorf("stale = %t", got)
			}
		})
	}
}

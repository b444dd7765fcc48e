package dashboard

import (
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/magpie-crawl/magpie/cmd/magpie/daemon"
	"github.com/magpie-crawl/magpie/store"
)

// served is a dashboard over a folder of job files and what they crawled.
type served struct {
	*httptest.Server
	dashboard *dashboard
	db        *store.DB
	shop      *shop
	dir       string
	daemon    *daemon.Daemon
}

const exportLamps = "export:\n  - {item: lamp, format: csv, path: out/lamps.csv}\n  - {item: lamp, format: jsonl, path: /etc/hostname}\n  - {item: lamp, format: csv, path: link.csv, manifest: false}"

// newServed crawls a shop some times by each of two jobs, one of which has a
// hostile name, and serves the dashboard over their folder.
func newServed(t *testing.T) *served {
	s := &served{db: openStore(t), shop: newShop(t, 130), dir: t.TempDir()}
	files := map[string]string{"lamps.yaml": s.shop.jobFile("lamps", exportLamps), "evil.yaml": s.shop.jobFile(hostileJob, ""),
		"typo.yaml": "name: typo\nstart: https://example.com/\nitems:\n  lamp:\n    feilds: {name: h1}\n", "never.yaml": s.shop.jobFile("never", "")}
	for name, text := range files {
		s.write(t, name, text)
	}
	s.write(t, "secret", "secret")
	if err := os.Symlink(filepath.Join(s.dir, "secret"), filepath.Join(s.dir, "link.csv")); err != nil {
		t.Fatal(err)
	}
	for i := range 3 {
		s.shop.visit.Store(int64(i))
		job := crawlOnce(t, s.db, files["lamps.yaml"])
		crawlOnce(t, s.db, files["evil.yaml"])
		o := job.Exports[0].Options(job)
		if err := os.MkdirAll(filepath.Join(s.dir, "out"), 0o755); err != nil {
			t.Fatal(err)
		}
		if _, err := s.db.ExportFiles(t.Context(), filepath.Join(s.dir, "out/lamps.csv"), o); err != nil {
			t.Fatal(err)
		}
	}
	var err error
	if s.daemon, err = daemon.New(daemon.Options{Dir: s.dir, DB: s.db, Log: slog.New(slog.DiscardHandler), Strangers: true}); err != nil {
		t.Fatal(err)
	}
	if err := s.daemon.Begin(t.Context()); err != nil {
		t.Fatal(err)
	}
	s.dashboard = newDashboard(Options{DB: s.db, Daemon: s.daemon, Version: "0.8", Token: func(*http.Request) string { return "t<o>ken" }})
	s.Server = httptest.NewServer(s.dashboard)
	t.Cleanup(s.Close)
	return s
}

func (s *served) write(t testing.TB, name, text string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(s.dir, name), []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// post sends a form.
func (s *served) post(t *testing.T, path string, form url.Values, header ...string) (status int, location, body string) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, s.URL+path, strings.NewReader(form.Encode()))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	for i := 0; i+1 < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	client := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	resp, err := client.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	b, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return resp.StatusCode, resp.Header.Get("Location"), string(b)
}

// hostileKey is the key of a record whose name is hostile.
func (s *served) hostileKey(t *testing.T, job string) (key, page string) {
	t.Helper()
	for r, err := range s.db.Records(t.Context(), store.RecordFilter{Job: job, Item: "lamp"}) {
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(r.Key, "<script>") {
			return r.Key, r.URL
		}
	}
	t.Fatal("there is no hostile record")
	return "", ""
}

func TestDataViews(t *testing.T) {
	s := newServed(t)
	evil := jobPath(hostileJob)
	key, page := s.hostileKey(t, hostileJob)
	plain := func(n int) string { return fmt.Sprintf(`["Lamp no. %d"]`, n) }
	hostileText := "&lt;script&gt;alert(1)&lt;/script&gt;"
	for _, v := range []struct {
		name, path string
		status     int
		has        []string
		hasNot     []string
	}{
		{"records", "/jobs/lamps/records", 200, []string{">130 records<", "EUR", "Lamp no. 1", "of 3", "/jobs/lamps/exports/now?"}, nil},
		{"records by number", "/jobs/lamps/records?page=3", 200, []string{`value="3"`, "Previous", "First"}, []string{">Next<"}},
		{"records filtered", "/jobs/lamps/records?f=name&op=contains&v=NO.+12&sort=name&desc=1", 200, []string{"found", `aria-sort="descending"`, "Lamp no. 120", "All records", "f=name"}, []string{"Lamp no. 13<"}},
		{"records below a price", "/jobs/lamps/records?f=price&op=%3C&v=12&col=price", 200, []string{"10.50 EUR"}, []string{"Maker"}},
		{"no such records", "/jobs/lamps/records?f=name&op=%3D&v=nothing", 200, []string{"No record fulfils this"}, nil},
		{"a mistake in a filter", "/jobs/lamps/records?f=price&op=%3C&v=" + url.QueryEscape(hostile), 400, []string{"is not a number", hostileText}, nil},
		{"a field that is not there", "/jobs/lamps/records?f=nope&op=%3D&v=1", 400, []string{"there is no such field"}, nil},
		{"an item that is not there", "/jobs/lamps/records?item=nope", 404, []string{"no such item"}, nil},
		{"hostile records", evil + "/records", 200, []string{hostileText}, nil},
		{"records before a run", "/jobs/never/records", 200, []string{"There are no records yet"}, nil},
		{"record", "/jobs/lamps/record?" + url.Values{"item": {"lamp"}, "key": {plain(5)}}.Encode(), 200, []string{"17.50 EUR", "Maker 0", "2 versions", "<del><bdi>15.50 EUR</bdi></del>", "css", "/html/body/h1", `<mark>&lt;h1&gt;Lamp no. 5&lt;/h1&gt;</mark>`, "show=source#L1"}, nil},
		{"hostile record", recordPath(hostileJob, "lamp", key), 200, []string{hostileText, "Where each value came from"}, nil},
		{"a record with problems", "/jobs/lamps/record?" + url.Values{"item": {"lamp"}, "key": {plain(13)}}.Encode(), 200, []string{"ask us", "price"}, []string{"Every value was had"}},
		{"no such record", "/jobs/lamps/record?item=lamp&key=x", 404, nil, nil},
		{"search", "/jobs/lamps/search?q=lamp+12", 200, []string{"Lamp no. 12", "<mark>Lamp</mark> no. <mark>12</mark>"}, []string{"Lamp no. 13"}},
		{"search that finds nothing", "/jobs/lamps/search?q=nosuchword", 200, []string{"Nothing found"}, nil},
		{"hostile search", evil + "/search?q=" + url.QueryEscape(hostile), 200, []string{hostileText}, nil},
		{"search without a word", "/jobs/lamps/search?q=-lamp", 400, []string{"is-bad"}, nil},
		{"search for nothing", "/jobs/lamps/search", 200, []string{"Words in any field"}, []string{"Nothing found"}},
		{"pages", "/jobs/lamps/pages", 200, []string{"Done", "/p/1", "Next"}, nil},
		{"pages failed", "/jobs/lamps/pages?state=failed&run=3", 200, []string{"Failed", "/broken", "500"}, []string{"/p/1<"}},
		{"pages skipped", "/jobs/lamps/pages?reason=robots", 200, []string{"/private/x", "forbidden by robots.txt"}, nil},
		{"pages by status", "/jobs/lamps/pages?status=4", 200, []string{"/lost"}, []string{"/broken"}},
		{"pages by host", "/jobs/lamps/pages?host=nosuch.example", 200, []string{"No URL fulfils this"}, nil},
		{"pages of a state that is none", "/jobs/lamps/pages?state=lost", 400, nil, nil},
		{"pages before a run", "/jobs/never/pages", 200, []string{"No URL has been met yet"}, nil},
		{"page", pagePath("lamps", s.shop.URL+"/p/5", 0), 200, []string{"utf-8", "by transport", "Content-Type", "expected-doctype-but-got-start-tag", "Lamp no. 5", "Run by run", "SHA-256"}, nil},
		{"page in a run", pagePath("lamps", s.shop.URL+"/p/5", 1), 200, []string{"/jobs/lamps/runs/1"}, nil},
		{"hostile page", pagePath(hostileJob, page, 0), 200, []string{hostileText}, nil},
		{"source", pagePath("lamps", s.shop.URL+"/p/5", 0) + "&show=source", 200, []string{`id="L1"`, "&lt;h1&gt;Lamp no. 5&lt;/h1&gt;", `class="wrong"`}, nil},
		{"hostile source", pagePath(hostileJob, page, 0) + "&show=source", 200, []string{"&amp;lt;script&amp;gt;alert(1)"}, nil},
		{"text", pagePath("lamps", s.shop.URL+"/p/5", 0) + "&show=text", 200, []string{"Lamp no. 5", "Very bright."}, []string{"&lt;h1&gt;"}},
		{"hostile text", pagePath(hostileJob, page, 0) + "&show=text", 200, []string{hostileText}, nil},
		{"a redirect", pagePath("lamps", s.shop.URL+"/moved", 0), 200, []string{"Redirects to", "/p/1"}, nil},
		{"a page that was skipped", pagePath("lamps", s.shop.URL+"/private/x", 0), 200, []string{"forbidden by robots.txt", "There was no response"}, []string{"Download the body"}},
		{"a page out of scope", pagePath("lamps", "https://elsewhere.invalid/", 0), 200, []string{"outside of the job", "Rule", "is none of the start URLs"}, nil},
		{"a page that was not met", pagePath("lamps", s.shop.URL+"/nowhere", 0), 404, []string{"This job has not met this URL", "It is in scope, but no page"}, nil},
		{"an address that is none", "/jobs/lamps/page?url=" + url.QueryEscape(hostile), 404, []string{hostileText}, nil},
		{"no address", "/jobs/lamps/page", 400, nil, nil},
		{"exports", "/jobs/lamps/exports", 200, []string{"lamps.csv", `/jobs/lamps/exports/1/lamps.csv"`, ">130<", "what is in the file", "Nothing was written yet of"}, []string{"hostname", "link.csv"}},
		{"exports of nothing", "/jobs/never/exports", 200, []string{"The job file has no", "There are no records yet"}, nil},
		{"hostile exports", evil + "/exports", 200, []string{"Export now"}, nil},
		{"editor", "/jobs/lamps/edit", 200, []string{"No mistakes", "start: " + s.shop.URL, `name="version" value="` + daemon.Version(s.source(t, "lamps.yaml")), `value="t&lt;o&gt;ken"`}, nil},
		{"editor of a mistake", jobPath("typo.yaml") + "/edit", 200, []string{"Line 5, column 5", `data-line="5"`, "feilds", `data-wrong="5"`}, nil},
		{"hostile editor", evil + "/edit", 200, []string{"&lt;script&gt;"}, nil},
		{"new job", "/new", 200, []string{"From a page", "From an example", "/new?template=list"}, nil},
		{"new job of an example", "/new?template=articles", 200, []string{"name: articles", "No mistakes", `value="articles.yaml"`}, nil},
		{"no such job", "/jobs/nope/records", 404, []string{"There is no job of this name"}, nil},
	} {
		t.Run(v.name, func(t *testing.T) {
			status, header, body := get(t, s.URL+v.path)
			if status != v.status || !strings.HasPrefix(header.Get("Content-Type"), "text/html") {
				t.Fatalf("status %d, %v\n%s", status, header, body)
			}
			for _, want := range v.has {
				if !strings.Contains(body, want) {
					t.Errorf("%q is not in it", want)
				}
			}
			for _, not := range v.hasNot {
				if strings.Contains(body, not) {
					t.Errorf("%q is in it", not)
				}
			}
			checkPage(t, body)
			if t.Failed() && os.Getenv("SHOW") != "" {
				t.Log(body)
			}
		})
	}
}

func (s *served) source(t testing.TB, file string) []byte {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(s.dir, file))
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// What is downloaded is not ours: it is a file, and never shown.
func TestDownloads(t *testing.T) {
	s := newServed(t)
	for _, v := range []struct {
		name, path string
		status     int
		kind       string
		file, has  string
	}{
		{"body", "/jobs/lamps/page/body?run=3&url=" + url.QueryEscape(s.shop.URL+"/p/5"), 200, "application/octet-stream", ".body", "<h1>Lamp no. 5</h1>"},
		{"body of a page that was skipped", "/jobs/lamps/page/body?url=" + url.QueryEscape(s.shop.URL+"/private/x"), 404, "text/html; charset=utf-8", "", "There was no response"},
		{"export", "/jobs/lamps/exports/1/lamps.csv", 200, "text/csv", "lamps.csv", "Lamp no. 5"},
		{"manifest", "/jobs/lamps/exports/1/lamps.csv.datapackage.json", 200, "application/json", "datapackage.json", "resources"},
		{"a file that an export is named after", "/jobs/lamps/exports/2/hostname", 404, "text/html; charset=utf-8", "", "No export"},
		{"a link", "/jobs/lamps/exports/3/link.csv", 404, "text/html; charset=utf-8", "", "No export"},
		{"another file", "/jobs/lamps/exports/1/secret", 404, "text/html; charset=utf-8", "", "No export"},
		{"a way out", "/jobs/lamps/exports/1/..%2fsecret", 404, "text/html; charset=utf-8", "", "No export"},
		{"csv", "/jobs/lamps/exports/now?item=lamp&format=csv", 200, "text/csv", ".csv", "Lamp no. 5"},
		{"jsonl filtered", "/jobs/lamps/exports/now?item=lamp&format=jsonl&f=name&op=%3D&v=Lamp+no.+5", 200, "application/jsonl", ".jsonl", `{"name":"Lamp no. 5"`},
		{"parquet", "/jobs/lamps/exports/now?item=lamp&format=parquet", 200, "application/vnd.apache.parquet", ".parquet", "PAR1"},
		{"sqlite", "/jobs/lamps/exports/now?item=lamp&format=sqlite", 200, "application/vnd.sqlite3", ".sqlite", "SQLite format 3"},
		{"nothing found", "/jobs/lamps/exports/now?item=lamp&format=jsonl&f=name&op=%3D&v=x", 200, "application/jsonl", ".jsonl", ""},
		{"a format that is none", "/jobs/lamps/exports/now?item=lamp&format=warc", 400, "text/html; charset=utf-8", "", "does not say"},
		{"an item that is none", "/jobs/lamps/exports/now?item=x&format=csv", 404, "text/html; charset=utf-8", "", ""},
		{"a field that is none", "/jobs/lamps/exports/now?item=lamp&format=csv&f=x&op=%3D&v=1", 400, "text/html; charset=utf-8", "", "no such field"},
	} {
		t.Run(v.name, func(t *testing.T) {
			status, h, body := get(t, s.URL+v.path)
			if status != v.status || h.Get("Content-Type") != v.kind || !strings.Contains(body, v.has) {
				t.Fatalf("status %d, %v\n%.300q", status, h, body)
			}
			if v.file == "" {
				checkPage(t, body)
				return
			}
			if d := h.Get("Content-Disposition"); !strings.HasPrefix(d, "attachment") || !strings.Contains(d, v.file) {
				t.Errorf("it is saved as %q", d)
			}
			if h.Get("X-Content-Type-Options") != "nosniff" || !strings.Contains(h.Get("Content-Security-Policy"), "sandbox") {
				t.Errorf("headers %v", h)
			}
			if strings.Contains(v.name, "filtered") && strings.Count(body, "\n") != 1 || v.name == "nothing found" && body != "" {
				t.Errorf("it holds %q", body)
			}
		})
	}
	left, err := filepath.Glob(filepath.Join(os.TempDir(), "magpie-export-*"))
	if err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}

func TestEditing(t *testing.T) {
	s := newServed(t)
	version := daemon.Version(s.source(t, "lamps.yaml"))
	good := s.shop.jobFile("lamps", "limits: {pages: 7}")
	form := func(do, source, version string, more ...string) url.Values {
		f := url.Values{"do": {do}, "source": {strings.ReplaceAll(source, "\n", "\r\n")}, "version": {version}}
		for i := 0; i+1 < len(more); i += 2 {
			f.Set(more[i], more[i+1])
		}
		return f
	}
	t.Run("mistakes are not saved", func(t *testing.T) {
		status, _, body := s.post(t, "/jobs/lamps/edit", form("save", "name: lamps\nstrat: x\n", version))
		if status != 422 || !strings.Contains(body, "It was not saved") || !strings.Contains(body, "strat") || !strings.Contains(body, `data-line="2"`) {
			t.Errorf("status %d\n%s", status, body)
		}
		checkPage(t, body)
		if daemon.Version(s.source(t, "lamps.yaml")) != version {
			t.Error("the file was changed")
		}
	})
	t.Run("check by a script", func(t *testing.T) {
		status, _, body := s.post(t, "/jobs/lamps/edit", form("check", "name: lamps\nstrat: x\n", version), "X-Magpie-Fragment", "checked")
		if status != 200 || strings.Contains(body, "<html") || !strings.Contains(body, `data-wrong="1 2"`) && !strings.Contains(body, `data-wrong="2`) {
			t.Errorf("status %d\n%s", status, body)
		}
		if _, _, body := s.post(t, "/jobs/lamps/edit", form("check", good, version), "X-Magpie-Fragment", "checked"); !strings.Contains(body, "No mistakes") {
			t.Error(body)
		}
	})
	t.Run("check without a script", func(t *testing.T) {
		status, _, body := s.post(t, "/jobs/lamps/edit", form("check", hostile, version))
		if status != 200 || !strings.Contains(body, "&lt;/title&gt;") {
			t.Errorf("status %d\n%s", status, body)
		}
	})
	t.Run("save", func(t *testing.T) {
		status, to, body := s.post(t, "/jobs/lamps/edit", form("save", good, version))
		if status != 303 || to != "/jobs/lamps/edit?said=saved" {
			t.Fatalf("status %d to %q\n%s", status, to, body)
		}
		if string(s.source(t, "lamps.yaml")) != good {
			t.Error("the file is another")
		}
		if j, _ := s.daemon.Job("lamps"); j.Config == nil || j.Config.Options.Limits.Pages != 7 {
			t.Error("the change is not in use")
		}
	})
	t.Run("what somebody else saved is not lost", func(t *testing.T) {
		status, _, body := s.post(t, "/jobs/lamps/edit", form("save", s.shop.jobFile("lamps", "limits: {pages: 8}"), version))
		if status != 409 || !strings.Contains(body, "somebody has changed the file") || !strings.Contains(body, "pages: 7") || !strings.Contains(body, "pages: 8") {
			t.Errorf("status %d\n%s", status, body)
		}
		if string(s.source(t, "lamps.yaml")) != good {
			t.Error("the file was changed")
		}
		// Saved again, with both before one's eyes, it is.
		if status, _, _ := s.post(t, "/jobs/lamps/edit", form("save", s.shop.jobFile("lamps", "limits: {pages: 8}"), daemon.Version([]byte(good)))); status != 303 {
			t.Errorf("status %d", status)
		}
	})
	t.Run("what a stranger must not do is not saved, nor tried", func(t *testing.T) {
		t.Setenv("MAGPIE_TEST_SECRET", "very secret")
		for says, more := range map[string]string{
			"no command is put into a job file here": "notify: [{command: [id]}]", "in the folder of the jobs alone": "warc: /tmp/x", "takes nothing from the environment": "headers: {X-Key: \"${MAGPIE_TEST_SECRET}\"}",
		} {
			source := s.shop.jobFile("lamps", more)
			status, _, body := s.post(t, "/jobs/lamps/edit", form("save", source, daemon.Version(s.source(t, "lamps.yaml"))))
			if status != 403 || !strings.Contains(body, says) || !strings.Contains(body, "MAGPIE_TOKEN") {
				t.Errorf("%s: status %d\n%s", more, status, body)
			}
			checkPage(t, body)
			if string(s.source(t, "lamps.yaml")) == source {
				t.Errorf("%s: the file was changed", more)
			}
		}
		before := s.shop.hits.Load()
		_, _, body := s.post(t, "/jobs/lamps/edit", form("try", s.shop.jobFile("lamps", "headers: {X-Key: \"${MAGPIE_TEST_SECRET}\"}"), version, "page", s.shop.URL+"/p/1"))
		if !strings.Contains(body, "akes nothing from the environment") || s.shop.hits.Load() != before {
			t.Errorf("%d requests\n%s", s.shop.hits.Load()-before, body)
		}
	})
	t.Run("a new job", func(t *testing.T) {
		status, to, body := s.post(t, "/new", form("save", s.shop.jobFile("fresh", ""), "", "file", "fresh.yaml"))
		if status != 303 || to != "/jobs/fresh/edit?said=saved" {
			t.Fatalf("status %d to %q\n%s", status, to, body)
		}
		if status, _, body := get(t, s.URL+to); status != 200 || !strings.Contains(body, "The job file is saved and in use.") {
			t.Errorf("status %d\n%s", status, body)
		}
	})
	for name, file := range map[string]string{"a name that is taken": "fresh.yaml", "another folder": "../x.yaml", "the settings": "serve.yaml", "no name": "", "no job file": "x.txt", "hidden": ".x.yaml"} {
		t.Run("a new job of "+name, func(t *testing.T) {
			status, _, body := s.post(t, "/new", form("save", s.shop.jobFile("more", ""), "", "file", file))
			if status < 400 || status >= 500 || !strings.Contains(body, "It was not saved") {
				t.Errorf("status %d\n%s", status, body)
			}
			checkPage(t, body)
		})
	}
	t.Run("a name that another job has", func(t *testing.T) {
		status, _, body := s.post(t, "/new", form("save", s.shop.jobFile("never", ""), "", "file", "again.yaml"))
		if status != 422 || !strings.Contains(body, "never.yaml") {
			t.Errorf("status %d\n%s", status, body)
		}
	})
	if entries, err := os.ReadDir(filepath.Dir(s.dir)); err != nil || len(entries) == 0 {
		t.Error(err)
	} else if _, err := os.Stat(filepath.Join(filepath.Dir(s.dir), "x.yaml")); !errors.Is(err, os.ErrNotExist) {
		t.Error("a file was written outside of the folder")
	}
}

func TestTrying(t *testing.T) {
	s := newServed(t)
	elsewhere := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { t.Error("it was asked") }))
	defer elsewhere.Close()
	source := s.shop.jobFile("lamps", "")
	for _, v := range []struct {
		name, source, page string
		has                []string
	}{
		{"a page", source, s.shop.URL + "/p/5", []string{"status 200", "17.50 EUR", "/html/body/h1", "<mark>&lt;h1&gt;Lamp no. 5&lt;/h1&gt;</mark>", "UTF-8, certain, by transport"}},
		{"a hostile page", source, s.shop.URL + "/p/7", []string{"&lt;script&gt;alert(1)&lt;/script&gt;"}},
		{"a page with problems", source, s.shop.URL + "/p/13", []string{"ask us", `class="problems"`}},
		{"a redirect", source, s.shop.URL + "/moved", []string{"Redirects", "Lamp no. 1"}},
		{"a page without records", source, s.shop.URL + "/", []string{"No record was found"}},
		{"an error of the server", source, s.shop.URL + "/broken", []string{"status 500"}},
		{"a page that robots.txt forbids", source, s.shop.URL + "/private/x", []string{"is forbidden by robots.txt: Disallow: /private", "politeness: {robots: ignore}"}},
		{"the same all the same", strings.Replace(source, "politeness: {", "politeness: {robots: ignore, ", 1), s.shop.URL + "/private/x", []string{"status 404"}},
		{"a private address", source, elsewhere.URL + "/", []string{"not an address of the public Internet", "allow_private"}},
		{"an address of a cloud", source, "http://169.254.169.254/latest/meta-data/", []string{"not an address of the public Internet"}},
		{"no address", source, hostile, []string{"no address that can be fetched", "&lt;script&gt;"}},
		{"a file", source, "file:///etc/passwd", []string{"no address that can be fetched"}},
		{"a required value that is absent", strings.ReplaceAll(source, "css: h1", "css: h2"), s.shop.URL + "/p/5", []string{"set aside"}},
		{"a job without items", "name: x\nstart: " + s.shop.URL + "/\n", s.shop.URL + "/p/5", []string{"The job has no items"}},
		{"a job with mistakes", "nmae: x", s.shop.URL + "/p/5", nil},
	} {
		t.Run(v.name, func(t *testing.T) {
			form := url.Values{"do": {"try"}, "source": {v.source}, "page": {v.page}}
			status, _, body := s.post(t, "/jobs/lamps/edit", form, "X-Magpie-Fragment", "tried")
			if status != 200 || strings.Contains(body, "<html") {
				t.Fatalf("status %d\n%s", status, body)
			}
			for _, want := range v.has {
				if !strings.Contains(body, want) {
					t.Errorf("%q is not in it\n%s", want, body)
				}
			}
			if v.has == nil && strings.TrimSpace(body) != "" {
				t.Errorf("it was tried:\n%s", body)
			}
			if v.name == "a hostile page" {
				_, _, body := s.post(t, "/jobs/lamps/edit", form)
				checkPage(t, body)
			}
		})
	}
}

func TestDrafts(t *testing.T) {
	s := newServed(t)
	status, _, body := s.post(t, "/new", url.Values{"do": {"draft"}, "page": {s.shop.URL + "/p/7"}})
	if status != 200 || !strings.Contains(body, "No mistakes") || !strings.Contains(body, "opengraph: title") || !strings.Contains(body, `value="127-0-0-1.yaml"`) {
		t.Errorf("status %d\n%s", status, body)
	}
	checkPage(t, body)
	for name, page := range map[string]string{"nothing": "", "no address": "x", "a file": "file:///etc/passwd", "a page that is not there": s.shop.URL + "/lost"} {
		t.Run(name, func(t *testing.T) {
			status, _, body := s.post(t, "/new", url.Values{"do": {"draft"}, "page": {page}})
			if status != 200 || !strings.Contains(body, "is-bad") {
				t.Errorf("status %d\n%s", status, body)
			}
			checkPage(t, body)
		})
	}
	t.Run("a status without a name", func(t *testing.T) {
		odd := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { w.WriteHeader(522) }))
		defer odd.Close()
		_, _, body := s.post(t, "/new", url.Values{"do": {"draft"}, "page": {odd.URL}})
		if !strings.Contains(body, "the status 522:") {
			t.Error(body)
		}
	})
	for _, x := range jobTemplates {
		t.Run("template "+x.ID, func(t *testing.T) {
			if c := s.dashboard.check(x.ID+".yaml", x.Source); !c.OK || len(c.Items) != 1 || len(c.Next) == 0 {
				t.Errorf("%+v", c)
			}
		})
	}
}

func init() { betweenTries = 0 }

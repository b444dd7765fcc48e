package web

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/magpie-crawl/magpie/cmd/magpie/daemon"
	"github.com/magpie-crawl/magpie/cmd/magpie/web/guard"
	"github.com/magpie-crawl/magpie/internal/steadytest"
	"github.com/magpie-crawl/magpie/store"
)

// running is a real daemon behind the whole server.
type running struct {
	url    string
	daemon *daemon.Daemon
	db     *store.DB
	stop   func() error // the server alone
}

func start(t *testing.T, pages http.Handler) *running {
	t.Helper()
	return startWithin(t, pages, headersWithin, endWithin)
}

func startWithin(t *testing.T, pages http.Handler, headersWithin, endWithin time.Duration) *running {
	t.Helper()
	gate := make(chan struct{})
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/slow" {
			select {
			case <-gate:
			case <-r.Context().Done():
			}
		}
		w.Header().Set("Content-Type", "text/html")
		io.WriteString(w, "<title>x</title>")
	}))
	t.Cleanup(func() { close(gate); site.Close() })
	dir := t.TempDir()
	for name, path := range map[string]string{"quick": "/", "slow": "/slow", `odd"\name`: "/"} {
		text := fmt.Sprintf("name: %q\nstart: %s%s\nallow_private: true\nschedule: {cron: \"@yearly\"}\n", name, site.URL, path)
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("%x.yaml", name)), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	db, err := store.Open(filepath.Join(t.TempDir(), "magpie.db"), store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	d, err := daemon.New(daemon.Options{Dir: dir, DB: db, StopWithin: time.Second})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- d.Run(ctx) }()
	t.Cleanup(func() {
		cancel()
		if err := <-ended; err != nil && !errors.Is(err, context.Canceled) { // it may not have begun yet
			t.Error(err)
		}
	})
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	g, err := guard.New(guard.Options{Address: listener.Addr().String()})
	if err != nil {
		t.Fatal(err)
	}
	handler := New(Options{DB: db, Daemon: d, Dir: dir, Guard: g, Dashboard: pages, Version: `v"1`})
	serving, end := context.WithCancel(context.Background())
	served := make(chan error, 1)
	go func() {
		served <- serve(serving, listener, handler, slog.New(slog.DiscardHandler), headersWithin, endWithin)
		close(served)
	}()
	r := &running{url: "http://" + listener.Addr().String(), daemon: d, db: db, stop: func() error { end(); return <-served }}
	t.Cleanup(func() { end(); <-served })
	return r
}

func (r *running) get(t *testing.T, path string) (*http.Response, string) {
	t.Helper()
	resp, err := http.Get(r.url + path)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return resp, string(text)
}

// sampleLine is a line of the exposition format.
var sampleLine = regexp.MustCompile(`^[a-z_]+(\{[a-z]+="(\\["\\n]|[^"\\\n])*"(,[a-z]+="(\\["\\n]|[^"\\\n])*")*\})? [-+.0-9eINaf]+$`)

func TestMetrics(t *testing.T) {
	r := start(t, nil)
	steadytest.Await(t, "the start", func() bool { return r.daemon.Start("quick", daemon.Start{}) == nil })
	steadytest.Await(t, "the end of a run", func() bool {
		_, text := r.get(t, "/metrics")
		return strings.Contains(text, `magpie_job_last_success_timestamp_seconds{job="quick"}`)
	})
	if err := r.daemon.Start("slow", daemon.Start{}); err != nil {
		t.Fatal(err)
	}
	steadytest.Await(t, "figures of a crawl", func() bool {
		_, text := r.get(t, "/metrics")
		return strings.Contains(text, `magpie_crawl_run_number{job="slow"} 1`)
	})
	now := time.Now()
	event := store.AlertEvent{Channel: "c", Name: "email ops@example.com", Due: now.Add(time.Hour), Job: "odd", Kind: "failure", Data: []byte("{}")}
	err := r.db.ChangeAlerts(t.Context(), store.AlertChange{At: now, Open: []store.Alert{{Job: "odd", Kind: "silence", Last: now, Count: 3}}, Events: []store.AlertEvent{event}})
	if err != nil {
		t.Fatal(err)
	}
	resp, text := r.get(t, "/metrics")
	if !strings.HasPrefix(resp.Header.Get("Content-Type"), "text/plain; version=0.0.4") {
		t.Error(resp.Header)
	}
	for _, want := range []string{
		`magpie_jobs{state="running"} 1`, `magpie_jobs{state="idle"} 2`, `magpie_jobs_refused 0`, `magpie_runs{job="quick",state="finished"} 1`,
		`magpie_job_next_due_timestamp_seconds{job="odd\"\\name"}`, `magpie_messages_pending 0`, `magpie_build_info{version="v\"1"`,
		`magpie_alerts_open{job="odd",kind="silence"} 1`, `magpie_alert_messages_pending 1`, `magpie_alert_messages_dropped 0`,
	} {
		if !strings.Contains(text, want) {
			t.Errorf("%s is missing:\n%s", want, text)
		}
	}
	headed := map[string]bool{}
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		if name, found := strings.CutPrefix(line, "# TYPE "); found {
			name, _, _ = strings.Cut(name, " ")
			if headed[name] {
				t.Errorf("%s has two headings", name)
			}
			headed[name] = true
		} else if !strings.HasPrefix(line, "# HELP ") && !sampleLine.MatchString(line) {
			t.Errorf("no line of the format: %s", line)
		}
	}
}

func TestHealth(t *testing.T) {
	r := start(t, nil)
	if resp, text := r.get(t, "/healthz"); resp.StatusCode != 200 || text != "ok\n" {
		t.Error(resp.Status, text)
	}
	steadytest.Await(t, "readiness", func() bool { resp, _ := r.get(t, "/readyz"); return resp.StatusCode == 200 })
	m := &monitor{Options: Options{DB: r.db, Daemon: r.daemon, Log: slog.New(slog.DiscardHandler)}}
	if why := m.fault(t.Context(), time.Now().Add(2*stalledAfter)); !strings.Contains(why, "taken nothing for 2m") {
		t.Errorf("of a daemon that stands still: %q", why)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if why := m.fault(ctx, time.Now()); why != "the database does not answer" {
		t.Errorf("of a database that does not answer: %q", why)
	}
}

// TestNotFollowed: a daemon that does not run is not ready.
func TestNotFollowed(t *testing.T) {
	db, err := store.Open(filepath.Join(t.TempDir(), "magpie.db"), store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	d, err := daemon.New(daemon.Options{Dir: t.TempDir(), DB: db})
	if err != nil {
		t.Fatal(err)
	}
	m := &monitor{Options: Options{DB: db, Daemon: d, Log: slog.New(slog.DiscardHandler)}}
	if why := m.fault(t.Context(), time.Now()); why != "the schedules are not followed" {
		t.Error(why)
	}
}

func TestRoutes(t *testing.T) {
	r := start(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { fmt.Fprint(w, "page ", r.URL.EscapedPath()) }))
	for path, want := range map[string]string{"/": "page /", "/jobs/a%2Fb": "page /jobs/a%2Fb", "/api": "<title>The API of magpie", "/api/v1/jobs": `"job":"quick"`} {
		t.Run(path, func(t *testing.T) {
			if resp, text := r.get(t, path); resp.StatusCode != 200 || !strings.Contains(text, want) || resp.Header.Get("Content-Security-Policy") == "" {
				t.Error(resp.Status, text)
			}
		})
	}
}

// TestEnd: events end with the server, and it ends at once.
func TestEnd(t *testing.T) {
	r := startWithin(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		fmt.Fprint(w, "data: begun\n\n")
		http.NewResponseController(w).Flush()
		<-Ending(r.Context())
		fmt.Fprint(w, "data: ended\n\n")
	}), headersWithin, 2*steadytest.Patience)
	resp, err := http.Get(r.url + "/jobs/a/events")
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	lines := bufio.NewReader(resp.Body)
	if line, err := lines.ReadString('\n'); line != "data: begun\n" {
		t.Fatal(line, err)
	}
	stopped := make(chan error, 1)
	go func() { stopped <- r.stop() }()
	select {
	case err := <-stopped:
		if err != nil {
			t.Error(err)
		}
	case <-time.After(steadytest.Patience):
		t.Fatal("it waits for the events")
	}
	if rest, err := io.ReadAll(lines); !strings.Contains(string(rest), "data: ended") {
		t.Error(string(rest), err)
	}
}

// TestSlowHeaders: who sends headers bit by bit is cut off, and others are
// answered meanwhile.
func TestSlowHeaders(t *testing.T) {
	const within = 2 * time.Second
	r := startWithin(t, nil, within, endWithin)
	slow, err := net.Dial("tcp", strings.TrimPrefix(r.url, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	defer slow.Close()
	began := time.Now()
	closed := make(chan time.Duration, 1)
	go func() {
		io.Copy(io.Discard, slow)
		closed <- time.Since(began)
	}()
	fmt.Fprint(slow, "GET / HTTP/1.1\r\nHost: localhost\r\n")
	for i := 0; ; i++ {
		select {
		case took := <-closed:
			if took < within/2 {
				t.Errorf("cut off after %s", took)
			}
			return
		case <-time.After(200 * time.Millisecond):
			fmt.Fprintf(slow, "X-%d: y\r\n", i)
		}
		if resp, _ := r.get(t, "/healthz"); resp.StatusCode != 200 {
			t.Error(resp.Status)
		}
		if time.Since(began) > steadytest.Patience {
			t.Fatal("it is never cut off")
		}
	}
}

// TestHugeHeaders: headers are bounded.
func TestHugeHeaders(t *testing.T) {
	r := start(t, nil)
	req, err := http.NewRequestWithContext(t.Context(), "GET", r.url+"/healthz", nil)
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("X-Long", strings.Repeat("x", 2*maxHeaders))
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	resp.Body.Close()
	if resp.StatusCode != http.StatusRequestHeaderFieldsTooLarge {
		t.Error(resp.Status)
	}
}

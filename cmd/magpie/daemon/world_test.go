package daemon

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/magpie-crawl/magpie/internal/clock/clocktest"
	"github.com/magpie-crawl/magpie/internal/steadytest"
	"github.com/magpie-crawl/magpie/store"
)

// noon is when the simulated clock of the tests begins.
var noon = time.Date(2026, 3, 2, 12, 0, 0, 0, time.UTC)

// site is a server with a few pages. While it is shut, answers wait.
type site struct {
	*httptest.Server
	mu   sync.Mutex
	gate chan struct{} // closed: open
	held atomic.Int32  // requests that wait
}

func newSite(t *testing.T) *site {
	s := &site{gate: make(chan struct{})}
	close(s.gate)
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/robots.txt" {
			http.NotFound(w, r)
			return
		}
		s.mu.Lock()
		gate := s.gate
		s.mu.Unlock()
		if r.URL.Path != "/" {
			s.held.Add(1)
			<-gate
			s.held.Add(-1)
		}
		w.Header().Set("Content-Type", "text/html")
		io.WriteString(w, `<h1>thing</h1><a href=/a>a</a><a href=/b>b</a><a href=/c>c</a><a href=/d>d</a>`)
	}))
	t.Cleanup(func() { s.open(); s.Close() })
	return s
}

func (s *site) shut() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.gate = make(chan struct{})
}

func (s *site) open() {
	s.mu.Lock()
	defer s.mu.Unlock()
	select {
	case <-s.gate:
	default:
		close(s.gate)
	}
}

// world is a folder, a database, a site and a clock.
type world struct {
	t    *testing.T
	dir  string
	path string
	site *site
	sim  *clocktest.Simulated
	db   *store.DB
	d    *Daemon
	end  func() error // of Run; nil: it does not go on
}

func newWorld(t *testing.T) *world {
	w := &world{t: t, dir: t.TempDir(), path: filepath.Join(t.TempDir(), "test.db"), site: newSite(t), sim: clocktest.NewSimulated(noon)}
	t.Cleanup(func() { w.stop() })
	return w
}

// job writes a job file; more is further YAML.
func (w *world) job(name string, more string) {
	w.t.Helper()
	w.write(name+".yaml", fmt.Sprintf("name: %s\nstart: [%q]\npoliteness: {per_host: 1}\n%s\n", name, w.site.URL+"/", more))
}

func (w *world) write(file, text string) {
	w.t.Helper()
	if err := os.WriteFile(filepath.Join(w.dir, file), []byte(text), 0o644); err != nil {
		w.t.Fatal(err)
	}
}

// start begins a daemon; options may change it.
func (w *world) start(options ...func(*Options)) *Daemon {
	w.t.Helper()
	var err error
	if w.db, err = store.Open(w.path, store.Options{}); err != nil {
		w.t.Fatal(err)
	}
	o := Options{Dir: w.dir, DB: w.db, Clock: w.sim, StopWithin: time.Minute, Log: slog.New(slog.NewTextHandler(testWriter{w.t}, nil))}
	for _, f := range options {
		f(&o)
	}
	if w.d, err = New(o); err != nil {
		w.t.Fatal(err)
	}
	if err := w.d.Begin(w.t.Context()); err != nil {
		w.t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- w.d.Run(ctx) }()
	w.end = func() error { cancel(); return <-ended }
	return w.d
}

// stop ends the daemon and closes the database.
func (w *world) stop() {
	if w.end == nil {
		return
	}
	if err := w.end(); err != nil {
		w.t.Errorf("Run: %v", err)
	}
	w.end = nil
	if err := w.db.Close(); err != nil {
		w.t.Error(err)
	}
}

// at sets the clock and lets the daemon decide what is due.
func (w *world) at(t time.Time) {
	w.sim.Set(t)
	w.d.followSchedules(w.t.Context())
}

// startJob starts a job by hand, which must be let.
func (w *world) startJob(name string, how Start) {
	w.t.Helper()
	if err := w.d.Start(name, how); err != nil {
		w.t.Fatal(err)
	}
}

// stopJob stops a job by hand, which must be let.
func (w *world) stopJob(name string) {
	w.t.Helper()
	if err := w.d.Stop(name); err != nil {
		w.t.Fatal(err)
	}
}

// pauseJob pauses a job's schedule, or has it go on, which must be let.
func (w *world) pauseJob(name string, paused bool) {
	w.t.Helper()
	if err := w.d.Pause(name, paused); err != nil {
		w.t.Fatal(err)
	}
}

// state waits until a job is in a state.
func (w *world) state(name string, want State) Job {
	w.t.Helper()
	var j Job
	w.until(func() bool { j, _ = w.d.Job(name); return j.State == want }, func() string { return fmt.Sprintf("%s is %s, want %s", name, j.State, want) })
	return j
}

func (w *world) until(done func() bool, what func() string) {
	w.t.Helper()
	for deadline := time.Now().Add(steadytest.Patience); !done(); time.Sleep(2 * time.Millisecond) {
		if time.Now().After(deadline) {
			w.t.Fatal(what())
		}
	}
}

// awaitChange waits for something that the daemon tells of, also in a goroutine
// of the test's.
func (w *world) awaitChange(done func() bool) {
	for {
		changed := w.d.Changed()
		if done() {
			return
		}
		<-changed
	}
}

// crawling waits until the job's run has fetched its first page.
func (w *world) crawling(name string) {
	w.t.Helper()
	w.until(func() bool {
		c, ok := w.d.Crawler(name)
		return ok && c.Progress().Run.Counters.Pages > 0
	}, func() string { return name + " fetches nothing" })
}

// due lists what became of a job's due times, oldest first, in the form
// "12:05 started 1" or "12:05 skipped 3: why".
func (w *world) due(name string) (list []string) {
	w.t.Helper()
	for r, err := range w.db.Due(w.t.Context(), name) {
		if err != nil {
			w.t.Fatal(err)
		}
		text := r.Nominal.Format("15:04") + " " + string(r.Outcome)
		if r.Kind == store.DueHand {
			text = "hand " + string(r.Outcome)
		}
		switch {
		case r.Outcome == store.DueSkipped && r.Count != 1:
			text += fmt.Sprintf(" ×%d", r.Count)
		case r.Run > 0:
			text += fmt.Sprintf(" run %d", r.Run)
		}
		if r.Reason != "" {
			text += ": " + r.Reason
		}
		list = append([]string{text}, list...)
	}
	return list
}

func (w *world) wantDue(name string, want ...string) {
	w.t.Helper()
	if got := w.due(name); strings.Join(got, "\n") != strings.Join(want, "\n") {
		w.t.Errorf("due times of %s:\n  %s\nwant\n  %s", name, strings.Join(got, "\n  "), strings.Join(want, "\n  "))
	}
}

// runs lists the states of a job's runs.
func (w *world) runs(name string) (list []store.RunState) {
	w.t.Helper()
	for r, err := range w.db.Runs(w.t.Context(), name) {
		if err != nil {
			w.t.Fatal(err)
		}
		list = append(list, r.State)
	}
	return list
}

// wantRuns checks the states of a job's runs.
func (w *world) wantRuns(name string, want ...store.RunState) {
	w.t.Helper()
	if got := w.runs(name); !slices.Equal(got, want) {
		w.t.Errorf("runs of %s: %v, want %v", name, got, want)
	}
}

type testWriter struct{ t *testing.T }

func (w testWriter) Write(line []byte) (int, error) {
	w.t.Logf("%s", strings.TrimSpace(string(line)))
	return len(line), nil
}

const everyMinute = `schedule: {cron: "* * * * *"}`

func minute(n int) time.Time { return noon.Add(time.Duration(n) * time.Minute) }

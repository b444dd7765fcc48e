package daemon

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/magpie-crawl/magpie/config"
	"github.com/magpie-crawl/magpie/crawl"
	"github.com/magpie-crawl/magpie/internal/clock"
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
	sim  *clock.Simulated
	db   *store.DB
	d    *Daemon
	end  func() error // of Run; nil: it does not go on
}

func newWorld(t *testing.T) *world {
	w := &world{t: t, dir: t.TempDir(), path: filepath.Join(t.TempDir(), "test.db"), site: newSite(t), sim: clock.NewSimulated(noon)}
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
	o := Options{Dir: w.dir, DB: w.db, Clock: w.sim, StopWithin: 10 * time.Second, Log: slog.New(slog.NewTextHandler(testWriter{w.t}, nil))}
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

// state waits until a job is in a state.
func (w *world) state(name string, want State) Job {
	w.t.Helper()
	var j Job
	w.until(func() bool { j, _ = w.d.Job(name); return j.State == want }, func() string { return fmt.Sprintf("%s is %s, want %s", name, j.State, want) })
	return j
}

func (w *world) until(done func() bool, what func() string) {
	w.t.Helper()
	for deadline := time.Now().Add(time.Minute); !done(); time.Sleep(2 * time.Millisecond) {
		if time.Now().After(deadline) {
			w.t.Fatal(what())
		}
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

type testWriter struct{ t *testing.T }

func (w testWriter) Write(line []byte) (int, error) {
	w.t.Logf("%s", strings.TrimSpace(string(line)))
	return len(line), nil
}

const everyMinute = `schedule: {cron: "* * * * *"}`

func minute(n int) time.Time { return noon.Add(time.Duration(n) * time.Minute) }

func TestStartAndStop(t *testing.T) {
	w := newWorld(t)
	w.job("a", "")
	w.write("broken.yaml", "start: 3\n")
	var ended []Ended
	var mu sync.Mutex
	w.start(func(o *Options) {
		o.Ended = func(_ context.Context, e Ended) { mu.Lock(); ended = append(ended, e); mu.Unlock() }
	})
	d := w.d
	for name, want := range map[string]error{"none": ErrUnknown, "broken.yaml": ErrFault} {
		if err := d.Start(name, Start{}); !errors.Is(err, want) {
			t.Errorf("Start(%q): %v, want %v", name, err, want)
		}
	}
	if err := d.Stop("a"); !errors.Is(err, ErrNotRunning) {
		t.Errorf("Stop: %v", err)
	}
	w.site.shut()
	changed := d.Changed()
	if err := d.Start("a", Start{}); err != nil {
		t.Fatal(err)
	}
	<-changed
	w.crawling("a")
	if err := d.Start("a", Start{}); !errors.Is(err, ErrRunning) {
		t.Errorf("Start again: %v", err)
	}
	if j, _ := d.Job("a"); j.State != Running || j.Run != 1 {
		t.Errorf("job is %+v", j)
	}
	if err := d.Stop("a"); err != nil {
		t.Fatal(err)
	}
	w.state("a", Stopping)
	w.site.open()
	w.state("a", Idle)
	w.wantDue("a", "hand started run 1: stopped by hand")
	mu.Lock()
	if len(ended) != 1 || ended[0].Stopped != "hand" || ended[0].Run != 1 || ended[0].Outcome.State != "interrupted" {
		t.Errorf("told of %+v", ended)
	}
	mu.Unlock()

	w.stop()
	w.start()
	if j, _ := w.d.Job("a"); j.State != Idle {
		t.Errorf("what was stopped by hand is %s after a restart", j.State)
	}
	if err := w.d.Start("a", Start{}); err != nil {
		t.Fatal(err)
	}
	w.until(func() bool { j, _ := w.d.Job("a"); return j.State == Idle }, func() string { return "a does not end" })
	if got := fmt.Sprint(w.runs("a")); got != "[finished]" {
		t.Errorf("runs %s: the start did not go on with the interrupted run", got)
	}
	if err := w.d.Start("a", Start{}); err != nil {
		t.Fatal(err)
	}
	w.state("a", Idle)
	if got := fmt.Sprint(w.runs("a")); got != "[finished finished]" {
		t.Errorf("runs %s", got)
	}
}

func TestRestartResumes(t *testing.T) {
	for _, hand := range []bool{true, false} {
		t.Run(fmt.Sprint("by hand ", hand), func(t *testing.T) {
			w := newWorld(t)
			w.job("a", everyMinute)
			w.start()
			w.site.shut()
			if hand {
				if err := w.d.Start("a", Start{}); err != nil {
					t.Fatal(err)
				}
			} else {
				w.at(minute(1))
			}
			w.crawling("a")
			time.AfterFunc(100*time.Millisecond, w.site.open)
			w.stop()
			w.site.shut()
			w.start()
			if got := fmt.Sprint(w.runs("a")); got != "[interrupted]" && got != "[running]" {
				t.Errorf("runs %s", got)
			}
			if j := w.state("a", Running); j.Run != 1 {
				t.Errorf("job is %+v", j)
			}
			w.site.open()
			w.state("a", Idle)
			if got := fmt.Sprint(w.runs("a")); got != "[finished]" {
				t.Errorf("runs %s", got)
			}
			open, err := w.db.OpenDue(t.Context())
			if err != nil || len(open) > 0 {
				t.Errorf("open: %+v, %v", open, err)
			}
		})
	}
}

func TestOverlap(t *testing.T) {
	for _, tt := range []struct {
		policy string
		want   []string
		runs   string
	}{
		{"skip", []string{"12:01 started run 1", "12:02 skipped ×3: overlap: run 1 is still going on", "12:05 started run 2"}, "[finished finished]"},
		{"queue", []string{"12:01 started run 1", "12:02 started run 2", "12:03 skipped ×2: overlap: run 1 is still going on, and another waits for it", "12:05 started run 3"}, "[finished finished finished]"},
		{"cancel", []string{"12:01 started run 1: overlap: cancelled for the due time 2026-03-02 12:02:00 UTC",
			"12:02 started run 2", "12:03 skipped ×2: overlap: run 1 is still going on, and another waits for it", "12:05 started run 3"}, "[abandoned finished finished]"},
	} {
		t.Run(tt.policy, func(t *testing.T) {
			w := newWorld(t)
			w.job("a", `schedule: {cron: "* * * * *", overlap: `+tt.policy+`}`)
			w.start()
			w.site.shut()
			w.at(minute(1))
			w.crawling("a")
			for i := 2; i < 5; i++ {
				w.at(minute(i))
			}
			w.site.open()
			w.state("a", Idle)
			w.at(minute(5))
			w.state("a", Idle)
			w.wantDue("a", tt.want...)
			if got := fmt.Sprint(w.runs("a")); got != tt.runs {
				t.Errorf("runs %s, want %s", got, tt.runs)
			}
		})
	}
}

func TestMissed(t *testing.T) {
	t.Run("asleep, run", func(t *testing.T) {
		w := newWorld(t)
		w.job("a", `schedule: {cron: "0 * * * *"}`)
		w.start()
		w.at(minute(60))
		w.state("a", Idle)
		w.at(minute(5*60 + 30))
		w.state("a", Idle)
		w.wantDue("a", "13:00 started run 1", "14:00 skipped ×3: missed: run once for 4 due times", "17:00 started run 2: missed: run once for 4 due times")
	})
	t.Run("asleep, skip", func(t *testing.T) {
		w := newWorld(t)
		w.job("a", `schedule: {cron: "0 * * * *", missed: skip}`)
		w.start()
		w.at(minute(5*60 + 30))
		w.at(minute(6 * 60))
		w.state("a", Idle)
		w.wantDue("a", "13:00 skipped ×5: missed: the daemon or the machine did not run", "18:00 started run 1")
	})
	t.Run("off", func(t *testing.T) {
		w := newWorld(t)
		w.job("a", `schedule: {cron: "0 * * * *"}`)
		w.start()
		w.stop()
		w.sim.Set(minute(150))
		w.start()
		w.until(func() bool { return len(w.runs("a")) > 0 }, func() string { return "nothing was caught up" })
		w.state("a", Idle)
		w.wantDue("a", "13:00 skipped: missed: run once for 2 due times", "14:00 started run 1: missed: run once for 2 due times")
	})
	t.Run("a bit late", func(t *testing.T) {
		w := newWorld(t)
		w.job("a", `schedule: {cron: "0 * * * *", missed: skip}`)
		w.start()
		w.at(minute(60).Add(50 * time.Second))
		w.state("a", Idle)
		w.wantDue("a", "13:00 started run 1")
	})
	for _, cron := range []string{"@every 1s", "* * * * * *"} {
		t.Run("a month of "+cron, func(t *testing.T) {
			w := newWorld(t)
			w.job("a", `schedule: {cron: "`+cron+`"}`)
			w.start()
			began := time.Now()
			w.at(noon.AddDate(0, 1, 0))
			if took := time.Since(began); took > 5*time.Second {
				t.Errorf("took %v", took)
			}
			w.state("a", Idle)
			got := w.due("a")
			if len(got) != 2 || got[0] != "12:00 skipped ×100000: missed: run once for more than 100000 due times" || !strings.HasPrefix(got[1], "12:00 started run 1") {
				t.Errorf("due times: %q", got)
			}
			j, _ := w.d.Job("a")
			if want := noon.AddDate(0, 1, 0).Add(time.Second); !j.Next.Equal(want) {
				t.Errorf("next is %v, want %v", j.Next, want)
			}
		})
	}
}

func TestPaused(t *testing.T) {
	w := newWorld(t)
	w.job("a", everyMinute)
	w.start()
	if err := w.d.Pause("a", true); err != nil {
		t.Fatal(err)
	}
	w.at(minute(1))
	w.stop()
	w.start()
	for i := 2; i < 5; i++ {
		w.at(minute(i))
	}
	if err := w.d.Start("a", Start{}); err != nil {
		t.Fatal(err)
	}
	w.state("a", Idle)
	if err := w.d.Pause("a", false); err != nil {
		t.Fatal(err)
	}
	w.at(minute(5))
	w.state("a", Idle)
	w.wantDue("a", "12:01 skipped ×4: paused", "hand started run 1", "12:05 started run 2")
}

func TestClock(t *testing.T) {
	t.Run("set back an hour", func(t *testing.T) {
		w := newWorld(t)
		w.job("a", `schedule: {cron: "0,30 * * * *"}`)
		w.start()
		w.at(minute(60))
		w.state("a", Idle)
		for i := 1; i <= 90; i++ {
			w.at(minute(i))
			w.state("a", Idle)
		}
		w.wantDue("a", "12:30 skipped: missed: run once for 2 due times", "13:00 started run 1: missed: run once for 2 due times", "13:30 started run 2")
	})
	t.Run("years ahead for a while", func(t *testing.T) {
		w := newWorld(t)
		w.job("a", `schedule: {cron: "0 * * * *"}`)
		w.start()
		w.at(noon.AddDate(2, 0, 0))
		w.state("a", Idle)
		w.at(minute(1))
		w.at(minute(60))
		w.state("a", Idle)
		w.wantDue("a", "13:00 skipped ×17543: missed: run once for 17544 due times", "12:00 started run 1: missed: run once for 17544 due times",
			"12:01 skipped ×0: clock: it was ahead, and due times up to 2028-03-02 12:00:00 UTC are decided; they count again from now on", "13:00 started run 2")
	})
}

func TestConcurrency(t *testing.T) {
	w := newWorld(t)
	for _, name := range []string{"a", "b", "c", "d"} {
		w.job(name, "")
	}
	var mu sync.Mutex
	var order []string
	w.start(func(o *Options) {
		o.Concurrency = 1
		o.Prepare = func(job string, _ *crawl.Options) { mu.Lock(); order = append(order, job); mu.Unlock() }
	})
	w.site.shut()
	for i, name := range []string{"d", "b", "a", "c"} {
		w.sim.Set(noon.Add(time.Duration(i) * time.Second))
		if err := w.d.Start(name, Start{}); err != nil {
			t.Fatal(err)
		}
	}
	w.crawling("d")
	if j, _ := w.d.Job("c"); j.State != Queued {
		t.Errorf("c is %s", j.State)
	}
	if err := w.d.Stop("a"); err != nil {
		t.Fatal(err)
	}
	w.site.open()
	for _, name := range []string{"d", "b", "c"} {
		w.state(name, Idle)
	}
	mu.Lock()
	defer mu.Unlock()
	if got := fmt.Sprint(order); got != "[d b c]" {
		t.Errorf("order %s", got)
	}
	w.wantDue("a", "hand skipped: stopped by hand")
}

func TestPanicCostsOneRun(t *testing.T) {
	w := newWorld(t)
	w.job("a", "")
	w.job("b", "")
	w.start(func(o *Options) {
		o.Prepare = func(job string, _ *crawl.Options) {
			if job == "a" {
				panic("boo")
			}
		}
		o.Ended = func(_ context.Context, e Ended) { panic("told") }
	})
	for _, name := range []string{"a", "b"} {
		if err := w.d.Start(name, Start{}); err != nil {
			t.Fatal(err)
		}
	}
	if j := w.state("a", Idle); !strings.Contains(j.Err, "boo") {
		t.Errorf("error %q", j.Err)
	}
	w.state("b", Idle)
	w.wantDue("a", "hand skipped: failed: a fault of the program: boo")
	w.wantDue("b", "hand started run 1")
}

func TestOneDaemonAtATime(t *testing.T) {
	w := newWorld(t)
	w.job("a", everyMinute)
	w.start()
	db, err := store.Open(w.path, store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	other, err := New(Options{Dir: w.dir, DB: db})
	if err != nil {
		t.Fatal(err)
	}
	var held *store.DaemonHeldError
	if err := other.Run(t.Context()); !errors.As(err, &held) || held.PID != os.Getpid() {
		t.Errorf("Run: %v", err)
	}
	w.stop()
	if err := other.Begin(t.Context()); err != nil {
		t.Errorf("after the first ended: %v", err)
	}
}

func TestStopWithin(t *testing.T) {
	w := newWorld(t)
	w.job("a", everyMinute)
	w.start(func(o *Options) { o.StopWithin = 300 * time.Millisecond })
	w.site.shut()
	w.at(minute(1))
	w.crawling("a")
	began := time.Now()
	w.stop()
	if took := time.Since(began); took > 3*time.Second {
		t.Errorf("stopping took %v", took)
	}
	w.site.open()
	w.start()
	w.until(func() bool { return fmt.Sprint(w.runs("a")) == "[finished]" }, func() string { return fmt.Sprint("runs ", w.runs("a")) })
	w.wantDue("a", "12:01 started run 1")
}

func TestKilledBeforeExport(t *testing.T) {
	w := newWorld(t)
	w.job("a", everyMinute+"\nitems: {thing: {key: [name], fields: {name: h1}}}\nexport: [{item: thing, format: jsonl, path: things.jsonl}]")
	// What a process leaves that was killed once the crawl was finished.
	db, err := store.Open(w.path, store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	hold, err := db.HoldDaemon(t.Context(), w.dir)
	if err != nil {
		t.Fatal(err)
	}
	decisions := []store.Decision{{Job: "a", Add: []store.DueRun{{Kind: store.DueSchedule, Nominal: minute(-1), Until: minute(-1), Count: 1, At: minute(-1), Decided: minute(-1), Outcome: store.DueWaiting}},
		Schedule: &store.Schedule{Schedule: "* * * * *", Considered: noon}}}
	if err := hold.Decide(t.Context(), decisions); err != nil {
		t.Fatal(err)
	}
	job, err := config.Load(filepath.Join(w.dir, "a.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	c, err := crawl.New(job.Options)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := c.Crawl(t.Context(), db, crawl.Job{Name: "a", Due: decisions[0].Add[0].ID}); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(hold.Close(), db.Close()); err != nil {
		t.Fatal(err)
	}

	told := make(chan Ended, 9)
	w.start(func(o *Options) { o.Ended = func(_ context.Context, e Ended) { told <- e } })
	e := <-told
	if e.Run != 1 || e.Outcome.State != "finished" || e.Outcome.Crawled.Run.Counters.Pages != 5 || len(e.Outcome.Exports) != 1 {
		t.Errorf("told of %+v", e)
	}
	if _, err := os.Stat(filepath.Join(w.dir, "things.jsonl")); err != nil {
		t.Error(err)
	}
	w.state("a", Idle)
	w.wantDue("a", "11:59 started run 1")
}

func TestFreshStart(t *testing.T) {
	w := newWorld(t)
	w.job("a", "")
	w.start()
	w.site.shut()
	if err := w.d.Start("a", Start{}); err != nil {
		t.Fatal(err)
	}
	w.crawling("a")
	if err := w.d.Stop("a"); err != nil {
		t.Fatal(err)
	}
	w.site.open()
	w.state("a", Idle)
	if err := w.d.Start("a", Start{Fresh: true}); err != nil {
		t.Fatal(err)
	}
	w.state("a", Idle)
	if got := fmt.Sprint(w.runs("a")); got != "[abandoned finished]" {
		t.Errorf("runs %s", got)
	}
}

func TestContinue(t *testing.T) {
	w := newWorld(t)
	w.job("a", "limits: {pages: 2}")
	w.start()
	for _, how := range []Start{{}, {Continue: true}, {}} {
		if err := w.d.Start("a", how); err != nil {
			t.Fatal(err)
		}
		w.state("a", Idle)
	}
	if got := fmt.Sprint(w.runs("a")); got != "[finished finished]" {
		t.Errorf("runs %s", got)
	}
}

func TestHeldByAnotherCrawl(t *testing.T) {
	w := newWorld(t)
	w.job("a", everyMinute)
	w.start()
	run, err := w.db.Begin(t.Context(), crawl.Job{Name: "a"})
	if err != nil {
		t.Fatal(err)
	}
	w.at(minute(1))
	if j := w.state("a", Idle); !strings.Contains(j.Err, "being crawled by process") {
		t.Errorf("error %q", j.Err)
	}
	if got := w.due("a"); len(got) != 1 || !strings.HasPrefix(got[0], "12:01 skipped: overlap: job \"a\" is being crawled by process ") {
		t.Errorf("due times %q", got)
	}
	if err := run.Close(); err != nil {
		t.Fatal(err)
	}
	w.at(minute(2))
	w.state("a", Idle)
	if got := fmt.Sprint(w.runs("a")); got != "[finished]" {
		t.Errorf("runs %s", got)
	}
}

func TestWatched(t *testing.T) {
	w := newWorld(t)
	w.job("a", everyMinute)
	w.job("b", "")
	w.job("c", everyMinute)
	w.start()
	for _, name := range []string{"a", "b"} {
		if err := w.d.Start(name, Start{}); err != nil {
			t.Fatal(err)
		}
		w.state(name, Idle)
	}
	list, err := w.d.Watched(t.Context())
	if err != nil || len(list) != 2 || list[0].Name != "a" || list[0].Success.IsZero() || list[1].Name != "c" || !list[1].Success.IsZero() {
		t.Errorf("%+v, %v", list, err)
	}
}

// A schedule that is changed while the daemon runs counts from then on.
func TestChangedSchedule(t *testing.T) {
	w := newWorld(t)
	w.job("a", `schedule: {cron: "0 0 1 1 *"}`)
	w.start()
	w.at(minute(600))
	w.job("a", everyMinute)
	w.until(func() bool { j, _ := w.d.Job("a"); return j.Next.Equal(minute(601)) }, func() string { return fmt.Sprint(w.d.Jobs()) })
	w.at(minute(601))
	w.state("a", Idle)
	w.wantDue("a", "22:01 started run 1")
	w.stop()
	w.job("a", `schedule: {cron: "*/2 * * * *"}`)
	w.sim.Set(minute(604))
	w.start()
	w.until(func() bool { return len(w.runs("a")) == 2 }, func() string { return fmt.Sprint(w.due("a")) })
	w.state("a", Idle)
	w.wantDue("a", "22:01 started run 1", "22:02 skipped: missed: run once for 2 due times", "22:04 started run 2: missed: run once for 2 due times")
}

// What cannot be written down is not decided: it is tried again.
func TestDatabaseThatFails(t *testing.T) {
	w := newWorld(t)
	w.job("a", everyMinute)
	w.start()
	if err := w.db.Close(); err != nil {
		t.Fatal(err)
	}
	w.at(minute(1))
	w.at(minute(2))
	if j, _ := w.d.Job("a"); j.State != Idle || !j.Next.Equal(minute(1)) {
		t.Errorf("job %+v", j)
	}
	if err := w.d.Start("a", Start{}); err == nil {
		t.Error("Start succeeded")
	}
	if err := w.d.Pause("a", true); err == nil {
		t.Error("Pause succeeded")
	}
	if j, _ := w.d.Job("a"); j.State != Idle || j.Paused {
		t.Errorf("job %+v", j)
	}
	if err := w.end(); err == nil {
		t.Error("Run ended without a word")
	}
	w.end = nil
}

// Many jobs that are due at once are decided at once, and each runs once.
func TestManyJobsDueAtOnce(t *testing.T) {
	const n = 300
	w := newWorld(t)
	for i := range n {
		w.job(fmt.Sprint("job", i), "follow: []\nschedule: {cron: \"@hourly\"}")
	}
	w.start(func(o *Options) { o.Log = nil })
	began := time.Now()
	w.at(minute(60))
	if took := time.Since(began); took > 2*time.Second {
		t.Errorf("deciding took %v", took)
	}
	began = time.Now()
	if list := w.d.Jobs(); len(list) != n || time.Since(began) > 100*time.Millisecond {
		t.Errorf("%d jobs in %v", len(list), time.Since(began))
	}
	for i := range n {
		w.state(fmt.Sprint("job", i), Idle)
	}
	t.Logf("%d runs in %v", n, time.Since(began))
	for i := range n {
		w.wantDue(fmt.Sprint("job", i), "13:00 started run 1")
	}
}

package daemon

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/magpie-crawl/magpie/crawl"
	"github.com/magpie-crawl/magpie/store"
)

func TestStartAndStop(t *testing.T) {
	t.Parallel()
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
	w.startJob("a", Start{})
	<-changed
	w.crawling("a")
	if err := d.Start("a", Start{}); !errors.Is(err, ErrRunning) {
		t.Errorf("Start again: %v", err)
	}
	if j, _ := d.Job("a"); j.State != Running || j.Run != 1 {
		t.Errorf("job is %+v", j)
	}
	w.stopJob("a")
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
	w.startJob("a", Start{})
	w.until(func() bool { j, _ := w.d.Job("a"); return j.State == Idle }, func() string { return "a does not end" })
	if got := fmt.Sprint(w.runs("a")); got != "[finished]" {
		t.Errorf("runs %s: the start did not go on with the interrupted run", got)
	}
	w.startJob("a", Start{})
	w.state("a", Idle)
	w.wantRuns("a", store.RunFinished, store.RunFinished)
}

func TestConcurrency(t *testing.T) {
	t.Parallel()
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
		w.startJob(name, Start{})
	}
	w.crawling("d")
	if j, _ := w.d.Job("c"); j.State != Queued {
		t.Errorf("c is %s", j.State)
	}
	w.stopJob("a")
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
	t.Parallel()
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
		w.startJob(name, Start{})
	}
	if j := w.state("a", Idle); !strings.Contains(j.Err, "boo") {
		t.Errorf("error %q", j.Err)
	}
	w.state("b", Idle)
	w.wantDue("a", "hand skipped: failed: a fault of the program: boo")
	w.wantDue("b", "hand started run 1")
}

func TestFreshStart(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.job("a", "")
	w.start()
	w.site.shut()
	w.startJob("a", Start{})
	w.crawling("a")
	w.stopJob("a")
	w.site.open()
	w.state("a", Idle)
	w.startJob("a", Start{Fresh: true})
	w.state("a", Idle)
	w.wantRuns("a", store.RunAbandoned, store.RunFinished)
}

func TestContinue(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.job("a", "limits: {pages: 2}")
	w.start()
	for _, how := range []Start{{}, {Continue: true}, {}} {
		w.startJob("a", how)
		w.state("a", Idle)
	}
	w.wantRuns("a", store.RunFinished, store.RunFinished)
}

func TestHeldByAnotherCrawl(t *testing.T) {
	t.Parallel()
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
	w.wantRuns("a", store.RunFinished)
}

// While it stops, a start would wait for nobody knows how long.
func TestStartWhileItStops(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.job("a", "")
	w.job("b", "")
	d := w.start()
	w.site.shut()
	w.startJob("a", Start{})
	w.crawling("a")
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		w.stop()
	}()
	w.until(d.Stopping, func() string { return "it does not stop" })
	for name, want := range map[string]error{"b": ErrStopping, "a": ErrRunning, "none": ErrUnknown} {
		if err := d.Start(name, Start{}); !errors.Is(err, want) {
			t.Errorf("Start(%q): %v, want %v", name, err, want)
		}
	}
	if j, _ := d.Job("b"); j.State != Idle {
		t.Errorf("b is %s", j.State)
	}
	w.site.open()
	<-ended
	if err := d.Start("b", Start{}); !errors.Is(err, ErrStopping) {
		t.Errorf("Start afterwards: %v", err)
	}
}

// There is nothing to pause in a job without a schedule.
func TestPauseWithoutSchedule(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.job("a", "")
	w.write("broken.yaml", "start: 3\n")
	w.start()
	for name, want := range map[string]error{"a": ErrNoSchedule, "broken.yaml": ErrFault, "none": ErrUnknown} {
		for _, paused := range []bool{true, false} {
			if err := w.d.Pause(name, paused); !errors.Is(err, want) {
				t.Errorf("Pause(%q, %v): %v, want %v", name, paused, err, want)
			}
		}
	}
	// One that is taken out of a file is as it was when it is back.
	for i, more := range []string{everyMinute, "", everyMinute} {
		w.job("a", more)
		w.d.Rescan()
		if i == 0 {
			w.pauseJob("a", true)
		}
		if j, _ := w.d.Job("a"); j.Paused != (more != "") {
			t.Errorf("with %q: paused is %v", more, j.Paused)
		}
	}
}

// Each start says what became of itself, though others go on with its run.
func TestStartsOfOneRun(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.job("a", "limits: {pages: 3}")
	w.start()
	w.site.shut()
	states := func(want ...store.RunState) {
		t.Helper()
		var got []store.RunState
		for r, err := range w.db.Due(t.Context(), "a") {
			if err != nil {
				t.Fatal(err)
			}
			if r.Run != 1 {
				t.Errorf("run %d", r.Run)
			}
			got = append([]store.RunState{r.RunState}, got...)
		}
		if !slices.Equal(got, want) {
			t.Errorf("states %v, want %v", got, want)
		}
	}
	start := func(how Start) {
		t.Helper()
		w.startJob("a", how)
		w.until(func() bool { return w.site.held.Load() > 0 }, func() string { return "a fetches nothing" })
	}
	end := func() {
		t.Helper()
		w.site.open()
		w.state("a", Idle)
		w.site.shut()
	}
	start(Start{})
	states(store.RunRunning)
	w.stopJob("a")
	end()
	states(store.RunInterrupted)
	start(Start{})
	states(store.RunInterrupted, store.RunRunning)
	end()
	states(store.RunInterrupted, store.RunFinished)
	start(Start{Continue: true})
	states(store.RunInterrupted, store.RunFinished, store.RunRunning)
	end()
	states(store.RunInterrupted, store.RunFinished, store.RunFinished)
	w.wantDue("a", "hand started run 1: stopped by hand", "hand started run 1", "hand started run 1")
}

// A run that is finished when it is stopped was not stopped.
func TestStopOfAFinishedRun(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	asked, gate := make(chan struct{}), make(chan struct{})
	hook := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
		asked <- struct{}{}
		<-gate
	}))
	defer hook.Close()
	w.job("a", "webhook: {url: \""+hook.URL+"\", on: [finish]}")
	w.start()
	w.startJob("a", Start{})
	<-asked
	w.stopJob("a")
	close(gate)
	w.state("a", Idle)
	w.wantDue("a", "hand started run 1")
	w.wantRuns("a", store.RunFinished)
}

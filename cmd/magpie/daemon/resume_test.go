package daemon

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/magpie-crawl/magpie/config"
	"github.com/magpie-crawl/magpie/crawl"
	"github.com/magpie-crawl/magpie/store"
)

func TestRestartResumes(t *testing.T) {
	t.Parallel()
	for _, hand := range []bool{true, false} {
		t.Run(fmt.Sprint("by hand ", hand), func(t *testing.T) {
			w := newWorld(t)
			w.job("a", everyMinute)
			w.start()
			w.site.shut()
			if hand {
				w.startJob("a", Start{})
			} else {
				w.at(minute(1))
			}
			w.crawling("a")
			answered := make(chan bool)
			go func() { // once it is told to stop
				defer close(answered)
				w.awaitChange(func() bool { j, _ := w.d.Job("a"); return j.State != Running })
				w.site.open()
			}()
			w.stop()
			<-answered
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
			w.wantRuns("a", store.RunFinished)
			open, err := w.db.OpenDue(t.Context())
			if err != nil || len(open) > 0 {
				t.Errorf("open: %+v, %v", open, err)
			}
		})
	}
}

func TestOneDaemonAtATime(t *testing.T) {
	t.Parallel()
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
	t.Parallel()
	w := newWorld(t)
	w.job("a", everyMinute)
	w.start(func(o *Options) { o.StopWithin = 300 * time.Millisecond })
	w.site.shut()
	w.at(minute(1))
	w.until(func() bool { return w.site.held.Load() > 0 }, func() string { return "nothing is in flight" })
	w.stop() // though the site does not answer
	w.site.open()
	w.start()
	w.until(func() bool { return fmt.Sprint(w.runs("a")) == "[finished]" }, func() string { return fmt.Sprint("runs ", w.runs("a")) })
	w.wantDue("a", "12:01 started run 1")
}

func TestKilledBeforeExport(t *testing.T) {
	t.Parallel()
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

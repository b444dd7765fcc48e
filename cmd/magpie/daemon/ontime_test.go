package daemon

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/magpie-crawl/magpie/internal/clock"
	"github.com/magpie-crawl/magpie/store"
)

// TestStartsOnTime has runs begin by the machine's clock, each second or two,
// within a second of their time.
func TestStartsOnTime(t *testing.T) {
	const goal = time.Second
	for try := 1; ; try++ {
		runs, worst := latest(t)
		t.Logf("%d runs, at most %v late", runs, worst)
		if worst <= goal {
			return
		}
		if try == 3 { // a busy machine is late now and then, not each time
			t.Fatalf("a run began %v after its time, want %v at most", worst, goal)
		}
	}
}

// latest runs jobs for a few seconds and returns how many runs there were, and
// by how much the last of them began after its time. One that begins early is
// an error.
func latest(t *testing.T) (runs int, worst time.Duration) {
	w := newWorld(t)
	jobs := []string{"* * * * * *", "@every 1s", "*/2 * * * * *", "1-59/2 * * * * *", "@every 2s"}
	for i, cron := range jobs {
		w.job(fmt.Sprint("job ", i), fmt.Sprintf("schedule: {cron: %q}\nlimits: {pages: 1}", cron))
	}
	w.start(func(o *Options) { o.Clock, o.Concurrency, o.Log = clock.System, len(jobs), nil })
	w.until(func() bool { return len(w.runs("job 0")) >= 4 && len(w.runs("job 4")) >= 2 }, func() string { return fmt.Sprint(w.due("job 0")) })
	for i := range jobs {
		name := fmt.Sprint("job ", i)
		for _, r := range dueRows(t, w.db, name) {
			if r.Outcome != store.DueStarted || r.Run == 0 {
				continue
			}
			run, err := w.db.Run(t.Context(), name, r.Run)
			if err != nil {
				t.Fatal(err)
			}
			late := run.Started.Sub(r.At)
			if late < 0 {
				t.Errorf("run %d of %s began %v before its time", r.Run, name, -late)
			}
			runs, worst = runs+1, max(worst, late)
		}
	}
	w.stop()
	return runs, worst
}

// TestNoticesThatTheClockWasSet has the daemon's own loop look: it notices
// within a nap of its timers that the clock was set, or that it went on while
// the machine slept.
func TestNoticesThatTheClockWasSet(t *testing.T) {
	w := newWorld(t)
	w.job("a", `schedule: {cron: "30 * * * *"}`)
	w.start()
	for _, tt := range []struct {
		name  string
		shows time.Time
		want  string // in the last row
	}{
		{"asleep for a day", noon.Add(24 * time.Hour), "11:30 started run 1: missed: run once for 24 due times"},
		{"asleep again", noon.Add(27 * time.Hour), "14:30 started run 2: missed: run once for 3 due times"},
		{"set back", noon, "12:00 skipped ×0: clock: it was ahead"},
		{"time passes", noon.Add(30*time.Minute - clock.Nap), "12:30 started run 3"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			w.sim.Set(tt.shows)
			seen := func() bool {
				list := w.due("a")
				return len(list) > 0 && strings.HasPrefix(list[len(list)-1], tt.want)
			}
			// The loop may just have looked when the clock was set, and the machine
			// may be busy with other things.
			for range 30 {
				w.sim.BlockUntil(1)
				w.sim.Advance(clock.Nap)
				for deadline := time.Now().Add(2 * time.Second); time.Now().Before(deadline); time.Sleep(2 * time.Millisecond) {
					if seen() {
						w.state("a", Idle)
						return
					}
				}
			}
			t.Fatalf("due times %q, want %q", w.due("a"), tt.want)
		})
	}
}

package daemon

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/magpie-crawl/magpie/internal/clock"
	"github.com/magpie-crawl/magpie/internal/steadytest"
	"github.com/magpie-crawl/magpie/store"
)

// TestNap: the loop wakes up when something is due, and looks at the clock now
// and then before that.
func TestNap(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.job("a", everyMinute)
	w.job("b", `schedule: {cron: "@yearly"}`)
	w.start()
	for _, tt := range []struct{ left, want time.Duration }{
		{30 * time.Second, clock.Nap}, {clock.Nap + 1, clock.Nap}, {clock.Nap, clock.Nap}, {clock.Nap - 1, clock.Nap - 1},
		{20 * time.Millisecond, 20 * time.Millisecond}, {time.Microsecond, time.Millisecond},
	} {
		t.Run(tt.left.String(), func(t *testing.T) {
			w.sim.Set(minute(1).Add(-tt.left))
			if nap, err := w.d.nap(); nap != tt.want || err != nil {
				t.Errorf("%v, %v, want %v", nap, err, tt.want)
			}
		})
	}
}

// TestStartsByTheMachinesClock has runs begin each second or two: each is
// begun, and none before its time. How late they are is a matter of the
// machine.
func TestStartsByTheMachinesClock(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	jobs := []string{"* * * * * *", "@every 1s", "*/2 * * * * *", "1-59/2 * * * * *", "@every 2s"}
	for i, cron := range jobs {
		w.job(fmt.Sprint("job ", i), fmt.Sprintf("schedule: {cron: %q}\nlimits: {pages: 1}", cron))
	}
	w.start(func(o *Options) { o.Clock, o.Concurrency, o.Log = clock.System, len(jobs), nil })
	runs, worst := 0, time.Duration(0)
	for i := range jobs {
		name := fmt.Sprint("job ", i)
		w.until(func() bool { return len(w.runs(name)) > 0 }, func() string { return fmt.Sprint(w.due(name)) })
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
	t.Logf("%d runs, at most %v late", runs, worst)
}

// TestNoticesThatTheClockWasSet has the daemon's own loop look, by its timers:
// it notices that the clock was set, or that it went on while the machine
// slept.
func TestNoticesThatTheClockWasSet(t *testing.T) {
	t.Parallel()
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
			for deadline := time.Now().Add(steadytest.Patience); time.Now().Before(deadline); {
				w.sim.Advance(clock.Nap)
				// It may just have looked when the clock was set.
				for again := time.Now().Add(time.Second); time.Now().Before(again); time.Sleep(time.Millisecond) {
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

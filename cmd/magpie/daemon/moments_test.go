package daemon

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/magpie-crawl/magpie/crawl"
)

// What came due before a schedule is changed goes by it as it was, also where
// the daemon did not look yet, such as when a machine wakes up.
func TestChangedBeforeTheDaemonLooked(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name   string
		change func(w *world)
		want   string
	}{
		{"changed", func(w *world) { w.job("a", `schedule: {cron: "0 0 1 1 *"}`); w.d.Rescan() }, "13:00 skipped ×3: missed: run once for 4 due times, 16:00 started run 1: missed: run once for 4 due times"},
		{"removed", func(w *world) { os.Remove(filepath.Join(w.dir, "a.yaml")); w.d.Rescan() }, "13:00 skipped ×3: missed: run once for 4 due times, 16:00 "},
		{"paused", func(w *world) { w.d.Pause("a", true) }, "13:00 skipped ×3: missed: run once for 4 due times, 16:00 started run 1: missed: run once for 4 due times"},
		{"paused no longer", func(w *world) { w.d.Pause("a", false) }, "13:00 skipped ×4: paused"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			w := newWorld(t)
			w.job("a", `schedule: {cron: "0 * * * *"}`)
			w.start()
			if tt.name == "paused no longer" {
				w.pauseJob("a", true)
			}
			w.sim.Set(minute(4*60 + 30))
			tt.change(w)
			w.until(func() bool { j, ok := w.d.Job("a"); return !ok || j.State == Idle }, func() string { return "a does not end" })
			if got := strings.Join(w.due("a"), ", "); !strings.HasPrefix(got, tt.want) {
				t.Errorf("due times: %s, want %s", got, tt.want)
			}
		})
	}
}

// A run that is stopped at the moment in which it is to begin did not go wrong.
func TestStoppedBeforeItBegan(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.job("a", "")
	begins, stopped := make(chan bool), make(chan bool)
	ended := make(chan Ended, 1)
	w.start(func(o *Options) {
		o.Prepare = func(string, *crawl.Options) { begins <- true; <-stopped }
		o.Ended = func(_ context.Context, e Ended) { ended <- e }
	})
	w.startJob("a", Start{})
	<-begins
	w.stopJob("a")
	close(stopped)
	if e := <-ended; e.Outcome.State != "interrupted" || e.Outcome.Err != nil || e.Run != 0 || e.Stopped != "hand" {
		t.Errorf("told of %+v, %+v", e, e.Outcome)
	}
	if j := w.state("a", Idle); j.Err != "" {
		t.Errorf("job is %+v", j)
	}
	w.wantDue("a", "hand skipped: stopped by hand")
}

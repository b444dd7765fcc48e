package daemon

import (
	"testing"
	"time"
)

// A run that waited for its turn when the daemon ended begins with the next
// one, unless its time is missed by then and missed: skip says so.
func TestWaitingOverARestart(t *testing.T) {
	const begins, skipped = "12:01 started run 1", "12:01 skipped: missed: the daemon or the machine did not run"
	for _, tt := range []struct {
		name, missed string
		hand         bool
		off          time.Duration
		want         string
	}{
		{"skip, off for hours", "skip", false, 2 * time.Hour, skipped},
		{"skip, off for a moment", "skip", false, missedAfter, begins},
		{"skip, off for longer than that", "skip", false, missedAfter + time.Second, skipped},
		{"run, off for hours", "run", false, 2 * time.Hour, begins},
		{"somebody asked for it", "skip", true, 2 * time.Hour, "hand started run 1"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			w := newWorld(t)
			w.job("first", "")
			cron := "1 12 * * *"
			if tt.hand {
				cron = "0 0 1 1 *"
			}
			w.job("waits", `schedule: {cron: "`+cron+`", zone: UTC, missed: `+tt.missed+`}`)
			one := func(o *Options) { o.Concurrency = 1 }
			w.site.shut()
			w.start(one)
			w.startJob("first", Start{})
			w.crawling("first")
			w.at(minute(1))
			if tt.hand {
				w.startJob("waits", Start{})
			}
			// It waits though its time is over: the daemon is there, so that it is not missed.
			w.at(minute(30))
			w.state("waits", Queued)
			w.d.Abort()
			w.stop()
			w.site.open()
			w.sim.Set(minute(30).Add(tt.off))
			w.start(one)
			w.state("waits", Idle)
			w.state("first", Idle)
			w.wantDue("waits", tt.want)
		})
	}
}

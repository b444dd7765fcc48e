package daemon

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/magpie-crawl/magpie/config/schedule"
	"github.com/magpie-crawl/magpie/store"
)

// TestEachDueTimeIsDecidedOnce moves the clock at random, back too, and stops,
// pauses and starts the daemon meanwhile: all due times of the span are there,
// each once, whatever became of them.
func TestEachDueTimeIsDecidedOnce(t *testing.T) {
	t.Parallel()
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	random := rand.New(rand.NewPCG(seed, 0))
	w := newWorld(t)
	schedules := map[string]schedule.Options{
		"daily":   {Cron: "30 2 * * *", Zone: zone(t, "Europe/Berlin"), Jitter: 20 * time.Minute},
		"hourly":  {Cron: "@hourly", Zone: zone(t, "America/St_Johns"), Overlap: schedule.Queue},
		"minutes": {Cron: "*/7 * * * *", Zone: zone(t, "UTC"), Missed: schedule.SkipMissed},
		"often":   {Cron: "@every 90s", Zone: zone(t, "UTC"), Overlap: schedule.Cancel},
	}
	for name, o := range schedules {
		w.job(name, fmt.Sprintf("follow: []\nschedule: {cron: %q, zone: %s, jitter: %s, overlap: %s, missed: %s}",
			o.Cron, o.Zone, o.Jitter, []string{"skip", "queue", "cancel"}[o.Overlap], []string{"run", "skip"}[o.Missed]))
	}
	// Over the end of March, when Berlin's clocks are put forward.
	begin := time.Date(2026, 3, 20, 0, 0, 0, 0, time.UTC)
	w.sim.Set(begin)
	w.start()
	now, latest := begin, begin
	for range 120 {
		switch random.IntN(10) {
		case 0: // asleep
			now = now.Add(time.Duration(random.IntN(48)) * time.Hour)
		case 1: // set back, in all by less than what starts all over
			now = now.Add(-time.Duration(random.IntN(600)) * time.Minute)
			if furthest := latest.Add(time.Hour - clockAhead); now.Before(furthest) {
				now = furthest
			}
		case 2: // off
			w.stop()
			now = now.Add(time.Duration(random.IntN(300)) * time.Minute)
			w.sim.Set(now)
			w.start()
		case 3:
			w.pauseJob("often", random.IntN(2) == 0)
		default:
			now = now.Add(time.Duration(random.IntN(3600)) * time.Second)
		}
		if now.After(latest) {
			latest = now
		}
		w.at(now)
	}
	for name := range schedules {
		w.state(name, Idle)
	}
	t.Logf("until %v", latest)
	for name, o := range schedules {
		t.Run(name, func(t *testing.T) { w.checkAllDecided(t, name, o, begin, latest) })
	}
}

func (w *world) checkAllDecided(t *testing.T, name string, o schedule.Options, begin, latest time.Time) {
	s, err := schedule.New(o, name)
	if err != nil {
		t.Fatal(err)
	}
	var rows []store.DueRun
	for r, err := range w.db.Due(t.Context(), name) {
		if err != nil {
			t.Fatal(err)
		}
		rows = append([]store.DueRun{r}, rows...)
	}
	at, outcomes := begin, map[store.DueOutcome]int{}
	for _, r := range rows {
		outcomes[r.Outcome] += r.Count
		for i := range r.Count {
			next, _ := s.Next(at)
			if i == 0 && !next.Nominal.Equal(r.Nominal) {
				t.Fatalf("row %d is about %v, the next due time is %v", r.ID, r.Nominal, next.Nominal)
			}
			at = next.Nominal
		}
		if !at.Equal(r.Until) {
			t.Fatalf("row %d ends at %v, its last due time is %v", r.ID, r.Until, at)
		}
		if !r.Settled || r.Outcome == store.DueWaiting || r.Outcome == store.DueSkipped && r.Reason == "" {
			t.Errorf("row %+v", r)
		}
	}
	if next, ok := s.Next(at); ok && !next.At.After(latest) {
		t.Errorf("nothing is decided about %v", next)
	}
	t.Logf("%v in %d rows", outcomes, len(rows))
}

func zone(t *testing.T, name string) *time.Location {
	t.Helper()
	z, err := time.LoadLocation(name)
	if err != nil {
		t.Fatal(err)
	}
	return z
}

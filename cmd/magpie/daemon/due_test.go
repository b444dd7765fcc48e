package daemon

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

func TestOverlap(t *testing.T) {
	t.Parallel()
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
	t.Parallel()
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
			w.at(noon.AddDate(0, 1, 0))
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
	t.Parallel()
	w := newWorld(t)
	w.job("a", everyMinute)
	w.start()
	w.pauseJob("a", true)
	w.at(minute(1))
	w.stop()
	w.start()
	for i := 2; i < 5; i++ {
		w.at(minute(i))
	}
	w.startJob("a", Start{})
	w.state("a", Idle)
	w.pauseJob("a", false)
	w.at(minute(5))
	w.state("a", Idle)
	w.wantDue("a", "12:01 skipped ×4: paused", "hand started run 1", "12:05 started run 2")
}

func TestClock(t *testing.T) {
	t.Parallel()
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
	// What is told is when it runs, not when the schedule would have it.
	t.Run("set back five hours, it tells when it is due", func(t *testing.T) {
		w := newWorld(t)
		w.job("a", `schedule: {cron: "0 * * * *", jitter: 10m}`)
		w.start()
		w.at(minute(330))
		w.state("a", Idle)
		w.at(minute(30))
		j, _ := w.d.Job("a")
		if j.Next.Before(minute(360)) || !j.Next.Before(minute(370)) || !j.Past.Equal(minute(300)) {
			t.Errorf("next is %v, and it counts from %v", j.Next, j.Past)
		}
		if list, err := w.db.Schedules(t.Context(), "a"); err != nil || !list[0].Next.Equal(j.Next) {
			t.Errorf("the database has %+v, %v", list, err)
		}
		w.at(j.Next.Add(-time.Millisecond))
		if got := fmt.Sprint(w.runs("a")); got != "[finished]" {
			t.Errorf("before it is due: runs %s", got)
		}
		w.at(j.Next)
		w.state("a", Idle)
		if got := fmt.Sprint(w.runs("a")); got != "[finished finished]" {
			t.Errorf("when it is due: runs %s", got)
		}
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

// A schedule that is changed while the daemon runs counts from then on.
func TestChangedSchedule(t *testing.T) {
	t.Parallel()
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
	t.Parallel()
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
	t.Parallel()
	const n = 300
	w := newWorld(t)
	for i := range n {
		w.job(fmt.Sprint("job", i), "follow: []\nschedule: {cron: \"@hourly\"}")
	}
	w.start(func(o *Options) { o.Log = nil })
	began := time.Now()
	w.at(minute(60))
	t.Logf("decided in %v", time.Since(began))
	if list := w.d.Jobs(); len(list) != n {
		t.Errorf("%d jobs", len(list))
	}
	for i := range n {
		w.state(fmt.Sprint("job", i), Idle)
	}
	t.Logf("%d runs in %v", n, time.Since(began))
	for i := range n {
		w.wantDue(fmt.Sprint("job", i), "13:00 started run 1")
	}
}

package alert

import (
	"testing"
	"time"

	"github.com/magpie-crawl/magpie/config/schedule"
)

// TestSilence tells of jobs that have not succeeded for some intervals.
func TestSilence(t *testing.T) {
	t.Run("a month of days, some without success", func(t *testing.T) {
		hook, d := hookedDesk(t, "")
		books := d.job("books", "0 3 * * *", "")
		run := d.crawl("books", &site{things: 3})
		for day := range 31 {
			d.pass(3*time.Hour + 10*time.Minute)
			if day < 10 || day > 16 {
				d.ends(books, "", run)
			}
			d.pass(20*time.Hour + 50*time.Minute)
		}
		// The last success was on the 10th. The times of the 11th, 12th and 13th passed.
		same(t, "told", hook.subjects(),
			"books has not succeeded since 2026-03-10 03:10 UTC, for 3 intervals of its schedule",
			"books has not succeeded since 2026-03-10 03:10 UTC, for 4 intervals of its schedule",
			"books has not succeeded since 2026-03-10 03:10 UTC, for 5 intervals of its schedule",
			"books has not succeeded since 2026-03-10 03:10 UTC, for 6 intervals of its schedule",
			"books has not succeeded since 2026-03-10 03:10 UTC, for 7 intervals of its schedule",
			"books is well again, after it was silent since 2026-03-10 03:10 UTC")
	})
	t.Run("never succeeded", func(t *testing.T) {
		hook, d := hookedDesk(t, "")
		d.job("books", "@hourly", "")
		d.tick()
		d.pass(4 * time.Hour)
		d.reopen()
		d.pass(20 * time.Minute)
		d.reopen()
		d.pass(20 * time.Minute)
		same(t, "told", hook.subjects(), "books has not succeeded yet, for 4 intervals of its schedule")
	})
	t.Run("failures are not repeated besides", func(t *testing.T) {
		hook, d := hookedDesk(t, "")
		books := d.job("books", "@hourly", "")
		d.tick()
		for range 60 {
			d.pass(time.Hour)
			d.ends(books, "no", 0)
		}
		d.ends(books, "", d.crawl("books", &site{things: 3}))
		d.pass(time.Hour)
		same(t, "told", hook.subjects(), "books failed",
			"books has not succeeded yet, for 4 intervals of its schedule",
			"books has not succeeded yet, for 28 intervals of its schedule",
			"books has not succeeded yet, for 52 intervals of its schedule",
			"books is well again, after 60 failed runs since 2026-03-01 01:00 UTC")
	})
	t.Run("to those alone who ask for it", func(t *testing.T) {
		hook, d := hookedDesk(t, ", on: silence")
		books := d.job("books", "@hourly", "")
		d.tick()
		for range 6 {
			d.pass(time.Hour)
			d.ends(books, "no", 0)
		}
		same(t, "told", hook.subjects(), "books has not succeeded yet, for 4 intervals of its schedule")
	})
	for name, intervals := range map[string]int{"off": -1, "after more": 100} {
		t.Run(name, func(t *testing.T) {
			hook, d := hookedDesk(t, "")
			d.job("books", "@hourly", "")
			d.jobs[0].Silence = intervals
			d.pass(48 * time.Hour)
			same(t, "told", hook.subjects())
		})
	}
}

// TestNoSilence has jobs that nothing is to be heard of, for a while or for good.
func TestNoSilence(t *testing.T) {
	t.Run("paused, and begun again", func(t *testing.T) {
		hook, d := hookedDesk(t, "")
		d.job("books", "@hourly", "")
		d.jobs[0].Paused = true
		d.pass(24 * time.Hour)
		d.jobs[0].Paused = false
		d.pass(3 * time.Hour)
		same(t, "told", hook.subjects())
		d.pass(2 * time.Hour)
		same(t, "later", hook.subjects(), "books has not succeeded yet, for 4 intervals of its schedule")
	})
	t.Run("the machine was asleep", func(t *testing.T) {
		hook, d := hookedDesk(t, "")
		books := d.job("books", "@hourly", "")
		d.pass(time.Hour)
		run := d.crawl("books", &site{things: 3})
		d.ends(books, "", run)
		d.clock.Set(d.clock.Now().Add(24 * time.Hour))
		d.pass(10 * time.Minute)
		d.ends(books, "", run) // caught up
		d.pass(time.Hour)
		same(t, "told", hook.subjects())
	})
	t.Run("a run takes longer than the intervals", func(t *testing.T) {
		hook, d := hookedDesk(t, "")
		d.job("books", "@every 10m", "")
		d.tick()
		d.jobs[0].Began = d.clock.Now()
		d.pass(58 * time.Minute)
		same(t, "while it is on", hook.subjects())
		d.pass(time.Hour)
		same(t, "when it is too long", hook.subjects(), "books has not succeeded yet, for 6 intervals of its schedule")
	})
	t.Run("a schedule that has ended", func(t *testing.T) {
		hook, d := hookedDesk(t, "")
		d.job("books", "@daily", "")
		ending, err := schedule.New(schedule.Options{Cron: "@daily", Zone: time.UTC, End: start.Add(50 * time.Hour)}, "books")
		if err != nil {
			t.Fatal(err)
		}
		d.jobs[0].Schedule = ending
		d.pass(5 * 24 * time.Hour)
		same(t, "told", hook.subjects())
	})
	t.Run("a job that is taken away", func(t *testing.T) {
		hook, d := hookedDesk(t, "")
		d.job("books", "@hourly", "")
		d.pass(6 * time.Hour)
		hook.take()
		d.jobs = nil
		d.pass(time.Hour)
		if open, err := Problems(t.Context(), d.db, ""); err != nil || len(open) != 0 {
			t.Errorf("%+v, %v", open, err)
		}
	})
}

package alert

import (
	"strings"
	"testing"
	"time"

	"github.com/magpie-crawl/magpie/store"
)

// TestFailures tells of runs that failed.
func TestFailures(t *testing.T) {
	t.Run("told once, repeated by the day, and its end", func(t *testing.T) {
		hook, d := hookedDesk(t, "")
		books := d.job("books", "", "")
		for hour := range 30 {
			d.ends(books, "disk full", 0)
			if hour == 0 {
				same(t, "before the group is closed", hook.subjects())
			}
			d.pass(time.Hour)
		}
		run := d.crawl("books", &site{things: 3})
		d.ends(books, "", run)
		d.ends(books, "", run)
		d.pass(2 * 24 * time.Hour)
		same(t, "told", hook.subjects(), "books failed", "books failed 25 times since 2026-03-01 00:00 UTC",
			"books is well again, after 30 failed runs since 2026-03-01 00:00 UTC")
		d.ends(books, "again", 0)
		d.pass(time.Hour)
		all := hook.take()
		if len(all) != 1 || all[0].Subject != "books failed" || all[0].Text != "books failed: again\n  2026-03-04 06:00 UTC\n  https://magpie.example/jobs/books\n" {
			t.Errorf("a new failure: %+v", all)
		}
	})
	t.Run("over before it was told", func(t *testing.T) {
		hook, d := hookedDesk(t, "")
		books := d.job("books", "", "")
		d.ends(books, "disk full", 0)
		d.ends(books, "", d.crawl("books", &site{things: 3}))
		d.pass(time.Hour)
		same(t, "told", hook.subjects(), "1 job failed: books; 1 job is well again: books")
	})
	t.Run("nothing fetched", func(t *testing.T) {
		hook, d := hookedDesk(t, ", group: 0s")
		books := d.job("books", "", "")
		d.ends(books, "", d.crawl("books", &site{status: 500}))
		d.pass(time.Minute)
		all := hook.take()
		if len(all) != 1 || !strings.HasPrefix(all[0].Events[0].Detail, "nothing was fetched; 1 URL failed: http-500") || all[0].Events[0].URL != "https://magpie.example/jobs/books/runs/1" {
			t.Errorf("%+v", all)
		}
	})
	t.Run("an interrupted run is none", func(t *testing.T) {
		hook, d := hookedDesk(t, ", group: 0s")
		if err := d.RunEnded(t.Context(), d.job("books", "", ""), Outcome{Run: 1, Interrupted: true}); err != nil {
			t.Fatal(err)
		}
		d.pass(time.Minute)
		same(t, "told", hook.subjects())
	})
	t.Run("a run that is told of twice counts once", func(t *testing.T) {
		hook, d := hookedDesk(t, ", group: 0s, on: [failure, changes]")
		books := d.job("books", "", "")
		run := d.crawl("books", &site{things: 3})
		for range 2 {
			if err := d.RunEnded(t.Context(), books, Outcome{Due: 7, Run: run}); err != nil {
				t.Fatal(err)
			}
			d.reopen()
		}
		d.pass(time.Minute)
		same(t, "told", hook.subjects(), "books changed: 3 new, 0 changed, 0 gone")
	})
	t.Run("text of pages is harmless", func(t *testing.T) {
		hook, d := hookedDesk(t, ", group: 0s")
		d.ends(d.job("books", "", ""), "\x1b[31mred\r\nBcc: all\u202e"+strings.Repeat("x", 10000), 0)
		d.pass(time.Minute)
		m := hook.take()[0]
		if text := m.Events[0].Detail; !strings.HasPrefix(text, "␛[31mred  Bcc: all\uFFFDxxx") || len(text) > 1000 || strings.ContainsAny(m.Subject, "\r\n") {
			t.Errorf("%q", text)
		}
	})
}

// TestWhoIsTold has channels of jobs and of all.
func TestWhoIsTold(t *testing.T) {
	t.Run("whom a job tells", func(t *testing.T) {
		all, own := newReceiver(t), newReceiver(t)
		d := newDesk(t, hooked(all, ", group: 0s"))
		d.ends(d.job("books", "", ""), "no", 0)
		d.ends(d.job("lamps", "", `notify: {webhook: "`+own.URL+`", secret: "${HOOK_SECRET}", group: 0s}`), "no", 0)
		d.ends(d.job("tools", "", "notify: []"), "no", 0)
		d.pass(time.Minute)
		same(t, "settings", all.subjects(), "books failed")
		same(t, "of its own", own.subjects(), "lamps failed")
		open, err := Problems(t.Context(), d.db, "")
		if err != nil || len(open) != 3 {
			t.Errorf("%+v, %v", open, err)
		}
	})
	t.Run("what a channel asks for", func(t *testing.T) {
		hook, d := hookedDesk(t, ", group: 0s, on: drift")
		books := d.job("books", "", "")
		d.ends(books, "no", 0)
		d.ends(books, "", d.crawl("books", &site{things: 3}))
		d.pass(time.Hour)
		same(t, "told", hook.subjects())
	})
}

// TestWhenIsTold groups and repeats messages by the clock.
func TestWhenIsTold(t *testing.T) {
	t.Run("several jobs within the time of a group are one message", func(t *testing.T) {
		hook, d := hookedDesk(t, ", group: 10m")
		for _, name := range []string{"books", "lamps", "tools", "chairs", "pens"} {
			d.ends(d.job(name, "", ""), "no route to host", 0)
			d.pass(time.Minute)
		}
		d.pass(4 * time.Minute)
		same(t, "within it", hook.subjects())
		d.pass(time.Minute)
		same(t, "after it", hook.subjects(), "5 jobs failed: books, lamps and 3 others")
		d.pass(time.Hour)
		same(t, "later", hook.subjects())
	})
	t.Run("a channel with its own rhythm", func(t *testing.T) {
		hook, d := hookedDesk(t, ", group: 0s, repeat: 2h")
		books := d.job("books", "", "")
		for range 5 {
			d.ends(books, "no", 0)
			d.pass(time.Hour)
		}
		same(t, "told", hook.subjects(), "books failed", "books failed 3 times since 2026-03-01 00:00 UTC", "books failed 5 times since 2026-03-01 00:00 UTC")
	})
	t.Run("a clock that is set back and forth", func(t *testing.T) {
		hook, d := hookedDesk(t, "")
		books := d.job("books", "", "")
		d.ends(books, "no", 0)
		d.clock.Set(start.Add(-72 * time.Hour))
		d.pass(time.Hour)
		same(t, "a message of the future", hook.subjects(), "books failed")
		for range 5 {
			d.ends(books, "no", 0)
			d.pass(time.Hour)
		}
		same(t, "set back", hook.subjects())
		d.clock.Set(start.Add(time.Hour))
		d.ends(books, "no", 0)
		d.pass(time.Hour)
		same(t, "set right", hook.subjects(), "books failed 7 times since 2026-03-01 00:00 UTC")
	})
}

func TestDriftAndChanges(t *testing.T) {
	hook, d := hookedDesk(t, ", group: 0s, on: [drift, changes]")
	books, s := d.job("books", "", ""), &site{things: 20, price: true}
	step := func(what string, want ...string) {
		t.Helper()
		d.ends(books, "", d.crawl("books", s))
		d.pass(time.Minute)
		same(t, what, hook.subjects(), want...)
	}
	step("first run", "books changed: 20 new, 0 changed, 0 gone")
	step("nothing new")
	s.price = false
	step("a field is lost", "1 job drifted: books; 1 job changed: books")
	step("it is so still")
	s.things = 3
	d.ends(books, "", d.crawl("books", s))
	d.pass(time.Minute)
	all := hook.take()
	if len(all) != 1 || all[0].Kind != "drift" || all[0].Events[0].Count != 3 || len(all[0].Events[0].Drift) != 1 || all[0].Events[0].Drift[0].What != "thing" {
		t.Fatalf("records are lost besides: %+v", all)
	}
	if want := "books drifted: 1 figure, in 3 runs since 2026-03-01 00:02 UTC: thing: 3 records, usually 20"; all[0].Events[0].Text != want {
		t.Errorf("%s, want %s", all[0].Events[0].Text, want)
	}
	open, err := Problems(t.Context(), d.db, "books")
	if err != nil || len(open) != 1 || open[0].Kind != "drift" {
		t.Errorf("%+v, %v", open, err)
	}
	s.things, s.price = 20, true
	step("all is there", "books changed: 17 new, 3 changed, 0 gone")
	if open, err := Problems(t.Context(), d.db, "books"); err != nil || len(open) != 0 {
		t.Errorf("%+v, %v", open, err)
	}
}

// A process that is killed at any moment loses nothing that it was told of,
// and tells nothing twice.
func TestKilled(t *testing.T) {
	hook, d := hookedDesk(t, "")
	books, lamps := d.job("books", "", ""), d.job("lamps", "", "")
	var told []string
	for hour := range 60 {
		d.ends(books, "no", 0)
		d.reopen()
		if hour%10 == 0 {
			d.ends(lamps, "no", 0)
			d.reopen()
		}
		d.pass(5 * time.Minute)
		d.reopen()
		d.pass(55 * time.Minute)
		told = append(told, hook.subjects()...)
	}
	same(t, "told", told, "2 jobs failed: books, lamps",
		"books failed 25 times since 2026-03-01 00:00 UTC", "lamps failed 4 times since 2026-03-01 00:00 UTC",
		"books failed 49 times since 2026-03-01 00:00 UTC")
	all, err := d.db.AlertMessages(t.Context(), store.AlertSent, "", 100)
	if err != nil || len(all) != 4 {
		t.Errorf("%d messages, %v", len(all), err)
	}
}

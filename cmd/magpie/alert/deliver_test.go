package alert

import (
	"context"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/magpie-crawl/magpie/config/notify"
	"github.com/magpie-crawl/magpie/internal/steadytest"
	"github.com/magpie-crawl/magpie/store"
)

// TestTries sends messages that are not taken at once.
func TestTries(t *testing.T) {
	t.Run("again and again, the same message", func(t *testing.T) {
		hook, d := hookedDesk(t, ", group: 0s")
		hook.Answer(func(n int, w http.ResponseWriter) {
			if n < 6 {
				http.Error(w, "no such \x1b[31mhook", http.StatusNotFound)
			}
		})
		d.ends(d.job("books", "", ""), "no", 0)
		d.send()
		d.reopen()
		d.ends(d.job("lamps", "", ""), "no", 0) // joins no message that was on its way
		pending, err := d.pending()
		if err != nil || len(pending) != 2 || pending[1].Error != "it answered 404 Not Found: no such ␛[31mhook" || pending[1].Jobs[0] != "books" {
			t.Errorf("%+v, %v", pending, err)
		}
		d.pass(3 * time.Hour)
		all := hook.take()
		ids := map[string]map[string]bool{}
		for _, m := range all {
			if ids[m.Subject] == nil {
				ids[m.Subject] = map[string]bool{}
			}
			ids[m.Subject][m.id+m.body] = true
		}
		if len(ids) != 2 || len(ids["books failed"]) != 1 || len(ids["lamps failed"]) != 1 {
			t.Errorf("%v", ids)
		}
		if pending, err := d.pending(); err != nil || len(pending) != 0 {
			t.Errorf("%+v, %v", pending, err)
		}
	})
	t.Run("backoff", func(t *testing.T) {
		hook, d := hookedDesk(t, ", group: 0s")
		var at []string
		hook.Answer(func(n int, w http.ResponseWriter) {
			at = append(at, d.clock.Now().Sub(start).Truncate(time.Minute).String())
			if n == 2 {
				w.Header().Set("Retry-After", "600")
			}
			w.WriteHeader(http.StatusBadGateway)
		})
		d.ends(d.job("books", "", ""), "no", 0)
		d.send()
		d.pass(5 * time.Hour)
		same(t, "tries", at, "0s", "1m0s", "11m0s", "13m0s", "17m0s", "25m0s", "41m0s", "1h13m0s", "2h13m0s", "3h13m0s", "4h13m0s")
		hook.take()
		d.clock.Advance(7 * 24 * time.Hour)
		d.send()
		d.pass(2 * time.Hour)
		if n := len(hook.take()); n != 1 {
			t.Errorf("%d tries after a week", n)
		}
		pending, err := d.pending()
		if err != nil || len(pending) != 1 || pending[0].State != store.AlertDropped || pending[0].Tries != 12 || pending[0].Error != "it answered 502 Bad Gateway" {
			t.Errorf("%+v, %v", pending, err)
		}
		d.pass(24 * time.Hour)
		d.clock.Advance(30 * 24 * time.Hour)
		d.tick()
		if all, err := d.db.AlertMessages(t.Context(), "", "", 10); err != nil || len(all) != 0 {
			t.Errorf("after a month: %+v, %v", all, err)
		}
	})
	t.Run("gone for good", func(t *testing.T) {
		hook := newReceiver(t)
		hook.Answer(func(_ int, w http.ResponseWriter) { w.WriteHeader(http.StatusGone) })
		d := newDesk(t, hooked(hook, ", group: 0s"))
		d.ends(d.job("books", "", ""), "no", 0)
		d.pass(2 * time.Hour)
		if n := len(hook.take()); n != 1 {
			t.Errorf("%d tries", n)
		}
	})
}

// TestWaysThatFail has ways that are taken away, or hang.
func TestWaysThatFail(t *testing.T) {
	t.Run("a way that nothing names any more", func(t *testing.T) {
		hook := newReceiver(t)
		d := newDesk(t, "")
		d.ends(d.job("books", "", `notify: {webhook: "`+hook.URL+`", secret: "${HOOK_SECRET}"}`), "no", 0)
		d.reopen()
		jobs := d.jobs
		d.jobs = nil
		d.pass(time.Hour)
		if pending, err := d.pending(); err != nil || len(pending) != 1 || !strings.Contains(pending[0].Error, "any more") {
			t.Errorf("%+v, %v", pending, err)
		}
		d.jobs = jobs
		d.pass(2 * time.Hour)
		same(t, "told when it is named again", hook.subjects(), "books failed")
	})
	t.Run("one that hangs holds up no other", func(t *testing.T) {
		slow, hook := newReceiver(t), newReceiver(t)
		release := make(chan bool)
		slow.Answer(func(int, http.ResponseWriter) { <-release })
		d := newDesk(t, `notify: [{webhook: "`+slow.URL+`", secret: "${HOOK_SECRET}", group: 0s}, {webhook: "`+hook.URL+`", secret: "${HOOK_SECRET}", group: 0s}]`)
		running(t, d)
		d.ends(d.job("books", "", ""), "no", 0)
		steadytest.Await(t, "the first", func() bool { return slow.Count() == 1 && hook.Count() == 1 })
		d.ends(d.job("lamps", "", ""), "no", 0)
		steadytest.Await(t, "the second", func() bool { return hook.Count() == 2 })
		if slow.Count() != 1 {
			t.Errorf("%d", slow.Count())
		}
		close(release)
		steadytest.Await(t, "what waited", func() bool { return slow.Count() == 2 })
	})
}

// TestRun holds that messages are sent when they are due, by the clock, and
// that what was on its way when the process ended is sent again.
func TestRun(t *testing.T) {
	hook, d := hookedDesk(t, ", group: 10m")
	stop := running(t, d)
	d.ends(d.job("books", "", ""), "no", 0)
	for range 9 {
		d.clock.Advance(time.Minute)
		time.Sleep(time.Millisecond)
	}
	if hook.Count() != 0 {
		t.Fatal("too early")
	}
	came, release := make(chan bool), make(chan bool)
	hook.Answer(func(n int, w http.ResponseWriter) {
		if n == 1 {
			close(came)
			<-release
		}
	})
	d.clock.BlockUntil(1)
	d.clock.Advance(time.Minute)
	<-came
	stop()
	close(release)
	first := hook.take()
	d.reopen()
	running(t, d)
	steadytest.Await(t, "the second try", func() bool { return hook.Count() == 2 })
	if second := hook.take(); len(first) != 1 || len(second) != 1 || first[0].id != second[0].id || first[0].body != second[0].body {
		t.Errorf("%+v, then %+v", first, second)
	}
	steadytest.Await(t, "the end", func() bool {
		due, err := d.db.DueAlertMessages(t.Context())
		return err == nil && len(due) == 0
	})
}

// running runs an alerter until stop is called, or the test has ended.
func running(t *testing.T, d *desk) (stop func()) {
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error)
	run := d.Alerter.Run
	go func() { done <- run(ctx) }()
	stopped := false
	stop = func() {
		if stopped {
			return
		}
		stopped = true
		cancel()
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
	t.Cleanup(stop)
	return stop
}

// A message tells of many events, and of how many it does not.
func TestManyEvents(t *testing.T) {
	hook, d := hookedDesk(t, "")
	for i := range maxEvents + 50 {
		d.ends(Job{Name: "job " + string(rune('a'+i%26)) + strings.Repeat("x", i/26)}, "no network", 0)
	}
	d.pass(time.Hour)
	all := hook.take()
	if len(all) != 1 || len(all[0].Events) != maxEvents || all[0].More != 50 || all[0].Subject != "200 jobs failed: job a, job b and 198 others; and 50 more" {
		t.Errorf("%d messages, %+v", len(all), all[0].Subject)
	}
}

func TestTrial(t *testing.T) {
	hook, d := hookedDesk(t, "")
	channel := d.settings.Load().Notify[0]
	if err := d.Trial(t.Context(), channel); err != nil {
		t.Fatal(err)
	}
	m := hook.take()[0]
	if !m.Trial || !strings.HasPrefix(m.Text, "A trial message") || m.Subject == "" || len(m.Events) != 1 {
		t.Errorf("%+v", m)
	}
	hook.Answer(func(_ int, w http.ResponseWriter) { http.Error(w, "\x1b[2Jno", http.StatusForbidden) })
	if err := d.Trial(t.Context(), channel); err == nil || err.Error() != "it answered 403 Forbidden: ␛[2Jno" {
		t.Errorf("%v", err)
	}
	if err := d.Trial(t.Context(), notify.Channel{Email: "a@example.com", Timeout: time.Second}); err == nil || !strings.Contains(err.Error(), "smtp") {
		t.Errorf("%v", err)
	}
}

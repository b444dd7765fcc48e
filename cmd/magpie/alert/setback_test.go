package alert

import (
	"net/http"
	"sync"
	"testing"
	"time"

	"github.com/magpie-crawl/magpie/internal/steadytest"
)

// TestClockSetBack holds that a clock that is set back neither keeps messages
// for as long as that, nor has them sent without a pause.
func TestClockSetBack(t *testing.T) {
	const day = 24 * time.Hour
	t.Run("while a message waits for others", func(t *testing.T) {
		hook, d := hookedDesk(t, ", group: 10m")
		d.ends(d.job("books", "", ""), "no", 0)
		running(t, d)
		d.clock.BlockUntil(1) // it has seen when the message is due
		d.clock.Set(start.Add(-day))
		d.clock.Advance(time.Second)
		steadytest.Await(t, "the message", func() bool { return hook.Count() == 1 })
	})
	t.Run("while a channel takes nothing", func(t *testing.T) {
		hook := newReceiver(t)
		hook.Answer(func(_ int, w http.ResponseWriter) { w.WriteHeader(http.StatusBadGateway) })
		d := newDesk(t, hooked(hook, ", group: 0s"))
		d.ends(d.job("books", "", ""), "no", 0)
		d.clock.Set(start.Add(-day))
		for range 5 {
			d.once()
		}
		if n := len(hook.take()); n != 1 {
			t.Errorf("%d tries at one moment", n)
		}
		d.pass(2 * time.Minute)
		if n := len(hook.take()); n != 2 {
			t.Errorf("%d tries in two minutes", n)
		}
	})
	t.Run("between two tries", func(t *testing.T) {
		hook := newReceiver(t)
		hook.Answer(func(n int, w http.ResponseWriter) {
			if n == 1 {
				w.WriteHeader(http.StatusBadGateway)
			}
		})
		d := newDesk(t, hooked(hook, ", group: 0s"))
		d.ends(d.job("books", "", ""), "no", 0)
		d.once()
		d.clock.Set(start.Add(-day))
		d.pass(time.Minute)
		same(t, "told", hook.subjects(), "books failed", "books failed")
	})
	t.Run("after a success", func(t *testing.T) {
		hook, d := hookedDesk(t, "")
		books := d.job("books", "@hourly", "")
		run := d.crawl("books", &site{things: 3})
		d.tick()
		d.clock.Set(start.Add(365 * day))
		d.tick()
		d.ends(books, "", run)
		d.clock.Set(start.Add(time.Minute))
		d.pass(6 * time.Hour)
		if got := hook.subjects(); len(got) != 1 {
			t.Errorf("of a job that has not succeeded for hours is told %q", got)
		}
	})
}

// once sends what is due now, in one try each.
func (d *desk) once() {
	d.t.Helper()
	ctx := d.t.Context()
	sending := &sync.WaitGroup{}
	if _, err := d.round(ctx, sending); err != nil {
		d.t.Fatal(err)
	}
	sending.Wait()
}

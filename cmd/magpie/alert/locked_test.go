package alert

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"log/slog"
	"testing"
	"time"

	"github.com/magpie-crawl/magpie/store"
)

// TestLocked holds that nothing is lost which could not be stored when it
// happened, as another program had locked the database.
func TestLocked(t *testing.T) {
	t.Run("a failure", func(t *testing.T) {
		hook, d := hookedDesk(t, ", group: 0s")
		books, unlock := d.job("books", "", ""), d.lock()
		if d.RunEnded(t.Context(), books, Outcome{Err: errors.New("no")}) == nil || d.Tick(t.Context(), d.jobs) == nil {
			t.Fatal("it was stored")
		}
		unlock()
		d.pass(2 * time.Minute)
		same(t, "told", hook.subjects(), "books failed")
	})
	t.Run("the end of silence", func(t *testing.T) {
		hook, d := hookedDesk(t, ", group: 0s")
		books := d.job("books", "@hourly", "")
		d.tick()
		d.pass(5 * time.Hour)
		same(t, "told", hook.subjects(), "books has not succeeded yet, for 4 intervals of its schedule")
		d.crawl(books.Name, &site{things: 3}) // by hand, by the machine's clock
		d.clock.Set(time.Now().Add(time.Minute))
		d.watch.since = start // as if it had come there by and by
		d.watch.last = d.clock.Now()
		unlock := d.lock()
		if d.Tick(t.Context(), d.jobs) == nil {
			t.Fatal("it was stored")
		}
		unlock()
		d.watch.since = start
		d.pass(time.Minute)
		if got := hook.subjects(); len(got) != 1 {
			t.Errorf("of the end is told %q", got)
		}
		if open, err := d.db.Alerts(t.Context(), ""); err != nil || len(open) != 0 {
			t.Errorf("open: %+v, %v", open, err)
		}
	})
}

// lock has another program write to the database until unlock is called; the
// alerter waits for a moment only.
func (d *desk) lock() (unlock func()) {
	d.t.Helper()
	if err := d.db.Close(); err != nil {
		d.t.Fatal(err)
	}
	db, err := store.Open(d.path, store.Options{BusyTimeout: time.Millisecond})
	if err != nil {
		d.t.Fatal(err)
	}
	d.db, d.Alerter.db = db, db
	other, err := sql.Open("sqlite3", "file:"+d.path+"?_txlock=immediate&_busy_timeout=30000")
	if err != nil {
		d.t.Fatal(err)
	}
	tx, err := other.Begin()
	if err != nil {
		d.t.Fatal(err)
	}
	return func() {
		if err := tx.Rollback(); err != nil {
			d.t.Fatal(err)
		}
		other.Close()
	}
}

// TestTakenAtTheEnd holds that a message which was taken while the process was
// being stopped is not sent again by the next.
func TestTakenAtTheEnd(t *testing.T) {
	hook, d := hookedDesk(t, ", group: 0s")
	ctx, stop := context.WithCancel(t.Context())
	d.ends(d.job("books", "", ""), "no", 0)
	due, err := d.db.DueAlertMessages(ctx)
	if err != nil || len(due) != 1 {
		t.Fatalf("%v, %v", due, err)
	}
	d.log = slog.New(slog.NewTextHandler(onWrite(func(line []byte) {
		if bytes.Contains(line, []byte("message sent")) {
			stop()
		}
	}), nil))
	d.Alerter.send(ctx, due[0])
	if hook.Count() != 1 || ctx.Err() == nil {
		t.Fatalf("%d tries, %v", hook.Count(), ctx.Err())
	}
	if due, err := d.db.DueAlertMessages(t.Context()); err != nil || len(due) != 0 {
		t.Errorf("to be sent again: %+v, %v", due, err)
	}
}

// onWrite is called with what is written.
type onWrite func([]byte)

func (f onWrite) Write(p []byte) (int, error) {
	f(p)
	return len(p), nil
}

package daemon

import (
	"context"
	"errors"
	"log/slog"
	"os"
	"testing"
	"time"

	"github.com/magpie-crawl/magpie/internal/clock"
	"github.com/magpie-crawl/magpie/internal/steadytest"
	"github.com/magpie-crawl/magpie/store"
)

// TestDatabaseTakenAway deletes the database under a daemon, which must not go
// on as if what it does were kept.
func TestDatabaseTakenAway(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.job("a", everyMinute)
	db, err := store.Open(w.path, store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	d, err := New(Options{Dir: w.dir, DB: db, Clock: w.sim, Log: slog.New(slog.NewTextHandler(testWriter{t}, nil))})
	if err != nil {
		t.Fatal(err)
	}
	if err := d.Begin(t.Context()); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), steadytest.Patience)
	defer cancel()
	ended := make(chan error, 1)
	go func() { ended <- d.Run(ctx) }()
	if err := os.Remove(w.path); err != nil {
		t.Skip("an open file cannot be taken away here:", err)
	}
	for {
		select {
		case err := <-ended:
			if !errors.Is(err, store.ErrMoved) || ctx.Err() != nil {
				t.Errorf("Run: %v, want ErrMoved", err)
			}
			return
		case <-time.After(time.Millisecond):
			w.sim.Advance(clock.Nap) // until something is due
		}
	}
}

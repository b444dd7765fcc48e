package daemon

import (
	"context"
	"errors"
	"log/slog"
	"path/filepath"
	"sync"
	"time"

	"github.com/magpie-crawl/magpie/internal/clock"
)

// How often what is looked at.
const (
	renewEvery = 20 * time.Second // the hold is renewed
	postEvery  = time.Minute      // messages that could not be sent are looked at
)

// Begin takes the schedules of the database, as Run does: it returns a
// *store.DaemonHeldError while another daemon has them.
func (d *Daemon) Begin(ctx context.Context) error {
	d.change.Lock()
	defer d.change.Unlock()
	return d.take(ctx)
}

// Run runs jobs as they are due until ctx is done, and then stops softly: runs
// finish what is in flight, at once after Options.StopWithin or Abort, and are
// resumed by the next Run on the database. The error says why it could not
// begin, or go on.
func (d *Daemon) Run(ctx context.Context) error {
	if err := d.Begin(ctx); err != nil {
		return err
	}
	sweepSaves(d.o.Dir)
	d.change.Lock()
	d.open = true
	d.dispatch()
	d.change.Unlock()

	helpers, end := context.WithCancel(ctx)
	var group sync.WaitGroup
	group.Go(func() { d.renew(helpers) })
	group.Go(func() { d.watch(helpers) })
	group.Go(func() { d.post(helpers) })
	group.Go(func() { d.forget(helpers) })
	err := d.loop(ctx)
	d.stopAll()
	end()
	group.Wait()
	d.change.Lock()
	defer d.change.Unlock()
	if d.lost == nil {
		err = errors.Join(err, d.hold.Renew(context.Background(), d.clock.Now()))
	}
	err = errors.Join(err, d.hold.Close())
	d.hold, d.lost = nil, errStopped
	return err
}

var errStopped = errors.New("the daemon was stopped")

// Stopping tells whether Run has begun to stop, or has stopped: no run begins
// any more.
func (d *Daemon) Stopping() bool { return d.ending.Load() }

// Abort ends all runs at once. They can be resumed.
func (d *Daemon) Abort() { d.abort() }

// Rescan looks for changes of the folder now.
func (d *Daemon) Rescan() { d.rescan(nil) }

// rescan takes up what has changed in the folder.
func (d *Daemon) rescan(dirty map[string]bool) {
	d.lookAtSettings(dirty)
	d.reading.Lock()
	defer d.reading.Unlock()
	err := d.scan(dirty)
	if err == nil {
		d.folder.failure.over()
		return
	}
	d.folder.failure.log(d.log, "the folder could not be looked at: the jobs stay as they were", err)
}

// loop follows the schedules. It naps for half a second at most and reads the
// clock anew after each nap: a clock that jumps, or a machine that slept, is
// noticed within that, and nothing waits for a time that is never shown.
func (d *Daemon) loop(ctx context.Context) error {
	for {
		d.followSchedules(ctx)
		nap, err := d.nap()
		if err != nil {
			return err
		}
		select {
		case <-ctx.Done():
			return nil
		case <-d.wake:
		case <-d.clock.After(nap):
		}
	}
}

// nap is how long the loop may look away.
func (d *Daemon) nap() (time.Duration, error) {
	d.change.Lock()
	defer d.change.Unlock()
	nap, now := clock.Nap, d.clock.Now()
	if d.followed.text != "" {
		return nap, d.lost
	}
	for _, j := range d.jobs {
		if j.adopted && !j.next.At.IsZero() {
			nap = min(nap, max(time.Millisecond, j.next.At.Sub(now)))
		}
	}
	return nap, d.lost
}

// renew keeps the hold on the database's schedules.
func (d *Daemon) renew(ctx context.Context) {
	var trouble failure
	for wait(ctx, renewEvery) {
		d.change.Lock()
		err := d.lose(d.hold.Renew(ctx, d.clock.Now()))
		d.change.Unlock()
		if err == nil {
			trouble.over()
		} else if ctx.Err() == nil {
			trouble.log(d.log, "the daemon could not give a sign of life", err)
		}
	}
}

// stopAll stops the runs, softly as long as there is time for that.
func (d *Daemon) stopAll() {
	d.change.Lock()
	d.open = false
	d.ending.Store(true)
	d.update(func() {
		for _, j := range d.jobs {
			if j.current != nil {
				j.current.halt(stoppedShutdown)
			}
		}
	})
	if d.going > 0 {
		d.log.Info("stopping: runs finish what is in flight", "runs", d.going, "within", d.o.StopWithin.String())
	}
	d.change.Unlock()
	deadline := time.AfterFunc(d.o.StopWithin, func() {
		d.log.Warn("runs took too long to stop and are ended at once; they are resumed")
		d.abort()
	})
	defer deadline.Stop()
	d.runs.Wait()
}

// wait returns true after a time, false once ctx is done.
func wait(ctx context.Context, t time.Duration) bool {
	select {
	case <-ctx.Done():
		return false
	case <-time.After(t):
		return true
	}
}

// failure keeps a failure that goes on from being logged each time.
type failure struct {
	text string
	at   time.Time
}

func (f *failure) log(log *slog.Logger, message string, err error) {
	if err.Error() != f.text || time.Since(f.at) > time.Minute {
		f.text, f.at = err.Error(), time.Now()
		log.Error(message, "error", err)
	}
}

func (f *failure) over() { f.text = "" }

func absolute(dir string) string {
	if abs, err := filepath.Abs(dir); err == nil {
		return abs
	}
	return dir
}

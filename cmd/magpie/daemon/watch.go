package daemon

import (
	"context"
	"path/filepath"
	"time"

	"github.com/fsnotify/fsnotify"
)

// When the folder is looked at.
const (
	settleTime  = 200 * time.Millisecond // after the last event: editors write in several steps
	settleMost  = 2 * time.Second        // after the first, whatever follows
	rescanEvery = 30 * time.Second       // some file systems tell of nothing
)

// watch takes up changes of the folder.
func (d *Daemon) watch(ctx context.Context) {
	var events chan fsnotify.Event
	var errs chan error
	watcher, err := fsnotify.NewWatcher()
	if err != nil {
		d.log.Warn("the folder cannot be watched: it is looked at every "+rescanEvery.String(), "error", err)
	} else {
		defer watcher.Close()
		events, errs = watcher.Events, watcher.Errors
	}
	d.keepWatch(watcher)
	dirty := map[string]bool{}
	var first time.Time // of the events that were not looked at
	timer := time.NewTimer(0)
	defer timer.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case e, open := <-events:
			if !open {
				events = nil
				continue
			}
			dirty[filepath.Base(e.Name)] = true
			if first.IsZero() {
				first = time.Now()
			}
			timer.Reset(min(settleTime, max(0, time.Until(first.Add(settleMost)))))
		case _, open := <-errs: // such as too many events: look at everything
			if !open {
				errs = nil
			}
			timer.Reset(settleTime)
		case <-timer.C:
			d.rescan(dirty)
			clear(dirty)
			first = time.Time{}
			d.keepWatch(watcher)
			timer.Reset(rescanEvery)
		}
	}
}

// keepWatch watches the folder, also one that was put in its place.
func (d *Daemon) keepWatch(watcher *fsnotify.Watcher) {
	if watcher == nil || len(watcher.WatchList()) > 0 {
		return
	}
	watcher.Add(d.o.Dir) // what cannot be watched is looked at now and then
}

package daemon

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
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
	w := watched{dir: d.o.Dir}
	var err error
	if w.Watcher, err = fsnotify.NewWatcher(); err == nil {
		defer w.Close()
		events, errs = w.Events, w.Errors
		err = w.keep()
	}
	if err != nil {
		d.log.Warn("the folder cannot be watched: it is looked at every "+rescanEvery.String(), "error", err)
	}
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
			if !concerns(e) {
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
			w.keep() // what cannot be watched is looked at now and then
			timer.Reset(rescanEvery)
		}
	}
}

// concerns tells events apart that may be about jobs or settings from those of
// a database, of exports and of logs in the same folder, which come all the
// time. Links to job files change when another name is moved: one that is only
// written to is no link.
func concerns(e fsnotify.Event) bool {
	name := filepath.Base(e.Name)
	return e.Op&^(fsnotify.Write|fsnotify.Chmod) != 0 || IsJobFile(name) || slices.Contains(Settings, name)
}

// watched is a folder that is watched, if there is a Watcher.
type watched struct {
	*fsnotify.Watcher
	dir string
	is  fs.FileInfo // of what is watched
}

// keep watches the folder, also another that was put in its place: by a link
// that leads elsewhere now, or a file system that was mounted on it.
func (w *watched) keep() error {
	if w.Watcher == nil {
		return nil
	}
	is, err := os.Stat(w.dir)
	if err != nil {
		return err
	}
	if len(w.WatchList()) > 0 {
		if os.SameFile(w.is, is) {
			return nil
		}
		if err := w.Remove(w.dir); err != nil && !errors.Is(err, fsnotify.ErrNonExistentWatch) {
			return err
		}
	}
	w.is = is
	return w.Add(w.dir)
}

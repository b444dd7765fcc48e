package daemon

import (
	"cmp"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/magpie-crawl/magpie/config"
)

// SettingsState is how the daemon's settings stand, which are watched as job
// files are.
type SettingsState struct {
	File    string        // name within the folder; "": there is none
	InUse   *config.Serve // never nil
	Since   time.Time     // when InUse was taken up; zero: the daemon began with it
	Fault   string        // why the file as it is now is refused: InUse stays; "": it is in use
	Restart []string      // keys of which the file says something else by now than is in use until the daemon is started again
}

// settings is what was read of the daemon's settings.
type settings struct {
	looking sync.Mutex    // held while they are read
	stamp   stamp         // of the file that was read last; zero: there was none
	looked  bool          // they were looked at
	state   SettingsState // guarded by Daemon.mu
}

// Settings returns how the daemon's settings stand.
func (d *Daemon) Settings() SettingsState {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.settings.state
}

// SetLimits changes how many runs go on at a time, and how long they may take
// to stop softly; 0 is the default of Options. No run that goes on is ended.
func (d *Daemon) SetLimits(concurrency int, stopWithin time.Duration) {
	d.change.Lock()
	defer d.change.Unlock()
	d.o.Concurrency = cmp.Or(max(0, concurrency), DefaultConcurrency)
	d.o.StopWithin = cmp.Or(max(0, stopWithin), DefaultStopWithin)
	d.dispatch()
}

// lookAtSettings takes up the daemon's settings if they have changed, or
// refuses them. change must not be held: Options.TakeUp may ask for it.
func (d *Daemon) lookAtSettings(dirty map[string]bool) {
	s := &d.settings
	s.looking.Lock()
	defer s.looking.Unlock()
	name, info := d.settingsFile()
	now := stamp{}
	if info != nil {
		now = stampOf(info)
	}
	first := !s.looked
	if !first && !dirty[name] && (now.same(s.stamp) || info == nil && s.stamp.info == nil) {
		return
	}
	s.looked, s.stamp = true, now
	d.readSettings(name, first)
}

// readSettings takes up the settings that a file has, or refuses them; "":
// there is none.
func (d *Daemon) readSettings(name string, first bool) {
	read, err := &config.Serve{}, error(nil)
	if name != "" {
		read, err = loadSettings(filepath.Join(d.o.Dir, name))
	}
	var mistakes config.Mistakes
	if err != nil && !errors.As(err, &mistakes) {
		d.settings.stamp = stamp{} // it may be readable the next time, and look the same
	}
	switch {
	case errors.Is(err, fs.ErrNotExist): // it was taken away just now
		name, read = "", &config.Serve{}
	case err != nil:
		d.refuseSettings(name, err)
		return
	}
	d.takeUpSettings(name, read, first)
}

// settingsFile finds the file of settings; info is nil where there is none.
func (d *Daemon) settingsFile() (name string, info fs.FileInfo) {
	for _, name := range Settings {
		if info, err := os.Stat(filepath.Join(d.o.Dir, name)); err == nil && info.Mode().IsRegular() {
			return name, info
		}
	}
	return "", nil
}

func loadSettings(path string) (*config.Serve, error) {
	source, err := readSource(path)
	if err != nil {
		return nil, err
	}
	return config.ParseServe(path, source)
}

// refuseSettings leaves the settings as they were.
func (d *Daemon) refuseSettings(name string, err error) {
	news := false
	d.updateLater(func() {
		state := &d.settings.state
		news = state.Fault != err.Error()
		state.File, state.Fault = name, err.Error()
	})
	if news {
		d.log.Error("settings refused: they stay as they were", "file", name, "mistakes", err)
	}
}

// takeUpSettings uses other settings. What was there when the daemon began is
// known already and is not told of.
func (d *Daemon) takeUpSettings(name string, read *config.Serve, first bool) {
	var restart []string
	if d.o.TakeUp != nil {
		restart = d.o.TakeUp(read)
	}
	d.updateLater(func() {
		since := d.clock.Now()
		if first {
			since = time.Time{}
		}
		d.settings.state = SettingsState{File: name, InUse: read, Since: since, Restart: restart}
	})
	if !first {
		d.log.Info("settings taken up", "file", name, "ways", len(read.Notify))
	}
	if len(restart) > 0 {
		d.log.Warn("some settings change when magpie serve is started again", "file", name, "keys", strings.Join(restart, ", "))
	}
}

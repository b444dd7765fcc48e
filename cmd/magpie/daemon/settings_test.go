package daemon

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/magpie-crawl/magpie/config"
)

// serve.yaml is watched as job files are: taken up, or refused with its place
// while the settings stay.
func TestSettingsAreWatched(t *testing.T) {
	w := newWorld(t)
	var mu sync.Mutex
	var taken []int // runs at a time
	w.start(func(o *Options) {
		o.TakeUp = func(s *config.Serve) []string {
			mu.Lock()
			defer mu.Unlock()
			taken = append(taken, s.Concurrency)
			w.d.SetLimits(s.Concurrency, s.StopWithin) // it may be asked
			if s.Listen != "" {
				return []string{"listen"}
			}
			return nil
		}
	})
	is := func(what string, ok func(SettingsState) bool) {
		t.Helper()
		w.until(func() bool { return ok(w.d.Settings()) }, func() string { return fmt.Sprintf("%s: %+v", what, w.d.Settings()) })
	}
	w.until(func() bool {
		w.d.settings.looking.Lock()
		defer w.d.settings.looking.Unlock()
		return w.d.settings.looked
	}, func() string { return "nobody looks at the settings" })
	for _, step := range []struct {
		name string
		do   func()
		ok   func(SettingsState) bool
	}{
		{"none", func() {}, func(s SettingsState) bool { return s.File == "" && s.InUse.Concurrency == 0 && s.Since.IsZero() }},
		{"written", func() { w.write("serve.yaml", "concurrency: 7\n") },
			func(s SettingsState) bool {
				return s.File == "serve.yaml" && s.InUse.Concurrency == 7 && s.Since.Equal(noon)
			}},
		{"with a mistake", func() { w.write("serve.yaml", "concurrency: 3\nlissen: here\n") },
			func(s SettingsState) bool {
				return strings.Contains(s.Fault, "serve.yaml:2:1: ") && strings.Contains(s.Fault, "did you mean listen") && s.InUse.Concurrency == 7
			}},
		{"with another", func() { w.write("serve.yaml", "concurrency: 0\n") },
			func(s SettingsState) bool {
				return strings.Contains(s.Fault, "serve.yaml:1:14: ") && s.InUse.Concurrency == 7
			}},
		{"mended", func() { w.write("serve.yaml", "concurrency: 3\nlisten: 127.0.0.1:1\n") },
			func(s SettingsState) bool {
				return s.Fault == "" && s.InUse.Concurrency == 3 && len(s.Restart) == 1 && s.Restart[0] == "listen"
			}},
		{"put in its place", func() {
			w.write(".new", "concurrency: 9\n")
			if err := os.Rename(filepath.Join(w.dir, ".new"), filepath.Join(w.dir, "serve.yaml")); err != nil {
				t.Fatal(err)
			}
		}, func(s SettingsState) bool { return s.InUse.Concurrency == 9 && s.Restart == nil }},
		{"a hangup", func() { w.d.Rescan() }, func(s SettingsState) bool { return s.InUse.Concurrency == 9 }},
		{"taken away", func() {
			if err := os.Remove(filepath.Join(w.dir, "serve.yaml")); err != nil {
				t.Fatal(err)
			}
		}, func(s SettingsState) bool { return s.File == "" && s.InUse.Concurrency == 0 }},
		{"a folder in its place", func() {
			if err := os.Mkdir(filepath.Join(w.dir, "serve.yaml"), 0o755); err != nil {
				t.Fatal(err)
			}
			w.d.Rescan()
		}, func(s SettingsState) bool { return s.File == "" && s.Fault == "" }},
	} {
		step.do()
		is(step.name, step.ok)
	}
	mu.Lock()
	defer mu.Unlock()
	// What was written in two steps may have been read in two.
	if last := taken[len(taken)-1]; taken[0] != 0 || last != 0 {
		t.Errorf("taken up: %v", taken)
	}
}

// More runs may go on as soon as the settings allow them.
func TestLimitsWhileRunning(t *testing.T) {
	w := newWorld(t)
	w.job("a", "")
	w.job("b", "")
	w.site.shut()
	w.start(func(o *Options) { o.Concurrency = 1 })
	for _, name := range []string{"a", "b"} {
		w.startJob(name, Start{})
	}
	w.crawling("a")
	w.state("b", Queued)
	w.d.SetLimits(2, 0)
	w.state("b", Running)
	w.d.SetLimits(1, 0) // ends nothing
	w.state("a", Running)
	w.state("b", Running)
	w.site.open()
	w.state("a", Idle)
	w.state("b", Idle)
}

// TestSettingsAwayForAMoment has the settings be away between the look at them
// and the reading, and be the same as before afterwards.
func TestSettingsAwayForAMoment(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "serve.yaml")
	if err := os.WriteFile(path, []byte("concurrency: 7\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	d, err := New(Options{Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	d.lookAtSettings(nil)
	if err := os.Rename(path, path+"~"); err != nil {
		t.Fatal(err)
	}
	if d.readSettings("serve.yaml", false); d.Settings().InUse.Concurrency != 0 {
		t.Fatal("what is not there was read")
	}
	if err := os.Rename(path+"~", path); err != nil {
		t.Fatal(err)
	}
	if d.lookAtSettings(nil); d.Settings().InUse.Concurrency != 7 {
		t.Errorf("they are %+v", d.Settings())
	}
}

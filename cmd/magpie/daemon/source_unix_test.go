//go:build unix

package daemon

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/magpie-crawl/magpie/config"
	"github.com/magpie-crawl/magpie/internal/steadytest"
)

// TestSource reads what is no job file: it must neither wait nor fill the
// memory.
func TestSource(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.job("a", "")
	w.start()
	for name, put := range map[string]func(path string) error{
		"a pipe":                  func(path string) error { return syscall.Mkfifo(path, 0o600) },
		"a device without end":    func(path string) error { return os.Symlink("/dev/zero", path) },
		"a folder":                func(path string) error { return os.Mkdir(path, 0o700) },
		"a link that leads round": func(path string) error { return os.Symlink(path, path) },
		"nothing":                 func(string) error { return nil },
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(w.dir, "x.yaml")
			if err := put(path); err != nil {
				t.Fatal(err)
			}
			defer os.Remove(path)
			hangs := time.AfterFunc(steadytest.Patience, func() { panic("it waits for " + name) })
			defer hangs.Stop()
			if text, err := w.d.Source("x.yaml"); err == nil || len(text) > 0 {
				t.Errorf("%d bytes, %v", len(text), err)
			} else if _, is := errors.AsType[*fs.PathError](err); !is && !errors.Is(err, fs.ErrNotExist) {
				t.Error(err)
			}
			w.d.Rescan()
			if j, ok := w.d.Job("a"); !ok || j.Fault != "" {
				t.Errorf("a is %+v", j)
			}
		})
	}
	t.Run("a file that is too long", func(t *testing.T) {
		path := filepath.Join(w.dir, "x.yaml")
		if err := os.WriteFile(path, nil, 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Truncate(path, 1<<30); err != nil {
			t.Fatal(err)
		}
		defer os.Remove(path)
		if text, err := w.d.Source("x.yaml"); err != nil || len(text) != config.MaxSource+1 {
			t.Errorf("%d bytes, %v", len(text), err)
		}
	})
}

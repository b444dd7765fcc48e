package daemon

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/magpie-crawl/magpie/config"
)

func TestReplace(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.job("a", "")
	w.start()
	first, err := w.d.Source("a.yaml")
	if err != nil {
		t.Fatal(err)
	}
	second := []byte(strings.Replace(string(first), "per_host: 1", "per_host: 2", 1))
	var mistakes config.Mistakes
	for _, tt := range []struct {
		name, file, version string
		source              []byte
		want                error
	}{
		{"as it was read", "a.yaml", Version(first), second, nil},
		{"changed meanwhile", "a.yaml", Version(first), first, ErrChanged},
		{"as it is now", "a.yaml", Version(second), first, nil},
		{"a new file that is there", "a.yaml", "", second, ErrChanged},
		{"a file that is gone", "gone.yaml", Version(first), []byte("name: g\nstart: [\"http://g.test/\"]\n"), ErrChanged},
		{"a new file", "new.yaml", "", []byte("name: n\nstart: [\"http://n.test/\"]\n"), nil},
		{"another folder", "../x.yaml", "", second, ErrFileName},
		{"the settings", "serve.yaml", "", second, ErrFileName},
	} {
		t.Run(tt.name, func(t *testing.T) {
			before, _ := os.ReadFile(filepath.Join(w.dir, tt.file))
			err := w.d.Replace(tt.file, tt.version, tt.source)
			if !errors.Is(err, tt.want) || (err == nil) != (tt.want == nil) {
				t.Fatalf("error %v, want %v", err, tt.want)
			}
			after, _ := os.ReadFile(filepath.Join(w.dir, tt.file))
			if err == nil && string(after) != string(tt.source) || err != nil && string(after) != string(before) {
				t.Errorf("the file is %q", after)
			}
		})
	}
	t.Run("mistakes", func(t *testing.T) {
		if err := w.d.Replace("a.yaml", Version(first), []byte("start: 3")); !errors.As(err, &mistakes) {
			t.Errorf("error %v", err)
		}
	})
	t.Run("of many at once one wins", func(t *testing.T) {
		var saved atomic.Int32
		var all sync.WaitGroup
		for range 8 {
			all.Go(func() {
				if err := w.d.Replace("a.yaml", Version(first), second); err == nil {
					saved.Add(1)
				} else if !errors.Is(err, ErrChanged) {
					t.Error(err)
				}
			})
		}
		all.Wait()
		if saved.Load() != 1 {
			t.Errorf("%d were saved", saved.Load())
		}
	})
	for name, file := range map[string]string{"no file": "none.yaml", "a folder": "folder.yaml"} {
		t.Run("the text of "+name, func(t *testing.T) {
			if name == "a folder" {
				if err := os.Mkdir(filepath.Join(w.dir, file), 0o755); err != nil {
					t.Fatal(err)
				}
			}
			if text, err := w.d.Source(file); !errors.Is(err, fs.ErrNotExist) {
				t.Errorf("%q, %v", text, err)
			}
		})
	}
}

// What a save left whose process was killed is deleted when the next one
// starts, and nothing else.
func TestSavesThatWereCutShort(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("nothing is swept here")
	}
	t.Parallel()
	w := newWorld(t)
	w.job("a", "")
	others := []string{".magpie-.tmp", ".magpie-12.tmp~", ".magpie-12x.tmp", ".magpie.tmp", "a.yaml", "magpie-12.tmp"}
	for _, name := range append(others[:4:4], "magpie-12.tmp", ".magpie-1234567890.tmp") {
		w.write(name, "name: b\n")
	}
	w.start()
	w.until(func() bool {
		entries, err := os.ReadDir(w.dir)
		if err != nil {
			t.Fatal(err)
		}
		var names []string
		for _, e := range entries {
			names = append(names, e.Name())
		}
		return slices.Equal(names, others)
	}, func() string { return "what was left stays, or more is gone" })
}

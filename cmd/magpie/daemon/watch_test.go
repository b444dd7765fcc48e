package daemon

import (
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/fsnotify/fsnotify"

	"github.com/magpie-crawl/magpie/internal/steadytest"
)

// TestWatchFollowsALink has the folder be a link, as where files are put in
// place all at once, that is led elsewhere: what happens there is seen.
func TestWatchFollowsALink(t *testing.T) {
	dir := t.TempDir()
	link := filepath.Join(dir, "jobs")
	for _, release := range []string{"one", "two"} {
		if err := os.Mkdir(filepath.Join(dir, release), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	lead := func(to string) {
		if err := os.Symlink(to, link+".new"); err != nil {
			t.Skipf("no links here: %v", err)
		}
		if err := os.Rename(link+".new", link); err != nil {
			t.Fatal(err)
		}
	}
	w := watched{dir: link}
	var err error
	if w.Watcher, err = fsnotify.NewWatcher(); err != nil {
		t.Skipf("nothing can be watched here: %v", err)
	}
	defer w.Close()
	for _, release := range []string{"one", "two", "one"} {
		lead(release)
		for range 2 {
			if err := w.keep(); err != nil {
				t.Fatal(err)
			}
		}
		if err := os.WriteFile(filepath.Join(dir, release, release+".yaml"), []byte("x"), 0o644); err != nil {
			t.Fatal(err)
		}
		for seen := false; !seen; {
			select {
			case e := <-w.Events:
				seen = filepath.Base(e.Name) == release+".yaml"
			case err := <-w.Errors:
				t.Fatal(err)
			case <-time.After(steadytest.Patience):
				t.Fatalf("what happens in %s is not seen", release)
			}
		}
	}
}

func TestConcerns(t *testing.T) {
	for _, tt := range []struct {
		name string
		op   fsnotify.Op
		want bool
	}{
		{"books.yaml", fsnotify.Write, true},
		{"books.yaml", fsnotify.Chmod, true},
		{"books.yaml", fsnotify.Remove, true},
		{"serve.yaml", fsnotify.Write, true},
		{"magpie.db-wal", fsnotify.Write, false},
		{"books.jsonl", fsnotify.Chmod, false},
		{"..data", fsnotify.Create, true}, // a link to links to job files
		{"..data", fsnotify.Rename, true},
		{"", fsnotify.Remove, true}, // the folder itself
	} {
		t.Run(tt.op.String()+" "+tt.name, func(t *testing.T) {
			if got := concerns(fsnotify.Event{Name: filepath.Join("jobs", tt.name), Op: tt.op}); got != tt.want {
				t.Errorf("%t, want %t", got, tt.want)
			}
		})
	}
}

// TestUnreadableForAMoment has a job file be away between the look at it and
// the reading, as while an editor puts another in its place, and be the same
// as before afterwards.
func TestUnreadableForAMoment(t *testing.T) {
	path := filepath.Join(t.TempDir(), "books.yaml")
	if err := os.WriteFile(path, []byte("start: https://example.com/\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	f := folder{dir: filepath.Dir(path), files: map[string]*file{}}
	if err := f.refresh(nil); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(path, path+"~"); err != nil {
		t.Fatal(err)
	}
	known := f.files["books.yaml"]
	if known.load(path); known.fault == "" {
		t.Fatal("what is not there was read")
	}
	if err := os.Rename(path+"~", path); err != nil {
		t.Fatal(err)
	}
	if err := f.refresh(nil); err != nil {
		t.Fatal(err)
	}
	if known.fault != "" || known.read == nil {
		t.Errorf("it stays refused: %s", known.fault)
	}
}

// TestDiskThatHangs holds that jobs run while the disk that their files are on
// answers nothing.
func TestDiskThatHangs(t *testing.T) {
	w := newWorld(t)
	w.job("a", everyMinute)
	w.start()
	w.d.reading.Lock() // as who reads from that disk has it
	release := sync.OnceFunc(w.d.reading.Unlock)
	t.Cleanup(release)
	asked := make(chan bool)
	go func() {
		w.d.Rescan()
		w.d.Save("b.yaml", []byte("start: https://example.com/\n"))
		close(asked)
	}()
	for n := range 3 {
		w.at(minute(n + 1))
		w.until(func() bool { return len(w.runs("a")) == n+1 }, func() string { return "no run" })
		w.state("a", Idle)
	}
	if err := w.d.Pause("a", true); err != nil {
		t.Error(err)
	}
	release()
	<-asked
	if _, ok := w.d.Job("b"); !ok {
		t.Error("what was saved is not taken up")
	}
}

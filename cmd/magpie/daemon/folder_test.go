package daemon

import (
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/magpie-crawl/magpie/cmd/magpie/courier"
	"github.com/magpie-crawl/magpie/config"
	"github.com/magpie-crawl/magpie/crawl"
	"github.com/magpie-crawl/magpie/store"
)

// newFolder is a world with the jobs b, which has a schedule, and c, which has
// none, and with files that are no job files.
func newFolder(t *testing.T) *world {
	t.Helper()
	w := newWorld(t)
	w.job("b", everyMinute)
	w.job("c", "")
	for _, file := range []string{".hidden.yaml", "serve.yaml", "#c.yaml#", "~c.yaml", "c.yaml~", "c.yaml.swp", "note.txt"} {
		w.write(file, "start: 3\n")
	}
	if err := os.Mkdir(filepath.Join(w.dir, "folder.yaml"), 0o755); err != nil {
		t.Fatal(err)
	}
	w.start()
	if got := w.names(); got != "[b c]" {
		t.Fatalf("jobs %s", got)
	}
	return w
}

// names are the names of all jobs, as "[b c]".
func (w *world) names() string {
	names := []string{}
	for _, j := range w.d.Jobs() {
		names = append(names, j.Name)
	}
	return fmt.Sprint(names)
}

// TestFolder takes up files that are new, changed, or have mistakes.
func TestFolder(t *testing.T) {
	t.Parallel()
	w := newFolder(t)
	t.Run("a new file is taken up", func(t *testing.T) {
		w.job("d", "")
		w.until(func() bool { return w.names() == "[b c d]" }, w.names)
	})
	t.Run("a changed file is taken up", func(t *testing.T) {
		w.job("d", everyMinute)
		w.until(func() bool { j, _ := w.d.Job("d"); return !j.Next.IsZero() }, func() string { return "d has no schedule" })
		if j, _ := w.d.Job("d"); !j.Next.Equal(minute(1)) {
			t.Errorf("next is %v", j.Next)
		}
	})
	t.Run("one with mistakes is refused, and the job stays", func(t *testing.T) {
		w.write("b.yaml", "name: b\nstart: [\"http://a.test/\"]\npolitness: {}\n")
		var j Job
		w.until(func() bool { j, _ = w.d.Job("b"); return strings.Contains(j.Fault, "b.yaml:3:1: ") }, func() string { return "its fault is " + j.Fault })
		if j.Config == nil || !j.Next.Equal(minute(1)) {
			t.Errorf("job %+v", j)
		}
		w.job("b", everyMinute)
		w.until(func() bool { j, _ := w.d.Job("b"); return j.Fault == "" }, func() string { return "the fault stays" })
	})
	t.Run("a secret that is not set is a mistake", func(t *testing.T) {
		w.job("secret", `headers: {X: "${MAGPIE_TEST_NOT_SET}"}`)
		w.until(func() bool {
			j, ok := w.d.Job("secret.yaml")
			return ok && strings.Contains(j.Fault, "MAGPIE_TEST_NOT_SET")
		}, w.names)
		if err := w.d.Start("secret.yaml", Start{}); !errors.Is(err, ErrFault) {
			t.Errorf("Start: %v", err)
		}
		os.Remove(filepath.Join(w.dir, "secret.yaml"))
		w.until(func() bool { _, ok := w.d.Job("secret.yaml"); return !ok }, w.names)
	})
}

// TestFolderNames has files change their names, and jobs theirs.
func TestFolderNames(t *testing.T) {
	t.Parallel()
	w := newFolder(t)
	t.Run("of two files with one name the second is refused", func(t *testing.T) {
		w.write("bb.yaml", "name: b\nstart: [\"http://a.test/\"]\n")
		w.until(func() bool { j, _ := w.d.Job("bb.yaml"); return strings.Contains(j.Fault, "b.yaml") }, func() string { return fmt.Sprint(w.d.Jobs()) })
		if j, _ := w.d.Job("b"); j.File != "b.yaml" || j.Fault != "" {
			t.Errorf("the first is %+v", j)
		}
	})
	t.Run("a copy that sorts before its original does not take its job", func(t *testing.T) {
		w.write("ab.yaml", "name: b\nstart: [\"http://copy.test/\"]\n")
		w.until(func() bool { j, _ := w.d.Job("ab.yaml"); return strings.Contains(j.Fault, "b.yaml") }, func() string { return fmt.Sprint(w.d.Jobs()) })
		if j, _ := w.d.Job("b"); j.File != "b.yaml" || j.Fault != "" {
			t.Errorf("the original is %+v", j)
		}
		os.Remove(filepath.Join(w.dir, "ab.yaml"))
		w.until(func() bool { _, ok := w.d.Job("ab.yaml"); return !ok }, w.names)
	})
	t.Run("renamed over, the job is another", func(t *testing.T) {
		w.write("new.tmp", "name: bee\nstart: [\"http://a.test/\"]\n")
		if err := os.Rename(filepath.Join(w.dir, "new.tmp"), filepath.Join(w.dir, "bb.yaml")); err != nil {
			t.Fatal(err)
		}
		w.until(func() bool { return w.names() == "[b bee c]" }, w.names)
	})
	t.Run("a file under another name is the same job", func(t *testing.T) {
		if err := os.Rename(filepath.Join(w.dir, "bb.yaml"), filepath.Join(w.dir, "z.yaml")); err != nil {
			t.Fatal(err)
		}
		w.until(func() bool { j, _ := w.d.Job("bee"); return j.File == "z.yaml" }, w.names)
	})
}

// TestFolderBesideRuns changes and removes files of jobs that run, or are due.
func TestFolderBesideRuns(t *testing.T) {
	t.Parallel()
	w := newFolder(t)
	t.Run("what goes on keeps its job as it was", func(t *testing.T) {
		w.site.shut()
		w.startJob("c", Start{})
		w.crawling("c")
		w.job("c", "limits: {pages: 1}")
		w.until(func() bool { j, _ := w.d.Job("c"); return j.Config.Options.Limits.Pages == 1 }, func() string { return "c is as it was" })
		w.site.open()
		w.state("c", Idle)
		run, err := w.db.Run(t.Context(), "c", 0)
		if err != nil || run.Reason != "" || run.Counters.Pages != 5 {
			t.Errorf("run %+v, %v", run, err)
		}
	})
	t.Run("removed while it runs, it is stopped, and goes on when it comes back", func(t *testing.T) {
		w.job("e", "")
		w.until(func() bool { _, ok := w.d.Job("e"); return ok }, func() string { return "no e" })
		w.site.shut()
		w.startJob("e", Start{})
		w.crawling("e")
		if err := w.d.Delete("e.yaml"); err != nil {
			t.Fatal(err)
		}
		if err := w.d.Start("e", Start{}); !errors.Is(err, ErrUnknown) {
			t.Errorf("Start: %v", err)
		}
		w.site.open()
		w.until(func() bool { _, ok := w.d.Job("e"); return !ok }, func() string { return "e is still there" })
		w.wantRuns("e", store.RunInterrupted)
		w.job("e", "")
		w.until(func() bool { return fmt.Sprint(w.runs("e")) == "[finished]" }, func() string { return fmt.Sprint(w.runs("e")) })
		w.wantDue("e", "hand started run 1")
	})
	t.Run("removed, it is due no more", func(t *testing.T) {
		if err := os.Remove(filepath.Join(w.dir, "b.yaml")); err != nil {
			t.Fatal(err)
		}
		w.until(func() bool { _, ok := w.d.Job("b"); return !ok }, w.names)
		w.at(minute(30))
		w.job("b", everyMinute)
		w.until(func() bool { _, ok := w.d.Job("b"); return ok }, w.names)
		w.at(minute(31))
		w.state("b", Idle)
		w.wantDue("b", "12:31 started run 1")
	})
}

func TestSave(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.job("a", "")
	w.start()
	good := []byte("name: n\nstart: [\"http://a.test/\"]\n")
	for _, file := range []string{"", "../a.yaml", "x/a.yaml", "a.txt", ".a.yaml", "serve.yaml", "..", "~a.yaml", "SERVE.yaml", "Serve.yml",
		"\u202eb.yaml", "b\x1b[2J.yaml", "b\n.yaml", strings.Repeat("b", 200) + ".yaml"} {
		if err := w.d.Save(file, good); !errors.Is(err, ErrFileName) {
			t.Errorf("Save(%q): %v", file, err)
		}
	}
	var mistakes config.Mistakes
	if err := w.d.Save("n.yaml", []byte("start: 3")); !errors.As(err, &mistakes) || mistakes[0].Line != 1 {
		t.Errorf("mistakes: %v", err)
	}
	if err := w.d.Save("n.yaml", []byte("name: a\nstart: [\"http://a.test/\"]\n")); !errors.As(err, &mistakes) {
		t.Errorf("a name that is taken: %v", err)
	}
	if err := w.d.Save("n.yaml", good); err != nil {
		t.Fatal(err)
	}
	if j, ok := w.d.Job("n"); !ok || j.File != "n.yaml" {
		t.Errorf("after Save: %+v %v", j, ok)
	}
	entries, err := os.ReadDir(w.dir)
	if err != nil || len(entries) != 2 {
		t.Errorf("folder %v, %v", entries, err)
	}
	if err := w.d.Delete("n.yaml"); err != nil {
		t.Fatal(err)
	}
	if _, ok := w.d.Job("n"); ok {
		t.Error("n is there after Delete")
	}
	if err := w.d.Delete("n.yaml"); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("Delete again: %v", err)
	}
}

func TestMessagesAreSentWithoutARun(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	var got atomic.Int64
	hook := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { got.Add(1) }))
	defer hook.Close()
	w.job("a", "webhook: {url: \""+hook.URL+"\", on: [finish]}")
	w.start()
	// A crawl whose process was killed before it sent its messages.
	j, _ := w.d.Job("a")
	c, err := crawl.New(j.Config.Options)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := c.Crawl(t.Context(), w.db, crawl.Job{Name: "a", Notify: courier.Notices(j.Config)}); err != nil {
		t.Fatal(err)
	}
	if err := w.d.postDue(t.Context()); err != nil || got.Load() != 1 {
		t.Errorf("%d messages sent, %v", got.Load(), err)
	}
}

// A folder that cannot be read, such as one on a disk that is away, takes no
// job away.
func TestFolderThatIsAway(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.job("a", everyMinute)
	w.start()
	away := w.dir + ".away"
	if err := os.Rename(w.dir, away); err != nil {
		t.Fatal(err)
	}
	w.d.Rescan()
	w.at(minute(1))
	w.state("a", Idle)
	w.wantDue("a", "12:01 started run 1")
	if err := os.Rename(away, w.dir); err != nil {
		t.Fatal(err)
	}
	w.job("b", "")
	w.d.Rescan()
	if got := len(w.d.Jobs()); got != 2 {
		t.Errorf("%d jobs", got)
	}
}

// A file that was never loaded goes by its own name, which a job may have too.
func TestJobNamedLikeAFile(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.write("x.yaml", "start: 3\n")
	w.start()
	want := func(list ...string) {
		t.Helper()
		var got []string
		w.until(func() bool {
			w.d.Rescan()
			got = nil
			for _, j := range w.d.Jobs() {
				got = append(got, fmt.Sprintf("%s in %s, loaded %v, refused %v", j.Name, j.File, j.Config != nil, j.Fault != ""))
			}
			return slices.Equal(got, list)
		}, func() string {
			return fmt.Sprintf("jobs:\n  %s\nwant\n  %s", strings.Join(got, "\n  "), strings.Join(list, "\n  "))
		})
	}
	want("x.yaml in x.yaml, loaded false, refused true")
	w.write("a.yaml", "name: x.yaml\nstart: [\""+w.site.URL+"/\"]\n"+everyMinute+"\n")
	want("x.yaml in a.yaml, loaded true, refused false", "x.yaml (file) in x.yaml, loaded false, refused true")
	w.at(minute(1))
	w.state("x.yaml", Idle)
	w.wantDue("x.yaml", "12:01 started run 1")
	if err := w.d.Start("x.yaml (file)", Start{}); !errors.Is(err, ErrFault) {
		t.Errorf("Start: %v", err)
	}
	w.write("a.yaml", "name: other\nstart: [\""+w.site.URL+"/\"]\n")
	want("other in a.yaml, loaded true, refused false", "x.yaml in x.yaml, loaded false, refused true")
	w.job("x", "")
	want("other in a.yaml, loaded true, refused false", "x in x.yaml, loaded true, refused false")
}

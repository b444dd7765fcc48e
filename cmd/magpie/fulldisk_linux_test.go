package main

import (
	"encoding/json"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// A full disk ends a crawl with a clear message; it goes on once there is
// space.
func TestDiskFull(t *testing.T) {
	t.Parallel()
	path, err := exec.LookPath("magpie")
	if err != nil {
		t.Fatal(err)
	}
	site := things(t, 200, 0)
	crawl := onDisk(t, "700k", `{ "$@"; echo "exit $?" >&2; mount -o remount,size=64m "$DISK"; "$@" --json; }`,
		path, "crawl", site.URL+"/0", "--name", "things", "--css", "title=h1", "--log-level", "error")
	var out, errs strings.Builder
	crawl.Stdout, crawl.Stderr = &out, &errs
	if err := crawl.Run(); err != nil {
		t.Fatalf("%v\n%s%s", err, out.String(), errs.String())
	}
	told, _, failed := strings.Cut(errs.String(), "exit 1\n")
	if !failed || !strings.Contains(told, "database or disk is full") || !strings.Contains(told, "magpie.db") ||
		!strings.Contains(told, "goes on from here") {
		t.Errorf("while it was full: %s", errs.String())
	}
	var sum struct{ Run, Pages, New int }
	if err := json.Unmarshal([]byte(out.String()), &sum); err != nil || sum.Run != 1 || sum.Pages != 200 || sum.New != 200 {
		t.Errorf("with space: %s %v", out.String(), err)
	}
}

// An export that finds the disk full says so, and leaves the former file alone.
func TestExportDiskFull(t *testing.T) {
	t.Parallel()
	path, err := exec.LookPath("magpie")
	if err != nil {
		t.Fatal(err)
	}
	db := filepath.Join(t.TempDir(), "magpie.db")
	site := things(t, 100, 0)
	if out, err := exec.Command(path, "crawl", site.URL+"/0", "--db", db, "--css", "title=h1").CombinedOutput(); err != nil {
		t.Fatalf("%v %s", err, out)
	}
	for _, name := range []string{"out.jsonl", "out.csv", "out.parquet", "out.sqlite"} {
		t.Run(name, func(t *testing.T) {
			disk := t.TempDir()
			export := exec.Command("unshare", "--user", "--map-root-user", "--mount", "sh", "-c",
				`mount -t tmpfs -o size=8k tmpfs "$DISK" || exit 77; cd "$DISK"; echo former >"$2"; "$1" export --meta --db "$3" -o "$2"; echo "exit $?"; ls -A; cat "$2"`,
				"sh", path, name, db)
			export.Env = append(export.Environ(), "DISK="+disk)
			var out, errs strings.Builder
			export.Stdout, export.Stderr = &out, &errs
			if err := export.Run(); err != nil {
				t.Skipf("no file system can be mounted here: %v %s", err, errs.String())
			}
			if want := "exit 1\n" + name + "\nformer\n"; out.String() != want || !strings.Contains(errs.String(), name) ||
				!strings.Contains(errs.String(), "no space left") && !strings.Contains(errs.String(), "disk is full") {
				t.Errorf("%s%s", out.String(), errs.String())
			}
		})
	}
}

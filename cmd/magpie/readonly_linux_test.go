package main

import (
	"os/exec"
	"strings"
	"testing"
)

// A database on a disk that is read-only cannot be read in place: what to do is
// told.
func TestReadOnlyDisk(t *testing.T) {
	t.Parallel()
	path, err := exec.LookPath("magpie")
	if err != nil {
		t.Fatal(err)
	}
	site := things(t, 3, 0)
	out, err := onDisk(t, "8m", `"$1" crawl "$2" --css title=h1 --log-level error && mount -o remount,ro "$DISK" && "$1" runs`, path, site.URL+"/0").CombinedOutput()
	if code(err) != exitFailed {
		t.Fatalf("%v\n%s", err, out)
	}
	if want := "magpie.db cannot be written to, which SQLite needs even to read: copy it to a folder of yours, and name the copy with --db"; !strings.Contains(string(out), want) {
		t.Errorf("it says: %s", out)
	}
}

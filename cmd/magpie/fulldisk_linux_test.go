package main

import (
	"encoding/json"
	"os/exec"
	"strings"
	"testing"
)

// A full disk ends a crawl with a clear message; it goes on once there is
// space. The disk is a small file system of the test's own.
func TestDiskFull(t *testing.T) {
	t.Parallel()
	mount := func(script string, args ...string) *exec.Cmd {
		return exec.Command("unshare", append([]string{"--user", "--map-root-user", "--mount", "sh", "-c",
			`mount -t tmpfs -o size=700k tmpfs "$DISK" && cd "$DISK" && ` + script, "sh"}, args...)...)
	}
	probe := mount("true")
	disk := t.TempDir()
	probe.Env = append(probe.Environ(), "DISK="+disk)
	if out, err := probe.CombinedOutput(); err != nil {
		t.Skipf("no file system can be mounted here: %v %s", err, out)
	}
	path, err := exec.LookPath("magpie")
	if err != nil {
		t.Fatal(err)
	}
	site := things(t, 200, 0)
	crawl := mount(`{ "$@"; echo "exit $?" >&2; mount -o remount,size=64m "$DISK"; "$@" --json; }`,
		path, "crawl", site.URL+"/0", "--name", "things", "--css", "title=h1", "--log-level", "error")
	crawl.Env = append(crawl.Environ(), "DISK="+disk)
	var out, errs strings.Builder
	crawl.Stdout, crawl.Stderr = &out, &errs
	if err := crawl.Run(); err != nil {
		t.Fatalf("%v\n%s%s", err, out.String(), errs.String())
	}
	told, _, _ := strings.Cut(errs.String(), "\n")
	if !strings.Contains(told, "database or disk is full") || !strings.Contains(told, "magpie.db") ||
		!strings.Contains(told, "goes on from here") || !strings.Contains(errs.String(), "\nexit 1\n") {
		t.Errorf("while it was full: %s", errs.String())
	}
	var sum struct{ Run, Pages, New int }
	if err := json.Unmarshal([]byte(out.String()), &sum); err != nil || sum.Run != 1 || sum.Pages != 200 || sum.New != 200 {
		t.Errorf("with space: %s %v", out.String(), err)
	}
}

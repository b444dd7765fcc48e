//go:build unix

package main

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/magpie-crawl/magpie/internal/steadytest"
)

// An export that is interrupted leaves the former file as it was, and nothing
// beside it.
func TestExportInterrupted(t *testing.T) {
	path, err := exec.LookPath("magpie")
	if err != nil {
		t.Fatal(err)
	}
	db := filepath.Join(t.TempDir(), "magpie.db")
	site := things(t, 20, 0)
	if out, err := exec.Command(path, "crawl", site.URL+"/0", "--name", "things", "--css", "title=h1", "--db", db).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	const endless = "(WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT count(*) FROM c) > 0"
	for name, s := range map[string]os.Signal{"a.jsonl": os.Interrupt, "a.sqlite": os.Interrupt, "a.md": syscall.SIGTERM, "a.parquet": syscall.SIGTERM} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			folder := t.TempDir()
			args := []string{"export", "-o", filepath.Join(folder, name), "--db", db}
			if out, err := exec.Command(path, append(args, "--no-manifest")...).CombinedOutput(); err != nil {
				t.Fatalf("%v\n%s", err, out)
			}
			before, err := os.Stat(filepath.Join(folder, name))
			if err != nil {
				t.Fatal(err)
			}
			export := exec.Command(path, append(args, "--where", endless)...)
			var told strings.Builder
			export.Stderr = &told
			if err := export.Start(); err != nil {
				t.Fatal(err)
			}
			defer export.Process.Kill()
			steadytest.Await(t, "the temporary file, with which it is under way", hasEntries(t, folder, 2))
			if err := export.Process.Signal(s); err != nil {
				t.Fatal(err)
			}
			err = export.Wait()
			if exit, ok := errors.AsType[*exec.ExitError](err); !ok || exit.ExitCode() != exitInterrupted || !strings.Contains(told.String(), "is as it was") {
				t.Errorf("%v, told %q", err, told.String())
			}
			if !hasEntries(t, folder, 1)() {
				t.Error("something is left beside the export")
			}
			if after, err := os.Stat(filepath.Join(folder, name)); err != nil || !os.SameFile(before, after) {
				t.Errorf("the former export was replaced, %v", err)
			}
		})
	}
}

// hasEntries tells whether a folder has n entries.
func hasEntries(t *testing.T, folder string, n int) func() bool {
	t.Helper()
	return func() bool {
		entries, err := os.ReadDir(folder)
		if err != nil {
			t.Fatal(err)
		}
		return len(entries) == n
	}
}

package store

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/magpie-crawl/magpie/crawl"
)

// TestFullDisk limits the database's size in pages, which SQLite reports as it
// does a full disk.
func TestFullDisk(t *testing.T) {
	path := filepath.Join(t.TempDir(), "small.db")
	db := openTest(t, path)
	run := beginRun(t, db, "job", "a", "b")
	var pages int
	if err := db.writer.conn.QueryRowContext(t.Context(), `PRAGMA page_count`).Scan(&pages); err != nil {
		t.Fatal(err)
	}
	limit := func(n int) {
		if _, err := db.writer.conn.ExecContext(t.Context(), fmt.Sprintf(`PRAGMA max_page_count = %d`, n)); err != nil {
			t.Fatal(err)
		}
	}
	limit(pages + 1)
	visit := visitOf(t, run, "a")
	visit.Page.Body = noise(1 << 20)
	if _, err := run.Commit(t.Context(), []*crawl.Visit{visit}); err == nil || !bytes.Contains([]byte(err.Error()), []byte(path)) {
		t.Fatalf("commit on a full disk: %v, want an error that names %s", err, path)
	}
	limit(1 << 20)
	if committed, err := run.Commit(t.Context(), []*crawl.Visit{visit}); err != nil || !committed[0].Stored {
		t.Errorf("commit once there is room: %v, %v", committed, err)
	}
	check(t, run.Close())
	check(t, db.Close())
	again, err := OpenReadOnly(path, Options{})
	if err != nil {
		t.Fatal(err)
	}
	check(t, again.Close())
}

// TestReaderDuringWrites: a reader sees whole pages, and holds up nobody.
func TestReaderDuringWrites(t *testing.T) {
	path := filepath.Join(t.TempDir(), "busy.db")
	db := openTest(t, path)
	run := beginRun(t, db, "job", "a", "b", "c", "d", "e")
	reader, err := OpenReadOnly(path, Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer reader.Close()
	for i, name := range []string{"a", "b", "c", "d", "e"} {
		if _, err := run.Commit(t.Context(), []*crawl.Visit{visitOf(t, run, name)}); err != nil {
			t.Fatal(err)
		}
		n := 0
		for p, err := range reader.Pages(t.Context(), PageFilter{State: "done"}) {
			if err != nil {
				t.Fatal(err)
			}
			if _, err := reader.Body(t.Context(), p.Response); err != nil {
				t.Error(err)
			}
			n++
		}
		if n != i+1 {
			t.Errorf("after %d commits the reader sees %d pages", i+1, n)
		}
	}
}

// noise is content that does not compress, always the same.
func noise(n int) []byte {
	b := make([]byte, n)
	x := uint32(1)
	for i := range b {
		x = x*1664525 + 1013904223
		b[i] = byte(x >> 24)
	}
	return b
}

// beginRun begins a run that starts at the pages of those names.
func beginRun(t *testing.T, db *DB, job string, names ...string) crawl.Run {
	t.Helper()
	var seeds []crawl.Link
	for _, name := range names {
		seeds = append(seeds, crawl.Link{URL: "https://site.test/" + name, Host: "site.test"})
	}
	run, err := db.Begin(t.Context(), crawl.Job{Name: job, Seeds: seeds, Items: productSpec})
	if err != nil {
		t.Fatal(err)
	}
	return run
}

func contents(t *testing.T, path string) []byte {
	t.Helper()
	b, err := os.ReadFile(path)
	check(t, err)
	return b
}

func check(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func same(t *testing.T, what string, got, want any) {
	t.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", what, diff)
	}
}

package store

import (
	"bytes"
	"database/sql"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/magpie-crawl/magpie/crawl"
)

// lockVar makes the test binary lock the database that the variable names for
// writing, say so, and let go at the end of its standard input.
const lockVar = "MAGPIE_STORE_TEST_LOCK"

func lockAsChild(path string) error {
	db, err := sql.Open("sqlite3", "file:"+path)
	if err != nil {
		return err
	}
	defer db.Close()
	db.SetMaxOpenConns(1)
	if _, err := db.Exec("BEGIN IMMEDIATE"); err != nil {
		return err
	}
	fmt.Println("locked")
	if _, err := io.Copy(io.Discard, os.Stdin); err != nil {
		return err
	}
	_, err = db.Exec("ROLLBACK")
	return err
}

// lock has another process lock the database, and returns what lets go.
func lock(t *testing.T, path string) (unlock func()) {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), lockVar+"="+path)
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if _, err := io.ReadFull(out, make([]byte, len("locked\n"))); err != nil {
		t.Fatal(err)
	}
	return func() {
		t.Helper()
		in.Close()
		if err := cmd.Wait(); err != nil {
			t.Error(err)
		}
	}
}

// A commit waits while another process writes; when that takes too long it
// fails, says which file it was, and can be done again.
func TestLockedByAnotherProcess(t *testing.T) {
	path := filepath.Join(t.TempDir(), "magpie.db")
	db, err := Open(path, Options{noSync: true, BusyTimeout: 2 * time.Minute})
	if err != nil {
		t.Fatal(err)
	}
	run := beginTest(t, db)
	due, _, err := run.Window(t.Context(), "shop.test", time.Now(), 1, nil)
	if err != nil {
		t.Fatal(err)
	}
	visits := []*crawl.Visit{siteVisit(60, due[0])}
	unlock := lock(t, path)
	done := make(chan error)
	go func() {
		_, err := run.Commit(t.Context(), visits)
		done <- err
	}()
	select {
	case err := <-done:
		t.Fatalf("it committed while another process wrote: %v", err)
	case <-time.After(100 * time.Millisecond):
	}
	unlock()
	if err := <-done; err != nil {
		t.Fatalf("once it was let: %v", err)
	}
	run.Close()
	db.Close()

	db, err = Open(path, Options{noSync: true, BusyTimeout: 20 * time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	run = beginTest(t, db)
	due, _, err = run.Window(t.Context(), "shop.test", time.Now(), 1, nil)
	if err != nil {
		t.Fatal(err)
	}
	visits = []*crawl.Visit{siteVisit(60, due[0])}
	unlock = lock(t, path)
	if _, err := run.Commit(t.Context(), visits); err == nil || !strings.Contains(err.Error(), path) || !strings.Contains(err.Error(), "locked") {
		t.Errorf("Commit = %v, want that %s is locked", err, path)
	}
	unlock()
	if out, err := run.Commit(t.Context(), visits); err != nil || !out[0].Stored {
		t.Errorf("again: %+v, %v", out, err)
	}
	crawlSite(t, run, 60, nil)
	checkInvariants(t, path)
}

// However slowly someone reads, the write-ahead log is copied back and begun
// anew: no read is open between rows.
func TestSlowReadersLetTheLogGo(t *testing.T) {
	const commits, bodySize = 60, 400 << 10
	path := filepath.Join(t.TempDir(), "magpie.db")
	db := openTest(t, path)
	crawlSite(t, beginTest(t, db), 1500, nil) // more than the buffer of an export holds
	reader, err := OpenReadOnly(path, Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer reader.Close()

	largest, n := int64(0), 0
	body := noise(bodySize)
	grow := func() { // what a crawl commits between two rows
		n++
		binary.BigEndian.PutUint32(body, uint32(n))
		err := db.writer.transact(t.Context(), func(tx *tx) error {
			return tx.exec(`INSERT INTO bodies (hash, size, codec, data) VALUES (?, 0, 'none', ?)`, []byte(fmt.Sprint(n)), body)
		})
		if err != nil {
			t.Fatal(err)
		}
		if info, err := os.Stat(path + "-wal"); err == nil {
			largest = max(largest, info.Size())
		}
	}
	for name, read := range map[string]func(grow func()){
		"pages": func(grow func()) {
			for _, err := range reader.Pages(t.Context(), PageFilter{}) {
				if err != nil {
					t.Fatal(err)
				}
				grow()
			}
		},
		"records": func(grow func()) {
			for _, err := range reader.Records(t.Context(), RecordFilter{}) {
				if err != nil {
					t.Fatal(err)
				}
				grow()
			}
		},
		"changes": func(grow func()) {
			for _, err := range reader.Diff(t.Context(), DiffOptions{Job: "shop", To: 1}) {
				if err != nil {
					t.Fatal(err)
				}
				grow()
			}
		},
		"export": func(grow func()) {
			slow := writerFunc(func(p []byte) (int, error) {
				for range commits {
					grow()
				}
				return len(p), nil
			})
			if _, err := reader.Export(t.Context(), slow, ExportOptions{Item: "product"}); err != nil {
				t.Fatal(err)
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			left := commits
			read(func() {
				if left--; left > 0 {
					grow()
				}
			})
			if left > 0 {
				t.Fatal("too little was read")
			}
			// 4,000 pages and the commit that passed them.
			if most := int64(4000+2*bodySize/4096) * (4096 + 24); largest > most {
				t.Errorf("the log grew to %d bytes while %d were committed, want at most %d", largest, commits*bodySize, most)
			}
		})
	}
}

type writerFunc func([]byte) (int, error)

func (f writerFunc) Write(p []byte) (int, error) { return f(p) }

// A full disk can end the copying back of the log with a database that is
// shorter than its header says. With the log it is whole; without, damaged.
func TestLogHalfCopiedBack(t *testing.T) {
	from := filepath.Join(t.TempDir(), "magpie.db")
	db := openTest(t, from)
	run := beginTest(t, db)
	crawlSite(t, run, 60, nil)
	path := filepath.Join(t.TempDir(), "left.db")
	for _, suffix := range []string{"", "-wal"} {
		copyFile(t, from+suffix, path+suffix)
	}
	src, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	binary.BigEndian.PutUint32(src[28:], binary.BigEndian.Uint32(src[28:])+7) // its size in pages
	copy(src[92:96], src[24:28])                                              // the size is valid
	if err := os.WriteFile(path, src, 0o644); err != nil {
		t.Fatal(err)
	}
	alone := filepath.Join(t.TempDir(), "alone.db")
	copyFile(t, path, alone)
	for name, open := range map[string]func(string, Options) (*DB, error){"OpenReadOnly": OpenReadOnly, "Open": Open} {
		t.Run(name, func(t *testing.T) {
			if _, err := open(alone, Options{}); !errors.Is(err, ErrDamaged) {
				t.Errorf("without its log: %v", err)
			}
			db, err := open(path, Options{})
			if err != nil {
				t.Fatal(err)
			}
			defer db.Close()
			if left, err := db.Run(t.Context(), "shop", 0); err != nil || left.Counters.Pages != run.Info().Counters.Pages {
				t.Errorf("with its log: %+v, %v", left, err)
			}
		})
	}
	if after, err := os.ReadFile(alone); err != nil || !bytes.Equal(after, src) {
		t.Errorf("the damaged file was changed (%v)", err)
	}
}

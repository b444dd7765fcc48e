package store

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/magpie-crawl/magpie/extract"
)

// formerIndexVar makes the test binary do with the index that the variable
// names what magpie did that kept it by FTS4. It is a process of its own
// because that was another SQLite: see SearchIndex.
const formerIndexVar = "MAGPIE_STORE_TEST_FORMER_INDEX"

func formerIndexAsChild(path string) error {
	db, err := sql.Open("sqlite3", "file:"+path+"?_busy_timeout=60000&_txlock=immediate")
	if err != nil {
		return err
	}
	defer db.Close()
	db.SetMaxOpenConns(1)
	if _, err := db.Exec(`PRAGMA journal_mode = WAL`); err != nil {
		return err
	}
	tx, err := db.Begin()
	if err != nil {
		return err
	}
	defer tx.Rollback()
	_, err = tx.Exec(`
DROP TABLE IF EXISTS words;
DROP TABLE IF EXISTS docs;
DROP TABLE IF EXISTS fields;
DROP TABLE IF EXISTS progress;
CREATE VIRTUAL TABLE words USING fts4(content="", plain, fields, tokenize=simple);
CREATE TABLE docs (
  id   INTEGER PRIMARY KEY AUTOINCREMENT,
  kind INTEGER NOT NULL,                       -- 0: a record, 1: a page
  ref  INTEGER NOT NULL,                       -- records.id, or urls.id
  job  INTEGER NOT NULL,                       -- jobs.id
  item INTEGER NOT NULL,                       -- items.id; 0: a page
  hash BLOB    NOT NULL,
  UNIQUE (kind, ref)
) STRICT;
CREATE TABLE fields (
  id   INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE COLLATE NOCASE
) STRICT;
CREATE TABLE progress (
  name  TEXT PRIMARY KEY,
  value INTEGER NOT NULL,
  mark  TEXT NOT NULL DEFAULT ''
) STRICT, WITHOUT ROWID;
PRAGMA application_id = 0x4D475053;
PRAGMA user_version = 1;
INSERT INTO progress (name, value, mark) VALUES ('origin', 0, 'x'), ('records', 1, 'y');
INSERT INTO fields (name) VALUES ('name');
INSERT INTO docs (kind, ref, job, item, hash) VALUES (0, 1, 1, 1, x'00');
INSERT INTO words (docid, plain, fields) VALUES (1, 'former ', '');
`)
	return errors.Join(err, tx.Commit())
}

func makeFormerIndex(t *testing.T, path string) {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), formerIndexVar+"="+path)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
}

// An index that was kept by FTS4 is made anew. Magpie of that time may open
// the index of today's.
func TestSearchFormerIndex(t *testing.T) {
	db := openTest(t, filepath.Join(t.TempDir(), "magpie.db"))
	storeRecords(t, db, testJob, product("k", "One"))
	path := db.Path() + "-search"
	for _, name := range []string{"where there was none", "in place of today's", "once more"} {
		t.Run(name, func(t *testing.T) {
			makeFormerIndex(t, path)
			if got := dumpIndex(t, path, `SELECT count(*) FROM sqlite_schema WHERE name GLOB 'words*'`); got == "0\n" {
				t.Fatal("it is not of the former layout")
			}
			s := openIndex(t, db)
			if err := s.Update(t.Context(), SearchUpdate{}); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff([]string{"k"}, keysOf(t, s, "name:one", SearchFilter{})); diff != "" {
				t.Error(diff)
			}
			if got := keysOf(t, s, "former", SearchFilter{}); len(got) != 0 {
				t.Errorf("former finds %v", got)
			}
			if got := dumpIndex(t, path, `SELECT count(*) FROM sqlite_schema WHERE name GLOB 'words*'`); got != "0\n" {
				t.Errorf("%s of the former tables are left", got)
			}
			if got := dumpIndex(t, path, `PRAGMA integrity_check`); got != "ok\n" {
				t.Error(got)
			}
		})
	}
}

// An update waits while another process writes to the index.
func TestSearchLockedByAnotherProcess(t *testing.T) {
	db := openTest(t, filepath.Join(t.TempDir(), "magpie.db"))
	storeRecords(t, db, testJob, product("k", "One"))
	s := openIndex(t, db)
	unlock := lock(t, s.Path())
	done := make(chan error, 1)
	go func() { done <- s.Update(t.Context(), SearchUpdate{}) }()
	select {
	case err := <-done:
		t.Errorf("it wrote while another process did: %v", err)
		done <- nil
	case <-time.After(100 * time.Millisecond):
	}
	unlock()
	if err := <-done; err != nil {
		t.Fatalf("once it was let: %v", err)
	}
	if diff := cmp.Diff([]string{"k"}, keysOf(t, s, "one", SearchFilter{})); diff != "" {
		t.Error(diff)
	}
}

// Naming the database, or one of its files, as its index leaves its locks:
// were it opened, closing it would drop them.
func TestSearchIndexIsDatabase(t *testing.T) {
	db := openTest(t, filepath.Join(t.TempDir(), "magpie.db"))
	storeRecords(t, db, testJob, product("k", "One"))
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(db.Path(), link); err != nil {
		t.Fatal(err)
	}
	err := db.writer.transact(t.Context(), func(*tx) error {
		for _, path := range []string{db.Path(), db.Path() + "-wal", db.Path() + "-shm", link} {
			if s, err := db.OpenSearch(t.Context(), path); err == nil {
				s.Close()
				t.Errorf("%s was taken for an index", path)
			} else if !strings.Contains(err.Error(), path) {
				t.Error(err)
			}
		}
		cmd := exec.Command(os.Args[0])
		cmd.Env = append(os.Environ(), lockVar+"="+db.Path()+"?_busy_timeout=1")
		if out, err := cmd.CombinedOutput(); err == nil || !bytes.Contains(out, []byte("locked")) {
			t.Errorf("another process writes at the same time: %v\n%s", err, out)
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
}

// A search and an update that are cancelled at any moment leave an index that
// goes on.
func TestSearchCancelled(t *testing.T) {
	db := openTest(t, filepath.Join(t.TempDir(), "magpie.db"))
	var records []extract.Record
	for i := range 300 {
		records = append(records, product(fmt.Sprint(i), fmt.Sprint("lantern ", i)))
	}
	storeRecords(t, db, testJob, records...)
	s := openIndex(t, db)
	for i := range 60 {
		ctx, cancel := context.WithCancel(t.Context())
		timer := time.AfterFunc(time.Duration(i)*100*time.Microsecond, cancel)
		_, _, err := s.Find(ctx, "lan* OR lantern OR 1*", SearchFilter{})
		if err == nil && i%2 == 0 {
			err = s.Update(ctx, SearchUpdate{})
		}
		if err != nil && !errors.Is(err, context.Canceled) {
			t.Fatalf("cancelled: %v", err)
		}
		timer.Stop()
		cancel()
	}
	if err := s.Update(t.Context(), SearchUpdate{}); err != nil {
		t.Fatal(err)
	}
	if got := keysOf(t, s, "lantern", SearchFilter{}); len(got) != len(records) {
		t.Errorf("%d found", len(got))
	}
}

// An index that cannot grow says so with its name, and goes on once there is
// room.
func TestSearchFull(t *testing.T) {
	db := openTest(t, filepath.Join(t.TempDir(), "magpie.db"))
	var text strings.Builder
	for i := range 5000 {
		fmt.Fprint(&text, "word", i, " ")
	}
	storeRecords(t, db, testJob, product("k", text.String()))
	s := openIndex(t, db)
	// SQLite takes a number below the present size for the present size.
	if _, err := s.w.conn.ExecContext(t.Context(), "PRAGMA max_page_count = 1"); err != nil {
		t.Fatal(err)
	}
	if err := s.Update(t.Context(), SearchUpdate{}); err == nil || !strings.Contains(err.Error(), s.Path()) || !strings.Contains(err.Error(), "full") {
		t.Fatalf("error = %v, want one that says that %s is full", err, s.Path())
	}
	if got := keysOf(t, s, "word7", SearchFilter{}); len(got) != 0 {
		t.Errorf("%v is found", got)
	}
	if _, err := s.w.conn.ExecContext(t.Context(), "PRAGMA max_page_count = 1000000"); err != nil {
		t.Fatal(err)
	}
	if err := s.Update(t.Context(), SearchUpdate{}); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"k"}, keysOf(t, s, "word7", SearchFilter{})); diff != "" {
		t.Error(diff)
	}
}

func TestSearchNoFolder(t *testing.T) {
	db := openTest(t, filepath.Join(t.TempDir(), "magpie.db"))
	path := filepath.Join(t.TempDir(), "none", "index")
	if s, err := db.OpenSearch(t.Context(), path); err == nil {
		s.Close()
		t.Error("it was opened")
	} else if !strings.Contains(err.Error(), path) || !strings.Contains(err.Error(), "folder") {
		t.Error(err)
	}
}

package store

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestSearchIndexFile(t *testing.T) {
	setUp := func(t *testing.T) (*DB, string) {
		db := openTest(t, filepath.Join(t.TempDir(), "magpie.db"))
		storeRecords(t, db, testJob, product("k", "One"))
		return db, db.Path() + "-search"
	}
	finds := func(t *testing.T, db *DB, words string, want ...string) {
		t.Helper()
		updated(t, db)
		if diff := cmp.Diff(append([]string{}, want...), keysOf(t, openIndex(t, db), words, SearchFilter{})); diff != "" {
			t.Errorf("%s: %s", words, diff)
		}
	}
	t.Run("deleted, it is made again", func(t *testing.T) {
		db, path := setUp(t)
		updated(t, db)
		if err := os.Remove(path); err != nil {
			t.Fatal(err)
		}
		finds(t, db, "one", "k")
	})
	t.Run("another version's is made anew", func(t *testing.T) {
		db, path := setUp(t)
		updated(t, db)
		execBy(t, "sqlite", path, `DELETE FROM docs; PRAGMA user_version = 99`)
		finds(t, db, "one", "k")
	})
	t.Run("another database's is made anew", func(t *testing.T) {
		db, path := setUp(t)
		time.Sleep(2 * time.Millisecond) // runs differ by when they were started
		other, otherPath := setUp(t)
		storeRecords(t, other, testJob, product("k", "Two"))
		updated(t, other)
		index, err := os.ReadFile(otherPath)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, index, 0o644); err != nil {
			t.Fatal(err)
		}
		finds(t, db, "one", "k")
		finds(t, db, "two")
	})
	t.Run("of a database that was put back", func(t *testing.T) {
		db, path := setUp(t)
		if err := db.Close(); err != nil {
			t.Fatal(err)
		}
		before, err := os.ReadFile(db.Path())
		if err != nil {
			t.Fatal(err)
		}
		later := openTest(t, db.Path())
		storeRecords(t, later, testJob, product("k", "Two"), product("l", "Three"))
		updated(t, later)
		if err := later.Close(); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(db.Path(), before, 0o644); err != nil {
			t.Fatal(err)
		}
		back := openTest(t, db.Path())
		finds(t, back, "one", "k")
		storeRecords(t, back, testJob, product("k", "Four"), product("m", "Five"))
		finds(t, back, "four", "k")
		finds(t, back, "five", "m")
		finds(t, back, "one")
		if _, err := os.Stat(path); err != nil {
			t.Error(err)
		}
	})
	for name, content := range map[string]string{"text": strings.Repeat("not an index\n", 100), "a short text": "x"} {
		t.Run("not over "+name, func(t *testing.T) {
			db, path := setUp(t)
			if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
				t.Fatal(err)
			}
			if s, err := db.OpenSearch(t.Context(), ""); err == nil {
				s.Close()
				t.Error("it was opened")
			} else if !strings.Contains(err.Error(), path) {
				t.Error(err)
			}
			if after, err := os.ReadFile(path); err != nil || string(after) != content {
				t.Errorf("it was changed: %v", err)
			}
		})
	}
	t.Run("not over another database", func(t *testing.T) {
		db, _ := setUp(t)
		if s, err := db.OpenSearch(t.Context(), db.Path()); err == nil {
			s.Close()
			t.Error("the database itself was taken for an index")
		}
		foreign := filepath.Join(t.TempDir(), "foreign.db")
		execSQL(t, foreign, `CREATE TABLE cookies (a)`)
		if s, err := db.OpenSearch(t.Context(), foreign); err == nil {
			s.Close()
			t.Error("it was opened")
		}
	})
	t.Run("a damaged one says what to do", func(t *testing.T) {
		db, path := setUp(t)
		updated(t, db)
		b, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		clear(b[4096:])
		if err := os.WriteFile(path, b, 0o644); err != nil {
			t.Fatal(err)
		}
		s, err := db.OpenSearch(t.Context(), "")
		if err == nil {
			err = errors.Join(s.Update(t.Context(), SearchUpdate{}), s.Close())
		}
		if !errors.Is(err, ErrDamaged) || !strings.Contains(fmt.Sprint(err), "delete the file") {
			t.Errorf("error = %v", err)
		}
	})
	t.Run("of an older database", func(t *testing.T) {
		db, _ := setUp(t)
		execSQL(t, db.Path(), `PRAGMA user_version = 4`)
		if _, err := db.OpenSearch(t.Context(), ""); !errors.Is(err, ErrOlder) {
			t.Errorf("error = %v", err)
		}
	})
}

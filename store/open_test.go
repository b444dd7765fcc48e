package store

import (
	"bytes"
	"database/sql"
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

// filledDatabase makes a database with some pages and returns its path. It is
// closed: one file, without a write-ahead log.
func filledDatabase(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "filled.db")
	db := openTest(t, path)
	run := beginTest(t, db)
	crawlSite(t, run, 60, nil)
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestOpenRefuses(t *testing.T) {
	filled, err := os.ReadFile(filledDatabase(t))
	if err != nil {
		t.Fatal(err)
	}
	edited := func(edit func(b []byte) []byte) []byte { return edit(bytes.Clone(filled)) }
	foreign := filepath.Join(t.TempDir(), "foreign.db")
	execSQL(t, foreign, `CREATE TABLE cookies (a); INSERT INTO cookies VALUES (1)`)
	foreignBytes, err := os.ReadFile(foreign)
	if err != nil {
		t.Fatal(err)
	}
	cases := []struct {
		name    string
		content []byte
		want    error
	}{
		{"an empty file", nil, ErrEmpty},
		{"a text", []byte("name: books\nstart: [https://books.toscrape.com/]\n"), ErrNotDatabase},
		{"one byte", []byte("S"), ErrNotDatabase},
		{"zeros", make([]byte, 8192), ErrNotDatabase},
		{"another program's database", foreignBytes, ErrForeign},
		{"a header and nothing else", filled[:100], ErrDamaged},
		{"half a header", filled[:50], ErrDamaged},
		{"cut in the middle of a page", filled[:len(filled)-5000], ErrDamaged},
		{"cut in half", filled[:len(filled)/2/4096*4096], ErrDamaged},
		{"zeros over a stretch of pages", edited(func(b []byte) []byte {
			clear(b[len(b)/2 : len(b)/2+16384])
			return b
		}), ErrDamaged},
		{"noise over the schema", edited(func(b []byte) []byte {
			for i := range 600 {
				b[110+i] = byte(i * 37)
			}
			return b
		}), ErrDamaged},
		{"a newer schema", edited(func(b []byte) []byte {
			binary.BigEndian.PutUint32(b[60:], uint32(schemaVersion+1))
			return b
		}), ErrNewer},
		{"no schema", edited(func(b []byte) []byte {
			binary.BigEndian.PutUint32(b[60:], 0)
			return b
		}), ErrDamaged},
	}
	for _, c := range cases {
		for how, open := range map[string]func(string, Options) (*DB, error){"Open": Open, "OpenReadOnly": OpenReadOnly} {
			t.Run(c.name+", "+how, func(t *testing.T) {
				path := filepath.Join(t.TempDir(), "given.db")
				if err := os.WriteFile(path, c.content, 0o644); err != nil {
					t.Fatal(err)
				}
				db, err := open(path, Options{})
				if err == nil {
					db.Close()
					t.Fatal("it was opened")
				}
				if !errors.Is(err, c.want) {
					t.Errorf("error = %v, want %v", err, c.want)
				}
				if !strings.Contains(err.Error(), path) {
					t.Errorf("the error does not name the file: %v", err)
				}
				if after, err := os.ReadFile(path); err != nil || !bytes.Equal(after, c.content) {
					t.Errorf("the file was changed (%v)", err)
				}
			})
		}
	}
}

func TestOpenWhereNothingCanBe(t *testing.T) {
	folder := t.TempDir()
	file := filepath.Join(folder, "file")
	if err := os.WriteFile(file, []byte("x"), 0o644); err != nil {
		t.Fatal(err)
	}
	for name, path := range map[string]string{
		"a folder":                folder,
		"in a folder that is not": filepath.Join(folder, "missing", "magpie.db"),
		"in a file":               filepath.Join(file, "magpie.db"),
	} {
		t.Run(name, func(t *testing.T) {
			db, err := Open(path, Options{})
			if err == nil {
				db.Close()
				t.Fatal("it was opened")
			}
			if !strings.Contains(err.Error(), path) {
				t.Errorf("the error does not name the path: %v", err)
			}
			if strings.Contains(err.Error(), ".tmp") {
				t.Errorf("the error names a temporary file: %v", err)
			}
		})
	}
	t.Run("a file that may not be written", func(t *testing.T) {
		path := filledDatabase(t)
		if err := os.Chmod(path, 0o444); err != nil {
			t.Fatal(err)
		}
		if f, err := os.OpenFile(path, os.O_RDWR, 0); err == nil {
			f.Close()
			t.Skip("this user may write everything")
		}
		if _, err := Open(path, Options{}); !errors.Is(err, fs.ErrPermission) {
			t.Errorf("error = %v, want a permission error", err)
		}
	})
}

func TestOpenCreates(t *testing.T) {
	for _, name := range []string{"magpie.db", "with space.db", "100%.db", "a?b#c.db", "ünï.db", "file:x.db"} {
		t.Run(name, func(t *testing.T) {
			folder := t.TempDir()
			path := filepath.Join(folder, name)
			db := openTest(t, path)
			if db.Path() != path {
				t.Errorf("Path = %q", db.Path())
			}
			if err := db.Close(); err != nil {
				t.Fatal(err)
			}
			files, err := os.ReadDir(folder)
			if err != nil || len(files) != 1 || files[0].Name() != name {
				t.Errorf("left in the folder: %v, %v", files, err)
			}
			db, err = OpenReadOnly(path, Options{})
			if err != nil {
				t.Fatal(err)
			}
			db.Close()
		})
	}
	t.Run("a relative path", func(t *testing.T) {
		t.Chdir(t.TempDir())
		openTest(t, "magpie.db").Close()
		openTest(t, "magpie.db").Close()
	})
	t.Run("many at once", func(t *testing.T) {
		path := filepath.Join(t.TempDir(), "magpie.db")
		var all sync.WaitGroup
		for range 6 {
			all.Go(func() {
				db, err := Open(path, Options{noSync: true})
				if err != nil {
					t.Error(err)
					return
				}
				if err := db.Close(); err != nil {
					t.Error(err)
				}
			})
		}
		all.Wait()
	})
}

// What a killed process left of a database that was deleted since, SQLite would
// put into a new one of its name.
func TestOpenBesideALeftLog(t *testing.T) {
	killed := filepath.Join(t.TempDir(), "killed.db")
	db := openTest(t, killed)
	crawlSite(t, beginTest(t, db), 20, nil)
	folder := t.TempDir()
	path := filepath.Join(folder, "magpie.db")
	copyFile(t, killed+"-wal", path+"-wal")
	t.Run("no database is made", func(t *testing.T) {
		db, err := Open(path, Options{})
		if err == nil {
			db.Close()
		}
		if !errors.Is(err, ErrLeftLog) || !strings.Contains(err.Error(), path+"-wal") {
			t.Errorf("error = %v, want ErrLeftLog that names the log", err)
		}
		if files, err := os.ReadDir(folder); err != nil || len(files) != 1 {
			t.Errorf("in the folder: %v, %v", files, err)
		}
	})
	t.Run("no backup is put there", func(t *testing.T) {
		if _, err := openTest(t, filepath.Join(t.TempDir(), "other.db")).Backup(t.Context(), path, nil); !errors.Is(err, ErrLeftLog) {
			t.Errorf("error = %v, want ErrLeftLog", err)
		}
	})
	t.Run("put back, the database is whole", func(t *testing.T) {
		copyFile(t, killed, path)
		openTest(t, path)
		if outcome(t, path) != outcome(t, killed) {
			t.Error("it is another")
		}
	})
}

func TestOpenReadOnlyNeverCreates(t *testing.T) {
	path := filepath.Join(t.TempDir(), "missing.db")
	if _, err := OpenReadOnly(path, Options{}); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("error = %v, want fs.ErrNotExist", err)
	}
	if _, err := os.Stat(path); err == nil {
		t.Error("it created the file")
	}
	db, err := OpenReadOnly(filledDatabase(t), Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if _, err := db.Begin(t.Context(), benchJob); err == nil {
		t.Error("a run was begun in a database opened read-only")
	}
	if _, err := db.read.Exec(`DELETE FROM pages`); err == nil {
		t.Error("a read-only connection could write")
	}
}

func TestPragmas(t *testing.T) {
	db, err := Open(filepath.Join(t.TempDir(), "magpie.db"), Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	for pragma, want := range map[string]string{
		"journal_mode": "wal", "synchronous": "2", "foreign_keys": "1", "busy_timeout": "10000",
		"application_id": "1296519241", "quick_check": "ok",
	} {
		t.Run(pragma, func(t *testing.T) {
			var got string
			if err := db.writer.conn.QueryRowContext(t.Context(), "PRAGMA "+pragma).Scan(&got); err != nil || got != want {
				t.Errorf("%s = %q, want %q (%v)", pragma, got, want, err)
			}
		})
	}
}

// Each step of the schema is taken in a transaction of its own, from any
// version before it.
func TestMigrations(t *testing.T) {
	fresh := filepath.Join(t.TempDir(), "fresh.db")
	openTest(t, fresh).Close()
	want := schemaOf(t, fresh)
	for version := 1; version <= schemaVersion; version++ {
		path := filepath.Join(t.TempDir(), "old.db")
		execSQL(t, path, `PRAGMA application_id = 1296519241`)
		for _, step := range migrations[:version] {
			execSQL(t, path, step)
		}
		execSQL(t, path, fmt.Sprintf("PRAGMA user_version = %d", version))
		openTest(t, path).Close()
		if got := schemaOf(t, path); got != want {
			t.Errorf("from version %d the schema became\n%s\nwant\n%s", version, got, want)
		}
	}
}

func schemaOf(t *testing.T, path string) string {
	t.Helper()
	return dumpSQL(t, path, `SELECT type, name, coalesce(sql, '') FROM sqlite_schema ORDER BY name`)
}

// dumpSQL returns the rows of a query as text.
func dumpSQL(t testing.TB, path, query string) string {
	t.Helper()
	return dumpBy(t, "sqlite3", path, query)
}

// dumpBy is dumpSQL by one of the drivers.
func dumpBy(t testing.TB, driver, path, query string) string {
	t.Helper()
	db, err := sql.Open(driver, "file:"+path+"?mode=ro&_busy_timeout=60000")
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	rows, err := db.Query(query)
	if err != nil {
		t.Fatalf("%s: %v", query, err)
	}
	defer rows.Close()
	columns, err := rows.Columns()
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	for rows.Next() {
		values := make([]sql.NullString, len(columns))
		dest := make([]any, len(columns))
		for i := range values {
			dest[i] = &values[i]
		}
		if err := rows.Scan(dest...); err != nil {
			t.Fatal(err)
		}
		for i, v := range values {
			if i > 0 {
				out.WriteByte('|')
			}
			if !v.Valid {
				v.String = "NULL"
			}
			out.WriteString(v.String)
		}
		out.WriteByte('\n')
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

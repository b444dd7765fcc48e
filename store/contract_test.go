package store

import (
	"database/sql"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/magpie-crawl/magpie/crawl"
	"github.com/magpie-crawl/magpie/crawl/storetest"
	"github.com/magpie-crawl/magpie/store/internal/sqltext"
)

func TestContract(t *testing.T) {
	storetest.Run(t, func(t *testing.T) crawl.Store {
		return faulty{openTest(t, filepath.Join(t.TempDir(), "magpie.db"))}
	})
}

// openTest opens a database that is closed when the test ends.
func openTest(t testing.TB, path string) *DB {
	t.Helper()
	db, err := Open(path, Options{noSync: true})
	if err != nil {
		t.Fatal(err)
	}
	if _, ok := t.(*testing.T); ok {
		db.countSpan = time.Minute // counting is exact on a busy machine, too
	}
	t.Cleanup(func() {
		if err := db.Close(); err != nil {
			t.Errorf("Close: %v", err)
		}
	})
	return db
}

// faulty is a DB to which things can happen.
type faulty struct{ *DB }

// Crash copies the files as a killed process would leave them, with the
// process that held jobs dead.
func (f faulty) Crash(t *testing.T) crawl.Store {
	path := filepath.Join(t.TempDir(), "left.db")
	for _, suffix := range []string{"", "-wal"} {
		copyFile(t, f.path+suffix, path+suffix)
	}
	execSQL(t, path, fmt.Sprintf(`UPDATE jobs SET holder_pid = %d WHERE holder_pid IS NOT NULL`, deadPID(t)))
	return faulty{openTest(t, path)}
}

func (f faulty) Expire(t *testing.T, job string) {
	execSQL(t, f.path, fmt.Sprintf(`UPDATE jobs SET heartbeat = heartbeat - %d WHERE name = %s`,
		(staleAfter+time.Second).Milliseconds(), sqltext.QuoteText(job)))
}

// deadPID is the number of a process that has ended.
func deadPID(t *testing.T) int {
	t.Helper()
	cmd := exec.Command(os.Args[0], "-test.run=^$")
	if err := cmd.Run(); err != nil {
		t.Fatal(err)
	}
	return cmd.Process.Pid
}

// execSQL changes a database behind this package's back.
func execSQL(t *testing.T, path string, statements ...string) {
	t.Helper()
	execBy(t, "sqlite3", path, statements...)
}

// execBy is execSQL by one of the drivers.
func execBy(t *testing.T, driver, path string, statements ...string) {
	t.Helper()
	db, err := sql.Open(driver, "file:"+path+"?_busy_timeout=60000")
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	for _, s := range statements {
		if _, err := db.Exec(s); err != nil {
			t.Fatalf("%s: %v", s, err)
		}
	}
}

func copyFile(t *testing.T, from, to string) {
	t.Helper()
	src, err := os.Open(from)
	if err != nil {
		t.Fatal(err)
	}
	defer src.Close()
	dst, err := os.Create(to)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.Copy(dst, src); err != nil {
		t.Fatal(err)
	}
	if err := dst.Close(); err != nil {
		t.Fatal(err)
	}
}

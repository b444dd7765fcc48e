package store

import (
	"database/sql"
	"fmt"
	"os"
	"os/exec"
	"testing"
	"time"
)

// A migration that is killed leaves the database at a version between, whole,
// and the next one goes on from there.
func TestKillMigration(t *testing.T) {
	migrate := func(path string) *exec.Cmd {
		child := exec.Command(os.Args[0])
		child.Env = append(os.Environ(), closeVar+"="+path)
		if err := child.Start(); err != nil {
			t.Fatal(err)
		}
		return child
	}
	began := time.Now()
	if err := migrate(oldDatabase(t, 1)).Wait(); err != nil {
		t.Fatal(err)
	}
	took := time.Since(began) // on this machine, today
	between := 0
	for i := range 15 {
		path := oldDatabase(t, 1)
		child := migrate(path)
		time.Sleep(took * time.Duration(i+2) / 16)
		child.Process.Kill() // or it has ended
		child.Wait()

		version := versionOf(t, path)
		if version < 1 || version > schemaVersion {
			t.Fatalf("version %d", version)
		}
		if version > 1 && version < schemaVersion {
			between++
		}
		db := openTest(t, path)
		if got := dumpSQL(t, path, `PRAGMA integrity_check`); got != "ok\n" {
			t.Errorf("killed at version %d: %s", version, got)
		}
		if got, want := dumpSQL(t, path, `PRAGMA user_version`), fmt.Sprintln(schemaVersion); got != want {
			t.Errorf("killed at version %d: the next one came to version %s", version, got)
		}
		historyRun(t, db, map[string]string{"k1": "One"})
		if got := dumpSQL(t, path, `SELECT key, from_run, last_run FROM records WHERE to_run IS NULL`); got != "k1|2|2\n" {
			t.Errorf("killed at version %d: records %q", version, got)
		}
	}
	t.Logf("%d of 15 were killed between two versions", between)
}

// versionOf reads the schema's version of a database that may have to be rolled
// back first.
func versionOf(t *testing.T, path string) (version int) {
	t.Helper()
	db, err := sql.Open("sqlite3", "file:"+path+"?_busy_timeout=60000")
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if err := db.QueryRow(`PRAGMA user_version`).Scan(&version); err != nil {
		t.Fatal(err)
	}
	return version
}

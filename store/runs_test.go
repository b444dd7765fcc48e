package store

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/magpie-crawl/magpie/crawl"
)

func TestRunStates(t *testing.T) {
	path := filepath.Join(t.TempDir(), "magpie.db")
	db := openTest(t, path)
	check := func(want ...RunState) {
		t.Helper()
		var got []RunState
		for r, err := range db.Runs(t.Context(), testJob.Name) {
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, r.State)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("states (-want +got):\n%s", diff)
		}
	}
	check()
	run := beginTest(t, db)
	check(RunRunning)
	execSQL(t, path, fmt.Sprintf(`UPDATE jobs SET holder_pid = %d`, deadPID(t)))
	check(RunInterrupted)
	run.Close()
	job := testJob
	job.Fresh = true
	run, err := db.Begin(t.Context(), job)
	if err != nil {
		t.Fatal(err)
	}
	check(RunAbandoned, RunRunning)
	if err := run.Finish(t.Context(), "pages"); err != nil {
		t.Fatal(err)
	}
	check(RunAbandoned, RunFinished)
	run.Close()
	check(RunAbandoned, RunFinished)

	last, err := db.Run(t.Context(), testJob.Name, 0)
	if err != nil || last.Number != 2 || last.Reason != "pages" || last.Pending != 1 || last.Source != testJob.Source || last.Ended.IsZero() {
		t.Errorf("Run = %+v, %v", last, err)
	}
	if _, err := db.Run(t.Context(), testJob.Name, 3); !errors.Is(err, ErrNotFound) {
		t.Errorf("run 3: %v", err)
	}
	if _, err := db.Run(t.Context(), "nothing", 0); !errors.Is(err, ErrNotFound) {
		t.Errorf("another job: %v", err)
	}
	jobs, err := db.Jobs(t.Context())
	if err != nil || len(jobs) != 1 || jobs[0].Runs != 2 || jobs[0].URLs != 1 || jobs[0].Latest.Number != 2 {
		t.Errorf("Jobs = %+v, %v", jobs, err)
	}
}

// A listing reads in pieces. A crawl that writes between them is not stopped
// by it, and can empty the write-ahead log.
func TestListingBesideWrites(t *testing.T) {
	path := filepath.Join(t.TempDir(), "magpie.db")
	db := openTest(t, path)
	job := testJob
	for i := range 3 * chunkSize {
		job.Seeds = append(job.Seeds, siteLink(i+1, 0))
	}
	run, err := db.Begin(t.Context(), job)
	if err != nil {
		t.Fatal(err)
	}
	reader, err := OpenReadOnly(path, Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer reader.Close()
	seen := map[string]bool{}
	for p, err := range reader.Pages(t.Context(), PageFilter{}) {
		if err != nil {
			t.Fatal(err)
		}
		if seen[p.URL] {
			t.Fatalf("%s came twice", p.URL)
		}
		seen[p.URL] = true
		if len(seen)%500 != 7 {
			continue
		}
		due, _, err := run.Window(t.Context(), "shop.test", time.Now(), 3, nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, q := range due {
			if _, err := run.Commit(t.Context(), []*crawl.Visit{{Request: q, State: crawl.Done}}); err != nil {
				t.Fatal(err)
			}
		}
		var busy, log, copied int
		if err := db.writer.conn.QueryRowContext(t.Context(), "PRAGMA wal_checkpoint(TRUNCATE)").Scan(&busy, &log, &copied); err != nil || busy != 0 {
			t.Errorf("the listing holds the write-ahead log: busy = %d, %v", busy, err)
		}
	}
	if len(seen) != 3*chunkSize+1 {
		t.Errorf("%d pages were listed", len(seen))
	}
}

func TestReserved(t *testing.T) {
	path := filepath.Join(t.TempDir(), "magpie.db")
	openTest(t, path).Close()
	for _, name := range strings.Fields(dumpSQL(t, path, `SELECT name FROM sqlite_schema`)) {
		if !Reserved(name) {
			t.Errorf("%s is in the schema and not reserved", name)
		}
	}
	for name, want := range map[string]bool{
		"product": false, "page": false, "URLs": true, "sqlite_x": true, "magpie_x": true, "sqlite": false,
		"json_each": true, "JSON_tree": true, "json": false, "pragma_page_size": true, "pragma": false, // a view would hide SQLite's own
	} {
		if Reserved(name) != want {
			t.Errorf("Reserved(%q) = %v", name, !want)
		}
	}
}

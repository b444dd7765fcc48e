package store

import (
	"errors"
	"fmt"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/magpie-crawl/magpie/crawl"
)

// oldDatabase makes a database of a version of the schema from the migration
// files alone, with a finished run of testJob: one page, and the records k1
// and k2 on it.
func oldDatabase(t *testing.T, version int) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "old.db")
	execSQL(t, path, `PRAGMA application_id = 1296519241`)
	for _, step := range migrations[:version] {
		execSQL(t, path, step)
	}
	hash := hashURL(1, siteURL(0))
	execSQL(t, path, fmt.Sprintf(`PRAGMA user_version = %d;
		INSERT INTO jobs (id, name) VALUES (1, 'shop');
		INSERT INTO runs (id, job_id, number, state, source, started_at, ended_at, pages, new) VALUES (1, 1, 1, 'finished', '', 1000, 2000, 1, 2);
		INSERT INTO hosts (id, name) VALUES (1, 'shop.test');
		INSERT INTO urls (id, job_id, run_id, host_id, hash, url, kind, state, depth, redirects) VALUES (1, 1, 1, 1, x'%x', '%s', 'page', 'done', 0, 0);
		INSERT INTO bodies (id, hash, size, codec, data) VALUES (1, x'00', 0, 'none', x'');
		INSERT INTO pages (run_id, url_id, state, fetched_at, duration_us, status, headers, content_type, truncated, size, body_id)
			VALUES (1, 1, 'done', 1500, 1, 200, '{}', 'text/html', 0, 0, 1);
		INSERT INTO items (id, job_id, name, position, fields) VALUES (1, 1, 'product', 0, '[{"name":"name","types":["text"]}]');
		INSERT INTO records (item_id, key, hash, data, url_id, position, from_run, last_run) VALUES
			(1, 'k1', x'01', '{"name":"One"}', 1, 0, 1, 1), (1, 'k2', x'02', '{"name":"Two"}', 1, 1, 1, 1)`,
		version, hash[:], siteURL(0)))
	return path
}

// What a database of any earlier version holds is there after the migration,
// and the next run goes on with its history.
func TestMigrationsKeepData(t *testing.T) {
	for version := 1; version <= schemaVersion; version++ {
		t.Run(fmt.Sprint("from version ", version), func(t *testing.T) {
			path := oldDatabase(t, version)
			if version < schemaVersion {
				if _, err := OpenReadOnly(path, Options{}); !errors.Is(err, ErrOlder) {
					t.Errorf("OpenReadOnly: %v, want ErrOlder", err)
				}
				if got := dumpSQL(t, path, `PRAGMA user_version`); got != fmt.Sprintln(version) {
					t.Errorf("OpenReadOnly made it version %s", got)
				}
			}
			db := openTest(t, path)
			historyRun(t, db, map[string]string{"k1": "Uno", "k3": "Three"})
			want := []string{`added k3 →{"name":"Three"}`, `changed k1 {"name":"One"}→{"name":"Uno"}`, `gone k2 {"name":"Two"}→`}
			if diff := cmp.Diff(want, diffText(t, db, DiffOptions{Job: "shop", From: 1, To: 2})); diff != "" {
				t.Errorf("what the next run found (-want +got):\n%s", diff)
			}
			run, err := db.RunAt(t.Context(), "shop", time.UnixMilli(2000))
			if err != nil || run.Number != 1 || run.Counters.New != 2 {
				t.Errorf("the run before: %+v, %v", run, err)
			}
			if _, err := db.RunAt(t.Context(), "shop", time.UnixMilli(1999)); !errors.Is(err, ErrNotFound) {
				t.Errorf("the run before that: %v, want ErrNotFound", err)
			}
			pages, err := db.History(t.Context(), "shop", siteURL(0))
			if err != nil || len(pages) != 2 || pages[0].State != crawl.Done {
				t.Errorf("the page's history: %+v, %v", pages, err)
			}
		})
	}
}

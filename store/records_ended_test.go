package store

import (
	"errors"
	"fmt"
	"path/filepath"
	"testing"

	"github.com/magpie-crawl/magpie/crawl"
	"github.com/magpie-crawl/magpie/extract"
)

// thingsIn is a spec of the records in elements of a class.
func thingsIn(class string) extract.Spec {
	return extract.Spec{Items: []extract.Item{
		{Name: "thing", Each: "." + class, Key: []string{"key"}, Fields: []extract.Field{{Name: "key", CSS: "b"}}}}}
}

// A run that a limit ended goes on after a re-extraction has found again what
// the run had not.
func TestContinueAfterReextraction(t *testing.T) {
	path := filepath.Join(t.TempDir(), "magpie.db")
	db := openTest(t, path)
	job := crawl.Job{Name: "shop", Seeds: []crawl.Link{siteLink(0, 0), siteLink(1, 0)}}
	begin := func(class string) crawl.Run {
		job.Items = thingsIn(class)
		run, err := db.Begin(t.Context(), job)
		if err != nil {
			t.Fatal(err)
		}
		return run
	}
	crawlOn := func(run crawl.Run, pages int, class, reason string) {
		body := func(i int) []byte {
			return fmt.Appendf(nil, "<!DOCTYPE html><title>%d</title><div class=%s><b>k%d</b></div>", i, class, i)
		}
		for range pages { // a Window of two would commit both
			commitBodies(t, run, 1, rereadCrawler(t, job.Items), body)
		}
		if err := errors.Join(run.Finish(t.Context(), reason), run.Close()); err != nil {
			t.Fatal(err)
		}
	}
	versions := func(want string) {
		t.Helper()
		if got := dumpSQL(t, path, `SELECT key ->> 0, from_run, last_run, to_run, gone FROM records ORDER BY id`); got != want {
			t.Errorf("versions\n%swant\n%s", got, want)
		}
		counted := dumpSQL(t, path, `SELECT sum(new - records_gone) FROM runs`)
		if current := dumpSQL(t, path, `SELECT count(*) FROM records WHERE to_run IS NULL`); counted != current {
			t.Errorf("the runs' counters say that there are %s records, there are %s", counted, current)
		}
		for run := 1; run <= 3; run++ {
			seen := map[string]bool{}
			for r, err := range db.Records(t.Context(), RecordFilter{Job: "shop", Run: run}) {
				if err != nil || seen[r.Key] {
					t.Errorf("two versions of %s hold in run %d, %v", r.Key, run, err)
				}
				seen[r.Key] = true
			}
		}
	}
	crawlOn(begin("old"), 2, "old", "")
	crawlOn(begin("old"), 1, "new", "pages") // the site has changed, the spec not yet
	versions("k0|1|1|2|1\nk1|1|1|NULL|0\n")
	if _, err := reextractTest(t, db, thingsIn("new"), nil); err != nil {
		t.Fatal(err)
	}
	versions("k0|1|1|2|1\nk1|1|1|3|1\nk0|3|3|NULL|0\n")
	job.Continue = true
	run := begin("new")
	if !run.Info().Resumed {
		t.Error("another run was begun")
	}
	crawlOn(run, 1, "new", "")
	versions("k0|1|1|2|1\nk1|1|2|NULL|0\nk0|3|3|NULL|0\n")
}

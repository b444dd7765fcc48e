package store

import (
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/magpie-crawl/magpie/crawl"
)

func TestMessageJobs(t *testing.T) {
	db := openTest(t, filepath.Join(t.TempDir(), "magpie.db"))
	job := testJob
	job.Notify = []crawl.Notice{{Hook: "h", Event: crawl.EventFinish}, {Hook: "i", Event: crawl.EventFinish}}
	for _, name := range []string{"lamps", "books", "lamps", "chairs"} {
		job.Name = name
		storeRecords(t, db, job, goods(1, nil)...)
	}
	want := func(want ...string) {
		t.Helper()
		if got, err := db.MessageJobs(t.Context()); err != nil || !slices.Equal(got, want) {
			t.Errorf("%q, %v, want %q", got, err, want)
		}
	}
	want("lamps", "books", "chairs")
	books, err := db.DueMessages(t.Context(), "books")
	if err != nil || len(books) != 2 {
		t.Fatalf("%+v, %v", books, err)
	}
	for _, limit := range []int{1, 3, 100} {
		all, err := db.DueMessages(t.Context(), "")
		if err != nil {
			t.Fatal(err)
		}
		if oldest, err := db.OldestDueMessages(t.Context(), limit); err != nil || !slices.Equal(oldest, all[:min(limit, len(all))]) {
			t.Errorf("up to %d: %+v, %v", limit, oldest, err)
		}
	}
	if err := db.MessageTaken(t.Context(), books[0].ID, 0, true); err != nil {
		t.Fatal(err)
	}
	want("lamps", "books", "chairs")
	if err := db.MessageFailed(t.Context(), books[1].ID, "no", time.Time{}); err != nil {
		t.Fatal(err)
	}
	want("lamps", "chairs")
}

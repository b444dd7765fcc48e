package store

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/magpie-crawl/magpie/crawl"
)

func TestOutbox(t *testing.T) {
	notices := []crawl.Notice{{Hook: "h", Event: crawl.EventFinish}, {Hook: "h", Event: crawl.EventDrift}, {Hook: "h", Event: crawl.EventChanges}}
	open := func(t *testing.T) (*DB, crawl.Job) {
		job := testJob
		job.Notify = notices
		return openTest(t, filepath.Join(t.TempDir(), "magpie.db")), job
	}
	due := func(t *testing.T, db *DB) (list []Message, text string) {
		t.Helper()
		list, err := db.DueMessages(t.Context(), "shop")
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range list {
			text += fmt.Sprintf("%d %s %d; ", m.Run, m.Event, m.Part)
		}
		return list, text
	}
	records := func(t *testing.T, db *DB, m Message) (text string, first, last int64) {
		t.Helper()
		for r, err := range db.MessageRecords(t.Context(), m) {
			if err != nil {
				t.Fatal(err)
			}
			text += fmt.Sprintf("%s %s; ", r.Key, r.Change)
			if last = r.ID; first == 0 {
				first = last
			}
		}
		return text, first, last
	}
	t.Run("what is due after runs", func(t *testing.T) {
		db, job := open(t)
		storeRecords(t, db, job, goods(30, nil)...)
		storeRecords(t, db, job, goods(30, nil)...)
		storeRecords(t, db, job, goods(30, without("price", all))...)
		if _, got := due(t, db); got != "1 finish 0; 1 changes 0; 2 finish 0; 3 finish 0; 3 drift 0; 3 changes 0; " {
			t.Errorf("due: %s", got)
		}
	})
	t.Run("an unfinished run has none", func(t *testing.T) {
		db, job := open(t)
		if _, err := db.Begin(t.Context(), job); err != nil {
			t.Fatal(err)
		}
		if _, got := due(t, db); got != "" {
			t.Errorf("due: %s", got)
		}
	})
	t.Run("records in parts", func(t *testing.T) {
		db, job := open(t)
		storeRecords(t, db, job, product("a", "1"), product("b", "1"), product("c", "1"))
		storeRecords(t, db, job, product("a", "1"), product("b", "2"), product("d", "1"))
		list, _ := due(t, db)
		m := list[len(list)-1]
		got, first, _ := records(t, db, m)
		if got != "b changed; d added; c gone; " {
			t.Fatalf("records: %s", got)
		}
		if err := db.MessageTaken(t.Context(), m.ID, first, false); err != nil {
			t.Fatal(err)
		}
		list, _ = due(t, db)
		m = list[len(list)-1]
		if got, _, _ := records(t, db, m); got != "d added; c gone; " || m.Part != 1 {
			t.Errorf("after part %d: %s", m.Part, got)
		}
		// What a later run does to the record changes nothing.
		storeRecords(t, db, job, product("d", "2"))
		if got, _, _ := records(t, db, m); got != "d added; c gone; " {
			t.Errorf("after the next run: %s", got)
		}
	})
	t.Run("sent, failed and dropped", func(t *testing.T) {
		db, job := open(t)
		storeRecords(t, db, job, product("a", "1"))
		list, _ := due(t, db)
		later := time.Now().Add(time.Hour).Truncate(time.Millisecond)
		for _, err := range []error{db.MessageFailed(t.Context(), list[0].ID, "no answer", later), db.MessageTaken(t.Context(), list[1].ID, 1, true)} {
			if err != nil {
				t.Fatal(err)
			}
		}
		list, got := due(t, db)
		if got != "1 finish 0; " || list[0].Tries != 1 || list[0].Error != "no answer" || !list[0].Due.Equal(later) {
			t.Errorf("due: %+v", list)
		}
		if err := db.MessageFailed(t.Context(), list[0].ID, "gone", time.Time{}); err != nil {
			t.Fatal(err)
		}
		if _, got := due(t, db); got != "" {
			t.Errorf("due: %s", got)
		}
	})
	t.Run("a run that is taken up again", func(t *testing.T) {
		db, job := open(t)
		outlined(t, db, job, crawl.LimitPages, make([]uint64, 3), 0)
		list, _ := due(t, db)
		for _, m := range list {
			_, _, last := records(t, db, m)
			if err := db.MessageTaken(t.Context(), m.ID, last, true); err != nil {
				t.Fatal(err)
			}
		}
		execSQL(t, db.Path(), `UPDATE runs SET state = 'running', ended_at = NULL`)
		run, err := db.Begin(t.Context(), job)
		if err != nil {
			t.Fatal(err)
		}
		if err := run.Finish(t.Context(), ""); err != nil {
			t.Fatal(err)
		}
		list, got := due(t, db)
		if !strings.HasPrefix(got, "1 finish 1; 1 changes 1") {
			t.Fatalf("due: %s", got)
		}
		if got, _, _ := records(t, db, list[1]); got != "0 added; 1 added; 2 added; " {
			t.Errorf("records: %s", got)
		}
	})
}

package store

import (
	"errors"
	"fmt"
	"path/filepath"
	"testing"
	"time"

	"github.com/magpie-crawl/magpie/crawl"
)

// holdDaemon returns a hold that is let go of when the test ends.
func holdDaemon(t *testing.T, db *DB) *DaemonHold {
	t.Helper()
	h, err := db.HoldDaemon(t.Context(), "/jobs")
	if err != nil {
		t.Fatal(err)
	}
	return h
}

// dueAt is a due time in minutes.
func dueAt(minute, count int, outcome DueOutcome, reason string) DueRun {
	at := time.UnixMilli(1_700_000_000_000).UTC().Add(time.Duration(minute) * time.Minute)
	return DueRun{Kind: DueSchedule, Nominal: at, Until: at.Add(time.Duration(max(0, count-1)) * time.Minute), Count: count, At: at, Decided: at, Outcome: outcome, Reason: reason}
}

func decide(t *testing.T, h *DaemonHold, d Decision) Decision {
	t.Helper()
	list := []Decision{d}
	if err := h.Decide(t.Context(), list); err != nil {
		t.Fatal(err)
	}
	return list[0]
}

func TestDueTimesSkippedForTheSameReasonShareARow(t *testing.T) {
	db := openTest(t, filepath.Join(t.TempDir(), "due.db"))
	h := holdDaemon(t, db)
	for i, r := range []DueRun{
		dueAt(0, 1, DueSkipped, "paused"), dueAt(1, 1, DueSkipped, "paused"), dueAt(2, 3, DueSkipped, "paused"),
		dueAt(5, 1, DueSkipped, "overlap"), dueAt(6, 0, DueSkipped, "overlap"), dueAt(6, 1, DueSkipped, "overlap"), dueAt(7, 1, DueWaiting, ""),
	} {
		decide(t, h, Decision{Job: "a", Add: []DueRun{r}, Schedule: &Schedule{Considered: r.Until}})
		decide(t, h, Decision{Job: fmt.Sprint("other ", i), Add: []DueRun{dueAt(0, 1, DueSkipped, "paused")}})
	}
	var got []string
	for r, err := range db.Due(t.Context(), "a") {
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, fmt.Sprintf("%s ×%d to %s", r.Reason, r.Count, r.Until.Sub(dueAt(0, 1, "", "").At)))
	}
	want := "[ ×1 to 7m0s overlap ×1 to 6m0s overlap ×0 to 6m0s overlap ×1 to 5m0s paused ×5 to 4m0s]"
	if fmt.Sprint(got) != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// What was skipped before a schedule was changed, or while there was none,
// shares no row with what is after it.
func TestDueTimesOfSeveralSchedulesShareNoRow(t *testing.T) {
	for name, considered := range map[string]time.Time{"another": dueAt(3, 1, "", "").At, "none": {}} {
		t.Run(name, func(t *testing.T) {
			db := openTest(t, filepath.Join(t.TempDir(), "due.db"))
			h := holdDaemon(t, db)
			first, second := dueAt(0, 2, DueSkipped, "paused"), dueAt(4, 2, DueSkipped, "paused")
			decide(t, h, Decision{Job: "a", Add: []DueRun{first}, Schedule: &Schedule{Considered: first.Until}})
			decide(t, h, Decision{Job: "a", Schedule: &Schedule{Considered: considered}})
			decide(t, h, Decision{Job: "a", Add: []DueRun{second}, Schedule: &Schedule{Considered: second.Until}})
			rows := 0
			for r, err := range db.Due(t.Context(), "a") {
				if rows++; err != nil || r.Count != 2 || r.Until.Sub(r.Nominal) != time.Minute {
					t.Errorf("%+v, %v", r, err)
				}
			}
			if rows != 2 {
				t.Errorf("%d rows", rows)
			}
		})
	}
}

func TestDueListsAllInChunks(t *testing.T) {
	db := openTest(t, filepath.Join(t.TempDir(), "due.db"))
	h := holdDaemon(t, db)
	const n = chunkSize + 7
	var d Decision
	for i := range n {
		d.Add = append(d.Add, dueAt(i, 1, DueSkipped, fmt.Sprint("reason ", i)))
	}
	d.Job = "a"
	decide(t, h, d)
	i := n
	for r, err := range db.Due(t.Context(), "") {
		if i--; err != nil || r.Reason != fmt.Sprint("reason ", i) {
			t.Fatalf("%+v, %v, want reason %d", r, err, i)
		}
	}
	if i != 0 {
		t.Errorf("%d are missing", i)
	}
}

func TestRunIsLinkedToWhatItIsBegunFor(t *testing.T) {
	db := openTest(t, filepath.Join(t.TempDir(), "due.db"))
	h := holdDaemon(t, db)
	id := decide(t, h, Decision{Job: "shop", Add: []DueRun{dueAt(0, 1, DueWaiting, "")}}).Add[0].ID
	open := func() DueRun {
		t.Helper()
		list, err := db.OpenDue(t.Context())
		if err != nil || len(list) != 1 {
			t.Fatalf("open: %+v, %v", list, err)
		}
		return list[0]
	}
	if r := open(); r.Outcome != DueWaiting || r.Run != 0 {
		t.Errorf("before: %+v", r)
	}
	for _, job := range []crawl.Job{{Name: "shop", Due: id + 1}, {Name: "other", Due: id}} {
		if _, err := db.Begin(t.Context(), job); err == nil {
			t.Errorf("Begin(%+v) began what is not due", job)
		}
		if jobs, err := db.Jobs(t.Context()); err != nil || len(jobs) > 0 {
			t.Errorf("jobs %+v, %v", jobs, err)
		}
	}
	run, err := db.Begin(t.Context(), crawl.Job{Name: "shop", Due: id})
	if err != nil {
		t.Fatal(err)
	}
	if r := open(); r.Outcome != DueStarted || r.Run != 1 || r.RunState != RunRunning {
		t.Errorf("begun: %+v", r)
	}
	if err := run.Close(); err != nil {
		t.Fatal(err)
	}
	if r := open(); r.RunState != RunInterrupted {
		t.Errorf("interrupted: %+v", r)
	}
	decide(t, h, Decision{Job: "shop", Settle: []Settle{{ID: id, Reason: "stopped"}}})
	if list, err := db.OpenDue(t.Context()); err != nil || len(list) > 0 {
		t.Errorf("open: %+v, %v", list, err)
	}
	if _, err := db.Begin(t.Context(), crawl.Job{Name: "shop", Due: id}); err == nil {
		t.Error("Begin began what is settled")
	}
}

func TestSettledBeforeItBeganIsSkipped(t *testing.T) {
	db := openTest(t, filepath.Join(t.TempDir(), "due.db"))
	h := holdDaemon(t, db)
	d := decide(t, h, Decision{Job: "a", Add: []DueRun{dueAt(0, 1, DueWaiting, "")}})
	decide(t, h, Decision{Job: "a", Settle: []Settle{{ID: d.Add[0].ID, Reason: "removed"}}})
	for r, err := range db.Due(t.Context(), "a") {
		if err != nil || r.Outcome != DueSkipped || r.Reason != "removed" {
			t.Errorf("%+v, %v", r, err)
		}
	}
}

func TestDaemonHold(t *testing.T) {
	db := openTest(t, filepath.Join(t.TempDir(), "due.db"))
	h := holdDaemon(t, db)
	var held *DaemonHeldError
	if _, err := db.HoldDaemon(t.Context(), "/other"); !errors.As(err, &held) || held.Folder != "/jobs" || held.Unseen {
		t.Fatalf("second hold: %v", err)
	}
	if holder, folder, err := db.Daemon(t.Context()); err != nil || holder == nil || folder != "/jobs" {
		t.Errorf("Daemon: %+v %q %v", holder, folder, err)
	}
	clock := time.UnixMilli(5000).UTC()
	if err := h.Renew(t.Context(), clock); err != nil {
		t.Fatal(err)
	}
	stale := time.Now().Add(-staleAfter - time.Second)
	err := db.writer.transact(t.Context(), func(t *tx) error { return t.exec(`UPDATE magpie_daemon SET heartbeat = ?`, millis(stale)) })
	if err != nil {
		t.Fatal(err)
	}
	second, err := db.HoldDaemon(t.Context(), "/other")
	if err != nil || !second.Followed().Equal(clock) {
		t.Fatalf("after a minute of silence: %+v, %v", second, err)
	}
	if err := h.Renew(t.Context(), clock); !errors.Is(err, crawl.ErrLost) {
		t.Errorf("the first renews: %v", err)
	}
	if err := h.Decide(t.Context(), []Decision{{Job: "a", Add: []DueRun{dueAt(0, 1, DueSkipped, "x")}}}); !errors.Is(err, crawl.ErrLost) {
		t.Errorf("the first decides: %v", err)
	}
	if err := h.Close(); err != nil {
		t.Errorf("the first closes: %v", err)
	}
	if holder, _, err := db.Daemon(t.Context()); err != nil || holder == nil {
		t.Errorf("the first's Close let go of the second's hold: %v", err)
	}
	if err := second.Close(); err != nil {
		t.Fatal(err)
	}
	if holder, _, err := db.Daemon(t.Context()); err != nil || holder != nil {
		t.Errorf("closed: %+v, %v", holder, err)
	}
}

func TestSchedulesAndLastFinished(t *testing.T) {
	db := openTest(t, filepath.Join(t.TempDir(), "due.db"))
	h := holdDaemon(t, db)
	at := time.UnixMilli(7000).UTC()
	want := Schedule{Job: "shop", Schedule: "@daily", Considered: at, Next: at.Add(time.Hour), Paused: true}
	decide(t, h, Decision{Job: "shop", Schedule: &want})
	decide(t, h, Decision{Job: "b", Schedule: &Schedule{Job: "b"}})
	got, err := db.Schedules(t.Context(), "shop")
	if err != nil || len(got) != 1 || got[0] != want {
		t.Errorf("%+v, %v", got, err)
	}
	if all, err := db.Schedules(t.Context(), ""); err != nil || len(all) != 2 || !all[0].Considered.IsZero() || !all[0].Next.IsZero() {
		t.Errorf("%+v, %v", all, err)
	}
	run, err := db.Begin(t.Context(), crawl.Job{Name: "shop"})
	if err != nil {
		t.Fatal(err)
	}
	if last, err := db.LastFinished(t.Context()); err != nil || len(last) > 0 {
		t.Errorf("before: %v, %v", last, err)
	}
	began := time.Now().Truncate(time.Millisecond)
	if err := errors.Join(run.Finish(t.Context(), ""), run.Close()); err != nil {
		t.Fatal(err)
	}
	if last, err := db.LastFinished(t.Context()); err != nil || last["shop"].Before(began) || last["shop"].After(time.Now()) {
		t.Errorf("after: %v, %v", last, err)
	}
	status, err := db.Status(t.Context(), "shop")
	if err != nil || status[0].Schedule == nil || *status[0].Schedule != want || status[0].LastDue != nil {
		t.Errorf("status %+v, %v", status, err)
	}
}

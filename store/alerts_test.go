package store

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/magpie-crawl/magpie/crawl"
)

func TestAlerts(t *testing.T) {
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	change := func(t *testing.T, db *DB, c AlertChange) {
		t.Helper()
		c.At = now
		if err := db.ChangeAlerts(t.Context(), c); err != nil {
			t.Fatal(err)
		}
	}
	alerts := func(t *testing.T, db *DB, job string) []Alert {
		t.Helper()
		list, err := db.Alerts(t.Context(), job)
		if err != nil {
			t.Fatal(err)
		}
		return list
	}
	event := func(channel, job string, wait time.Duration) AlertEvent {
		return AlertEvent{Channel: channel, Name: channel, Due: now.Add(wait), Job: job, Kind: "failure", Data: json.RawMessage(`"` + job + `"`)}
	}
	due := func(t *testing.T, db *DB) (text string) {
		t.Helper()
		list, err := db.DueAlertMessages(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range list {
			text += fmt.Sprintf("%d %s %s %d %v; ", m.ID, m.Channel, m.Due.Sub(now), m.Events, m.Jobs)
		}
		return text
	}
	failure := Alert{Job: "books", Kind: "failure", Since: now, Last: now.Add(time.Hour), Count: 2, Run: 3, Detail: "no", Told: map[string]time.Time{"a": now}}
	drift := Alert{Job: "books", Kind: "drift", Since: now, Last: now, Count: 1, Topics: []string{"x", "y"}, Told: map[string]time.Time{}}
	silence := Alert{Job: "lamps", Kind: "silence", Last: now, Count: 3, Told: map[string]time.Time{}}
	t.Run("open, changed and closed", func(t *testing.T) {
		db := openTest(t, filepath.Join(t.TempDir(), "magpie.db"))
		change(t, db, AlertChange{Open: []Alert{failure, drift, silence}})
		if diff := cmp.Diff([]Alert{drift, failure, silence}, alerts(t, db, ""), cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
		more := failure
		more.Count, more.Detail, more.Told = 3, "still not", map[string]time.Time{"a": now, "b": now.Add(time.Hour)}
		change(t, db, AlertChange{Open: []Alert{more}, Closed: []Alert{drift}})
		if diff := cmp.Diff([]Alert{more}, alerts(t, db, "books"), cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
		change(t, db, AlertChange{Gone: []string{"books"}, Jobs: []AlertJob{{Job: "lamps", Schedule: "@daily", Since: now, Due: 7, Failed: true}}})
		if got := alerts(t, db, ""); len(got) != 1 || got[0].Job != "lamps" {
			t.Errorf("%+v", got)
		}
		jobs, err := db.AlertJobs(t.Context())
		if diff := cmp.Diff([]AlertJob{{Job: "lamps", Schedule: "@daily", Since: now, Due: 7, Failed: true}}, jobs); err != nil || diff != "" {
			t.Errorf("%v (-want +got):\n%s", err, diff)
		}
	})
	t.Run("events of a channel are one message until it is sealed", func(t *testing.T) {
		db := openTest(t, filepath.Join(t.TempDir(), "magpie.db"))
		change(t, db, AlertChange{Events: []AlertEvent{event("a", "books", time.Hour), event("b", "books", time.Minute), event("a", "lamps", 2*time.Hour)}})
		change(t, db, AlertChange{Events: []AlertEvent{event("a", "tools", time.Second)}})
		if got, want := due(t, db), "1 a 1s 3 [books lamps tools]; 2 b 1m0s 1 [books]; "; got != want {
			t.Errorf("%s, want %s", got, want)
		}
		events, more, at, err := db.SealAlertMessage(t.Context(), 1, now, 2)
		if got := fmt.Sprintf("%s %d %s %v", events, more, at.Sub(now), err); got != `["books" "lamps"] 1 0s <nil>` {
			t.Errorf("sealed: %s", got)
		}
		change(t, db, AlertChange{Events: []AlertEvent{event("a", "later", time.Second)}})
		events, more, at, err = db.SealAlertMessage(t.Context(), 1, now.Add(time.Hour), 10)
		if got := fmt.Sprintf("%s %d %s %v", events, more, at.Sub(now), err); got != `["books" "lamps" "tools"] 0 0s <nil>` {
			t.Errorf("sealed again: %s", got)
		}
	})
	t.Run("sent, failed, dropped, forgotten", func(t *testing.T) {
		db := openTest(t, filepath.Join(t.TempDir(), "magpie.db"))
		change(t, db, AlertChange{Events: []AlertEvent{event("a", "books", 0), event("b", "books", 0), event("c", "books", 0)}})
		for _, err := range []error{
			db.AlertMessageSent(t.Context(), 1, now),
			db.AlertMessageFailed(t.Context(), 2, "no answer", now, now.Add(time.Hour)),
			db.AlertMessageFailed(t.Context(), 3, "gone", now.Add(time.Hour), time.Time{}),
		} {
			if err != nil {
				t.Fatal(err)
			}
		}
		if got, want := due(t, db), "2 b 1h0m0s 1 [books]; "; got != want {
			t.Errorf("%s, want %s", got, want)
		}
		dropped, err := db.AlertMessages(t.Context(), AlertDropped, "", 10)
		if err != nil || len(dropped) != 1 || dropped[0].Error != "gone" || dropped[0].Tries != 1 {
			t.Errorf("%+v, %v", dropped, err)
		}
		if err := db.ForgetAlertMessages(t.Context(), now.Add(time.Minute)); err != nil {
			t.Fatal(err)
		}
		all, err := db.AlertMessages(t.Context(), "", "", 10)
		if err != nil || len(all) != 2 || all[0].ID != 3 || all[1].ID != 2 {
			t.Errorf("%+v, %v", all, err)
		}
		if got := dumpSQL(t, db.Path(), `SELECT count(*) FROM magpie_alert_events`); got != "2\n" {
			t.Errorf("%s events are left", got)
		}
	})
	t.Run("the last success", func(t *testing.T) {
		db := openTest(t, filepath.Join(t.TempDir(), "magpie.db"))
		last := func(until time.Time) time.Time {
			t.Helper()
			at, err := db.LastSuccess(t.Context(), testJob.Name, until)
			if err != nil {
				t.Fatal(err)
			}
			return at
		}
		if !last(time.Now()).IsZero() {
			t.Errorf("of a job that never ran: %s", last(time.Now()))
		}
		began := time.Now().Truncate(time.Millisecond)
		storeRecords(t, db, testJob, product("a", "1"))
		first := last(time.Now())
		if first.Before(began) || first.After(time.Now()) || !last(first.Add(-1)).IsZero() {
			t.Errorf("%s", first)
		}
		time.Sleep(2 * time.Millisecond)
		run, err := db.Begin(t.Context(), testJob)
		if err != nil {
			t.Fatal(err)
		}
		if err := run.Finish(t.Context(), ""); err != nil {
			t.Fatal(err)
		}
		if !last(time.Now()).Equal(first) {
			t.Errorf("a run that fetched nothing counts: %s", last(time.Now()))
		}
		if FetchedSomething(crawl.Counters{}) || !FetchedSomething(crawl.Counters{Skipped: map[crawl.Reason]int64{crawl.ReasonNotDue: 1}}) {
			t.Error("FetchedSomething")
		}
	})
	t.Run("opened read-only", func(t *testing.T) {
		path := filepath.Join(t.TempDir(), "magpie.db")
		openTest(t, path).Close()
		db, err := OpenReadOnly(path, Options{})
		if err != nil {
			t.Fatal(err)
		}
		defer db.Close()
		if err := db.ChangeAlerts(t.Context(), AlertChange{}); err == nil {
			t.Error("it writes")
		}
		if list := alerts(t, db, ""); len(list) > 0 {
			t.Errorf("%+v", list)
		}
	})
}

// A message tells of more jobs than it lists; it is found by each.
func TestAlertMessagesOfAJob(t *testing.T) {
	db := openTest(t, filepath.Join(t.TempDir(), "magpie.db"))
	now := time.Now()
	c := AlertChange{At: now}
	for i := range 30 {
		c.Events = append(c.Events, AlertEvent{Channel: "c", Name: "email", Due: now, Job: fmt.Sprintf("job %02d", i), Kind: "failure", Data: []byte("{}")})
	}
	if err := db.ChangeAlerts(t.Context(), c); err != nil {
		t.Fatal(err)
	}
	for job, want := range map[string]int{"": 1, "job 00": 1, "job 29": 1, "job 30": 0} {
		list, err := db.AlertMessages(t.Context(), AlertDue, job, 10)
		if err != nil || len(list) != want || want == 1 && (len(list[0].Jobs) != 20 || list[0].Events != 30) {
			t.Errorf("%q: %+v, %v", job, list, err)
		}
	}
}

package store

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/magpie-crawl/magpie/crawl"
)

// What is forgotten is old, done with, and not the last of its job.
func TestForget(t *testing.T) {
	standing := &Schedule{Schedule: "@hourly"}
	for _, c := range []struct {
		name string
		due  []DueRun // of the job a
		o    Forget
		want string // the minutes of those that are left, the last first
		n    int64
	}{
		{"few and young", skippedAt(0, 1, 2), Forget{Due: 3, Before: dueAt(0, 1, "", "").At}, "2 1 0", 0},
		{"too many", skippedAt(0, 1, 2, 3, 4), Forget{Due: 2}, "4 3", 3},
		{"too old", skippedAt(0, 1, 2, 3, 4), Forget{Due: 100, Before: dueAt(3, 1, "", "").At}, "4 3", 3},
		{"all too old", skippedAt(0, 1, 2), Forget{Due: 100, Before: dueAt(60, 1, "", "").At}, "2", 2},
		{"none is to be kept", skippedAt(0, 1, 2), Forget{Due: 0}, "2", 2},
		{"some not settled", append(append([]DueRun{dueAt(0, 1, DueWaiting, "")}, skippedAt(1, 2)...), append([]DueRun{dueAt(3, 1, DueStarted, "")}, skippedAt(4)...)...),
			Forget{Due: 1, Before: dueAt(60, 1, "", "").At}, "4 3 0", 2},
	} {
		t.Run(c.name, func(t *testing.T) {
			db := openTest(t, filepath.Join(t.TempDir(), "due.db"))
			h := holdDaemon(t, db)
			decide(t, h, Decision{Job: "other", Schedule: standing, Add: skippedAt(120)})
			for _, r := range c.due {
				decide(t, h, Decision{Job: "a", Schedule: standing, Add: []DueRun{r}})
			}
			n, err := h.Forget(t.Context(), c.o)
			if err != nil || n != c.n {
				t.Errorf("forgot %d, %v, want %d", n, err, c.n)
			}
			var left []string
			for r, err := range db.Due(t.Context(), "a") {
				if err != nil {
					t.Fatal(err)
				}
				left = append(left, fmt.Sprint(int(r.At.Sub(dueAt(0, 1, "", "").At).Minutes())))
			}
			if got := strings.Join(left, " "); got != c.want {
				t.Errorf("left are %s, want %s", got, c.want)
			}
			for r, err := range db.Due(t.Context(), "other") {
				if err != nil || !r.At.Equal(dueAt(120, 1, "", "").At) {
					t.Errorf("of another job: %+v, %v", r, err)
				}
			}
			if again, err := h.Forget(t.Context(), c.o); err != nil || again != 0 {
				t.Errorf("the second time: %d, %v", again, err)
			}
			// A new row has an id of its own.
			last := dueAt(1000, 1, DueSkipped, "new")
			if d := decide(t, h, Decision{Job: "a", Add: []DueRun{last}}); d.Add[0].ID <= int64(len(c.due)) {
				t.Errorf("id %d was another's", d.Add[0].ID)
			}
		})
	}
}

// skippedAt are due times that no two share a row.
func skippedAt(minutes ...int) (list []DueRun) {
	for _, m := range minutes {
		list = append(list, dueAt(m, 1, DueSkipped, fmt.Sprint("reason ", m)))
	}
	return list
}

// More than a chunk goes in several.
func TestForgetMany(t *testing.T) {
	db := openTest(t, filepath.Join(t.TempDir(), "due.db"))
	h := holdDaemon(t, db)
	d := Decision{Job: "a", Schedule: &Schedule{Schedule: "@hourly"}}
	for i := range 3*forgetChunk + 7 {
		d.Add = append(d.Add, skippedAt(i)...)
	}
	decide(t, h, d)
	if n, err := h.Forget(t.Context(), Forget{Due: 5}); err != nil || n != 3*forgetChunk+2 {
		t.Errorf("forgot %d, %v", n, err)
	}
}

// Messages to webhooks are forgotten once they are taken and old.
func TestForgetMessages(t *testing.T) {
	db := openTest(t, filepath.Join(t.TempDir(), "due.db"))
	h := holdDaemon(t, db)
	job := testJob
	job.Notify = []crawl.Notice{{Hook: "x", Event: crawl.EventFinish}, {Hook: "y", Event: crawl.EventFinish}}
	storeRecords(t, db, job, goods(3, nil)...)
	due, err := db.DueMessages(t.Context(), "shop")
	if err != nil || len(due) != 2 {
		t.Fatal(due, err)
	}
	if err := db.MessageTaken(t.Context(), due[0].ID, 0, true); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		before time.Time
		want   int64
	}{{time.Now().Add(-time.Hour), 0}, {time.Now().Add(time.Hour), 1}} {
		if n, err := h.Forget(t.Context(), Forget{Due: 1, Before: c.before}); err != nil || n != c.want {
			t.Errorf("before %s: %d, %v, want %d", c.before, n, err, c.want)
		}
	}
	if left, err := db.DueMessages(t.Context(), "shop"); err != nil || len(left) != 1 || left[0].Hook != "y" {
		t.Errorf("%+v, %v", left, err)
	}
	if n, err := db.MessagesWaiting(t.Context()); err != nil || n != 1 {
		t.Errorf("%d wait, %v", n, err)
	}
	if err := h.Close(); err != nil {
		t.Fatal(err)
	}
	next := holdDaemon(t, db)
	if _, err := h.Forget(t.Context(), Forget{Before: time.Now().Add(time.Hour)}); !errors.Is(err, crawl.ErrLost) {
		t.Errorf("of another's hold: %v", err)
	}
	if _, err := next.Forget(t.Context(), Forget{}); err != nil {
		t.Error(err)
	}
}

// BenchmarkForget looks for what can be forgotten of 1,000 jobs with as many
// due times as are kept, which is nothing.
func BenchmarkForget(b *testing.B) {
	db := openTest(b, filepath.Join(b.TempDir(), "due.db"))
	h, err := db.HoldDaemon(b.Context(), "/jobs")
	if err != nil {
		b.Fatal(err)
	}
	const jobs, kept = 1000, 300
	for job := range jobs {
		d := Decision{Job: fmt.Sprint("job ", job), Schedule: &Schedule{Schedule: "@hourly"}}
		for i := range kept {
			d.Add = append(d.Add, skippedAt(i)...)
		}
		if err := h.Decide(b.Context(), []Decision{d}); err != nil {
			b.Fatal(err)
		}
	}
	for b.Loop() {
		if n, err := h.Forget(b.Context(), Forget{Due: kept}); n != 0 || err != nil {
			b.Fatal(n, err)
		}
	}
}

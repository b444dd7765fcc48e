package store

import (
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/magpie-crawl/magpie/crawl"
	"github.com/magpie-crawl/magpie/store/internal/process"
)

// A visit that the database refuses costs its page, not its batch.
func TestVisitThatCannotBeKept(t *testing.T) {
	path := filepath.Join(t.TempDir(), "magpie.db")
	db := openTest(t, path)
	execSQL(t, path, `CREATE TRIGGER refuse BEFORE INSERT ON records WHEN NEW.key = 'sku-2'
		BEGIN SELECT RAISE(ABORT, 'no such thing here'); END`)
	run := beginTest(t, db)
	first, _, err := run.Window(t.Context(), "shop.test", time.Now(), 10, nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := run.Commit(t.Context(), []*crawl.Visit{siteVisit(60, first[0])}); err != nil {
		t.Fatal(err)
	}
	due, _, err := run.Window(t.Context(), "shop.test", time.Now(), 10, nil)
	if err != nil || len(due) != 2 {
		t.Fatalf("Window = %v, %v", due, err)
	}
	out, err := run.Commit(t.Context(), []*crawl.Visit{siteVisit(60, due[0]), siteVisit(60, due[1])})
	if err != nil {
		t.Fatal(err)
	}
	if !out[0].Stored || out[0].Err != nil || out[0].Added["shop.test"] == 0 {
		t.Errorf("the good visit: %+v", out[0])
	}
	if !out[1].Stored || out[1].Err == nil || !strings.Contains(out[1].Err.Error(), "no such thing here") || len(out[1].Added) > 0 {
		t.Errorf("the bad visit: %+v", out[1])
	}
	page, err := db.Page(t.Context(), testJob.Name, due[1].URL, 0)
	if err != nil || page.State != crawl.Failed || page.Reason != crawl.ReasonStore || page.Response != nil || !strings.Contains(page.Detail, "no such thing here") {
		t.Errorf("its page: %+v, %v", page, err)
	}
	if c := run.Info().Counters; c.Failures[crawl.ReasonStore] != 1 || c.New != 2 || c.Pages != 2 {
		t.Errorf("counters: %+v", c)
	}
	checkInvariants(t, path)
	crawlSite(t, run, 60, nil)
	checkInvariants(t, path)
}

// Two jobs can be crawled into one database at a time: their writers wait for
// each other.
func TestTwoWriters(t *testing.T) {
	path := filepath.Join(t.TempDir(), "magpie.db")
	var both sync.WaitGroup
	for _, name := range []string{"one", "two"} {
		db := openTest(t, path)
		both.Go(func() {
			job := testJob
			job.Name = name
			run, err := db.Begin(t.Context(), job)
			if err != nil {
				t.Error(err)
				return
			}
			if err := crawlPages(t.Context(), run, 150, nil); err != nil {
				t.Error(err)
			}
		})
	}
	both.Wait()
	checkInvariants(t, path)
	if n := dumpSQL(t, path, `SELECT count(DISTINCT job_id), sum(state = 'pending') FROM urls`); n != "2|0\n" {
		t.Errorf("jobs and pending URLs = %s", n)
	}
	const settled = `SELECT url, state, attempts FROM urls WHERE job_id = `
	if one, two := dumpSQL(t, path, settled+"1 ORDER BY url"), dumpSQL(t, path, settled+"2 ORDER BY url"); one != two {
		t.Errorf("the jobs ended apart:\n%s\n%s", one, two)
	}
}

func TestHoldInForce(t *testing.T) {
	self := process.ID{PID: 1, Host: "here", Machine: "this machine"}
	now := time.Now()
	dead := deadPID(t)
	for _, c := range []struct {
		name    string
		pid     int
		machine string
		age     time.Duration
		want    bool
	}{
		{"a process that runs", self.PID, self.Machine, time.Second, true},
		{"a process that is dead", dead, self.Machine, time.Second, false},
		{"a number that is dead here, elsewhere", dead, "another machine", time.Second, true},
		{"not renewed for a minute", self.PID, self.Machine, staleAfter + time.Second, false},
		{"elsewhere, not renewed for a minute", self.PID, "another machine", staleAfter + time.Second, false},
		{"elsewhere, renewed a little in the future", self.PID, "another machine", -10 * time.Second, true},
		{"elsewhere, renewed far in the future", self.PID, "another machine", -time.Hour, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			h := hold{}
			h.pid.Int64, h.pid.Valid = int64(c.pid), true
			h.machine.String = c.machine
			h.heartbeat.Int64 = millis(now.Add(-c.age))
			if got := h.inForce(self, now); got != c.want {
				t.Errorf("inForce = %v, want %v", got, c.want)
			}
		})
	}
	t.Run("nobody", func(t *testing.T) {
		if (&hold{}).inForce(self, now) {
			t.Error("inForce = true")
		}
	})
}

package store

import (
	"errors"
	"fmt"
	"path/filepath"
	"testing"
	"time"

	"github.com/magpie-crawl/magpie/crawl"
)

func TestStatus(t *testing.T) {
	path := filepath.Join(t.TempDir(), "magpie.db")
	db := openTest(t, path)
	run := beginTest(t, db)
	window := func() []crawl.Request {
		due, _, err := run.Window(t.Context(), "shop.test", time.Now(), 100, nil)
		if err != nil {
			t.Fatal(err)
		}
		return due
	}
	seed := siteVisit(60, window()[0])
	seed.Page.FetchedAt = time.Now()
	if _, err := run.Commit(t.Context(), []*crawl.Visit{seed}); err != nil {
		t.Fatal(err)
	}
	due := window()
	later, sooner := time.Now().Add(time.Hour).Truncate(time.Second), time.Now().Add(time.Minute).Truncate(time.Second)
	asked := crawl.HostState{NotBefore: sooner.UTC(), CrawlDelay: 2 * time.Second}
	if _, err := run.Commit(t.Context(), []*crawl.Visit{
		{Request: due[0], State: crawl.Pending, RetryAt: later, Reason: "timeout", Detail: "too slow"},
		{Request: due[1], State: crawl.Pending, RetryAt: sooner, Reason: "http-503", Detail: "503 Service Unavailable", Lessons: crawl.Lessons{Host: &asked}},
	}); err != nil {
		t.Fatal(err)
	}
	status := func() JobStatus {
		t.Helper()
		all, err := db.Status(t.Context(), "")
		if err != nil || len(all) != 1 || all[0].Name != "shop" {
			t.Fatalf("Status = %+v, %v", all, err)
		}
		return all[0]
	}
	s := status()
	if s.Holder == nil || s.Holder.PID != db.self.PID || s.Latest.State != RunRunning || s.Rate <= 0 || s.Previous != nil {
		t.Errorf("while it runs: %+v", s)
	}
	want := HostStatus{Host: "shop.test", Ready: int64(len(due) - 2), Waiting: 2, Next: sooner.UTC(), Reason: "http-503", Detail: "503 Service Unavailable", State: asked}
	if s.AllHosts != 1 || len(s.Hosts) != 1 || s.Hosts[0] != want || s.Latest.Pending != int64(len(due)) {
		t.Errorf("hosts %+v of %d, %d pending; want %+v", s.Hosts, s.AllHosts, s.Latest.Pending, want)
	}
	// Killed: nobody holds the job, and the frontier is there to be seen.
	execSQL(t, path, fmt.Sprintf(`UPDATE jobs SET holder_pid = %d`, deadPID(t)))
	if s := status(); s.Holder != nil || s.Latest.State != RunInterrupted || s.Rate != 0 || len(s.Hosts) != 1 {
		t.Errorf("after it was killed: %+v", s)
	}
	if err := run.Finish(t.Context(), crawl.LimitBytes); err != nil {
		t.Fatal(err)
	}
	if err := run.Close(); err != nil {
		t.Fatal(err)
	}
	run = beginTest(t, db)
	if s := status(); s.Latest.Number != 2 || s.Previous == nil || s.Previous.Reason != crawl.LimitBytes {
		t.Errorf("in the second run: %+v", s)
	}
	if _, err := db.Status(t.Context(), "nothing"); !errors.Is(err, ErrNotFound) {
		t.Errorf("a job that is not there: %v", err)
	}
}

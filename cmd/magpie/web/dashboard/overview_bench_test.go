package dashboard

import (
	"database/sql"
	"fmt"
	"net/http/httptest"
	"path/filepath"
	"testing"
	"time"

	"github.com/magpie-crawl/magpie/cmd/magpie/daemon"
	"github.com/magpie-crawl/magpie/config"
	"github.com/magpie-crawl/magpie/config/schedule"
	"github.com/magpie-crawl/magpie/store"
)

// manyRuns is a database with jobs of 100 runs each, and the jobs.
func manyRuns(b testing.TB, jobs int) (*store.DB, []daemon.Job) {
	path := filepath.Join(b.TempDir(), "many.db")
	db, err := store.Open(path, store.Options{})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { db.Close() })
	raw, err := sql.Open("sqlite3", path)
	if err != nil {
		b.Fatal(err)
	}
	defer raw.Close()
	for _, query := range []string{
		`WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?1) INSERT INTO jobs (id, name) SELECT i, printf('job-%04d', i) FROM n`,
		`WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100)
		INSERT INTO runs (job_id, number, state, source, started_at, ended_at, pages, failed, new, changed, unchanged)
		SELECT j.id, n.i, 'finished', '', ?2 + n.i * 3600000, ?2 + n.i * 3600000 + 60000, 1000 + n.i, (j.id * n.i) % 7, n.i % 5, 3, 900 FROM jobs j, n WHERE ?1 > 0`,
	} {
		if _, err := raw.Exec(query, jobs, time.Now().Add(-101*time.Hour).UnixMilli()); err != nil {
			b.Fatal(err)
		}
	}
	list := make([]daemon.Job, jobs)
	hourly := &config.Job{Schedule: schedule.Options{Cron: "17 * * * *", Jitter: 5 * time.Minute}}
	for i := range list {
		name := fmt.Sprintf("job-%04d", i+1)
		list[i] = daemon.Job{Name: name, File: name + ".yaml", Config: hourly, State: daemon.Idle, Next: time.Now().Add(time.Duration(i) * time.Second)}
	}
	return db, list
}

// Goal: 100 ms with 1,000 jobs and 100,000 runs.
func BenchmarkOverview(b *testing.B) {
	db, list := manyRuns(b, 1000)
	d := newDashboard(Options{DB: db})
	d.jobs = &folder{list: list}
	for _, path := range []string{"/", "/?page=all", "/?show=problems&q=job-09&sort=records"} {
		b.Run(path, func(b *testing.B) {
			size := 0
			for b.Loop() {
				w := httptest.NewRecorder()
				d.ServeHTTP(w, httptest.NewRequest("GET", path, nil))
				if w.Code != 200 {
					b.Fatal(w.Body.String())
				}
				size = w.Body.Len()
			}
			b.ReportMetric(float64(size), "bytes/page")
		})
	}
}

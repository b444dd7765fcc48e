package store

import (
	"context"
	"database/sql"
	"fmt"
	"iter"
	"time"

	"github.com/magpie-crawl/magpie/crawl"
)

// JobSummary is a job as the database knows it.
type JobSummary struct {
	Name   string
	Runs   int   // so far
	URLs   int64 // known, whatever became of them
	Latest Run   // its last run
}

// Jobs lists the jobs in the order in which they were first crawled.
func (db *DB) Jobs(ctx context.Context) ([]JobSummary, error) {
	jobs, err := collect(ctx, db, `SELECT name, (SELECT count(*) FROM runs WHERE job_id = jobs.id),
		(SELECT count(*) FROM urls WHERE job_id = jobs.id) FROM jobs ORDER BY id`, nil,
		func(rows *sql.Rows) (j JobSummary, err error) { return j, rows.Scan(&j.Name, &j.Runs, &j.URLs) })
	if err != nil {
		return nil, err
	}
	for i := range jobs {
		run, err := db.Run(ctx, jobs[i].Name, 0)
		if err != nil {
			return nil, err
		}
		jobs[i].Latest = *run
	}
	return jobs, nil
}

// RunState is where a run stands.
type RunState string

// States of a run.
const (
	RunRunning     RunState = "running"     // a process works on it
	RunInterrupted RunState = "interrupted" // unfinished, and nobody works on it: the next crawl takes it up
	RunFinished    RunState = "finished"    // its frontier is empty, or a limit ended it
	RunAbandoned   RunState = "abandoned"   // given up unfinished for a fresh start
)

// RunKind is what a run did.
type RunKind string

// Kinds of runs.
const (
	CrawlRun     RunKind = "crawl"     // visited a site
	ReextractRun RunKind = "reextract" // read stored pages with a changed spec: what it changed is no change of the site
)

// Run is a run as the database knows it.
type Run struct {
	Job      string
	Number   int // from 1 within the job
	Kind     RunKind
	State    RunState
	Reason   string // the limit that ended it; "": its frontier was empty, or it has not ended
	Started  time.Time
	Ended    time.Time // zero unless finished or abandoned
	Pending  int64     // URLs still in its frontier
	Counters crawl.Counters
	Source   string // the job file it was last started with
	Drifts   int    // figures that were worse than usual when it finished, see DB.Drifts

	id int64
}

// JobNames lists the names of the jobs in the order in which they were first
// crawled. Unlike Jobs it counts nothing.
func (db *DB) JobNames(ctx context.Context) ([]string, error) {
	return collect(ctx, db, `SELECT name FROM jobs ORDER BY id`, nil,
		func(rows *sql.Rows) (name string, err error) { return name, rows.Scan(&name) })
}

// Runs lists the runs of a job, or with "" of all jobs, oldest first.
func (db *DB) Runs(ctx context.Context, job string) iter.Seq2[Run, error] {
	return list(ctx, db, 0, `SELECT `+runColumns+` FROM runs JOIN jobs ON jobs.id = runs.job_id
		WHERE (?1 = '' OR jobs.name = ?1) AND runs.id > ?2 ORDER BY runs.id LIMIT ?3`, []any{job}, db.scanRun)
}

// LastCrawl returns a job's last run that was a crawl. It returns an error that
// wraps ErrNotFound if there is none.
func (db *DB) LastCrawl(ctx context.Context, job string) (*Run, error) {
	runs, err := db.lastCrawls(ctx, job)
	if err != nil {
		return nil, err
	}
	return &runs[0], nil
}

// lastCrawls returns the job's last two runs that were crawls, the last first.
func (db *DB) lastCrawls(ctx context.Context, job string) ([]Run, error) {
	runs, err := collect(ctx, db, `SELECT `+runColumns+` FROM runs JOIN jobs ON jobs.id = runs.job_id
		WHERE jobs.name = ?1 AND runs.kind = 'crawl' ORDER BY runs.number DESC LIMIT 2`, []any{job},
		func(rows *sql.Rows) (Run, error) {
			r, _, err := db.scanRun(rows)
			return r, err
		})
	if err == nil && len(runs) == 0 {
		err = fmt.Errorf("job %q in %s: %w", job, db.path, ErrNotFound)
	}
	return runs, err
}

// Run returns a run of a job by its number; 0 is the last one. It returns an
// error that wraps ErrNotFound if there is none.
func (db *DB) Run(ctx context.Context, job string, number int) (*Run, error) {
	runs, err := collect(ctx, db, `SELECT `+runColumns+` FROM runs JOIN jobs ON jobs.id = runs.job_id
		WHERE jobs.name = ?1 AND (?2 = 0 OR runs.number = ?2) ORDER BY runs.number DESC LIMIT 1`, []any{job, number},
		func(rows *sql.Rows) (Run, error) {
			r, _, err := db.scanRun(rows)
			return r, err
		})
	switch {
	case err != nil:
		return nil, err
	case len(runs) == 0 && number == 0:
		return nil, fmt.Errorf("job %q in %s: %w", job, db.path, ErrNotFound)
	case len(runs) == 0:
		return nil, fmt.Errorf("run %d of job %q in %s: %w", number, job, db.path, ErrNotFound)
	}
	return &runs[0], nil
}

// runColumns are what scanRun reads, with the whole frontier counted;
// boundedRunColumns count it no further than PendingLimit.
const (
	runColumns = runColumnsBefore + `
	(SELECT count(*) FROM urls WHERE run_id = runs.id AND state = 'pending' AND not_before = 0) +
	(SELECT count(*) FROM urls WHERE run_id = runs.id AND state = 'pending' AND not_before > 0),
	` + counterColumns

	boundedRunColumns = runColumnsBefore + `
	min(10000, (SELECT count(*) FROM (SELECT 1 FROM urls WHERE run_id = runs.id AND state = 'pending' AND not_before = 0 LIMIT 10000)) +
		(SELECT count(*) FROM (SELECT 1 FROM urls WHERE run_id = runs.id AND state = 'pending' AND not_before > 0 LIMIT 10000))),
	` + counterColumns

	runColumnsBefore = `runs.id, jobs.name, runs.number, runs.kind, runs.state, coalesce(runs.reason, ''), runs.source,
	runs.started_at, runs.ended_at, jobs.holder_pid, jobs.holder_machine, jobs.heartbeat,
	(SELECT count(*) FROM magpie_drifts WHERE run_id = runs.id),`
)

// PendingLimit is up to where RunsPage and RunDetail count Run.Pending.
const PendingLimit = 10_000

func (db *DB) scanRun(rows *sql.Rows) (r Run, id int64, err error) {
	var started int64
	var ended sql.NullInt64
	var h hold
	var c counterScan
	err = rows.Scan(append([]any{&r.id, &r.Job, &r.Number, &r.Kind, &r.State, &r.Reason, &r.Source,
		&started, &ended, &h.pid, &h.machine, &h.heartbeat, &r.Drifts, &r.Pending}, c.dest()...)...)
	if err != nil {
		return r, 0, err
	}
	r.Started = fromMillis(started)
	if ended.Valid {
		r.Ended = fromMillis(ended.Int64)
	}
	if r.State == RunRunning && !h.inForce(db.self, time.Now()) {
		r.State = RunInterrupted
	}
	r.Counters, err = c.counters()
	return r, r.id, err
}

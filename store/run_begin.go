package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/magpie-crawl/magpie/crawl"
	"github.com/magpie-crawl/magpie/store/internal/itemtype"
)

// Begin implements crawl.Store. A job held by another process, or by another
// Begin of this one, gives a *HeldError.
func (db *DB) Begin(ctx context.Context, job crawl.Job) (crawl.Run, error) {
	if db.writer == nil {
		return nil, fmt.Errorf("begin a run in %s: %w", db.path, errReadOnly)
	}
	items, err := itemtype.Of(job.Items)
	if err != nil {
		return nil, err
	}
	r := &run{db: db, keep: job.Keep.Bodies, mirror: newMirror(), health: job.Health, notices: job.Notify, declared: map[string]bool{}}
	for _, item := range items {
		r.declared[item.Name] = true
	}
	err = db.writer.transact(ctx, func(t *tx) error { return r.begin(t, job, items, time.Now()) })
	if err != nil {
		return nil, db.fileError("begin a run in", err)
	}
	db.mu.Lock()
	db.runs[r] = struct{}{}
	db.mu.Unlock()
	return r, nil
}

var errReadOnly = errors.New("the database was opened read-only")

// begin takes hold of the job and of its unfinished run, or starts a run.
func (r *run) begin(t *tx, job crawl.Job, items []itemtype.Type, now time.Time) error {
	if err := t.exec(`INSERT INTO jobs (name) VALUES (?) ON CONFLICT (name) DO NOTHING`, job.Name); err != nil {
		return err
	}
	if _, err := t.row(`SELECT id FROM jobs WHERE name = ?`, []any{job.Name}, &r.jobID); err != nil {
		return err
	}
	var err error
	if r.epoch, err = t.takeHold(r.jobID, job.Name, r.db.self, now); err != nil {
		return err
	}
	if err := t.putItems(r.jobID, items); err != nil {
		return err
	}
	if err := t.putKeep(r.jobID, job.Keep); err != nil {
		return err
	}
	if job.Fresh {
		err := t.exec(`UPDATE runs SET state = 'abandoned', ended_at = ? WHERE job_id = ? AND state = 'running'`, millis(now), r.jobID)
		if err != nil {
			return err
		}
	}
	if job.Continue {
		if err := t.reopen(r.jobID); err != nil {
			return err
		}
	}
	resumed, err := r.resume(t, job, now)
	if err == nil && !resumed {
		err = r.start(t, job, now)
	}
	if err != nil {
		return err
	}
	for _, item := range items {
		if err := t.useItem(r.jobID, r.info.ID, item.Name); err != nil {
			return err
		}
	}
	return t.beginDue(job, r.info.ID)
}

// reopen makes the job's last run unfinished again, if a limit ended it and
// there are URLs left.
func (t *tx) reopen(jobID int64) error {
	n, err := t.changed(`UPDATE runs SET state = 'running', reason = NULL, ended_at = NULL
		WHERE id = (SELECT max(id) FROM runs WHERE job_id = ? AND kind = 'crawl') AND state = 'finished' AND reason IS NOT NULL
		AND (EXISTS (SELECT 1 FROM urls WHERE run_id = runs.id AND state = 'pending' AND not_before = 0)
			OR EXISTS (SELECT 1 FROM urls WHERE run_id = runs.id AND state = 'pending' AND not_before > 0))`, jobID)
	if err != nil || n == 0 {
		return err
	}
	var runID int64
	if _, err := t.row(`SELECT id FROM runs WHERE job_id = ? AND state = 'running'`, []any{jobID}, &runID); err != nil {
		return err
	}
	return t.reviveRecords(jobID, runID)
}

// resume takes up the job's unfinished run, if there is one.
func (r *run) resume(t *tx, job crawl.Job, now time.Time) (bool, error) {
	var started int64
	c := newCounterScan()
	found, err := t.row(`SELECT id, number, started_at, `+counterColumns+` FROM runs WHERE job_id = ? AND state = 'running'`,
		[]any{r.jobID}, append([]any{&r.info.ID, &r.info.Number, &started}, c.dest()...)...)
	if err != nil || !found {
		return false, err
	}
	r.info.Started = fromMillis(started)
	r.info.Resumed = true
	if r.info.Counters, err = c.counters(); err != nil {
		return false, err
	}
	if err := t.exec(`UPDATE runs SET source = ?, plan = ? WHERE id = ?`, job.Source, job.Plan, r.info.ID); err != nil {
		return false, err
	}
	if _, err := t.row(`SELECT EXISTS (SELECT 1 FROM runs WHERE job_id = ? AND number > ?)`, []any{r.jobID, r.info.Number}, &r.overtaken); err != nil {
		return false, err
	}
	// No retry is put off for longer: a later time was written by a clock
	// that was wrong.
	latest := millis(now.Add(crawl.MaxRetryAfter))
	return true, t.exec(`UPDATE urls SET not_before = ?1 WHERE run_id = ?2 AND state = 'pending' AND not_before > 0 AND not_before > ?1`,
		latest, r.info.ID)
}

// start begins the job's next run with its seeds.
func (r *run) start(t *tx, job crawl.Job, now time.Time) error {
	_, err := t.row(`SELECT coalesce(max(number), 0) + 1 FROM runs WHERE job_id = ?`, []any{r.jobID}, &r.info.Number)
	if err != nil {
		return err
	}
	r.info.ID, err = t.insert(`INSERT INTO runs (job_id, number, state, source, plan, started_at) VALUES (?, ?, 'running', ?, ?, ?)`,
		r.jobID, r.info.Number, job.Source, job.Plan, millis(now))
	if err != nil {
		return err
	}
	r.info.Started = fromMillis(millis(now))
	hashes := make([]urlHash, len(job.Seeds))
	for i := range job.Seeds {
		hashes[i] = hashURL(r.jobID, job.Seeds[i].URL)
	}
	c := newCommit(t, r, newCounters())
	if _, err := c.links(sql.NullInt64{}, job.Seeds, hashes); err != nil {
		return err
	}
	if err := t.putCounters(r.info.ID, c.counters); err != nil {
		return err
	}
	r.info.Counters = c.counters
	return nil
}

// putItems records the job's item types and keeps their views and indexes up to
// date.
func (t *tx) putItems(jobID int64, items []itemtype.Type) error {
	for i, item := range items {
		fields, err := json.Marshal(item.Fields)
		if err != nil {
			return err
		}
		err = t.exec(`INSERT INTO items (job_id, name, position, fields) VALUES (?1, ?2, ?3, ?4)
			ON CONFLICT (job_id, name) DO UPDATE SET position = ?3, fields = ?4`, jobID, item.Name, i, string(fields))
		if err != nil {
			return err
		}
		if err := t.putView(item.Name); err != nil {
			return err
		}
	}
	return t.putIndexes(jobID, items)
}

package store

import (
	"context"
	"database/sql"
	"fmt"
	"time"
)

// RunBefore returns the last finished run of a job before the run number; 0:
// the last finished run of all. It returns an error that wraps ErrNotFound if
// there is none.
func (db *DB) RunBefore(ctx context.Context, job string, number int) (*Run, error) {
	return db.lastRun(ctx, job, "finished", `runs.state = 'finished' AND (?2 = 0 OR runs.number < ?2)`, number)
}

// RunAt returns the last run of a job that had ended at a time. It returns an
// error that wraps ErrNotFound if none had.
func (db *DB) RunAt(ctx context.Context, job string, at time.Time) (*Run, error) {
	return db.lastRun(ctx, job, "ended", `runs.ended_at <= ?2`, millis(at))
}

// lastRun finds the last run of a job for which a condition on ?2 holds; state
// is the condition in a word.
func (db *DB) lastRun(ctx context.Context, job, state, condition string, value any) (*Run, error) {
	if _, err := db.jobID(ctx, job); err != nil {
		return nil, err
	}
	runs, err := collect(ctx, db, `SELECT `+runColumns+` FROM runs JOIN jobs ON jobs.id = runs.job_id
		WHERE jobs.name = ?1 AND `+condition+` ORDER BY runs.number DESC LIMIT 1`, []any{job, value},
		func(rows *sql.Rows) (Run, error) {
			r, _, err := db.scanRun(rows)
			return r, err
		})
	switch {
	case err != nil:
		return nil, err
	case len(runs) == 0:
		return nil, fmt.Errorf("a run of job %q that had %s, in %s: %w", job, state, db.path, ErrNotFound)
	}
	return &runs[0], nil
}

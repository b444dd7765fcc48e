package store

import (
	"context"
	"database/sql"
	"time"
)

// Forget says how much of the past is kept of schedules and messages.
type Forget struct {
	Due    int       // of each job so many of its last due times, at least the last one
	Before time.Time // due times that were decided, and messages to webhooks that were made, before this
}

// forgetChunk is how many rows are deleted in a transaction, so that crawls
// don't wait long.
const forgetChunk = 1000

// Forget deletes due times that nobody will look at any more, and messages to
// the webhooks of jobs that were sent or dropped, and returns how many. What is
// still to be done about stays, and so does the last due time of each job,
// however old.
func (d *DaemonHold) Forget(ctx context.Context, o Forget) (forgotten int64, err error) {
	o.Due = max(o.Due, 1)
	jobs, err := d.db.forgettable(ctx, o)
	if err != nil {
		return 0, err
	}
	for _, job := range jobs {
		n, err := d.forget(ctx, `DELETE FROM magpie_due WHERE id IN (SELECT id FROM magpie_due WHERE job = ?1 AND settled = 1
			AND id < coalesce((SELECT id FROM magpie_due WHERE job = ?1 ORDER BY id DESC LIMIT 1 OFFSET ?2 - 1), 0) ORDER BY id LIMIT ?3)`, job, o.Due, forgetChunk)
		forgotten += n
		if err != nil {
			return forgotten, err
		}
		n, err = d.forget(ctx, `DELETE FROM magpie_due WHERE id IN (SELECT id FROM magpie_due WHERE job = ?1 AND settled = 1 AND decided < ?2
			AND id < (SELECT max(id) FROM magpie_due WHERE job = ?1) ORDER BY id LIMIT ?3)`, job, millis(o.Before), forgetChunk)
		forgotten += n
		if err != nil {
			return forgotten, err
		}
	}
	// Messages are made in the order of their ids, but for a few.
	n, err := d.forget(ctx, `DELETE FROM magpie_outbox WHERE created_at < ?1 AND id IN (SELECT id FROM magpie_outbox WHERE state != 'due' ORDER BY id LIMIT ?2)`,
		millis(o.Before), forgetChunk)
	return forgotten + n, err
}

// forget deletes chunk by chunk; the last argument is how many a chunk has.
func (d *DaemonHold) forget(ctx context.Context, query string, args ...any) (forgotten int64, err error) {
	for {
		var n int64
		err := d.transact(ctx, func(t *tx) (err error) {
			n, err = t.changed(query, args...)
			return err
		})
		forgotten += n
		if err != nil || n < forgetChunk {
			return forgotten, err
		}
	}
}

// forgettable lists the jobs that may have due times to forget. It looks at
// two rows of each, and at none in between.
func (db *DB) forgettable(ctx context.Context, o Forget) ([]string, error) {
	return collect(ctx, db, `SELECT job FROM magpie_schedules s
		WHERE EXISTS (SELECT 1 FROM magpie_due WHERE job = s.job ORDER BY id DESC LIMIT 1 OFFSET ?1)
		OR (SELECT decided FROM magpie_due WHERE job = s.job AND settled = 1 ORDER BY id LIMIT 1) < ?2`, []any{o.Due, millis(o.Before)},
		func(rows *sql.Rows) (job string, err error) { return job, rows.Scan(&job) })
}

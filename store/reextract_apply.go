package store

import (
	"context"
	"errors"
	"time"
)

// apply puts the new generation in the place of the old one, in one
// transaction.
func (x *reextraction) apply(ctx context.Context) (err error) {
	if err := x.stage.disconnect(); err != nil {
		return err
	}
	detach, err := x.db.writer.attach(ctx, x.stage.path)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, detach()) }()
	return x.db.writer.transact(ctx, func(t *tx) error {
		if err := t.keepHold(x.jobID, x.epoch, time.Now()); err != nil {
			return err
		}
		if err := t.putItems(x.jobID, x.items); err != nil {
			return err
		}
		run, err := x.startRun(t)
		if err != nil {
			return err
		}
		for _, statement := range replaceGeneration {
			if _, err := t.w.conn.ExecContext(t.ctx, statement, run, x.jobID); err != nil {
				return err
			}
		}
		return nil
	})
}

// startRun records the re-extraction as a run that has ended.
func (x *reextraction) startRun(t *tx) (id int64, err error) {
	if _, err := t.row(`SELECT coalesce(max(number), 0) + 1 FROM runs WHERE job_id = ?`, []any{x.jobID}, &x.sum.Run); err != nil {
		return 0, err
	}
	id, err = t.insert(`INSERT INTO runs (job_id, number, kind, state, source, started_at, ended_at) VALUES (?, ?, 'reextract', 'finished', ?, ?, ?)`,
		x.jobID, x.sum.Run, x.o.Source, millis(x.began), millis(time.Now()))
	if err != nil {
		return 0, err
	}
	c := newCounters()
	c.Pages, c.Bytes, c.Failed = x.sum.Pages, x.sum.Bytes, x.sum.Failed
	c.New, c.Changed, c.Unchanged = x.sum.New, x.sum.Changed, x.sum.Unchanged
	c.Rejects, c.Problems, c.RecordsGone = x.sum.Rejects, x.sum.Problems, x.sum.Ended
	return id, t.putCounters(id, c)
}

// replaceGeneration are the statements, of the run ?1 and the job ?2, that
// make the records of gen, the stage, the current ones.
var replaceGeneration = []string{
	`UPDATE records SET to_run = ?1, gone = 1, last_run_before = NULL WHERE id IN (SELECT id FROM gen.ended)`,
	`UPDATE records SET to_run = ?1, last_run_before = NULL WHERE id IN (SELECT old FROM gen.found WHERE old IS NOT NULL AND data IS NOT NULL)`,
	`INSERT INTO records (item_id, key, hash, data, url_id, position, from_run, last_run, previous_id)
		SELECT i.id, f.key, f.hash, f.data, f.url_id, f.position, ?1, ?1, f.old
		FROM gen.found f CROSS JOIN gen.items g ON g.item = f.item CROSS JOIN items i ON i.job_id = ?2 AND i.name = g.name
		WHERE f.data IS NOT NULL ORDER BY f.rowid`,
	`UPDATE records SET url_id = f.url_id, position = f.position FROM gen.found f
		WHERE records.id = f.old AND f.data IS NULL AND f.moved`,
	`INSERT INTO rejects (run_id, url_id, item_id, position, key, data)
		SELECT ?1, x.url_id, i.id, x.position, x.key, x.data
		FROM gen.rejects x CROSS JOIN gen.items g ON g.item = x.item CROSS JOIN items i ON i.job_id = ?2 AND i.name = g.name ORDER BY x.rowid`,
	`INSERT INTO problems (run_id, url_id, item_id, position, key, rejected, field, code, detail, other_url_id)
		SELECT ?1, x.url_id, i.id, x.position, x.key, x.rejected, l.value ->> 0, l.value ->> 1, l.value ->> 2, x.other
		FROM gen.problems x CROSS JOIN gen.items g ON g.item = x.item CROSS JOIN items i ON i.job_id = ?2 AND i.name = g.name
		CROSS JOIN json_each(x.list) l ORDER BY x.rowid`,
}

// attach lets the writer see the database at path as gen until detach is
// called.
func (w *writer) attach(ctx context.Context, path string) (detach func() error, err error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if _, err := w.conn.ExecContext(ctx, `ATTACH ? AS gen`, dsn(path, Options{}, "mode=rw")); err != nil {
		return nil, err
	}
	return func() error {
		w.mu.Lock()
		defer w.mu.Unlock()
		_, err := w.conn.ExecContext(context.Background(), `DETACH gen`)
		return err
	}, nil
}

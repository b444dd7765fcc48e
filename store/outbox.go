package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"iter"
	"time"

	"github.com/magpie-crawl/magpie/crawl"
)

// Message is a message about a finished run that is to be sent.
type Message struct {
	ID      int64
	Job     string
	Run     int    // number within the job
	Hook    string // who gets it: crawl.Notice.Hook
	Event   string // one of crawl's Event constants
	Part    int    // how many parts of it were taken
	After   int64  // ChangedRecord.ID of the last record in those
	Started time.Time
	Created time.Time
	Tries   int       // that failed, in a row
	Due     time.Time // when the next is due; zero: now
	Error   string    // of the last try
}

// notify makes the messages due that the run's end is an occasion for.
func (r *run) notify(t *tx, drifted bool, gone int64, now time.Time) error {
	counters := r.Info().Counters
	for _, n := range r.notices {
		switch {
		case n.Event == crawl.EventDrift && !drifted,
			n.Event == crawl.EventChanges && counters.New+counters.Changed+gone == 0:
			continue
		}
		// A run that was taken up again ends once more: all of it is told
		// again, in parts that are none of the parts before.
		err := t.exec(`INSERT INTO magpie_outbox (run_id, hook, event, created_at) VALUES (?, ?, ?, ?)
			ON CONFLICT (run_id, hook, event) DO UPDATE SET state = 'due', after = 0, created_at = excluded.created_at, attempts = 0, not_before = 0, error = NULL`,
			r.info.ID, n.Hook, n.Event, millis(now))
		if err != nil {
			return err
		}
	}
	return nil
}

// DueMessages lists the messages of a job, or with "" of all jobs, that are
// still to be sent, oldest first.
func (db *DB) DueMessages(ctx context.Context, job string) ([]Message, error) {
	return db.dueMessages(ctx, job, -1)
}

// OldestDueMessages is DueMessages of all jobs up to limit.
func (db *DB) OldestDueMessages(ctx context.Context, limit int) ([]Message, error) {
	return db.dueMessages(ctx, "", limit)
}

// dueMessages is DueMessages up to limit; below 0: all.
func (db *DB) dueMessages(ctx context.Context, job string, limit int) ([]Message, error) {
	return collect(ctx, db, `SELECT o.id, j.name, r.number, r.started_at, o.hook, o.event, o.part, o.after, o.created_at, o.attempts, o.not_before, coalesce(o.error, '')
		FROM magpie_outbox o JOIN runs r ON r.id = o.run_id JOIN jobs j ON j.id = r.job_id
		WHERE o.state = 'due' AND (?1 = '' OR j.name = ?1) ORDER BY o.id LIMIT ?2`, []any{job, limit},
		func(rows *sql.Rows) (m Message, err error) {
			var started, created, due int64
			err = rows.Scan(&m.ID, &m.Job, &m.Run, &started, &m.Hook, &m.Event, &m.Part, &m.After, &created, &m.Tries, &due, &m.Error)
			m.Started, m.Created = fromMillis(started), fromMillis(created)
			if due > 0 {
				m.Due = fromMillis(due)
			}
			return m, err
		})
}

// MessageJobs lists the jobs that have messages which are still to be sent, that
// with the oldest first.
func (db *DB) MessageJobs(ctx context.Context) ([]string, error) {
	return collect(ctx, db, `SELECT j.name FROM magpie_outbox o JOIN runs r ON r.id = o.run_id JOIN jobs j ON j.id = r.job_id
		WHERE o.state = 'due' GROUP BY j.id ORDER BY min(o.id)`, nil,
		func(rows *sql.Rows) (name string, err error) { return name, rows.Scan(&name) })
}

// ChangedRecord is a record that a run found for the first time, different
// from before, or gone.
type ChangedRecord struct {
	ID     int64           `json:"-"` // its place in the message
	Item   string          `json:"item"`
	Key    string          `json:"key"`
	URL    string          `json:"url"`
	Change ChangeKind      `json:"change"`
	Fields json.RawMessage `json:"fields"` // of a gone record: as they were
}

// goneAfter is what is added to the id of a gone record's last version to get
// its ChangedRecord.ID: they come after the others.
const goneAfter = 1 << 62

// MessageRecords lists the records that are left for the next parts of a
// message about changes: those that are there, then those that are gone.
func (db *DB) MessageRecords(ctx context.Context, m Message) iter.Seq2[ChangedRecord, error] {
	return func(yield func(ChangedRecord, error) bool) {
		for _, which := range []struct {
			change, where string
			after         int64 // what stands before its places
		}{
			{`iif(v.previous_id IS NULL, 'added', 'changed')`, `v.from_run`, 0},
			{`'gone'`, `v.gone = 1 AND v.to_run`, goneAfter},
		} {
			// In the order of ids, whichever index there is, so that each chunk
			// begins where the one before ended.
			query := `SELECT v.id, i.name, v.key, u.url, ` + which.change + `, v.data
				FROM records v NOT INDEXED CROSS JOIN items i ON i.id = v.item_id CROSS JOIN urls u ON u.id = v.url_id
				WHERE ` + which.where + ` = (SELECT run_id FROM magpie_outbox WHERE id = ?1) AND v.id > ?2 AND v.id > ?3 ORDER BY v.id LIMIT ?4`
			rows := list(ctx, db, 0, query, []any{m.ID, max(0, m.After-which.after)},
				func(rows *sql.Rows) (r ChangedRecord, id int64, err error) {
					err = rows.Scan(&id, &r.Item, &r.Key, &r.URL, &r.Change, (*[]byte)(&r.Fields))
					r.ID = id + which.after
					return r, id, err
				})
			for r, err := range rows {
				if !yield(r, err) || err != nil {
					return
				}
			}
		}
	}
}

// MessageTaken notes that the next part of a message was taken, with the
// records up to the ChangedRecord.ID last. done says that it was the last part.
func (db *DB) MessageTaken(ctx context.Context, id, last int64, done bool) error {
	return db.writeMessage(ctx, `UPDATE magpie_outbox SET part = part + 1, after = max(after, ?), state = iif(?, 'sent', 'due'),
		attempts = 0, not_before = 0, error = NULL WHERE id = ?`, last, done, id)
}

// MessageFailed notes that a message, or its next part, could not be sent, and
// when to try again; a zero due is never.
func (db *DB) MessageFailed(ctx context.Context, id int64, why string, due time.Time) error {
	state, at := "dropped", int64(0)
	if !due.IsZero() {
		state, at = "due", millis(due)
	}
	return db.writeMessage(ctx, `UPDATE magpie_outbox SET attempts = attempts + 1, error = ?, state = ?, not_before = ? WHERE id = ?`, why, state, at, id)
}

func (db *DB) writeMessage(ctx context.Context, query string, args ...any) error {
	if db.writer == nil {
		return db.fileError("write a message to", errReadOnly)
	}
	return db.fileError("write a message to", db.writer.transact(ctx, func(t *tx) error { return t.exec(query, args...) }))
}

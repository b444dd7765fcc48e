package store

import (
	"context"
	"database/sql"
	"iter"
	"time"
)

const dueColumns = `d.id, d.job, d.kind, d.nominal, d.until, d.count, d.at, d.decided, d.outcome, d.reason, d.start, d.settled,
	coalesce(runs.number, 0), coalesce(runs.state, ''), jobs.holder_pid, jobs.holder_machine, jobs.heartbeat,
	(SELECT start FROM magpie_due next WHERE next.run_id = d.run_id AND next.id > d.id ORDER BY next.id LIMIT 1)`

const dueTables = ` FROM magpie_due d LEFT JOIN runs ON runs.id = d.run_id LEFT JOIN jobs ON jobs.id = runs.job_id`

// OpenDue lists what is still to be done about due times: those that wait, and
// those whose run is not settled, by their order.
func (db *DB) OpenDue(ctx context.Context) ([]DueRun, error) {
	return collect(ctx, db, `SELECT `+dueColumns+dueTables+` WHERE d.settled = 0 ORDER BY d.id`, nil,
		func(rows *sql.Rows) (DueRun, error) {
			r, _, err := db.scanDue(rows)
			return r, err
		})
}

// Due lists the due times of a job, and the starts that somebody asked for,
// with what became of them, the last first; with "" those of all jobs.
func (db *DB) Due(ctx context.Context, job string) iter.Seq2[DueRun, error] {
	// list goes up: by the ids below zero.
	return list(ctx, db, 0, `SELECT `+dueColumns+dueTables+` WHERE (?1 = '' OR d.job = ?1) AND (?2 = 0 OR d.id < -?2) ORDER BY d.id DESC LIMIT ?3`, []any{job},
		func(rows *sql.Rows) (DueRun, int64, error) {
			r, id, err := db.scanDue(rows)
			return r, -id, err
		})
}

func (db *DB) scanDue(rows *sql.Rows) (r DueRun, id int64, err error) {
	var nominal, until, at, decided int64
	var start string
	var next sql.NullString
	var h hold
	err = rows.Scan(&r.ID, &r.Job, &r.Kind, &nominal, &until, &r.Count, &at, &decided, &r.Outcome, &r.Reason, &start, &r.Settled,
		&r.Run, &r.RunState, &h.pid, &h.machine, &h.heartbeat, &next)
	r.Nominal, r.Until, r.At, r.Decided = fromMillis(nominal), fromMillis(until), fromMillis(at), fromMillis(decided)
	r.Fresh, r.Continue = start == "fresh", start == "continue"
	if r.RunState == RunRunning && !h.inForce(db.self, time.Now()) {
		r.RunState = RunInterrupted
	}
	if r.Run > 0 && r.Settled {
		r.RunState = r.left(next)
	}
	return r, r.ID, err
}

// left is the state in which a due time that is settled left its run. next says
// how the first start after it that went on with the run was asked for.
func (r *DueRun) left(next sql.NullString) RunState {
	switch {
	case r.Reason == StoppedByHand:
		return RunInterrupted
	case next.String == "continue", r.RunState == RunRunning && r.Reason == "":
		return RunFinished // a limit had ended it
	case next.Valid:
		return RunInterrupted
	}
	return r.RunState
}

// Schedules lists how the schedules of jobs stand, or with a name that of one.
func (db *DB) Schedules(ctx context.Context, job string) ([]Schedule, error) {
	return collect(ctx, db, `SELECT job, schedule, considered, next, paused FROM magpie_schedules WHERE ?1 = '' OR job = ?1 ORDER BY job`, []any{job},
		func(rows *sql.Rows) (s Schedule, err error) {
			var considered, next sql.NullInt64
			err = rows.Scan(&s.Job, &s.Schedule, &considered, &next, &s.Paused)
			if considered.Valid {
				s.Considered = fromMillis(considered.Int64)
			}
			if next.Valid {
				s.Next = fromMillis(next.Int64)
			}
			return s, err
		})
}

// fillSchedule reads how a job's schedule stands.
func (db *DB) fillSchedule(ctx context.Context, s *JobStatus) error {
	all, err := db.Schedules(ctx, s.Name)
	if err != nil || len(all) == 0 {
		return err
	}
	s.Schedule = &all[0]
	last, err := collect(ctx, db, `SELECT `+dueColumns+dueTables+` WHERE d.job = ? ORDER BY d.id DESC LIMIT 1`, []any{s.Name},
		func(rows *sql.Rows) (DueRun, error) {
			r, _, err := db.scanDue(rows)
			return r, err
		})
	if err == nil && len(last) > 0 {
		s.LastDue = &last[0]
	}
	return err
}

// LastFinished tells when the last finished crawl of each job ended. Jobs that
// never finished one are not in it.
func (db *DB) LastFinished(ctx context.Context) (map[string]time.Time, error) {
	last := map[string]time.Time{}
	_, err := collect(ctx, db, `SELECT jobs.name, max(runs.ended_at) FROM runs JOIN jobs ON jobs.id = runs.job_id
		WHERE runs.state = 'finished' AND runs.kind = 'crawl' AND runs.ended_at IS NOT NULL GROUP BY runs.job_id`, nil,
		func(rows *sql.Rows) (struct{}, error) {
			var name string
			var ended int64
			err := rows.Scan(&name, &ended)
			last[name] = fromMillis(ended)
			return struct{}{}, err
		})
	return last, err
}

package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"github.com/magpie-crawl/magpie/crawl"
)

// DueKind says what a run was begun for.
type DueKind string

// Kinds of DueRun.
const (
	DueSchedule DueKind = "schedule" // its time had come
	DueHand     DueKind = "hand"     // somebody asked for it
)

// DueOutcome says what became of a due time.
type DueOutcome string

// Outcomes of a DueRun.
const (
	DueWaiting DueOutcome = "waiting" // a run is to begin for it
	DueStarted DueOutcome = "started" // a run was begun for it, see DueRun.Run
	DueSkipped DueOutcome = "skipped" // no run took place, see DueRun.Reason
)

// DueRun is a due time, or a start that somebody asked for, with what became
// of it. Due times that were skipped in a row for the same reason are one
// DueRun.
type DueRun struct {
	ID       int64
	Job      string
	Kind     DueKind
	Nominal  time.Time // what the schedule says; of several, the first
	Until    time.Time // the last of them: Nominal where there is one
	Count    int       // how many; 0: it is about no due time, and Reason tells about what
	At       time.Time // when it was to start: Nominal with jitter
	Decided  time.Time
	Outcome  DueOutcome
	Reason   string   // why it was skipped, or is caught up; "": there is nothing to tell
	Fresh    bool     // a new run is to begin even if one is unfinished
	Continue bool     // a run that a limit ended is to go on
	Run      int      // number of the run; 0: not begun
	RunState RunState // of the run; where another start went on with it, as it was before
	Settled  bool     // nothing is left to do about it
}

// Schedule is how a job's schedule stands.
type Schedule struct {
	Job        string
	Schedule   string    // the one that the rest is about, as the daemon writes it down
	Considered time.Time // it is decided what becomes of due times up to this one; zero: the job was taken away
	Next       time.Time // the next due time, with jitter; zero: none
	Paused     bool
}

// Decision is what a daemon decided about a job.
type Decision struct {
	Job      string
	Schedule *Schedule // how it stands now; nil: as before
	Add      []DueRun  // their ID is filled in
	Settle   []Settle
}

// Settle says that nothing is left to do about a DueRun.
type Settle struct {
	ID     int64
	Reason string // "": as it is

	// Finished takes StoppedByHand back: the run had come to its end already.
	Finished bool
}

// StoppedByHand is the DueRun.Reason of a run that somebody stopped: nothing is
// left to do about it, and the next start goes on with the run.
const StoppedByHand = "stopped by hand"

// Decide records decisions, all or none. A DueRun that waits is no longer
// there for anybody once it is settled: it counts as skipped.
func (d *DaemonHold) Decide(ctx context.Context, decisions []Decision) error {
	return d.transact(ctx, func(t *tx) error {
		for i := range decisions {
			if err := t.decide(&decisions[i]); err != nil {
				return err
			}
		}
		return nil
	})
}

func (t *tx) decide(d *Decision) error {
	var decided sql.NullInt64 // the last due time before
	if _, err := t.row(`SELECT considered FROM magpie_schedules WHERE job = ?`, []any{d.Job}, &decided); err != nil {
		return err
	}
	if s := d.Schedule; s != nil {
		err := t.exec(`INSERT INTO magpie_schedules (job, schedule, considered, next, paused) VALUES (?1, ?2, ?3, ?4, ?5)
			ON CONFLICT (job) DO UPDATE SET schedule = ?2, considered = ?3, next = ?4, paused = ?5`,
			d.Job, s.Schedule, nullMillis(s.Considered), nullMillis(s.Next), s.Paused)
		if err != nil {
			return err
		}
	}
	for _, s := range d.Settle {
		if err := t.settle(s); err != nil {
			return err
		}
	}
	for i := range d.Add {
		if err := t.addDue(d.Job, &d.Add[i], decided); err != nil {
			return err
		}
		decided = nullMillis(d.Add[i].Until)
	}
	return nil
}

func (t *tx) settle(s Settle) error {
	if s.Finished {
		if err := t.exec(`UPDATE magpie_due SET reason = '', settled = 0 WHERE id = ? AND reason = ?`, s.ID, StoppedByHand); err != nil {
			return err
		}
	}
	return t.exec(`UPDATE magpie_due SET settled = 1, outcome = iif(outcome = 'waiting', 'skipped', outcome), reason = iif(?2 = '', reason, ?2)
		WHERE id = ?1 AND settled = 0`, s.ID, s.Reason)
}

// addDue adds a row, or adds what was skipped to the row before it where that
// was so for the same reason. A row has all due times from its first to its
// last: where the schedule was another meanwhile, or none, there is a new one.
func (t *tx) addDue(job string, r *DueRun, decided sql.NullInt64) error {
	if r.Outcome == DueSkipped && r.Count > 0 {
		var last DueRun
		found, err := t.row(`SELECT id, kind, outcome, reason, count FROM magpie_due WHERE job = ?1 AND until = ?2
			AND id = (SELECT max(id) FROM magpie_due WHERE job = ?1)`, []any{job, decided},
			&last.ID, &last.Kind, &last.Outcome, &last.Reason, &last.Count)
		if err != nil {
			return err
		}
		if found && last.Kind == r.Kind && last.Outcome == DueSkipped && last.Reason == r.Reason && last.Count > 0 {
			r.ID = last.ID
			return t.exec(`UPDATE magpie_due SET until = ?, count = count + ?, decided = ? WHERE id = ?`, millis(r.Until), r.Count, millis(r.Decided), r.ID)
		}
	}
	start := ""
	switch {
	case r.Fresh:
		start = "fresh"
	case r.Continue:
		start = "continue"
	}
	var err error
	r.ID, err = t.insert(`INSERT INTO magpie_due (job, kind, nominal, until, count, at, decided, outcome, reason, start, settled) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
		job, string(r.Kind), millis(r.Nominal), millis(r.Until), r.Count, millis(r.At), millis(r.Decided), string(r.Outcome), r.Reason, start, r.Outcome == DueSkipped)
	return err
}

// ErrNotDue says that a run was not begun, as crawl.Job.Due is settled: it was
// taken back.
var ErrNotDue = errors.New("it is not due any more")

// beginDue links a run to what it is begun for.
func (t *tx) beginDue(job crawl.Job, runID int64) error {
	if job.Due == 0 {
		return nil
	}
	n, err := t.changed(`UPDATE magpie_due SET outcome = 'started', run_id = ? WHERE id = ? AND job = ? AND settled = 0`, runID, job.Due, job.Name)
	if err == nil && n == 0 {
		err = fmt.Errorf("job %q, due time %d: %w", job.Name, job.Due, ErrNotDue)
	}
	return err
}

func nullMillis(t time.Time) sql.NullInt64 {
	return sql.NullInt64{Int64: millis(t), Valid: !t.IsZero()}
}

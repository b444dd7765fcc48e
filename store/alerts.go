package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"time"

	"github.com/magpie-crawl/magpie/crawl"
)

// Alert is an open problem of a job.
type Alert struct {
	Job    string
	Kind   string // failure, silence or drift
	Since  time.Time
	Last   time.Time // when it last showed
	Count  int       // runs, or intervals, in which it did
	Run    int       // number of the last of those runs; 0: none began
	Detail string
	Topics []string             // what it is about, where there is a list
	Told   map[string]time.Time // when each channel was last told of it
}

// AlertJob is what is remembered of a job that is watched.
type AlertJob struct {
	Job       string
	Schedule  string    // as it was at Since; "": it is paused or has none
	Since     time.Time // since when it is watched with this schedule
	Succeeded time.Time // zero: not yet
	Due       int64     // of the last run that was judged, DueRun.ID; 0: unknown
	Failed    bool      // whether it failed
}

// AlertEvent is something to tell a channel.
type AlertEvent struct {
	Channel string
	Name    string // of the channel, for people
	Due     time.Time
	Job     string
	Kind    string
	Data    json.RawMessage
}

// AlertChange is what changes about alerts at one moment.
type AlertChange struct {
	At     time.Time
	Jobs   []AlertJob   // as they are now
	Open   []Alert      // as they are now
	Closed []Alert      // by Job and Kind
	Gone   []string     // jobs that are not watched any more
	Events []AlertEvent // to be told
}

// Empty tells that nothing changes.
func (c *AlertChange) Empty() bool {
	return len(c.Jobs)+len(c.Open)+len(c.Closed)+len(c.Gone)+len(c.Events) == 0
}

// ChangeAlerts stores a change in one transaction. Each event joins the
// message to its channel that is not yet being sent, or begins one; the
// message is due when the first of its events is.
func (db *DB) ChangeAlerts(ctx context.Context, c AlertChange) error {
	return db.writeAlerts(ctx, func(t *tx) error {
		for _, j := range c.Jobs {
			if err := t.putAlertJob(j); err != nil {
				return err
			}
		}
		for _, a := range c.Open {
			if err := t.putAlert(a); err != nil {
				return err
			}
		}
		for _, a := range c.Closed {
			if err := t.exec(`DELETE FROM magpie_alerts WHERE job = ? AND kind = ?`, a.Job, a.Kind); err != nil {
				return err
			}
		}
		for _, job := range c.Gone {
			for _, query := range []string{`DELETE FROM magpie_alerts WHERE job = ?`, `DELETE FROM magpie_alert_jobs WHERE job = ?`} {
				if err := t.exec(query, job); err != nil {
					return err
				}
			}
		}
		for _, e := range c.Events {
			if err := t.putAlertEvent(e, c.At); err != nil {
				return err
			}
		}
		return nil
	})
}

func (t *tx) putAlertJob(j AlertJob) error {
	return t.exec(`INSERT INTO magpie_alert_jobs (job, schedule, since, succeeded, due, failed) VALUES (?1, ?2, ?3, ?4, ?5, ?6)
		ON CONFLICT (job) DO UPDATE SET schedule = ?2, since = ?3, succeeded = ?4, due = ?5, failed = ?6`,
		j.Job, j.Schedule, millisOrZero(j.Since), millisOrZero(j.Succeeded), j.Due, j.Failed)
}

func (t *tx) putAlert(a Alert) error {
	told := map[string]int64{}
	for channel, at := range a.Told {
		told[channel] = millis(at)
	}
	toldJSON, err := json.Marshal(told)
	if err != nil {
		return err
	}
	topics, err := json.Marshal(append([]string{}, a.Topics...))
	if err != nil {
		return err
	}
	return t.exec(`INSERT INTO magpie_alerts (job, kind, since, last_at, count, run, detail, topics, told) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)
		ON CONFLICT (job, kind) DO UPDATE SET since = ?3, last_at = ?4, count = ?5, run = ?6, detail = ?7, topics = ?8, told = ?9`,
		a.Job, a.Kind, millisOrZero(a.Since), millisOrZero(a.Last), a.Count, a.Run, a.Detail, string(topics), string(toldJSON))
}

func (t *tx) putAlertEvent(e AlertEvent, now time.Time) error {
	var id int64
	found, err := t.row(`SELECT id FROM magpie_alert_messages WHERE state = 'due' AND sealed = 0 AND channel = ? ORDER BY id DESC LIMIT 1`, []any{e.Channel}, &id)
	if err != nil {
		return err
	}
	if found {
		err = t.exec(`UPDATE magpie_alert_messages SET not_before = min(not_before, ?) WHERE id = ?`, millis(e.Due), id)
	} else {
		id, err = t.insert(`INSERT INTO magpie_alert_messages (channel, name, created_at, not_before) VALUES (?, ?, ?, ?)`, e.Channel, e.Name, millis(now), millis(e.Due))
	}
	if err != nil {
		return err
	}
	return t.exec(`INSERT INTO magpie_alert_events (message_id, job, kind, data) VALUES (?, ?, ?, ?)`, id, e.Job, e.Kind, string(e.Data))
}

// Alerts lists the open problems of a job, or with "" of all jobs, by job and
// kind.
func (db *DB) Alerts(ctx context.Context, job string) ([]Alert, error) {
	return collect(ctx, db, `SELECT job, kind, since, last_at, count, run, detail, topics, told FROM magpie_alerts
		WHERE ?1 = '' OR job = ?1 ORDER BY job, kind`, []any{job},
		func(rows *sql.Rows) (a Alert, err error) {
			var since, last int64
			var topics, toldJSON []byte
			if err := rows.Scan(&a.Job, &a.Kind, &since, &last, &a.Count, &a.Run, &a.Detail, &topics, &toldJSON); err != nil {
				return a, err
			}
			a.Since, a.Last, a.Told = fromMillisOrZero(since), fromMillisOrZero(last), map[string]time.Time{}
			told := map[string]int64{}
			if err := json.Unmarshal(toldJSON, &told); err != nil {
				return a, err
			}
			for channel, at := range told {
				a.Told[channel] = fromMillis(at)
			}
			return a, json.Unmarshal(topics, &a.Topics)
		})
}

// AlertJobs lists the jobs that are watched.
func (db *DB) AlertJobs(ctx context.Context) ([]AlertJob, error) {
	return collect(ctx, db, `SELECT job, schedule, since, succeeded, due, failed FROM magpie_alert_jobs ORDER BY job`, nil,
		func(rows *sql.Rows) (j AlertJob, err error) {
			var since, succeeded int64
			err = rows.Scan(&j.Job, &j.Schedule, &since, &succeeded, &j.Due, &j.Failed)
			j.Since, j.Succeeded = fromMillisOrZero(since), fromMillisOrZero(succeeded)
			return j, err
		})
}

// FetchedSomething tells whether a run got what it was there for: at least a
// page, or the knowledge that none was due.
func FetchedSomething(c crawl.Counters) bool {
	return c.Pages > 0 || c.Skipped[crawl.ReasonNotDue] > 0
}

// LastSuccess is when a crawl of the job last ended well up to a time; zero:
// never. It ended well if it is finished, and fetched something.
func (db *DB) LastSuccess(ctx context.Context, job string, until time.Time) (time.Time, error) {
	list, err := collect(ctx, db, `SELECT coalesce(max(r.ended_at), 0) FROM runs r JOIN jobs j ON j.id = r.job_id
		WHERE j.name = ?1 AND r.kind = 'crawl' AND r.state = 'finished' AND r.ended_at <= ?2
			AND (r.pages > 0 OR json_extract(r.skipped, '$."`+string(crawl.ReasonNotDue)+`"') > 0)`, []any{job, millis(until)},
		func(rows *sql.Rows) (at int64, err error) { return at, rows.Scan(&at) })
	if err != nil {
		return time.Time{}, err
	}
	return fromMillisOrZero(list[0]), nil
}

func (db *DB) writeAlerts(ctx context.Context, f func(*tx) error) error {
	if db.writer == nil {
		return db.fileError("write an alert to", errReadOnly)
	}
	return db.fileError("write an alert to", db.writer.transact(ctx, f))
}

// millisOrZero is millis with 0 for the zero time.
func millisOrZero(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return millis(t)
}

// fromMillisOrZero is the inverse of millisOrZero.
func fromMillisOrZero(ms int64) time.Time {
	if ms == 0 {
		return time.Time{}
	}
	return fromMillis(ms)
}

package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"github.com/magpie-crawl/magpie/crawl"
)

// JobStatus is how a job stands now.
type JobStatus struct {
	Name     string
	Latest   Run          // its last crawl
	Previous *Run         // the crawl before that; nil: there was none
	Holder   *Holder      // who works on it; nil: nobody
	Rate     float64      // pages a second that the latest run stored in the last minute; 0 unless it is running
	Hosts    []HostStatus // with URLs in the latest run's frontier, those with the most first, at most HostLimit
	AllHosts int          // how many there are

	Schedule *Schedule // as a daemon follows it; nil: none ever did
	LastDue  *DueRun   // the last due time, or start by hand, with what became of it; nil: there was none

	Messages     int    // about its runs, that are to be sent
	MessageError string // why the first of them was not
}

// HostLimit is how many hosts a JobStatus lists.
const HostLimit = 100

// Holder is the process that works on a job.
type Holder struct {
	PID       int
	Host      string // name of the machine
	Since     time.Time
	Heartbeat time.Time // last sign of life
}

// HostStatus is what the frontier has of a host.
type HostStatus struct {
	Host    string
	Ready   int64        // URLs that may be requested as soon as it is their turn
	Waiting int64        // URLs that failed and wait for another try
	Next    time.Time    // when the first of those is due; zero: none waits
	Reason  crawl.Reason // why that one waits
	Detail  string       // Reason, for people

	State crawl.HostState // what politeness asks of it
}

// Status tells how jobs stand: the job of that name, or with "" all jobs. It
// works while crawls go on, and after they were killed. It returns an error
// that wraps ErrNotFound if there is no such job.
func (db *DB) Status(ctx context.Context, job string) ([]JobStatus, error) {
	names, err := collect(ctx, db, `SELECT name FROM jobs WHERE ?1 = '' OR name = ?1 ORDER BY id`, []any{job},
		func(rows *sql.Rows) (name string, err error) { return name, rows.Scan(&name) })
	if err != nil {
		return nil, err
	}
	if job != "" && len(names) == 0 {
		return nil, fmt.Errorf("job %q in %s: %w", job, db.path, ErrNotFound)
	}
	var all []JobStatus
	for _, name := range names {
		s := JobStatus{Name: name}
		if err := db.fillRuns(ctx, &s); err != nil {
			return nil, err
		}
		if err := db.fillStatus(ctx, &s, time.Now()); err != nil {
			return nil, db.fileError("read", err)
		}
		all = append(all, s)
	}
	return all, nil
}

// fillRuns reads the job's last two crawls.
func (db *DB) fillRuns(ctx context.Context, s *JobStatus) error {
	runs, err := db.lastCrawls(ctx, s.Name)
	if err != nil {
		return err
	}
	s.Latest = runs[0]
	if len(runs) > 1 {
		s.Previous = &runs[1]
	}
	return nil
}

func (db *DB) fillStatus(ctx context.Context, s *JobStatus, now time.Time) error {
	var h hold
	err := db.read.QueryRowContext(ctx, `SELECT holder_pid, holder_host, holder_machine, held_since, heartbeat FROM jobs WHERE name = ?`, s.Name).
		Scan(&h.pid, &h.host, &h.machine, &h.since, &h.heartbeat)
	if err != nil {
		return err
	}
	if h.inForce(db.self, now) {
		s.Holder = &Holder{PID: int(h.pid.Int64), Host: h.host.String, Since: fromMillis(h.since.Int64), Heartbeat: fromMillis(h.heartbeat.Int64)}
		if s.Rate, err = db.rate(ctx, s.Latest.id, s.Holder.Since, now); err != nil {
			return err
		}
	}
	if err := db.fillSchedule(ctx, s); err != nil {
		return err
	}
	due, err := db.DueMessages(ctx, s.Name)
	if err != nil {
		return err
	}
	if s.Messages = len(due); s.Messages > 0 {
		s.MessageError = due[0].Error
	}
	if s.Latest.Pending == 0 {
		return nil
	}
	return db.fillHosts(ctx, s)
}

// rateSpan is the time that a rate is measured over, and rateRows how many of
// the pages stored last are looked at for it: there is no index of times.
const (
	rateSpan = time.Minute
	rateRows = 20_000
)

// rate is how many pages a second a run has stored lately.
func (db *DB) rate(ctx context.Context, runID int64, since, now time.Time) (float64, error) {
	from := now.Add(-rateSpan)
	if since.After(from) {
		from = since
	}
	var pages int64
	var first sql.NullInt64
	err := db.read.QueryRowContext(ctx, `SELECT count(*), min(fetched_at) FROM pages
		WHERE id > (SELECT max(id) FROM pages) - ? AND run_id = ? AND fetched_at >= ?`, rateRows, runID, millis(from)).Scan(&pages, &first)
	if err != nil || pages == 0 {
		return 0, err
	}
	if pages == rateRows {
		from = fromMillis(first.Int64)
	}
	span := now.Sub(from).Seconds()
	if span <= 0 {
		return 0, nil
	}
	return float64(pages) / span, nil
}

// fillHosts lists the hosts of the latest run's frontier.
func (db *DB) fillHosts(ctx context.Context, s *JobStatus) error {
	rows, err := db.read.QueryContext(ctx, `
		SELECT h.id, h.name, sum(q.ready), sum(q.waiting), max(q.next), count(*) OVER () FROM (
			SELECT host_id, count(*) AS ready, 0 AS waiting, NULL AS next FROM urls
			WHERE run_id = ?1 AND state = 'pending' AND not_before = 0 GROUP BY host_id
			UNION ALL
			SELECT host_id, 0, count(*), min(not_before) FROM urls
			WHERE run_id = ?1 AND state = 'pending' AND not_before > 0 GROUP BY host_id
		) q JOIN hosts h ON h.id = q.host_id GROUP BY q.host_id ORDER BY sum(q.ready) + sum(q.waiting) DESC, h.name LIMIT ?2`,
		s.Latest.id, HostLimit)
	if err != nil {
		return err
	}
	defer rows.Close()
	var ids []int64
	for rows.Next() {
		var h HostStatus
		var id int64
		var next sql.NullInt64
		if err := rows.Scan(&id, &h.Host, &h.Ready, &h.Waiting, &next, &s.AllHosts); err != nil {
			return err
		}
		if next.Valid {
			h.Next = fromMillis(next.Int64)
		}
		s.Hosts, ids = append(s.Hosts, h), append(ids, id)
	}
	if err := rows.Err(); err != nil {
		return err
	}
	for i := range s.Hosts {
		h := &s.Hosts[i]
		if err := db.fillReason(ctx, h, s.Latest.id, ids[i]); err != nil {
			return err
		}
		var err error
		if h.State, err = db.hostState(ctx, h.Host, s.Latest.id); err != nil {
			return err
		}
	}
	return nil
}

// fillReason finds why the host's next URL to be tried again waits.
func (db *DB) fillReason(ctx context.Context, h *HostStatus, runID, hostID int64) error {
	if h.Waiting == 0 {
		return nil
	}
	err := db.read.QueryRowContext(ctx, `SELECT coalesce(reason, ''), coalesce(detail, '') FROM urls
		WHERE run_id = ? AND host_id = ? AND state = 'pending' AND not_before > 0 ORDER BY not_before LIMIT 1`, runID, hostID).
		Scan(&h.Reason, &h.Detail)
	if errors.Is(err, sql.ErrNoRows) { // fetched since
		return nil
	}
	return err
}

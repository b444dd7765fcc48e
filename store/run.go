package store

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/magpie-crawl/magpie/crawl"
	"github.com/magpie-crawl/magpie/store/internal/health"
)

// run implements crawl.Run.
type run struct {
	db    *DB
	jobID int64
	epoch int64
	keep  crawl.KeepPolicy
	mirror
	recalled  int64 // the last page that Recall put back
	overtaken bool  // pages were extracted again while it was interrupted: there are later runs

	health   crawl.Health
	notices  []crawl.Notice
	declared map[string]bool // the job's items

	mu       sync.Mutex // guards what follows
	info     crawl.RunInfo
	finished bool
	closed   bool
}

// mirror is what a run remembers of the database so as not to ask again. It is
// for Commit alone, and emptied when a transaction fails, since it then knows
// of rows that are not there.
type mirror struct {
	hosts map[string]int64 // ids of hosts
	items map[string]int64 // ids of the job's items
	known *knownLinks

	outlines map[string]*health.Outlines // by pattern; nil: not read yet
	timeline *timeline                   // nil: not read yet
}

// maxHosts bounds mirror.hosts.
const maxHosts = 1 << 16

func newMirror() mirror {
	return mirror{hosts: map[string]int64{}, items: map[string]int64{}, known: newKnownLinks()}
}

func (m *mirror) empty() {
	clear(m.hosts)
	clear(m.items)
	m.known.empty()
	m.outlines = nil
	m.timeline = nil
}

// Info implements crawl.Run.
func (r *run) Info() crawl.RunInfo {
	r.mu.Lock()
	defer r.mu.Unlock()
	info := r.info
	info.Counters = cloneCounters(info.Counters)
	return info
}

// first tells whether there can be no records from before the run.
func (r *run) first() bool { return r.info.Number == 1 && !r.overtaken }

// usable returns an error once the run is finished or closed.
func (r *run) usable() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	switch {
	case r.closed:
		return fmt.Errorf("run %d is closed", r.info.Number)
	case r.finished:
		return fmt.Errorf("run %d is finished", r.info.Number)
	}
	return nil
}

// Hosts implements crawl.Run.
func (r *run) Hosts(ctx context.Context, yield func(crawl.HostQueue) bool) error {
	rows, err := r.db.read.QueryContext(ctx, `
		SELECT h.name, sum(q.pending), min(q.due) FROM (
			SELECT host_id, count(*) AS pending, 0 AS due FROM urls
			WHERE run_id = ?1 AND state = 'pending' AND not_before = 0 GROUP BY host_id
			UNION ALL
			SELECT host_id, count(*), min(not_before) FROM urls
			WHERE run_id = ?1 AND state = 'pending' AND not_before > 0 GROUP BY host_id
		) q JOIN hosts h ON h.id = q.host_id GROUP BY q.host_id ORDER BY q.host_id`, r.info.ID)
	if err != nil {
		return r.db.fileError("read the frontier of", err)
	}
	defer rows.Close()
	for rows.Next() {
		var q crawl.HostQueue
		var due int64
		if err := rows.Scan(&q.Host, &q.Pending, &due); err != nil {
			return r.db.fileError("read the frontier of", err)
		}
		if due > 0 {
			q.Due = fromMillis(due)
		}
		if !yield(q) {
			return nil
		}
	}
	return r.db.fileError("read the frontier of", rows.Err())
}

// Window implements crawl.Run. Requests that are due for another try go
// first, by the time they were due; then the others by rank, by depth, and by ID.
func (r *run) Window(ctx context.Context, host string, now time.Time, limit int, skip []int64) ([]crawl.Request, time.Time, error) {
	w := window{host: host, limit: limit, skip: skip}
	next, err := w.read(ctx, r.db.read, r.info.ID, millis(now))
	return w.due, next, r.db.fileError("read the frontier of", err)
}

// window collects the requests of one host.
type window struct {
	host  string
	limit int
	skip  []int64
	due   []crawl.Request
}

const requestColumns = `id, url, kind, depth, redirects, away, attempts, ` + revisitColumns

func (w *window) read(ctx context.Context, pool *sql.DB, runID, now int64) (next time.Time, err error) {
	// One transaction: between its statements nothing moves from one list
	// to the other.
	t, err := pool.BeginTx(ctx, &sql.TxOptions{ReadOnly: true})
	if err != nil {
		return next, err
	}
	defer t.Rollback()
	var hostID int64
	if err := t.QueryRowContext(ctx, `SELECT id FROM hosts WHERE name = ?`, w.host).Scan(&hostID); errors.Is(err, sql.ErrNoRows) {
		return next, nil
	} else if err != nil {
		return next, err
	}
	var first sql.NullInt64
	err = t.QueryRowContext(ctx, `SELECT min(not_before) FROM urls
		WHERE run_id = ? AND host_id = ? AND state = 'pending' AND not_before > 0 AND not_before > ?`, runID, hostID, now).Scan(&first)
	if err != nil {
		return next, err
	}
	if first.Valid {
		next = fromMillis(first.Int64)
	}
	for _, query := range []string{
		`SELECT ` + requestColumns + ` FROM urls LEFT JOIN magpie_revisits ON url_id = id WHERE run_id = ?1 AND host_id = ?2 AND state = 'pending'
			AND not_before > 0 AND not_before <= ?3 ORDER BY not_before, id LIMIT ?4`,
		`SELECT ` + requestColumns + ` FROM urls LEFT JOIN magpie_revisits ON url_id = id WHERE run_id = ?1 AND host_id = ?2 AND state = 'pending'
			AND not_before = 0 AND ?3 > 0 ORDER BY rank, depth, id LIMIT ?4`,
	} {
		if len(w.due) >= w.limit {
			break
		}
		rows, err := t.QueryContext(ctx, query, runID, hostID, now, w.limit+len(w.skip))
		if err != nil {
			return next, err
		}
		if err := w.take(rows); err != nil {
			return next, err
		}
	}
	return next, nil
}

// take appends rows up to the limit, without those to skip.
func (w *window) take(rows *sql.Rows) error {
	defer rows.Close()
	for len(w.due) < w.limit && rows.Next() {
		q := crawl.Request{Host: w.host}
		var kind string
		var past revisitScan
		if err := rows.Scan(append([]any{&q.ID, &q.URL, &kind, &q.Depth, &q.Redirects, &q.Away, &q.Attempts}, past.dest()...)...); err != nil {
			return err
		}
		q.Kind = kindOf(kind)
		q.Past = past.revisit()
		if !slices.Contains(w.skip, q.ID) {
			w.due = append(w.due, q)
		}
	}
	return cmp.Or(rows.Err(), rows.Close())
}

// Renew implements crawl.Run.
func (r *run) Renew(ctx context.Context) error {
	if err := r.usable(); err != nil {
		return err
	}
	err := r.db.writer.transact(ctx, func(t *tx) error { return t.keepHold(r.jobID, r.epoch, time.Now()) })
	return r.db.fileError("renew the hold on a job in", err)
}

// Close implements crawl.Run. Closing again does nothing.
func (r *run) Close() error {
	r.mu.Lock()
	closed := r.closed
	r.closed = true
	r.mu.Unlock()
	if closed {
		return nil
	}
	r.db.mu.Lock()
	delete(r.db.runs, r)
	r.db.mu.Unlock()
	err := r.db.writer.transact(context.Background(), func(t *tx) error { return t.dropHold(r.jobID, r.epoch) })
	return r.db.fileError("let go of a job in", err)
}

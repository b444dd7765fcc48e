package store

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"github.com/magpie-crawl/magpie/crawl"
	"github.com/magpie-crawl/magpie/store/internal/body"
)

// lessons stores what a visit taught of its host and its origin.
func (c *commit) lessons(p *prepared) error {
	if err := c.hostState(p.Request.Host, p.Host); err != nil {
		return err
	}
	if err := c.trap(p.Trap); err != nil {
		return err
	}
	return c.robotsFile(p.Robots, p.robots)
}

func (c *commit) hostState(host string, s *crawl.HostState) error {
	if s == nil {
		return nil
	}
	id, err := c.hostID(host)
	if err != nil {
		return err
	}
	return c.tx.exec(`INSERT INTO magpie_politeness (host_id, run_id, not_before, crawl_delay_ms, slow_ms, failures) VALUES (?, ?, ?, ?, ?, ?)
		ON CONFLICT (host_id) DO UPDATE SET run_id = excluded.run_id, not_before = excluded.not_before,
			crawl_delay_ms = excluded.crawl_delay_ms, slow_ms = excluded.slow_ms, failures = excluded.failures`,
		id, c.run.info.ID, millisUp(s.NotBefore), s.CrawlDelay.Milliseconds(), s.Slow.Milliseconds(), s.Failures)
}

// millisUp is t rounded up, so that nothing is ever early; 0 for the zero time.
func millisUp(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return max(0, millis(t.Add(time.Millisecond-1)))
}

// HostState implements crawl.Memory.
func (r *run) HostState(ctx context.Context, host string) (crawl.HostState, error) {
	return r.db.hostState(ctx, host, r.info.ID)
}

// hostState returns what is known of a host. Failures are those of a run, 0:
// of the last.
func (db *DB) hostState(ctx context.Context, host string, runID int64) (crawl.HostState, error) {
	var s crawl.HostState
	var notBefore, crawlDelay, slow int64
	err := db.read.QueryRowContext(ctx, `SELECT not_before, crawl_delay_ms, slow_ms, iif(?1 IN (0, run_id), failures, 0)
		FROM magpie_politeness WHERE host_id = (SELECT id FROM hosts WHERE name = ?2)`, runID, host).
		Scan(&notBefore, &crawlDelay, &slow, &s.Failures)
	if errors.Is(err, sql.ErrNoRows) {
		return s, nil
	}
	if notBefore > 0 {
		s.NotBefore = fromMillis(notBefore)
	}
	s.CrawlDelay, s.Slow = time.Duration(crawlDelay)*time.Millisecond, time.Duration(slow)*time.Millisecond
	return s, db.fileError("read", err)
}

// robotsFile stores an answer to a request for a robots.txt, with its body
// among the others.
func (c *commit) robotsFile(f *crawl.RobotsFile, b *body.Body) error {
	if f == nil {
		return nil
	}
	var bodyID any
	if b != nil {
		id, err := c.putBody(b)
		if err != nil {
			return err
		}
		bodyID = id
	}
	return c.tx.exec(`INSERT INTO robots (job_id, origin, fetched_at, expires_at, status, error, failures, body_id) VALUES (?, ?, ?, ?, ?, ?, ?, ?)
		ON CONFLICT (job_id, origin) DO UPDATE SET fetched_at = excluded.fetched_at, expires_at = excluded.expires_at,
			status = excluded.status, error = excluded.error, failures = excluded.failures, body_id = excluded.body_id`,
		c.run.jobID, f.Origin, millis(f.FetchedAt), millisUp(f.Expires), f.Status, null(f.Err), f.Failures, bodyID)
}

// RobotsFile implements crawl.Memory.
func (r *run) RobotsFile(ctx context.Context, origin string) (*crawl.RobotsFile, error) {
	return r.db.robotsFile(ctx, r.jobID, origin)
}

func (db *DB) robotsFile(ctx context.Context, jobID int64, origin string) (*crawl.RobotsFile, error) {
	f := &crawl.RobotsFile{Origin: origin}
	var fetched, expires int64
	var b bodyScan
	err := db.read.QueryRowContext(ctx, `SELECT fetched_at, expires_at, status, coalesce(error, ''), failures, `+bodyColumns+`
		FROM robots LEFT JOIN bodies b ON b.id = body_id WHERE job_id = ? AND origin = ?`, jobID, origin).
		Scan(append([]any{&fetched, &expires, &f.Status, &f.Err, &f.Failures}, b.dest()...)...)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, nil
	} else if err != nil {
		return nil, db.fileError("read", err)
	}
	f.FetchedAt, f.Expires = fromMillis(fetched), fromMillis(expires)
	if b.Codec != "" {
		f.Body, err = db.unpack(ctx, b.stored())
	}
	return f, db.fileError("read", err)
}

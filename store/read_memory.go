package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"github.com/magpie-crawl/magpie/crawl"
	"github.com/magpie-crawl/magpie/weburl"
)

// Memory is what is known of a URL, its host and its origin for later visits.
type Memory struct {
	Revisit *crawl.Revisit // nil: the URL never answered well
	Host    crawl.HostState
	Robots  *crawl.RobotsFile // nil: it was never asked for
}

// Memory returns what is known for later visits of a job's URL. It returns an
// error that wraps ErrNotFound if there is no such job.
func (db *DB) Memory(ctx context.Context, job, url string) (*Memory, error) {
	var m Memory
	var jobID int64
	err := db.read.QueryRowContext(ctx, `SELECT id FROM jobs WHERE name = ?`, job).Scan(&jobID)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, fmt.Errorf("job %q in %s: %w", job, db.path, ErrNotFound)
	} else if err != nil {
		return nil, db.fileError("read", err)
	}
	var past revisitScan
	hash := hashURL(jobID, url)
	err = db.read.QueryRowContext(ctx, `SELECT `+revisitColumns+` FROM urls JOIN magpie_revisits ON url_id = id WHERE hash = ?`, hash[:]).
		Scan(past.dest()...)
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return nil, db.fileError("read", err)
	}
	m.Revisit = past.revisit()
	u, err := weburl.Parse(url)
	if err != nil {
		return &m, nil
	}
	if m.Host, err = db.hostState(ctx, u.Host(), 0); err != nil {
		return nil, err
	}
	m.Robots, err = db.robotsFile(ctx, jobID, u.Origin())
	return &m, err
}

package store

import (
	"context"
	"database/sql"
	"fmt"
	"slices"
)

// History returns what became of a job's URL in each run that met it, oldest
// first. Of a run before the last that met it, only what was fetched is known.
// It is empty for a URL that the job has not met.
func (db *DB) History(ctx context.Context, job, url string) ([]Page, error) {
	jobID, err := db.jobID(ctx, job)
	if err != nil {
		return nil, err
	}
	hash := hashURL(jobID, url)
	return collect(ctx, db, `SELECT `+pageColumns+fmt.Sprintf(pageTables, "r.job_id = u.job_id")+`
		WHERE u.hash = ?1 AND (u.run_id = r.id OR p.id IS NOT NULL) ORDER BY r.number`, []any{hash[:]},
		func(rows *sql.Rows) (Page, error) {
			p, _, err := scanPage(rows)
			return p, err
		})
}

// maxTrail is how far back a Trail goes.
const maxTrail = 100

// Trail returns how a job came to a URL: the page whose link led there, the
// page that led to that one, and so on to a start URL or sitemap.
func (db *DB) Trail(ctx context.Context, job, url string) ([]string, error) {
	jobID, err := db.jobID(ctx, job)
	if err != nil {
		return nil, err
	}
	hash := hashURL(jobID, url)
	trail, err := collect(ctx, db, `WITH RECURSIVE trail (n, url, found_on) AS (
			SELECT 0, url, found_on FROM urls WHERE hash = ?1
			UNION ALL SELECT n + 1, u.url, u.found_on FROM trail JOIN urls u ON u.id = trail.found_on WHERE n < ?2
		) SELECT url FROM trail ORDER BY n`, []any{hash[:], maxTrail},
		func(rows *sql.Rows) (from string, err error) { return from, rows.Scan(&from) })
	if err != nil || len(trail) == 0 {
		return nil, err
	}
	// Pages found by a shorter way later may lead in a circle.
	for i := 1; i < len(trail); i++ {
		if slices.Contains(trail[:i], trail[i]) {
			return trail[1:i], nil
		}
	}
	return trail[1:], nil
}

// Starts returns the URLs that a job's last crawl began with, at most limit.
func (db *DB) Starts(ctx context.Context, job string, limit int) ([]string, error) {
	crawls, err := db.lastCrawls(ctx, job)
	if err != nil {
		return nil, err
	}
	return collect(ctx, db, `SELECT url FROM urls WHERE run_id = ?1 AND found_on IS NULL AND depth = 0 AND kind = 'page' ORDER BY id LIMIT ?2`,
		[]any{crawls[0].id, limit}, func(rows *sql.Rows) (url string, err error) { return url, rows.Scan(&url) })
}

// jobID finds a job by its name.
func (db *DB) jobID(ctx context.Context, job string) (int64, error) {
	ids, err := collect(ctx, db, `SELECT id FROM jobs WHERE name = ?1`, []any{job},
		func(rows *sql.Rows) (id int64, err error) { return id, rows.Scan(&id) })
	switch {
	case err != nil:
		return 0, err
	case len(ids) == 0:
		return 0, fmt.Errorf("job %q in %s: %w", job, db.path, ErrNotFound)
	}
	return ids[0], nil
}

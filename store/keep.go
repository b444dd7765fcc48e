package store

import (
	"context"
	"database/sql"
	"fmt"

	"github.com/magpie-crawl/magpie/crawl"
)

// keepNames are the values of jobs.keep.
var keepNames = map[crawl.KeepPolicy]string{crawl.KeepAll: "all", crawl.KeepLast: "last", crawl.KeepNone: "none"}

// putKeep records what a job keeps of bodies. Where that changed, Trim looks at
// all its pages anew.
func (t *tx) putKeep(jobID int64, k crawl.Keep) error {
	name, known := keepNames[k.Bodies]
	if !known {
		return fmt.Errorf("%d is no policy of what to keep", k.Bodies)
	}
	return t.exec(`UPDATE jobs SET trimmed_page = iif(keep = ?1, trimmed_page, 0), keep = ?1, budget = ?2 WHERE id = ?3`, name, k.Budget, jobID)
}

// Trimmed is what Trim did of a job.
type Trimmed struct {
	Job    string
	Bodies int64 // that were dropped
	Bytes  int64 // that they took, compressed
	Budget int64 // of the job; 0: none
	Stored int64 // bytes that the job's bodies take now; 0 without a budget
}

// Over is by how many bytes the job's bodies exceed its budget though there is
// nothing left that may be dropped.
func (t *Trimmed) Over() int64 {
	if t.Budget == 0 {
		return 0
	}
	return max(0, t.Stored-t.Budget)
}

// Trim drops the bodies that the job of this name, or with "" each job, keeps
// no longer: first by its policy, then, while it is over its budget, the oldest
// that newer ones of the same URLs have taken the place of. A body that
// another job keeps, or a robots.txt is made of, stays. Pages stay, with the
// size and the hash of what was dropped; room in the file is used again, and
// given back by GC.
//
// It works in small transactions while crawls go on, and can be interrupted.
func (db *DB) Trim(ctx context.Context, job string) ([]Trimmed, error) {
	if db.writer == nil {
		return nil, fmt.Errorf("drop bodies of %s: %w", db.path, errReadOnly)
	}
	list, err := db.trim(ctx, job, false)
	return list, db.fileError("drop bodies of", err)
}

// keeper is a job with what it keeps.
type keeper struct {
	id      int64
	name    string
	keep    string
	budget  int64
	trimmed int64          // page
	seen    map[int64]bool // by wouldDrop
}

// trim is Trim; with dry it changes nothing.
func (db *DB) trim(ctx context.Context, job string, dry bool) ([]Trimmed, error) {
	keepers, err := collect(ctx, db, `SELECT id, name, keep, budget, trimmed_page FROM jobs WHERE ?1 IN ('', name) ORDER BY id`, []any{job},
		func(rows *sql.Rows) (k keeper, err error) {
			return k, rows.Scan(&k.id, &k.name, &k.keep, &k.budget, &k.trimmed)
		})
	if err != nil {
		return nil, err
	}
	var list []Trimmed
	for _, k := range keepers {
		t := Trimmed{Job: k.name, Budget: k.budget}
		k.seen = map[int64]bool{}
		drop := db.dropBodies
		if dry {
			drop = k.wouldDrop
		}
		if k.keep != keepNames[crawl.KeepAll] {
			err = db.applyKeep(ctx, &k, &t, drop)
		}
		if err == nil && k.budget > 0 {
			err = db.applyBudget(ctx, &k, &t, drop)
		}
		if err != nil {
			return nil, err
		}
		list = append(list, t)
	}
	return list, nil
}

// candidate is a body that may be dropped, found by a page.
type candidate struct {
	body, bytes, page int64
}

// dropper drops the bodies of list for which the SQL condition on bodies b still holds.
type dropper func(ctx context.Context, list []candidate, condition string, k *keeper, page int64) (bodies, bytes int64, err error)

// currentPage tells the pages q that nothing has taken the place of: the last
// response of a URL and the last good one, which a 304 refers to.
const currentPage = `(q.id = (SELECT page_id FROM magpie_revisits WHERE url_id = q.url_id)
	OR q.id = (SELECT id FROM pages WHERE url_id = q.url_id ORDER BY run_id DESC LIMIT 1))`

// unwanted tells bodies b that no job keeps.
const unwanted = `b.codec != 'dropped' AND NOT EXISTS (SELECT 1 FROM robots WHERE body_id = b.id)
	AND NOT EXISTS (SELECT 1 FROM pages q JOIN urls v ON v.id = q.url_id JOIN jobs j ON j.id = v.job_id
		WHERE q.body_id = b.id AND (j.keep = 'all' OR j.keep = 'last' AND ` + currentPage + `))`

// superseded tells bodies b that the job ?1 can do without.
const superseded = `b.codec != 'dropped' AND NOT EXISTS (SELECT 1 FROM robots WHERE body_id = b.id)
	AND NOT EXISTS (SELECT 1 FROM pages q JOIN urls v ON v.id = q.url_id JOIN jobs j ON j.id = v.job_id
		WHERE q.body_id = b.id AND (` + currentPage + ` OR j.id != ?1 AND j.keep = 'all'))`

// Candidates of the job ?1 behind the page ?2. CROSS JOIN has these pages looked
// at and not, each time, all URLs of the job.
const (
	unwantedBodies = `SELECT DISTINCT b.id, octet_length(b.data), 0 FROM pages p CROSS JOIN urls u ON u.id = p.url_id
		CROSS JOIN pages o ON o.url_id = p.url_id AND o.id <= p.id CROSS JOIN bodies b ON b.id = o.body_id
		WHERE p.id > ?2 AND p.id <= ?3 AND u.job_id = ?1 AND ` + unwanted

	supersededBodies = `SELECT b.id, octet_length(b.data), p.id FROM pages p CROSS JOIN urls u ON u.id = p.url_id CROSS JOIN bodies b ON b.id = p.body_id
		WHERE p.id > ?2 AND u.job_id = ?1 AND ` + superseded + ` ORDER BY p.id LIMIT ?3`
)

// trimPages is how many pages are looked at in one go.
const trimPages = 500

// applyKeep looks at the pages that came since it was last done: by each, those
// of its URL before it can have become superfluous.
func (db *DB) applyKeep(ctx context.Context, k *keeper, t *Trimmed, drop dropper) error {
	for after := k.trimmed; ; {
		var last sql.NullInt64
		err := db.read.QueryRowContext(ctx, `SELECT max(id) FROM (SELECT id FROM pages WHERE id > ? ORDER BY id LIMIT ?)`, after, trimPages).Scan(&last)
		if err != nil || !last.Valid {
			return err
		}
		list, err := collect(ctx, db, unwantedBodies, []any{k.id, after, last.Int64}, scanCandidate)
		if err != nil {
			return err
		}
		after = last.Int64
		bodies, bytes, err := drop(ctx, list, unwanted, k, after)
		if err != nil {
			return err
		}
		t.Bodies, t.Bytes = t.Bodies+bodies, t.Bytes+bytes
	}
}

// applyBudget drops superseded bodies, the oldest first, until the job's
// bodies fit its budget.
func (db *DB) applyBudget(ctx context.Context, k *keeper, t *Trimmed, drop dropper) error {
	err := db.read.QueryRowContext(ctx, `SELECT coalesce(sum(octet_length(b.data)), 0) FROM bodies b
		WHERE EXISTS (SELECT 1 FROM pages p JOIN urls u ON u.id = p.url_id WHERE p.body_id = b.id AND u.job_id = ?)`, k.id).Scan(&t.Stored)
	if err != nil || k.keep != keepNames[crawl.KeepAll] {
		return err // there is nothing left that is superseded
	}
	for after := int64(0); t.Stored > k.budget; {
		list, err := collect(ctx, db, supersededBodies, []any{k.id, after, trimPages}, scanCandidate)
		if err != nil || len(list) == 0 {
			return err
		}
		after = list[len(list)-1].page
		list = list[:enough(list, t.Stored-k.budget)]
		bodies, bytes, err := drop(ctx, list, superseded, k, 0)
		if err != nil {
			return err
		}
		t.Bodies, t.Bytes, t.Stored = t.Bodies+bodies, t.Bytes+bytes, t.Stored-bytes
	}
	return nil
}

// enough is how many of list have to go for the given number of bytes.
func enough(list []candidate, bytes int64) int {
	counted := map[int64]bool{}
	for i, c := range list {
		if bytes <= 0 {
			return i
		}
		if !counted[c.body] {
			counted[c.body] = true
			bytes -= c.bytes
		}
	}
	return len(list)
}

func scanCandidate(rows *sql.Rows) (c candidate, err error) {
	return c, rows.Scan(&c.body, &c.bytes, &c.page)
}

// dropBodies is a dropper. page, unless 0, is how far keep has been applied.
func (db *DB) dropBodies(ctx context.Context, list []candidate, condition string, k *keeper, page int64) (bodies, bytes int64, err error) {
	err = db.writer.transact(ctx, func(t *tx) error {
		for _, c := range list {
			n, err := t.changed(`UPDATE bodies AS b SET codec = 'dropped', data = X'', dictionary_id = NULL WHERE b.id = ?2 AND `+condition, k.id, c.body)
			if err != nil {
				return err
			}
			if n == 0 {
				continue // it came to be needed meanwhile, or stands in the list twice
			}
			bodies, bytes = bodies+1, bytes+c.bytes
			// There is nothing left that a 304 could stand for.
			err = t.exec(`UPDATE magpie_revisits SET etag = NULL, last_modified = NULL
				WHERE url_id IN (SELECT url_id FROM pages WHERE body_id = ?1) AND page_id IN (SELECT id FROM pages WHERE body_id = ?1)`, c.body)
			if err != nil {
				return err
			}
		}
		if page == 0 {
			return nil
		}
		return t.exec(`UPDATE jobs SET trimmed_page = ? WHERE id = ? AND keep = ?`, page, k.id, k.keep)
	})
	return bodies, bytes, err
}

// wouldDrop is a dropper that only counts.
func (k *keeper) wouldDrop(_ context.Context, list []candidate, _ string, _ *keeper, _ int64) (bodies, bytes int64, err error) {
	for _, c := range list {
		if !k.seen[c.body] {
			k.seen[c.body] = true
			bodies, bytes = bodies+1, bytes+c.bytes
		}
	}
	return bodies, bytes, nil
}

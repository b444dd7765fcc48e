package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/magpie-crawl/magpie/crawl"
)

// revisitColumns are the columns of magpie_revisits that hold crawl.Revisit, in the
// order of revisitScan.dest.
const revisitColumns = `fetched_at, coalesce(etag, ''), coalesce(last_modified, ''), changed_at, content, interval_ms, missing, gone_run IS NOT NULL, lastmod`

// revisitScan reads revisitColumns, which are NULL without a revisit.
type revisitScan struct {
	fetched, changed, interval, missing, lastmod sql.NullInt64
	etag, lastModified                           string
	content                                      []byte
	gone                                         bool
}

func (s *revisitScan) dest() []any {
	return []any{&s.fetched, &s.etag, &s.lastModified, &s.changed, &s.content, &s.interval, &s.missing, &s.gone, &s.lastmod}
}

func (s *revisitScan) revisit() *crawl.Revisit {
	if !s.fetched.Valid {
		return nil
	}
	r := &crawl.Revisit{ETag: s.etag, LastModified: s.lastModified,
		FetchedAt: fromMillis(s.fetched.Int64), ChangedAt: fromMillis(s.changed.Int64),
		Content: s.content, Interval: time.Duration(s.interval.Int64) * time.Millisecond,
		Missing: int(s.missing.Int64), Gone: s.gone}
	if s.lastmod.Valid {
		r.LastMod = fromMillis(s.lastmod.Int64)
	}
	return r
}

// revisit stores what the next visit of a URL is to know. pageID is the
// response that this visit stored. Unless it is a good one, the one before
// still counts, and of r its absence alone.
func (c *commit) revisit(v *crawl.Visit, pageID int64) error {
	r := v.Revisit
	if r == nil {
		return nil
	}
	var gone any
	if r.Gone {
		gone = c.run.info.ID
		if v.Request.Past != nil && !v.Request.Past.Gone {
			c.counters.Gone++
		}
	}
	if v.State != crawl.Done || pageID == 0 {
		return c.tx.exec(`UPDATE magpie_revisits SET missing = ?1, gone_run = iif(?2 IS NULL, NULL, coalesce(gone_run, ?2)) WHERE url_id = ?3`,
			r.Missing, gone, v.Request.ID)
	}
	content := r.Content
	if content == nil {
		content = []byte{} // nil would be NULL
	}
	etag, lastModified := r.ETag, r.LastModified
	if c.run.keep == crawl.KeepNone {
		etag, lastModified = "", "" // there is nothing that a 304 could stand for
	}
	return c.tx.exec(`INSERT INTO magpie_revisits (url_id, page_id, etag, last_modified, fetched_at, changed_at, content, interval_ms, missing, gone_run)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
		ON CONFLICT (url_id) DO UPDATE SET page_id = excluded.page_id, etag = excluded.etag, last_modified = excluded.last_modified,
			fetched_at = excluded.fetched_at, changed_at = excluded.changed_at, content = excluded.content,
			interval_ms = excluded.interval_ms, missing = excluded.missing, gone_run = excluded.gone_run, lastmod = NULL`,
		v.Request.ID, pageID, null(etag), null(lastModified), millis(r.FetchedAt), millis(r.ChangedAt), content,
		r.Interval.Milliseconds(), r.Missing, gone)
}

// lastMods notes what a sitemap says of URLs that answered well before. Of
// others nothing need be known: they are visited anyway.
func (c *commit) lastMods(links []crawl.Link, hashes []urlHash) error {
	if c.run.info.Number == 1 {
		return nil
	}
	for i := range links {
		if links[i].LastMod.IsZero() {
			continue
		}
		err := c.tx.exec(`UPDATE magpie_revisits SET lastmod = ? WHERE url_id = (SELECT id FROM urls WHERE hash = ?)`,
			millis(links[i].LastMod), hashes[i][:])
		if err != nil {
			return err
		}
	}
	return nil
}

// StoredPage implements crawl.Memory.
func (r *run) StoredPage(ctx context.Context, id int64) (*crawl.Page, error) {
	var p crawl.Page
	var b bodyScan
	var fetched, duration int64
	var headers string
	err := r.db.read.QueryRowContext(ctx, `SELECT p.fetched_at, p.duration_us, p.status, p.headers, p.content_type, p.truncated,
			`+bodyColumns+`
		FROM magpie_revisits v JOIN pages p ON p.id = v.page_id JOIN bodies b ON b.id = p.body_id WHERE v.url_id = ?`, id).
		Scan(append([]any{&fetched, &duration, &p.Status, &headers, &p.ContentType, &p.Truncated}, b.dest()...)...)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, fmt.Errorf("stored response in %s: %w", r.db.path, ErrNotFound)
	} else if err != nil {
		return nil, r.db.fileError("read", err)
	}
	if p.Body, err = r.db.unpack(ctx, b.stored()); err != nil {
		return nil, r.db.fileError("read", err)
	}
	if err := json.Unmarshal([]byte(headers), &p.Header); err != nil {
		return nil, fmt.Errorf("headers in %s: %w", r.db.path, err)
	}
	p.FetchedAt, p.Duration = fromMillis(fetched), time.Duration(duration)*time.Microsecond
	return &p, nil
}

// Recall implements crawl.Memory.
func (r *run) Recall(ctx context.Context, limit int) (map[string]int64, error) {
	if err := r.usable(); err != nil {
		return nil, err
	}
	var added map[string]int64
	last := r.recalled
	err := r.db.writer.transact(ctx, func(t *tx) (err error) {
		if err := t.keepHold(r.jobID, r.epoch, time.Now()); err != nil {
			return err
		}
		added, last, err = t.recall(r, limit)
		return err
	})
	if err != nil {
		return nil, r.db.fileError("put pages back into the frontier of", err)
	}
	r.recalled = last
	return added, nil
}

// notMet finds pages of the job ?2 behind the URL ?1 that the run ?3 has not met,
// and one with the same plan had. CROSS JOIN has them looked at in their order.
const notMet = `SELECT v.url_id, h.name FROM magpie_revisits v CROSS JOIN urls u ON u.id = v.url_id CROSS JOIN hosts h ON h.id = u.host_id
	WHERE v.url_id > ?1 AND v.gone_run IS NULL AND u.job_id = ?2 AND u.kind = 'page' AND u.run_id IN
		(SELECT o.id FROM runs o JOIN runs n ON n.id = ?3 WHERE o.job_id = ?2 AND o.id != n.id AND o.plan = n.plan)
	ORDER BY v.url_id LIMIT ?4`

// recall puts pages back and returns the last of them, where the next call
// goes on.
func (t *tx) recall(r *run, limit int) (added map[string]int64, last int64, err error) {
	rows, err := t.query(notMet, r.recalled, r.jobID, r.info.ID, limit)
	if err != nil {
		return nil, r.recalled, err
	}
	defer rows.Close()
	var ids []int64
	added = map[string]int64{}
	for rows.Next() {
		var id int64
		var host string
		if err := rows.Scan(&id, &host); err != nil {
			return nil, r.recalled, err
		}
		ids = append(ids, id)
		added[host]++
	}
	if err := errors.Join(rows.Err(), rows.Close()); err != nil || len(ids) == 0 {
		return nil, r.recalled, err
	}
	for _, id := range ids {
		err := t.exec(`UPDATE urls SET run_id = ?, state = 'pending', reason = NULL, detail = NULL, attempts = 0, not_before = 0 WHERE id = ?`,
			r.info.ID, id)
		if err != nil {
			return nil, r.recalled, err
		}
	}
	return added, ids[len(ids)-1], nil
}

package store

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"github.com/mattn/go-sqlite3"

	"github.com/magpie-crawl/magpie/crawl"
)

// Commit implements crawl.Run. Once it has begun to write, it ignores ctx.
//
// A visit that cannot be kept, such as one that breaks a constraint, is
// committed as Failed for crawl.ReasonStore. Any other error, such as a full
// disk, undoes the whole batch: nothing of it is stored then, and it can be
// committed again.
func (r *run) Commit(ctx context.Context, visits []*crawl.Visit) ([]crawl.Committed, error) {
	if err := r.usable(); err != nil {
		return nil, err
	}
	batch := r.prepare(visits)
	for {
		out, err := r.commitBatch(ctx, batch)
		bad, ok := errors.AsType[*visitError](err)
		if !ok || batch[bad.index].unstored != nil {
			return out, r.db.fileError("write pages to", err)
		}
		// Undoing all and starting again is simpler than a savepoint for
		// each visit, and costs nothing while all goes well.
		batch[bad.index] = unstored(batch[bad.index].Visit, bad.err)
	}
}

// visitError is an error that the visit is to blame for, not the database.
type visitError struct {
	index int
	err   error
}

func (e *visitError) Error() string { return e.err.Error() }
func (e *visitError) Unwrap() error { return e.err }

// blameVisit tells errors of a visit from those of the database.
func blameVisit(i int, err error) error {
	if e, ok := errors.AsType[sqlite3.Error](err); ok {
		switch e.Code {
		case sqlite3.ErrConstraint, sqlite3.ErrTooBig, sqlite3.ErrMismatch:
			return &visitError{i, err}
		}
	}
	return err
}

// commit is one batch on its way into the database.
type commit struct {
	tx        *tx
	run       *run
	counters  crawl.Counters
	unsettled []int // see links
	found     map[urlHash]known
}

func newCommit(t *tx, r *run, counters crawl.Counters) *commit {
	return &commit{tx: t, run: r, counters: counters, found: map[urlHash]known{}}
}

func (r *run) commitBatch(ctx context.Context, batch []prepared) ([]crawl.Committed, error) {
	out := make([]crawl.Committed, len(batch))
	var counters crawl.Counters
	err := r.db.writer.transact(ctx, func(t *tx) error {
		if err := t.keepHold(r.jobID, r.epoch, time.Now()); err != nil {
			return err
		}
		c := newCommit(t, r, r.Info().Counters)
		for i := range batch {
			var err error
			if out[i], err = c.visit(&batch[i]); err != nil {
				return blameVisit(i, err)
			}
		}
		if err := c.putOutlines(); err != nil {
			return err
		}
		if err := c.tally(batch, out); err != nil {
			return err
		}
		counters = c.counters
		return t.putCounters(r.info.ID, counters)
	})
	if err != nil {
		r.mirror.empty()
		return nil, err
	}
	r.mu.Lock()
	r.info.Counters = counters
	r.mu.Unlock()
	return out, nil
}

// visit stores one visit.
func (c *commit) visit(p *prepared) (crawl.Committed, error) {
	none := crawl.Committed{}
	settled, err := c.settle(p.Visit)
	if err != nil || !settled {
		return none, err
	}
	c.count(p.Visit)
	out := crawl.Committed{Stored: true, Err: p.unstored}
	if err := c.lessons(p); err != nil {
		return none, err
	}
	if p.State == crawl.Pending {
		return out, c.archived(p.Archived, 0)
	}
	var pageID int64
	if p.page != nil {
		if pageID, err = c.page(p); err != nil {
			return none, err
		}
	}
	if err := c.archived(p.Archived, pageID); err != nil {
		return none, err
	}
	if err := c.revisit(p.Visit, pageID); err != nil {
		return none, err
	}
	if err := c.outline(p.Outline); err != nil {
		return none, err
	}
	from := sql.NullInt64{Int64: p.Request.ID, Valid: true}
	if out.Added, err = c.links(from, p.Links, p.links); err != nil {
		return none, err
	}
	if err := c.lastMods(p.Links, p.links); err != nil {
		return none, err
	}
	if err := c.records(p.Request.ID, p.records); err != nil {
		return none, err
	}
	for i := range p.rejects {
		if err := c.reject(p.Request.ID, &p.rejects[i]); err != nil {
			return none, err
		}
	}
	return out, nil
}

// settle moves the visit's URL out of its pending state, or to its next try.
// It returns false if the URL is not pending: then this visit, or another of
// the same URL, has been committed before.
func (c *commit) settle(v *crawl.Visit) (bool, error) {
	var attempts int
	var notBefore int64
	if v.State == crawl.Failed || v.State == crawl.Pending && v.Reason != "" {
		attempts = 1
	}
	if v.State == crawl.Pending {
		notBefore = millisUp(v.RetryAt)
	}
	if v.State == crawl.Skipped && dependsOnPath(v.Reason) {
		c.run.known.forget(hashURL(c.run.jobID, v.Request.URL))
	}
	n, err := c.tx.changed(`UPDATE urls SET state = ?, reason = ?, detail = ?, attempts = attempts + ?, not_before = ?
		WHERE id = ? AND run_id = ? AND state = 'pending'`,
		stateNames[v.State], null(string(v.Reason)), null(v.Detail), attempts, notBefore, v.Request.ID, c.run.info.ID)
	return n == 1, err
}

// count adds a visit to the counters, but for its records.
func (c *commit) count(v *crawl.Visit) {
	n := &c.counters
	if v.Page != nil && !v.Page.NotModified {
		n.Bytes += int64(len(v.Page.Body))
	}
	switch v.State {
	case crawl.Pending:
		if v.Reason != "" {
			n.Retries++
		}
	case crawl.Failed:
		n.Failed++
		add(n.Failures, v.Reason, 1)
	case crawl.Skipped:
		add(n.Skipped, v.Reason, 1)
	case crawl.Done:
		countDone(n, v)
	}
}

func countDone(n *crawl.Counters, v *crawl.Visit) {
	switch {
	case v.Page == nil:
	case v.Page.Location != "":
		n.Redirects++
	case v.Request.Kind == crawl.SitemapKind:
		n.Sitemaps++
	default:
		n.Pages++
	}
	if v.Page != nil && v.Page.NotModified {
		n.NotModified++
	}
}

// page stores the response and returns its id.
func (c *commit) page(p *prepared) (int64, error) {
	bodyID, err := c.putBody(&p.page.body)
	if err != nil {
		return 0, err
	}
	page := p.Page
	var confidence any
	if page.Encoding.Name != "" {
		confidence = int(page.Encoding.Confidence)
	}
	return c.tx.insert(`INSERT INTO pages (run_id, url_id, state, reason, fetched_at, duration_us, status, headers, content_type,
			location, truncated, warnings, encoding, encoding_confidence, encoding_source, size, body_id, canonical)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
		c.run.info.ID, p.Request.ID, stateNames[p.State], null(string(p.Reason)), millis(page.FetchedAt),
		page.Duration.Microseconds(), page.Status, p.page.headers, page.ContentType, null(page.Location), page.Truncated,
		p.page.warnings, null(page.Encoding.Name), confidence, null(page.Encoding.Source), p.page.body.Size, bodyID, null(page.Canonical))
}

// null is NULL for an empty string.
func null(s string) any {
	if s == "" {
		return nil
	}
	return s
}

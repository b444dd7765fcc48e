package store

import (
	"context"
	"time"

	"github.com/magpie-crawl/magpie/crawl"
)

// AddArchive implements crawl.Memory.
func (r *run) AddArchive(ctx context.Context, file string) error {
	if err := r.usable(); err != nil {
		return err
	}
	err := r.db.writer.transact(ctx, func(t *tx) error {
		if err := t.keepHold(r.jobID, r.epoch, time.Now()); err != nil {
			return err
		}
		return t.exec(`INSERT INTO magpie_archives (job_id, file, size) VALUES (?, ?, 0)`, r.jobID, file)
	})
	return r.db.fileError("write", err)
}

// Archives implements crawl.Memory.
func (r *run) Archives(ctx context.Context, yield func(file string, end int64) bool) error {
	rows, err := r.db.read.QueryContext(ctx, `SELECT file, size FROM magpie_archives WHERE job_id = ? ORDER BY id`, r.jobID)
	if err != nil {
		return r.db.fileError("read", err)
	}
	defer rows.Close()
	for rows.Next() {
		var file string
		var end int64
		if err := rows.Scan(&file, &end); err != nil {
			return r.db.fileError("read", err)
		}
		if !yield(file, end) {
			return nil
		}
	}
	return r.db.fileError("read", rows.Err())
}

// archived stores where a page stands in an archive, and how much of that is
// committed with it. pageID is 0 for a visit of which no page is kept.
func (c *commit) archived(a *crawl.Archived, pageID int64) error {
	if a == nil {
		return nil
	}
	var id int64
	if _, err := c.tx.row(`SELECT id FROM magpie_archives WHERE job_id = ? AND file = ?`, []any{c.run.jobID, a.File}, &id); err != nil {
		return err
	}
	if err := c.tx.exec(`UPDATE magpie_archives SET size = max(size, ?) WHERE id = ?`, a.End, id); err != nil {
		return err
	}
	if pageID == 0 || a.Offset < 0 {
		return nil
	}
	return c.tx.exec(`UPDATE pages SET archive_id = ?, archive_offset = ? WHERE id = ?`, id, a.Offset, pageID)
}

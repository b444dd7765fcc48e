package store

import (
	"context"
	"encoding/json"
	"strconv"

	"github.com/magpie-crawl/magpie/crawl"
)

// trap stores what a visit taught of URLs like its own.
func (c *commit) trap(t *crawl.Trap) error {
	if t == nil {
		return nil
	}
	sums := make([]string, len(t.Sums))
	for i, s := range t.Sums {
		sums[i] = strconv.FormatUint(s, 16)
	}
	data, err := json.Marshal(sums)
	if err != nil {
		return err
	}
	return c.tx.exec(`INSERT INTO magpie_traps (run_id, shape, streak, sums) VALUES (?, ?, ?, ?)
		ON CONFLICT (run_id, shape) DO UPDATE SET streak = excluded.streak, sums = excluded.sums`,
		c.run.info.ID, t.Shape, t.Streak, string(data))
}

// Traps implements crawl.Memory. The longest streaks come first.
func (r *run) Traps(ctx context.Context, yield func(crawl.Trap) bool) error {
	rows, err := r.db.read.QueryContext(ctx, `SELECT shape, streak, sums FROM magpie_traps WHERE run_id = ? ORDER BY streak DESC, shape`, r.info.ID)
	if err != nil {
		return r.db.fileError("read", err)
	}
	defer rows.Close()
	for rows.Next() {
		var t crawl.Trap
		var data []byte
		if err := rows.Scan(&t.Shape, &t.Streak, &data); err != nil {
			return r.db.fileError("read", err)
		}
		var sums []string
		if err := json.Unmarshal(data, &sums); err != nil {
			return r.db.fileError("read", err)
		}
		for _, s := range sums {
			sum, err := strconv.ParseUint(s, 16, 64)
			if err != nil {
				return r.db.fileError("read", err)
			}
			t.Sums = append(t.Sums, sum)
		}
		if !yield(t) {
			return nil
		}
	}
	return r.db.fileError("read", rows.Err())
}

// Asked implements crawl.Memory.
func (r *run) Asked(ctx context.Context, yield func(url, host string) bool) error {
	return r.urls(ctx, `SELECT u.url, h.name FROM urls u JOIN hosts h ON h.id = u.host_id
		WHERE u.run_id = ? AND u.kind = 'page' AND (u.state IN ('done', 'failed') OR u.state = 'pending' AND u.attempts > 0)
			AND coalesce(u.reason, '') NOT IN ('`+string(crawl.ReasonRobotsUnreachable)+`', '`+string(crawl.ReasonHostDown)+`')`, yield)
}

// MovedStarts implements crawl.Memory.
func (r *run) MovedStarts(ctx context.Context, yield func(url string) bool) error {
	return r.urls(ctx, `SELECT u.url, h.name FROM urls u JOIN hosts h ON h.id = u.host_id
		WHERE u.run_id = ? AND u.kind = 'page' AND u.depth = 0 AND u.redirects > 0`,
		func(url, _ string) bool { return yield(url) })
}

// urls calls yield for each URL that a query of this run has, with its host.
func (r *run) urls(ctx context.Context, query string, yield func(url, host string) bool) error {
	rows, err := r.db.read.QueryContext(ctx, query, r.info.ID)
	if err != nil {
		return r.db.fileError("read the frontier of", err)
	}
	defer rows.Close()
	for rows.Next() {
		var url, host string
		if err := rows.Scan(&url, &host); err != nil {
			return r.db.fileError("read the frontier of", err)
		}
		if !yield(url, host) {
			return nil
		}
	}
	return r.db.fileError("read the frontier of", rows.Err())
}

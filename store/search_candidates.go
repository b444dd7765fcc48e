package store

import (
	"context"
	"fmt"
	"strings"
)

// searchBest finds the docs that match best, given the weights of the columns.
// Its arguments are MATCH, a job or 0, items or "", and how many. Docs are
// looked up for these alone, and where there is a filter for all that match.
//
// https://www.sqlite.org/fts5.html#the_bm25_function
const searchBest = `SELECT d.id, d.kind, d.ref, d.hash, best.score FROM (
		SELECT rowid AS id, -bm25(texts%s) AS score FROM texts
		WHERE texts MATCH ?1 AND (?2 = 0 AND ?3 = '' OR EXISTS (SELECT 1 FROM docs f
			WHERE f.id = texts.rowid AND (?2 = 0 OR f.job = ?2) AND (?3 = '' OR f.item IN (SELECT value FROM json_each(?3)))))
		ORDER BY score DESC, id LIMIT ?4
	) best CROSS JOIN docs d ON d.id = best.id ORDER BY best.score DESC, d.id`

// candidates returns the docs that match best, in order: by score, then the
// older first.
func (l *searchLook) candidates(ctx context.Context, f SearchFilter) ([]searched, error) {
	job, items, err := l.narrow(ctx, f)
	if err != nil {
		return nil, err
	}
	limit := -1
	if f.Limit > 0 {
		limit = f.Limit + spare
	}
	var weights strings.Builder
	for _, w := range l.weights {
		fmt.Fprintf(&weights, ", %g", w)
	}
	rows, err := l.w.conn.QueryContext(ctx, fmt.Sprintf(searchBest, &weights), l.query.Match(), job, items, limit)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var best []searched
	for rows.Next() {
		var c searched
		if err := rows.Scan(&c.id, &c.kind, &c.ref, &c.hash, &c.score); err != nil {
			return nil, err
		}
		best = append(best, c)
	}
	return best, rows.Err()
}

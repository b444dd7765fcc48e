package store

import (
	"container/heap"
	"context"
	"slices"

	"github.com/magpie-crawl/magpie/store/search"
)

// candidates returns the docs that match best, in order.
func (l *searchLook) candidates(ctx context.Context, f SearchFilter) ([]searched, error) {
	job, items, err := l.narrow(ctx, f)
	if err != nil {
		return nil, err
	}
	// Nothing but words is searched with MATCH, and each of its rows looked up.
	rows, err := l.w.conn.QueryContext(ctx, `SELECT d.id, d.kind, d.ref, d.hash, matchinfo(words, '`+search.MatchInfo+`')
		FROM words CROSS JOIN docs d ON d.id = words.docid
		WHERE words MATCH ?1 AND (?2 = 0 OR d.job = ?2) AND (?3 = '' OR d.item IN (SELECT value FROM json_each(?3)))`,
		l.query.Match(), job, items)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var best worstFirst
	for rows.Next() {
		var c searched
		var info []byte
		if err := rows.Scan(&c.id, &c.kind, &c.ref, &c.hash, &info); err != nil {
			return nil, err
		}
		if c.score, err = search.Score(info); err != nil {
			return nil, err
		}
		best.keep(c, f.Limit)
	}
	slices.SortFunc(best, searched.better)
	return best, rows.Err()
}

// worstFirst is a heap of candidates with the worst on top.
type worstFirst []searched

func (h worstFirst) Len() int           { return len(h) }
func (h worstFirst) Less(i, j int) bool { return h[i].better(h[j]) > 0 }
func (h worstFirst) Swap(i, j int)      { h[i], h[j] = h[j], h[i] }
func (h *worstFirst) Push(c any)        { *h = append(*h, c.(searched)) }

func (h *worstFirst) Pop() any {
	old := *h
	c := old[len(old)-1]
	*h = old[:len(old)-1]
	return c
}

// keep adds c, and lets go of the worst when there are more than are needed.
func (h *worstFirst) keep(c searched, limit int) {
	switch {
	case limit <= 0:
		*h = append(*h, c)
	case len(*h) < limit+spare:
		heap.Push(h, c)
	case c.better((*h)[0]) < 0:
		(*h)[0] = c
		heap.Fix(h, 0)
	}
}

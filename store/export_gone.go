package store

import (
	"context"
	"iter"

	"github.com/magpie-crawl/magpie/store/dataset"
)

// gone yields the keys of records that were there when the run options.Since
// ended, and are there no longer.
func (x *export) gone(ctx context.Context, items []string) iter.Seq2[dataset.Gone, error] {
	return func(yield func(dataset.Gone, error) bool) {
		for _, item := range items {
			more, err := x.goneOf(ctx, item, yield)
			if err != nil {
				yield(dataset.Gone{}, x.db.fileError("read", err))
			}
			if err != nil || !more {
				return
			}
		}
	}
}

// goneOf yields those of an item type. more is false if yield wants no more.
func (x *export) goneOf(ctx context.Context, item string, yield func(dataset.Gone, error) bool) (more bool, err error) {
	rows, err := x.db.read.QueryContext(ctx, `SELECT r.key, max(ended.number)
		FROM jobs JOIN items ON items.job_id = jobs.id JOIN records r ON r.item_id = items.id
		JOIN runs AS began ON began.id = r.from_run JOIN runs AS ended ON ended.id = r.to_run
		WHERE jobs.name = ?1 AND items.name = ?2 AND ended.number > ?3
		AND NOT EXISTS (SELECT 1 FROM records c WHERE c.item_id = r.item_id AND c.key = r.key AND c.to_run IS NULL)
		GROUP BY r.key HAVING min(began.number) <= ?3 ORDER BY r.key`, x.options.Job, item, x.options.Since)
	if err != nil {
		return false, err
	}
	defer rows.Close()
	for rows.Next() {
		g := dataset.Gone{Item: item, Job: x.options.Job}
		if err := rows.Scan(&g.Key, &g.Run); err != nil {
			return false, err
		}
		if !yield(g, nil) {
			return false, nil
		}
	}
	return true, rows.Err()
}

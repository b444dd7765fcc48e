package store

import (
	"cmp"
	"context"
	"database/sql"
	"maps"
	"slices"
)

// problemSums are the problems of a re-extraction, and those of the same pages
// before, by what they have in common.
type problemSums map[problemKind]*ReextractSum

type problemKind struct{ item, field, code string }

// of is the sum of the kind of problem that a field has; its path may have
// positions.
func (s problemSums) of(item, field, code string) *ReextractSum {
	kind := problemKind{item, withoutPositions(field), code}
	if s[kind] == nil {
		s[kind] = &ReextractSum{Item: item, Field: kind.field, Code: code}
	}
	return s[kind]
}

// sorted are the sums, those that changed most first.
func (s problemSums) sorted() []ReextractSum {
	distance := func(s *ReextractSum) int64 { return max(s.Now-s.Before, s.Before-s.Now) }
	var sums []ReextractSum
	for _, sum := range slices.SortedFunc(maps.Values(s), func(a, b *ReextractSum) int {
		return cmp.Or(cmp.Compare(distance(b), distance(a)), cmp.Compare(b.Now, a.Now), cmp.Compare(a.Item, b.Item),
			cmp.Compare(a.Field, b.Field), cmp.Compare(a.Code, b.Code))
	}) {
		sums = append(sums, *sum)
	}
	return sums
}

// seenRun is the run whose rejects and problems are those of a page p now: the
// last that read it, be it a crawl or a re-extraction of the job :job.
const seenRun = `max(p.seen, coalesce((SELECT max(id) FROM src.runs WHERE job_id = :job AND kind = 'reextract'), 0))`

// sumProblems adds the keys that were claimed twice, which are known only now,
// and what was before.
func (s *stage) sumProblems(ctx context.Context, x *reextraction) error {
	err := s.eachProblemSum(ctx, `SELECT i.name, '', 'duplicate', count(*), max(x.list ->> '$[0][2]')
		FROM problems x JOIN items i ON i.item = x.item WHERE x.other IS NOT NULL GROUP BY x.item`, nil,
		func(item, field, code, detail string, n int64) {
			sum := x.problems.of(item, field, code)
			sum.Now, sum.Example = n, detail
			x.sum.Problems += n
		})
	if err != nil {
		return err
	}
	err = s.eachProblemSum(ctx, `SELECT i.name, b.field, b.code, b.n, b.detail FROM (
			SELECT x.item_id, x.field, x.code, count(*) AS n, x.detail FROM pages p
			CROSS JOIN src.problems x ON x.run_id = `+seenRun+` AND x.url_id = p.url_id
			GROUP BY x.item_id, x.field, x.code) b
		JOIN src.items i ON i.id = b.item_id`, []any{sql.Named("job", x.jobID)},
		func(item, field, code, detail string, n int64) {
			sum := x.problems.of(item, field, code)
			if sum.Before += n; sum.Now == 0 {
				sum.Example = detail
			}
		})
	x.sum.Fields = x.problems.sorted()
	return err
}

// eachProblemSum reads sums of problems.
func (s *stage) eachProblemSum(ctx context.Context, query string, args []any, add func(item, field, code, detail string, n int64)) error {
	rows, err := s.conn.QueryContext(ctx, query, args...)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var item, field, code, detail string
		var n int64
		if err := rows.Scan(&item, &field, &code, &n, &detail); err != nil {
			return err
		}
		add(item, field, code, detail, n)
	}
	return rows.Err()
}

package store

import (
	"cmp"
	"context"
	"database/sql"
	"encoding/json"
	"iter"
	"regexp"
	"slices"
	"strings"
)

// ProblemFilter says which problems or rejects are wanted. Each zero field
// wants all.
type ProblemFilter struct {
	Job   string
	Run   int // number within the job; 0: the job's last run
	Item  string
	Limit int
}

// Problem is a value that failed in a run.
type Problem struct {
	Job      string
	Run      int
	Item     string
	Key      string // of the record or reject
	URL      string // the page it is on
	Position int    // of the record on the page
	Rejected bool   // it was one of the reasons why the record was set aside
	Field    string // path such as "reviews[2].stars"; "": the record as a whole
	Code     string // one of extract's Problem constants, or ProblemDuplicate
	Detail   string
}

const problemWhere = ` JOIN items i ON i.id = x.item_id
	JOIN urls u ON u.id = x.url_id
	JOIN runs r ON r.id = x.run_id
	JOIN jobs j ON j.id = r.job_id
	WHERE (?1 = '' OR j.name = ?1) AND (?3 = '' OR i.name = ?3)
	AND r.number = CASE WHEN ?2 > 0 THEN ?2 ELSE (SELECT max(number) FROM runs WHERE job_id = j.id) END
	AND x.id > ?4 ORDER BY x.id LIMIT ?5`

// Problems lists the problems of a run.
func (db *DB) Problems(ctx context.Context, f ProblemFilter) iter.Seq2[Problem, error] {
	return list(ctx, db, f.Limit, `SELECT x.id, j.name, r.number, i.name, x.key, u.url, x.position, x.rejected, x.field, x.code, x.detail
		FROM problems x`+problemWhere, []any{f.Job, f.Run, f.Item},
		func(rows *sql.Rows) (p Problem, id int64, err error) {
			err = rows.Scan(&id, &p.Job, &p.Run, &p.Item, &p.Key, &p.URL, &p.Position, &p.Rejected, &p.Field, &p.Code, &p.Detail)
			return p, id, err
		})
}

// Reject is a record that a run set aside because a required value was absent.
type Reject struct {
	Job      string
	Run      int
	Item     string
	Key      string
	URL      string
	Position int
	Data     json.RawMessage // the fields that were found
}

// Rejects lists the rejects of a run.
func (db *DB) Rejects(ctx context.Context, f ProblemFilter) iter.Seq2[Reject, error] {
	return list(ctx, db, f.Limit, `SELECT x.id, j.name, r.number, i.name, x.key, u.url, x.position, x.data
		FROM rejects x`+problemWhere, []any{f.Job, f.Run, f.Item},
		func(rows *sql.Rows) (r Reject, id int64, err error) {
			err = rows.Scan(&id, &r.Job, &r.Run, &r.Item, &r.Key, &r.URL, &r.Position, (*[]byte)(&r.Data))
			return r, id, err
		})
}

// ProblemCount says how often a field failed in one way, with an example.
type ProblemCount struct {
	Job      string
	Item     string
	Field    string // path without positions, such as "reviews[].stars"
	Code     string
	Count    int64
	Rejected int64 // of Count, those in rejects
	Example  Problem
}

var positions = regexp.MustCompile(`\[\d+\]`)

// withoutPositions is the path of a field, such as "reviews[2].stars", without
// positions.
func withoutPositions(path string) string {
	if !strings.Contains(path, "[") {
		return path
	}
	return positions.ReplaceAllString(path, "[]")
}

// ProblemCounts counts the problems of a run by job, item, field and code,
// the most frequent first. f.Limit does not apply.
func (db *DB) ProblemCounts(ctx context.Context, f ProblemFilter) ([]ProblemCount, error) {
	var err error
	f.Limit = 0
	counts := countProblems(func(yield func(Problem) bool) {
		for p, e := range db.Problems(ctx, f) {
			if e != nil {
				err = e
				return
			}
			if !yield(p) {
				return
			}
		}
	})
	return counts, err
}

// countProblems counts problems by job, item, field and code, the most frequent
// first.
func countProblems(problems iter.Seq[Problem]) []ProblemCount {
	type group struct{ job, item, field, code string }
	groups := map[group]*ProblemCount{}
	for p := range problems {
		g := group{p.Job, p.Item, withoutPositions(p.Field), p.Code}
		c := groups[g]
		if c == nil {
			c = &ProblemCount{Job: g.job, Item: g.item, Field: g.field, Code: g.code, Example: p}
			groups[g] = c
		}
		c.Count++
		if p.Rejected {
			c.Rejected++
		}
	}
	counts := make([]ProblemCount, 0, len(groups))
	for _, c := range groups {
		counts = append(counts, *c)
	}
	slices.SortFunc(counts, func(a, b ProblemCount) int {
		return cmp.Or(cmp.Compare(b.Count, a.Count), cmp.Compare(a.Job, b.Job), cmp.Compare(a.Item, b.Item),
			cmp.Compare(a.Field, b.Field), cmp.Compare(a.Code, b.Code))
	})
	return counts
}

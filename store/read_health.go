package store

import (
	"context"
	"database/sql"
	"iter"

	"github.com/magpie-crawl/magpie/store/internal/health"
)

// HealthFilter says which figures are wanted. Each zero field wants all.
type HealthFilter struct {
	Job string
	Run int // number within the job; 0: the last finished crawl of each job
}

// FieldHealth is how a field of an item type fared in a finished run.
type FieldHealth struct {
	Job           string
	Run           int
	Item          string
	Field         string
	Records       int64 // of the item, rejects included
	Rejects       int64
	Filled        int64 // Records in which it is neither absent nor empty
	Failed        int64 // Records in which a value of it failed its type or check
	Distinct      int64 // values
	DistinctExact bool  // false: Distinct is an estimate, with a standard error of 3%
	Usual         int64 // Filled in UsualRecords, in the run before that had the item; both 0: there is none
	UsualRecords  int64
}

// healthRuns are the runs that a HealthFilter wants: ?1 is the job, ?2 the
// number of the run.
//
// CROSS JOIN has jobs looked at first, so that few of very many runs are.
const healthRuns = `(SELECT r.id, r.number, r.job_id, j.name AS job FROM jobs j CROSS JOIN runs r ON r.job_id = j.id
	WHERE (?1 = '' OR j.name = ?1) AND r.state = 'finished'
	AND r.number = CASE WHEN ?2 > 0 THEN ?2 ELSE (SELECT max(number) FROM runs WHERE job_id = j.id AND state = 'finished' AND kind = 'crawl') END)`

// Health lists how the fields fared, by item and in the order of the job file.
func (db *DB) Health(ctx context.Context, f HealthFilter) ([]FieldHealth, error) {
	return collect(ctx, db, `SELECT r.job, r.number, i.name, fh.field, ih.records + ih.rejects, ih.rejects, fh.filled, fh.failed, fh.different, fh.exact,
			coalesce(bf.filled, 0), coalesce(iif(bf.filled IS NULL, 0, bi.records + bi.rejects), 0)
		FROM `+healthRuns+` r
		JOIN magpie_item_health ih ON ih.run_id = r.id
		JOIN items i ON i.id = ih.item_id
		JOIN magpie_field_health fh ON fh.run_id = r.id AND fh.item_id = i.id
		LEFT JOIN magpie_item_health bi ON bi.item_id = i.id AND bi.run_id = (SELECT max(b.id) FROM runs b
			JOIN magpie_item_health bh ON bh.run_id = b.id AND bh.item_id = i.id WHERE b.job_id = r.job_id AND b.id < r.id AND b.state = 'finished')
		LEFT JOIN magpie_field_health bf ON bf.run_id = bi.run_id AND bf.item_id = i.id AND bf.field = fh.field
		LEFT JOIN json_each(i.fields) place ON json_extract(place.value, '$.name') = fh.field
		ORDER BY r.id, i.position, place.key IS NULL, place.key, fh.field`, []any{f.Job, f.Run},
		func(rows *sql.Rows) (h FieldHealth, err error) {
			return h, rows.Scan(&h.Job, &h.Run, &h.Item, &h.Field, &h.Records, &h.Rejects, &h.Filled, &h.Failed, &h.Distinct, &h.DistinctExact,
				&h.Usual, &h.UsualRecords)
		})
}

// DriftKind is what of a run is worse than usual.
type DriftKind string

// Kinds of drift. Usual and Now of a Drift are shares from 0 to 1, unless noted.
const (
	DriftFill     = DriftKind(health.Fill)     // records that have the field
	DriftFailures = DriftKind(health.Failures) // records in which the field failed its type or check
	DriftDistinct = DriftKind(health.Distinct) // numbers of distinct values
	DriftRecords  = DriftKind(health.Records)  // numbers of an item's records
	DriftRejects  = DriftKind(health.Rejects)  // records that were set aside
	DriftPages    = DriftKind(health.Pages)    // numbers of pages
	DriftTemplate = DriftKind(health.Template) // how alike pages look to those before: Usual is 1
)

// Drift is a figure of a run that is worse than usual: than the median of up
// to five finished runs before it.
type Drift struct {
	Job     string
	Run     int
	Item    string // "": it is about the pages
	Field   string // "": it is about the item as a whole
	Pattern string // of URLs, where Kind is DriftTemplate
	Kind    DriftKind
	Usual   float64 // see the kinds
	Now     float64
	Detail  string // for people
}

// Drifts lists what was worse than usual.
func (db *DB) Drifts(ctx context.Context, f HealthFilter) iter.Seq2[Drift, error] {
	return list(ctx, db, 0, `SELECT d.id, r.job, r.number, coalesce(i.name, ''), coalesce(d.field, ''), coalesce(d.pattern, ''), d.kind, d.usual, d.now, d.detail
		FROM magpie_drifts d JOIN `+healthRuns+` r ON r.id = d.run_id LEFT JOIN items i ON i.id = d.item_id
		WHERE d.id > ?3 ORDER BY d.id LIMIT ?4`, []any{f.Job, f.Run},
		func(rows *sql.Rows) (d Drift, id int64, err error) {
			err = rows.Scan(&id, &d.Job, &d.Run, &d.Item, &d.Field, &d.Pattern, &d.Kind, &d.Usual, &d.Now, &d.Detail)
			return d, id, err
		})
}

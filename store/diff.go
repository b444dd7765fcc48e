package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"iter"
	"math"
	"slices"

	"github.com/magpie-crawl/magpie/store/internal/itemtype"
)

// ChangeKind is what became of a record between two runs.
type ChangeKind string

// Kinds of changes.
const (
	Added   ChangeKind = "added"   // it was not there before
	Changed ChangeKind = "changed" // it was, and reads differently
	Gone    ChangeKind = "gone"    // its absence was confirmed
)

// ChangeKinds are the kinds in the order in which Diff yields them.
var ChangeKinds = []ChangeKind{Added, Changed, Gone}

// DiffOptions say which runs of a job to compare.
type DiffOptions struct {
	Job   string
	From  int        // number of the older run; 0: before the first, when there was nothing
	To    int        // number of the newer run
	Item  string     // of this item type alone; "": of all
	Kind  ChangeKind // of this kind alone; "": of all
	Limit int        // at most this many changes of each kind and item; 0: all
}

// kinds are those that are asked for, in the order of ChangeKinds.
func (o *DiffOptions) kinds() []ChangeKind {
	if o.Kind == "" {
		return ChangeKinds
	}
	return []ChangeKind{o.Kind}
}

// Change is a record that differs between two runs.
type Change struct {
	Item string
	Kind ChangeKind
	Key  string
	URL  string          // the page that showed it last
	Old  json.RawMessage // the fields as they were; nil: Added
	New  json.RawMessage // the fields as they are; nil: Gone

	fields    []string      // of the item, in their order
	differing []FieldChange // what Fields returns; nil: it is to be found
}

// Diff yields the records of a job that differ between two runs: by item in
// the order of the job file, by kind as in ChangeKinds, and then in the order
// in which they were stored. What changed in between and changed back is no
// change. It holds a few chunks in memory at a time.
func (db *DB) Diff(ctx context.Context, o DiffOptions) iter.Seq2[Change, error] {
	return func(yield func(Change, error) bool) {
		d, err := db.newDiff(ctx, o)
		if err != nil {
			yield(Change{}, err)
			return
		}
		for _, item := range d.items {
			for _, kind := range o.kinds() {
				for c, err := range limited(d.changes(ctx, item, kind), o.Limit) {
					if !yield(c, err) || err != nil {
						return
					}
				}
			}
		}
	}
}

// limited is seq cut after n values, or whole for 0.
func limited(seq iter.Seq2[Change, error], n int) iter.Seq2[Change, error] {
	return func(yield func(Change, error) bool) {
		left := n
		for c, err := range seq {
			if !yield(c, err) || left == 1 {
				return
			}
			left--
		}
	}
}

// DiffCount says how many records of an item differ between two runs.
type DiffCount struct {
	Item                 string
	Added, Changed, Gone int64
}

// DiffCounts counts what Diff yields without a limit, for each item type of
// the job, in its order.
func (db *DB) DiffCounts(ctx context.Context, o DiffOptions) ([]DiffCount, error) {
	d, err := db.newDiff(ctx, o)
	if err != nil {
		return nil, err
	}
	counts := make([]DiffCount, len(d.items))
	for i, item := range d.items {
		c := &counts[i]
		c.Item = item.name
		counted := map[ChangeKind]*int64{Added: &c.Added, Changed: &c.Changed, Gone: &c.Gone}
		for _, kind := range o.kinds() {
			for _, run := range d.runs {
				var some int64
				err := db.read.QueryRowContext(ctx, `SELECT count(*)`+diffQueries[kind], item.id, d.from, d.to, run, 0, math.MaxInt64).Scan(&some)
				if err != nil {
					return nil, db.fileError("read", err)
				}
				*counted[kind] += some
			}
		}
	}
	return counts, nil
}

// diff is a comparison of two runs.
type diff struct {
	db       *DB
	from, to int64   // ids of the runs; from is 0 for nothing
	runs     []int64 // ids of the runs after from, up to to
	items    []diffItem
}

type diffItem struct {
	id     int64
	name   string
	fields []string
}

func (db *DB) newDiff(ctx context.Context, o DiffOptions) (*diff, error) {
	d := &diff{db: db}
	if o.From >= o.To {
		return nil, fmt.Errorf("compare run %d with run %d: the first has to be the older one", o.From, o.To)
	}
	if o.Kind != "" && !slices.Contains(ChangeKinds, o.Kind) {
		return nil, fmt.Errorf("%q is no kind of change: there are %v", o.Kind, ChangeKinds)
	}
	jobID, err := db.jobID(ctx, o.Job)
	if err != nil {
		return nil, err
	}
	if o.From > 0 {
		if d.from, err = db.runID(ctx, o.Job, o.From); err != nil {
			return nil, err
		}
	}
	if d.to, err = db.runID(ctx, o.Job, o.To); err != nil {
		return nil, err
	}
	d.runs, err = collect(ctx, db, `SELECT id FROM runs WHERE job_id = ?1 AND id > ?2 AND id <= ?3 ORDER BY id`, []any{jobID, d.from, d.to},
		func(rows *sql.Rows) (id int64, err error) { return id, rows.Scan(&id) })
	if err != nil {
		return nil, err
	}
	d.items, err = collect(ctx, db, `SELECT id, name, fields FROM items WHERE job_id = ?1 AND (?2 = '' OR name = ?2) ORDER BY position, id`, []any{jobID, o.Item},
		scanDiffItem)
	if err == nil && len(d.items) == 0 && o.Item != "" {
		err = db.noItem(ctx, ExportOptions{Job: o.Job, Item: o.Item})
	}
	return d, err
}

func scanDiffItem(rows *sql.Rows) (i diffItem, err error) {
	var fields string
	if err := rows.Scan(&i.id, &i.name, &fields); err != nil {
		return i, err
	}
	parsed, err := itemtype.ParseFields(fields)
	for _, f := range parsed {
		i.fields = append(i.fields, f.Name)
	}
	return i, err
}

// runID finds a run of a job by its number.
func (db *DB) runID(ctx context.Context, job string, number int) (int64, error) {
	ids, err := collect(ctx, db, `SELECT runs.id FROM runs JOIN jobs ON jobs.id = runs.job_id WHERE jobs.name = ?1 AND runs.number = ?2`,
		[]any{job, number}, func(rows *sql.Rows) (id int64, err error) { return id, rows.Scan(&id) })
	if err == nil && len(ids) == 0 {
		err = fmt.Errorf("run %d of job %q in %s: %w", number, job, db.path, ErrNotFound)
	}
	if err != nil {
		return 0, err
	}
	return ids[0], nil
}

// The versions n that began or o that ended in run ?4 of the runs after ?2 up
// to ?3, and that show a change of a record of the item ?1 between those two.
// A version holds in a run if it began in it or before, and ended in none or
// in a later one; a key has at most one. The version is behind ?5, up to ?6.
//
// The version that held in ?2 is mostly the one before n. Only where there are
// more in between is it looked for by its key.
var diffQueries = map[ChangeKind]string{
	Added: ` FROM records n
		WHERE n.item_id = ?1 AND n.from_run = ?4 AND n.id > ?5 AND n.id <= ?6 AND (n.to_run IS NULL OR n.to_run > ?3)
		AND NOT EXISTS (SELECT 1 FROM records p WHERE p.id = n.previous_id AND p.from_run <= ?2)
		AND NOT EXISTS (SELECT 1 FROM records o INDEXED BY magpie_records_closed
			WHERE o.item_id = ?1 AND o.key = n.key AND o.to_run > ?2 AND o.from_run <= ?2)`,
	Changed: ` FROM records n
		LEFT JOIN records p ON p.id = n.previous_id AND p.from_run <= ?2
		CROSS JOIN records o ON o.id = coalesce(p.id, (SELECT c.id FROM records c INDEXED BY magpie_records_closed
			WHERE c.item_id = ?1 AND c.key = n.key AND c.to_run > ?2 AND c.from_run <= ?2))
		WHERE n.item_id = ?1 AND n.from_run = ?4 AND n.id > ?5 AND n.id <= ?6 AND (n.to_run IS NULL OR n.to_run > ?3)
		AND o.hash != n.hash`,
	Gone: ` FROM records e
		CROSS JOIN records o ON o.id = iif(e.from_run <= ?2, e.id, (SELECT c.id FROM records c INDEXED BY magpie_records_closed
			WHERE c.item_id = ?1 AND c.key = e.key AND c.to_run > ?2 AND c.from_run <= ?2))
		WHERE e.item_id = ?1 AND e.gone = 1 AND e.to_run = ?4 AND e.id > ?5 AND e.id <= ?6
		AND NOT EXISTS (SELECT 1 FROM records b INDEXED BY magpie_records_closed
			WHERE b.item_id = ?1 AND b.key = e.key AND b.to_run IS NOT NULL AND b.from_run > ?4 AND b.from_run <= ?3)
		AND NOT EXISTS (SELECT 1 FROM records b INDEXED BY magpie_records_current
			WHERE b.item_id = ?1 AND b.key = e.key AND b.to_run IS NULL AND b.from_run > ?4 AND b.from_run <= ?3)`,
}

// diffColumns are what Diff reads of diffQueries.
var diffColumns = map[ChangeKind]string{
	Added:   `n.key, (SELECT url FROM urls WHERE id = n.url_id), NULL, n.data`,
	Changed: `n.key, (SELECT url FROM urls WHERE id = n.url_id), o.data, n.data`,
	Gone:    `e.key, (SELECT url FROM urls WHERE id = e.url_id), o.data, NULL`,
}

// diffIDs are the versions of diffQueries, in whose order Diff yields.
var diffIDs = map[ChangeKind]string{Added: `n.id`, Changed: `n.id`, Gone: `e.id`}

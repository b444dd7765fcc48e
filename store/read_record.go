package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"
)

// RecordDetail is all about a record.
type RecordDetail struct {
	Job, Item, Key string
	Gone           bool            // its absence was confirmed: it has no current version
	Versions       []RecordVersion // the last first, at most RecordVersionLimit
	AllVersions    int             // how many there are
	Problems       []Problem       // of the record in the run that saw it last
}

// RecordVersion is what a record read like for some time.
type RecordVersion struct {
	URL      string // the page that showed it last, which the run LastRun visited
	Position int    // its place among that page's records of the item
	FirstRun int    // it reads so since this run
	Since    time.Time
	LastRun  int // the last run that saw it
	Seen     time.Time
	Until    int       // the run that found it to read differently or to be gone; 0: it is the current one
	Ended    time.Time // when that run began; zero: it is the current one
	Gone     bool      // the run Until found it to be gone
	Data     json.RawMessage
	Changes  []FieldChange // from the version before; nil: there is none that it came of
}

// RecordVersionLimit is how many versions a RecordDetail has.
const RecordVersionLimit = 200

// RecordDetail returns all about a record. It returns an error that wraps
// ErrNotFound if the job has no such item, or the item never had such a record.
func (db *DB) RecordDetail(ctx context.Context, job, item, key string) (*RecordDetail, error) {
	d := &RecordDetail{Job: job, Item: item, Key: key}
	err := db.reading(ctx, func(t *sql.Tx) error {
		items, err := collectIn(ctx, t, `SELECT i.id, i.name, i.fields FROM jobs j JOIN items i ON i.job_id = j.id WHERE j.name = ? AND i.name = ?`,
			[]any{job, item}, scanDiffItem)
		if err != nil {
			return err
		}
		if len(items) == 0 {
			return fmt.Errorf("item %q of job %q in %s: %w", item, job, db.path, ErrNotFound)
		}
		if err := d.readVersions(ctx, t, items[0]); err != nil {
			return err
		}
		if len(d.Versions) == 0 {
			return fmt.Errorf("record %q of item %q of job %q in %s: %w", key, item, job, db.path, ErrNotFound)
		}
		d.Gone = d.Versions[0].Until > 0
		return d.readProblems(ctx, t, items[0].id)
	})
	if err != nil {
		return nil, err
	}
	return d, nil
}

// readVersions reads the versions, the current one and those that ended, each
// by its index.
func (d *RecordDetail) readVersions(ctx context.Context, t *sql.Tx, item diffItem) error {
	const columns = `SELECT r.id, coalesce(r.previous_id, 0), (SELECT url FROM urls WHERE id = r.url_id), r.position, a.number, a.started_at, z.number, z.started_at,
		coalesce(e.number, 0), e.started_at, r.gone, r.data FROM records r INDEXED BY %s JOIN runs a ON a.id = r.from_run JOIN runs z ON z.id = r.last_run
		LEFT JOIN runs e ON e.id = r.to_run WHERE r.item_id = ?1 AND r.key = ?2 AND r.to_run IS %sNULL ORDER BY r.id DESC LIMIT ?3`
	type link struct{ id, previous int64 }
	var links []link
	for _, part := range [][]any{{"magpie_records_current", ""}, {"magpie_records_closed", "NOT "}} {
		some, err := collectIn(ctx, t, fmt.Sprintf(columns, part...), []any{item.id, d.Key, RecordVersionLimit + 1 - len(d.Versions)},
			func(rows *sql.Rows) (v RecordVersion, err error) {
				var l link
				var since, seen int64
				var ended sql.NullInt64
				err = rows.Scan(&l.id, &l.previous, &v.URL, &v.Position, &v.FirstRun, &since, &v.LastRun, &seen, &v.Until, &ended, &v.Gone, (*[]byte)(&v.Data))
				links = append(links, l)
				v.Since, v.Seen = fromMillis(since), fromMillis(seen)
				if ended.Valid {
					v.Ended = fromMillis(ended.Int64)
				}
				return v, err
			})
		if err != nil {
			return err
		}
		d.Versions = append(d.Versions, some...)
	}
	for i := range d.Versions {
		before := slices.IndexFunc(links, func(l link) bool { return l.id == links[i].previous })
		if before >= 0 {
			c := Change{Old: d.Versions[before].Data, New: d.Versions[i].Data, fields: item.fields}
			d.Versions[i].Changes = c.Fields()
		}
	}
	if d.AllVersions = len(d.Versions); d.AllVersions > RecordVersionLimit {
		d.Versions = d.Versions[:RecordVersionLimit]
		return t.QueryRowContext(ctx, `SELECT (SELECT count(*) FROM records INDEXED BY magpie_records_current WHERE item_id = ?1 AND key = ?2 AND to_run IS NULL) +
			(SELECT count(*) FROM records INDEXED BY magpie_records_closed WHERE item_id = ?1 AND key = ?2 AND to_run IS NOT NULL)`, item.id, d.Key).Scan(&d.AllVersions)
	}
	return nil
}

// readProblems reads what failed in the record where it was last seen.
func (d *RecordDetail) readProblems(ctx context.Context, t *sql.Tx, itemID int64) error {
	last := &d.Versions[0]
	var runID, urlID int64
	err := t.QueryRowContext(ctx, `SELECT r.last_run, r.url_id FROM records r WHERE r.id = coalesce(
		(SELECT id FROM records INDEXED BY magpie_records_current WHERE item_id = ?1 AND key = ?2 AND to_run IS NULL),
		(SELECT max(id) FROM records INDEXED BY magpie_records_closed WHERE item_id = ?1 AND key = ?2 AND to_run IS NOT NULL))`, itemID, d.Key).Scan(&runID, &urlID)
	if errors.Is(err, sql.ErrNoRows) {
		return nil
	} else if err != nil {
		return err
	}
	d.Problems, err = collectIn(ctx, t, `SELECT position, rejected, field, code, detail FROM problems INDEXED BY magpie_problems_by_page
		WHERE run_id = ? AND url_id = ? AND item_id = ? AND key = ? ORDER BY id LIMIT 1000`, []any{runID, urlID, itemID, d.Key},
		func(rows *sql.Rows) (Problem, error) {
			p := Problem{Job: d.Job, Run: last.LastRun, Item: d.Item, Key: d.Key, URL: last.URL}
			return p, rows.Scan(&p.Position, &p.Rejected, &p.Field, &p.Code, &p.Detail)
		})
	return err
}

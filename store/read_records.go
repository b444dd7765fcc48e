package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"iter"
)

// ItemSummary is an item type of a job.
type ItemSummary struct {
	Job     string
	Name    string
	Fields  []string // names, in the order of the job file
	Records int64    // current ones
}

// Items lists the item types of a job, or with "" of all jobs, in the order
// of their job files.
func (db *DB) Items(ctx context.Context, job string) ([]ItemSummary, error) {
	return collect(ctx, db, `SELECT jobs.name, items.name, items.fields,
			(SELECT count(*) FROM records WHERE item_id = items.id AND to_run IS NULL)
		FROM items JOIN jobs ON jobs.id = items.job_id
		WHERE ?1 = '' OR jobs.name = ?1 ORDER BY jobs.id, items.position, items.id`, []any{job},
		func(rows *sql.Rows) (s ItemSummary, err error) {
			var fields string
			if err := rows.Scan(&s.Job, &s.Name, &fields, &s.Records); err != nil {
				return s, err
			}
			parsed, err := parseFields(fields)
			for _, f := range parsed {
				s.Fields = append(s.Fields, f.Name)
			}
			return s, err
		})
}

// RecordFilter says which records are wanted. Each zero field wants all.
type RecordFilter struct {
	Job   string
	Item  string
	Limit int
}

// Record is the current version of a record.
type Record struct {
	Job      string
	Item     string
	Key      string
	URL      string          // the page that showed it last
	Position int             // its place among that page's records of the item
	FirstRun int             // it has read so since this run
	LastRun  int             // the last run that saw it
	Data     json.RawMessage // the fields in the spec's order
}

// Records lists current records in the order in which they were first stored.
func (db *DB) Records(ctx context.Context, f RecordFilter) iter.Seq2[Record, error] {
	return list(ctx, db, f.Limit, `SELECT r.id, j.name, i.name, r.key, u.url, r.position, a.number, z.number, r.data
		FROM records r
		JOIN items i ON i.id = r.item_id
		JOIN jobs j ON j.id = i.job_id
		JOIN urls u ON u.id = r.url_id
		JOIN runs a ON a.id = r.from_run
		JOIN runs z ON z.id = r.last_run
		WHERE (?1 = '' OR j.name = ?1) AND (?2 = '' OR i.name = ?2) AND r.to_run IS NULL AND r.id > ?3
		ORDER BY r.id LIMIT ?4`, []any{f.Job, f.Item},
		func(rows *sql.Rows) (r Record, id int64, err error) {
			err = rows.Scan(&id, &r.Job, &r.Item, &r.Key, &r.URL, &r.Position, &r.FirstRun, &r.LastRun, (*[]byte)(&r.Data))
			return r, id, err
		})
}

// scanFields reads items.fields, one row each.
func scanFields(rows *sql.Rows) ([][]itemField, error) {
	defer rows.Close()
	var all [][]itemField
	for rows.Next() {
		var text string
		if err := rows.Scan(&text); err != nil {
			return nil, err
		}
		fields, err := parseFields(text)
		if err != nil {
			return nil, err
		}
		all = append(all, fields)
	}
	return all, rows.Err()
}

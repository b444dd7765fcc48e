package store

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/magpie-crawl/magpie/extract"
)

// ReextractChange is a record that reads otherwise than the stored one.
type ReextractChange struct {
	Change string // "added", "changed" or "gone"
	Item   string
	Key    string
	URL    string           // the page it is on
	Fields []ReextractField // those that differ
}

// ReextractField is a field that differs. Old or New is nil where there is no
// value.
type ReextractField struct {
	Name string
	Old  json.RawMessage
	New  json.RawMessage
}

// compare finds what the new generation ends, which keys were claimed twice,
// and counts.
func (s *stage) compare(ctx context.Context, x *reextraction) error {
	job := sql.Named("job", x.jobID)
	for _, statement := range []string{
		// old is unique where it is not NULL: a key has one current record.
		`CREATE INDEX found_old ON found (old) WHERE old IS NOT NULL`,
		// First what the indexes tell: the runs and url_id stand behind the data,
		// which need not be read for records that were found, or are no more.
		`WITH absent AS MATERIALIZED (
				SELECT r.id FROM src.records r INDEXED BY magpie_records_current WHERE r.to_run IS NULL AND r.item_id IN (SELECT id FROM src.items WHERE job_id = :job)
				AND NOT EXISTS (SELECT 1 FROM found f WHERE f.old = r.id))
			INSERT INTO ended SELECT r.id FROM absent a CROSS JOIN src.records r ON r.id = a.id WHERE r.url_id IN (SELECT url_id FROM pages)`,
		`INSERT INTO problems SELECT f.url_id, f.item, f.position, f.key, 0,
				json_array(json_array('', 'duplicate', 'the same key with other data on ' || min(c.url))), c.url_id
			FROM claims c JOIN found f ON f.item = c.item AND f.key = c.key WHERE c.hash != f.hash GROUP BY c.item, c.key`,
	} {
		if _, err := s.conn.ExecContext(ctx, statement, job); err != nil {
			return err
		}
	}
	sum := &x.sum
	for query, dest := range map[string][]any{
		`SELECT count(*) FILTER (WHERE old IS NULL), count(*) FILTER (WHERE old IS NOT NULL AND data IS NOT NULL), count(*) FILTER (WHERE data IS NULL) FROM found`: {
			&sum.New, &sum.Changed, &sum.Unchanged},
		`SELECT count(*) FROM ended`:   {&sum.Ended},
		`SELECT count(*) FROM rejects`: {&sum.Rejects},
		`SELECT count(*) FROM pages p CROSS JOIN src.rejects j ON j.run_id = ` + seenRun + ` AND j.url_id = p.url_id`: {&sum.RejectsBefore},
	} {
		if err := s.conn.QueryRowContext(ctx, query, job).Scan(dest...); err != nil {
			return err
		}
	}
	if x.o.Sample == 0 {
		err := s.conn.QueryRowContext(ctx, `SELECT count(*) FROM src.records INDEXED BY magpie_records_current WHERE to_run IS NULL
			AND item_id IN (SELECT id FROM src.items WHERE job_id = ?)`, x.jobID).Scan(&sum.Kept)
		if err != nil {
			return err
		}
		sum.Kept -= sum.Changed + sum.Unchanged + sum.Ended
	}
	return s.sumProblems(ctx, x)
}

// changes tells of the records that differ, in the order of their pages, then
// of those that end.
func (s *stage) changes(ctx context.Context, tell func(ReextractChange) error) error {
	for _, query := range []string{
		`SELECT i.name, f.key, u.url, coalesce(r.data, ''), f.data FROM found f JOIN items i ON i.item = f.item
			LEFT JOIN src.records r ON r.id = f.old LEFT JOIN src.urls u ON u.id = f.url_id
			WHERE f.data IS NOT NULL ORDER BY f.rowid`,
		`SELECT i.name, r.key, u.url, r.data, '' FROM ended e CROSS JOIN src.records r ON r.id = e.id
			JOIN src.items i ON i.id = r.item_id JOIN src.urls u ON u.id = r.url_id ORDER BY e.id`,
	} {
		rows, err := s.conn.QueryContext(ctx, query)
		if err != nil {
			return err
		}
		if err := tellChanges(rows, tell); err != nil {
			return err
		}
	}
	return nil
}

func tellChanges(rows *sql.Rows, tell func(ReextractChange) error) error {
	defer rows.Close()
	for rows.Next() {
		c := ReextractChange{Change: "changed"}
		var old, now []byte
		if err := rows.Scan(&c.Item, &c.Key, &c.URL, &old, &now); err != nil {
			return err
		}
		switch {
		case len(old) == 0:
			c.Change = "added"
		case len(now) == 0:
			c.Change = "gone"
		}
		var err error
		if c.Fields, err = differing(old, now); err != nil {
			return fmt.Errorf("record %s: %w", c.Key, err)
		}
		if err := tell(c); err != nil {
			return err
		}
	}
	return rows.Err()
}

// differing are the fields that two records, each in JSON or empty, do not
// have in common: those of the new one in its order, then those that are gone.
func differing(old, now []byte) ([]ReextractField, error) {
	before, oldNames, err := members(old)
	if err != nil {
		return nil, err
	}
	after, names, err := members(now)
	if err != nil {
		return nil, err
	}
	var fields []ReextractField
	for _, name := range append(names, oldNames...) {
		done := slices.ContainsFunc(fields, func(f ReextractField) bool { return f.Name == name })
		if !done && !bytes.Equal(before[name], after[name]) {
			fields = append(fields, ReextractField{name, before[name], after[name]})
		}
	}
	return fields, nil
}

// members returns the values of a record in JSON, and their names in order.
func members(data []byte) (values map[string]json.RawMessage, names []string, err error) {
	values = map[string]json.RawMessage{}
	if len(data) == 0 {
		return values, nil, nil
	}
	var o extract.Object
	if err := json.Unmarshal(data, &o); err != nil {
		return nil, nil, err
	}
	for _, m := range o {
		names = append(names, m.Name)
	}
	return values, names, json.Unmarshal(data, &values)
}

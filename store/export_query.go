package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"

	"github.com/mattn/go-sqlite3"

	"github.com/magpie-crawl/magpie/store/dataset"
	"github.com/magpie-crawl/magpie/store/internal/itemtype"
	"github.com/magpie-crawl/magpie/store/internal/sqltext"
)

// exportQuery is how the records of an item are read.
type exportQuery struct {
	item    exportItem
	origin  bool              // they need to say where they come from: URL, position, runs
	since   int64             // id of a run: only what began after it; 0: all
	where   string            // condition over columns; "": none
	filters string            // conditions over the table records, each with AND before it; "": none
	args    []any             // of filters
	columns []itemtype.Column // of the item's view
	numbers map[int64]int     // of the job's runs, by id
}

// newExportQuery prepares to read an item's records.
func (db *DB) newExportQuery(ctx context.Context, item exportItem, s dataset.Schema, o ExportOptions) (*exportQuery, error) {
	q := &exportQuery{item: item, origin: o.Format == Markdown || s.NeedsOrigin(), where: o.Where, numbers: map[int64]int{}}
	type run struct {
		id     int64
		number int
	}
	runs, err := collect(ctx, db, `SELECT id, number FROM runs WHERE job_id = ?`, []any{item.jobID},
		func(rows *sql.Rows) (r run, err error) { return r, rows.Scan(&r.id, &r.number) })
	if err != nil {
		return nil, err
	}
	for _, r := range runs {
		q.numbers[r.id] = r.number
		if r.number == o.Since {
			q.since = r.id
		}
	}
	if o.Since > 0 && q.since == 0 {
		return nil, &OptionError{"since", fmt.Errorf("run %d of job %q in %s: %w", o.Since, item.job, db.path, ErrNotFound)}
	}
	if err := q.filter(ctx, db, o); err != nil {
		return nil, err
	}
	if q.where == "" {
		return q, nil
	}
	fields, err := db.exportFields(ctx, o)
	if err != nil {
		return nil, err
	}
	q.columns = itemtype.Columns(fields)
	return q, db.tryCondition(ctx, q)
}

// filter makes conditions of the options' filters.
func (q *exportQuery) filter(ctx context.Context, db *DB, o ExportOptions) error {
	if len(o.Filters) == 0 {
		return nil
	}
	err := db.reading(ctx, func(t *sql.Tx) error {
		l, err := newRecordsLook(ctx, db, t, RecordsQuery{Job: q.item.job, Item: q.item.name, Filters: o.Filters})
		if err != nil {
			return err
		}
		for _, c := range l.where {
			q.filters += " AND " + c.sql
			q.args = append(q.args, c.args...)
		}
		return nil
	})
	if fault, ok := errors.AsType[*QueryFault](err); ok {
		return &OptionError{"filters", fault}
	}
	return err
}

// sql is the query of a chunk: the records behind the key ?2, or from the
// first on. Only what is needed is joined.
func (q *exportQuery) sql(first bool) string {
	var b strings.Builder
	b.WriteString("SELECT records.key AS magpie_key, records.data AS magpie_data")
	names := "magpie_key, magpie_data"
	if q.origin {
		b.WriteString(`, records.position AS magpie_position, records.from_run AS magpie_from, records.last_run AS magpie_last, urls.url AS magpie_url`)
		names += ", magpie_position, magpie_from, magpie_last, magpie_url"
	}
	if q.where != "" {
		b.WriteString(q.viewColumns())
	}
	b.WriteString("\nFROM " + q.table())
	if q.origin || q.where != "" {
		b.WriteString(" CROSS JOIN urls ON urls.id = records.url_id")
	}
	if q.where != "" {
		b.WriteString(" CROSS JOIN runs AS first ON first.id = records.from_run CROSS JOIN runs AS last ON last.id = records.last_run")
	}
	b.WriteString("\nWHERE records.item_id = ?1 AND records.to_run IS NULL AND records.from_run > ?4")
	if !first {
		b.WriteString(" AND records.key > ?2")
	} else {
		b.WriteString(" AND ?2 = ''") // so that the arguments are the same
	}
	if q.where == "" {
		return b.String() + " ORDER BY records.key LIMIT ?3"
	}
	return "SELECT " + names + " FROM (" + b.String() +
		") WHERE (\n" + q.where + "\n) ORDER BY magpie_key LIMIT ?3"
}

// table is where records are read from: those that the filters leave.
func (q *exportQuery) table() string {
	if q.filters == "" {
		return "records"
	}
	// Apart, since filters name columns that other tables have too. What they
	// bind has no numbers and is counted from the last one, which is ?4.
	return "(SELECT * FROM records WHERE item_id = ?1 AND to_run IS NULL AND from_run > ?4" + q.filters + ") AS records"
}

// values are what the query binds.
func (q *exportQuery) values(after string, limit int, since int64) []any {
	return append([]any{q.item.id, after, limit, since}, q.args...)
}

// viewColumns are those of the item's view, for a condition to speak of.
func (q *exportQuery) viewColumns() string {
	var b strings.Builder
	for _, c := range q.columns {
		fmt.Fprintf(&b, ",\n  %s AS %s", c.SQL(), sqltext.QuoteName(c.Name))
	}
	fmt.Fprintf(&b, `,
  %s AS _job, records.key AS _key, urls.url AS _url, records.position AS _position,
  first.number AS _first_run, last.number AS _last_run`, sqltext.QuoteText(q.item.job))
	return b.String()
}

// tryCondition prepares the query, so that a mistake is told in the words of
// the condition and before anything is written.
func (db *DB) tryCondition(ctx context.Context, q *exportQuery) error {
	if err := sqltext.CheckCondition(q.where); err != nil {
		return &OptionError{"where", err}
	}
	err := q.ask(ctx, db, true, q.values("", 0, 0), func(rows *sql.Rows) error {
		rows.Next() // so that the statement runs
		return rows.Err()
	})
	if err == nil || ctx.Err() != nil {
		return err
	}
	return q.wrongCondition(err)
}

// wrongCondition says that a query cannot be asked for its condition.
func (q *exportQuery) wrongCondition(err error) error {
	if isTooBig(err) {
		return &OptionError{"where", errTooBig}
	}
	if !strings.Contains(err.Error(), "no such column") {
		return &OptionError{"where", err}
	}
	var names []string
	for _, c := range q.columns {
		names = append(names, c.Name)
	}
	return &OptionError{"where", fmt.Errorf("%w; the columns of %s are %s", err, q.item.name, strings.Join(append(names, itemtype.Meta...), ", "))}
}

// explain tells what is wrong with the condition, some of which shows only with
// a record that it is asked of, from failures of the database.
func (q *exportQuery) explain(db *DB, err error) error {
	if e, ok := errors.AsType[sqlite3.Error](err); ok && q.where != "" {
		switch e.Code {
		case sqlite3.ErrError, sqlite3.ErrMismatch, sqlite3.ErrTooBig, sqlite3.ErrRange, sqlite3.ErrAuth:
			return q.wrongCondition(err)
		}
	}
	return db.fileError("read", err)
}

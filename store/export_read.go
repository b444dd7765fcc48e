package store

import (
	"context"
	"database/sql"
	"iter"

	"github.com/magpie-crawl/magpie/store/dataset"
)

// records yields each record that is wanted.
func (x *export) records(ctx context.Context, s dataset.Schema) iter.Seq2[*dataset.Record, error] {
	return func(yield func(*dataset.Record, error) bool) {
		items, err := x.db.exportItems(ctx, x.options)
		if err != nil {
			yield(nil, err)
			return
		}
		seen := dataset.NewDuplicates(s, x.options.Dedup)
		for _, item := range items {
			for r, err := range x.read(ctx, item, s) {
				duplicate := false
				if err == nil {
					duplicate, err = seen.Seen(r)
				}
				switch {
				case err != nil:
					yield(nil, err)
					return
				case duplicate:
					x.duplicates++
				case !yield(r, nil):
					return
				default:
					x.count()
				}
			}
		}
	}
}

// read yields the records of an item type of a job, duplicates included.
func (x *export) read(ctx context.Context, item exportItem, s dataset.Schema) iter.Seq2[*dataset.Record, error] {
	return func(yield func(*dataset.Record, error) bool) {
		q, err := x.db.newExportQuery(ctx, item, s, x.options)
		if err != nil {
			yield(nil, err)
			return
		}
		q.read(ctx, x.db)(yield)
	}
}

// read yields an item's current records by their keys, in the order of the
// unique index. The next chunk is read while one is in use.
func (q *exportQuery) read(ctx context.Context, db *DB) iter.Seq2[*dataset.Record, error] {
	return func(yield func(*dataset.Record, error) bool) {
		for c := range ahead(ctx, 1, func(ctx context.Context) iter.Seq[exportChunk] { return q.chunks(ctx, db) }) {
			if c.err != nil {
				yield(nil, q.explain(db, c.err))
				return
			}
			for i := range c.records {
				if !yield(&c.records[i], nil) {
					return
				}
			}
		}
		if err := ctx.Err(); err != nil {
			yield(nil, err)
		}
	}
}

type exportChunk struct {
	records []dataset.Record
	err     error
}

// chunks reads chunk by chunk: where an export is written to may be slow, and
// no transaction is open in between.
func (q *exportQuery) chunks(ctx context.Context, db *DB) iter.Seq[exportChunk] {
	return func(yield func(exportChunk) bool) {
		after, first := "", true
		for {
			records, more, err := q.chunk(ctx, db, after, first)
			if !yield(exportChunk{records, err}) || err != nil || !more {
				return
			}
			after, first = records[len(records)-1].Key, false
		}
	}
}

// ask runs the query of a chunk and hands on its rows. A condition is text of
// the user's: what it makes in memory is bounded.
func (q *exportQuery) ask(ctx context.Context, db *DB, first bool, values []any, read func(*sql.Rows) error) error {
	conn, err := db.read.Conn(ctx)
	if err != nil {
		return err
	}
	defer conn.Close()
	if q.where != "" {
		if err := boundValues(conn); err != nil {
			return err
		}
		defer unboundValues(conn)
	}
	rows, err := conn.QueryContext(ctx, q.sql(first), values...)
	if err != nil {
		return err
	}
	defer rows.Close()
	return read(rows)
}

// chunkBytes is from where on a chunk is ended early: records can be long.
const chunkBytes = 1 << 20

// chunk reads the records behind a key. more is false for the last ones.
func (q *exportQuery) chunk(ctx context.Context, db *DB, after string, first bool) (records []dataset.Record, more bool, err error) {
	err = q.ask(ctx, db, first, q.values(after, chunkSize, q.since), func(rows *sql.Rows) error {
		records, more, err = q.scan(rows)
		return err
	})
	return records, more, err
}

func (q *exportQuery) scan(rows *sql.Rows) (records []dataset.Record, more bool, err error) {
	records = make([]dataset.Record, 0, chunkSize)
	for size := 0; rows.Next(); {
		r := dataset.Record{Job: q.item.job, Item: q.item.name}
		var from, last int64
		dest := []any{&r.Key, &r.Data, &r.Position, &from, &last, &r.URL}
		if !q.origin {
			dest = dest[:2]
		}
		if err := rows.Scan(dest...); err != nil {
			return nil, false, err
		}
		r.FirstRun, r.LastRun = q.numbers[from], q.numbers[last]
		records = append(records, r)
		if size += len(r.Data); size >= chunkBytes {
			return records, true, nil
		}
	}
	return records, len(records) == chunkSize, rows.Err()
}

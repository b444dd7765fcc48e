package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"iter"

	"github.com/mattn/go-sqlite3"
)

// chunkSize is how many rows a listing reads at a time. Between chunks no
// transaction is open, so that a slow reader does not make the write-ahead
// log grow.
const chunkSize = 500

// list yields what a query finds, chunk by chunk. The query takes the id
// after which a chunk begins and the size of a chunk as its last arguments,
// and orders by that id; scan returns it with the row's value.
func list[T any](ctx context.Context, db *DB, limit int, query string, args []any, scan func(*sql.Rows) (T, int64, error)) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		var after int64
		left := limit
		for {
			size := chunkSize
			if limit > 0 {
				size = min(size, left)
			}
			chunk, last, err := readChunk(ctx, db, query, append(args[:len(args):len(args)], after, size), scan)
			if err != nil {
				var none T
				yield(none, db.fileError("read", err))
				return
			}
			for _, v := range chunk {
				if !yield(v, nil) {
					return
				}
			}
			after, left = last, left-len(chunk)
			if len(chunk) < size || limit > 0 && left == 0 {
				return
			}
		}
	}
}

func readChunk[T any](ctx context.Context, db *DB, query string, args []any, scan func(*sql.Rows) (T, int64, error)) (chunk []T, last int64, err error) {
	if err := db.gate.wait(ctx); err != nil {
		return nil, 0, err
	}
	rows, err := db.read.QueryContext(ctx, query, args...)
	if err != nil {
		return nil, 0, err
	}
	defer rows.Close()
	for rows.Next() {
		v, id, err := scan(rows)
		if err != nil {
			return nil, 0, err
		}
		chunk, last = append(chunk, v), id
	}
	return chunk, last, rows.Err()
}

// collect returns all rows of a query, for lists that are short by nature.
func collect[T any](ctx context.Context, db *DB, query string, args []any, scan func(*sql.Rows) (T, error)) ([]T, error) {
	rows, err := db.read.QueryContext(ctx, query, args...)
	if err != nil {
		return nil, db.fileError("read", err)
	}
	defer rows.Close()
	var all []T
	for rows.Next() {
		v, err := scan(rows)
		if err != nil {
			return nil, db.fileError("read", err)
		}
		all = append(all, v)
	}
	return all, db.fileError("read", rows.Err())
}

// reading runs f in one read transaction, which ends with ctx at the latest:
// what it reads fits together, and it keeps the write-ahead log from being cut
// no longer than ctx allows. f returns values and keeps no rows.
func (db *DB) reading(ctx context.Context, f func(*sql.Tx) error) error {
	if err := db.gate.wait(ctx); err != nil {
		return err
	}
	t, err := db.read.BeginTx(ctx, &sql.TxOptions{ReadOnly: true})
	if err != nil {
		return db.readError(ctx, err)
	}
	defer t.Rollback()
	return db.readError(ctx, f(t))
}

// readError tells the failures of the database, with the file's name, from the
// end of ctx and from errors of this package.
func (db *DB) readError(ctx context.Context, err error) error {
	if err == nil {
		return nil
	}
	_, failed := errors.AsType[sqlite3.Error](err)
	switch cause := context.Cause(ctx); {
	case cause != nil && (failed || errors.Is(err, ctx.Err()) || errors.Is(err, sql.ErrTxDone)):
		return cause
	case failed:
		return db.fileError("read", err)
	}
	return err
}

// collectIn returns all rows of a query within a transaction.
func collectIn[T any](ctx context.Context, t *sql.Tx, query string, args []any, scan func(*sql.Rows) (T, error)) ([]T, error) {
	rows, err := t.QueryContext(ctx, query, args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var all []T
	for rows.Next() {
		v, err := scan(rows)
		if err != nil {
			return nil, err
		}
		all = append(all, v)
	}
	return all, rows.Err()
}

// jobIDIn finds a job by its name within a transaction.
func (db *DB) jobIDIn(ctx context.Context, t *sql.Tx, job string) (id int64, err error) {
	err = t.QueryRowContext(ctx, `SELECT id FROM jobs WHERE name = ?`, job).Scan(&id)
	if errors.Is(err, sql.ErrNoRows) {
		return 0, fmt.Errorf("job %q in %s: %w", job, db.path, ErrNotFound)
	}
	return id, err
}

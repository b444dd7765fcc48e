package store

import (
	"context"
	"database/sql"
	"errors"
	"sync"
)

// writer is the database's one writing connection, with the statements it
// has prepared. Transactions come one after the other.
type writer struct {
	mu    sync.Mutex
	pool  *sql.DB
	conn  *sql.Conn
	stmts map[string]*sql.Stmt

	there     func() error // says that the file is not at its path any more; nil: nothing does
	committed func()       // told of each commit; nil: nobody is
}

// pragmas of the writing connection, besides those in dsn. The write-ahead log
// is copied back every 16 MB, and cut to 32 MB if readers made it grow: see
// readGate.
const pragmas = `
PRAGMA journal_mode = WAL;
PRAGMA cache_size = -32000;
PRAGMA temp_store = MEMORY;
PRAGMA wal_autocheckpoint = 4000;
PRAGMA journal_size_limit = 33554432;
`

// writeNothing fails on a file that may not be written, which SQLite opens
// for reading without a word.
const writeNothing = `DELETE FROM jobs WHERE false;`

func openWriter(ctx context.Context, path string, o Options) (*writer, error) {
	pool, err := sql.Open("sqlite3", dsn(path, o, "mode=rw&_txlock=immediate"))
	if err != nil {
		return nil, err
	}
	pool.SetMaxOpenConns(1)
	conn, err := pool.Conn(ctx)
	if err == nil {
		_, err = conn.ExecContext(ctx, writeNothing+pragmas)
	}
	if err != nil {
		return nil, errors.Join(err, pool.Close())
	}
	there, err := thereCheck(path)
	if err != nil {
		return nil, errors.Join(err, conn.Close(), pool.Close())
	}
	return &writer{pool: pool, conn: conn, stmts: map[string]*sql.Stmt{}, there: there}, nil
}

func (w *writer) close() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	var errs []error
	for _, stmt := range w.stmts {
		errs = append(errs, stmt.Close())
	}
	clear(w.stmts)
	if err := w.conn.Close(); !errors.Is(err, sql.ErrConnDone) {
		errs = append(errs, err)
	}
	return errors.Join(append(errs, w.pool.Close())...)
}

// tx is an open transaction of the writer.
type tx struct {
	ctx context.Context
	w   *writer
}

// transact runs f in one immediate transaction, which is undone if f fails.
// Once begun it is carried through whatever becomes of ctx: a context that
// can end would cost each statement a goroutine.
func (w *writer) transact(ctx context.Context, f func(*tx) error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.there != nil {
		if err := w.there(); err != nil {
			return err
		}
	}
	t := &tx{ctx: context.WithoutCancel(ctx), w: w}
	if err := t.exec("BEGIN IMMEDIATE"); err != nil {
		return err
	}
	err := f(t)
	if err == nil {
		err = t.exec("COMMIT")
	}
	if err != nil {
		// SQLite has undone it already after some errors, such as a full
		// disk; this one then says so and changes nothing.
		t.exec("ROLLBACK")
	} else if w.committed != nil {
		w.committed()
	}
	return err
}

// stmt returns the prepared statement for query. Queries are constants, so
// there is a bounded number of them.
func (t *tx) stmt(query string) (*sql.Stmt, error) {
	if s := t.w.stmts[query]; s != nil {
		return s, nil
	}
	s, err := t.w.conn.PrepareContext(t.ctx, query)
	if err == nil {
		t.w.stmts[query] = s
	}
	return s, err
}

func (t *tx) exec(query string, args ...any) error {
	_, err := t.result(query, args...)
	return err
}

// changed runs query and returns the number of rows it changed.
func (t *tx) changed(query string, args ...any) (int64, error) {
	res, err := t.result(query, args...)
	if err != nil {
		return 0, err
	}
	return res.RowsAffected()
}

// insert runs query and returns the new row's id.
func (t *tx) insert(query string, args ...any) (int64, error) {
	res, err := t.result(query, args...)
	if err != nil {
		return 0, err
	}
	return res.LastInsertId()
}

func (t *tx) result(query string, args ...any) (sql.Result, error) {
	s, err := t.stmt(query)
	if err != nil {
		return nil, err
	}
	return s.ExecContext(t.ctx, args...)
}

// row scans query's first row into dest; found is false when there is none.
func (t *tx) row(query string, args []any, dest ...any) (found bool, err error) {
	s, err := t.stmt(query)
	if err != nil {
		return false, err
	}
	err = s.QueryRowContext(t.ctx, args...).Scan(dest...)
	if errors.Is(err, sql.ErrNoRows) {
		return false, nil
	}
	return err == nil, err
}

func (t *tx) query(query string, args ...any) (*sql.Rows, error) {
	s, err := t.stmt(query)
	if err != nil {
		return nil, err
	}
	return s.QueryContext(t.ctx, args...)
}

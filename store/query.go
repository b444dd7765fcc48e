package store

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"slices"

	"github.com/mattn/go-sqlite3"

	"github.com/magpie-crawl/magpie/store/internal/itemtype"
	"github.com/magpie-crawl/magpie/store/internal/sqltext"
)

// Rows are the rows of a query of the database's user.
type Rows struct {
	Columns []string
	db      *DB
	ctx     context.Context
	conn    *sql.Conn
	rows    *sql.Rows
	values  []any
}

// QueryError is a query that SQLite did not understand, or that asks for more
// than reading.
type QueryError struct{ Message string }

func (e *QueryError) Error() string { return e.Message }

// Query runs one SELECT statement of the database's user. It can read, and
// nothing else: the file is open for reading, and statements that write, attach
// files or change settings are refused, also where SQLite would let a reader
// have them. A mistake in the statement is a *QueryError. The query ends with
// ctx. The caller must close the rows.
//
// While rows are open the database's write-ahead log cannot be cut.
func (db *DB) Query(ctx context.Context, query string) (*Rows, error) {
	query, err := sqltext.OneStatement(query)
	if err != nil {
		return nil, &QueryError{err.Error()}
	}
	conn, err := db.read.Conn(ctx)
	if err != nil {
		return nil, db.fileError("read", err)
	}
	r := &Rows{db: db, ctx: ctx, conn: conn}
	if err := errors.Join(r.authorize(readingOnly), boundValues(conn)); err != nil {
		return nil, errors.Join(err, r.Close())
	}
	if r.rows, err = conn.QueryContext(ctx, query); err == nil {
		r.Columns, err = r.rows.Columns()
	}
	if err != nil {
		return nil, errors.Join(r.explain(err), r.Close())
	}
	r.values = make([]any, len(r.Columns))
	return r, nil
}

// Next reads the next row; ok is false after the last. A value is nil, an
// int64, a float64, a string or a []byte, which holds until the next call.
func (r *Rows) Next() (row []any, ok bool, err error) {
	if !r.rows.Next() {
		return nil, false, r.explain(r.rows.Err())
	}
	dest := make([]any, len(r.values))
	for i := range dest {
		dest[i] = &r.values[i]
	}
	if err := r.rows.Scan(dest...); err != nil {
		return nil, false, r.explain(err)
	}
	return r.values, true, nil
}

// Close ends the query.
func (r *Rows) Close() error {
	var errs []error
	if r.rows != nil {
		errs = append(errs, r.rows.Close())
	}
	// The connection goes back to those that only this package uses.
	errs = append(errs, r.authorize(nil), unboundValues(r.conn), r.conn.Close())
	return errors.Join(errs...)
}

// authorize puts what says which actions are allowed in place; nil: all.
func (r *Rows) authorize(allowed func(action int, a, b, database string) int) error {
	return r.conn.Raw(func(c any) error {
		conn, ok := c.(*sqlite3.SQLiteConn)
		if !ok {
			return driver.ErrBadConn
		}
		conn.RegisterAuthorizer(allowed)
		return nil
	})
}

// explain tells mistakes of the query from failures of the database, and from
// its end by ctx, which SQLite calls an interrupt.
func (r *Rows) explain(err error) error {
	if err == nil {
		return nil
	}
	if cause := context.Cause(r.ctx); cause != nil {
		return cause
	}
	if isTooBig(err) {
		return &QueryError{errTooBig.Error()}
	}
	if e, ok := errors.AsType[sqlite3.Error](err); ok {
		switch e.Code {
		case sqlite3.ErrError, sqlite3.ErrMismatch, sqlite3.ErrRange:
			return &QueryError{err.Error()}
		case sqlite3.ErrAuth, sqlite3.ErrReadonly, sqlite3.ErrPerm:
			return &QueryError{"only reading is allowed: write a SELECT"}
		}
	}
	return r.db.fileError("read", err)
}

// Actions of https://www.sqlite.org/c3ref/c_alter_table.html that reading
// takes, where the driver has no name for them.
const (
	actionFunction  = 31
	actionRecursive = 33
)

// readablePragmas tell things and change nothing. Those of settings do so
// without a value alone.
var readablePragmas = []string{"table_info", "table_xinfo", "table_list", "index_list", "index_info", "index_xinfo", "foreign_key_list",
	"function_list", "collation_list", "module_list", "pragma_list", "compile_options", "data_version"}

var readableSettings = []string{"user_version", "application_id", "page_count", "page_size", "freelist_count", "encoding", "journal_mode", "schema_version"}

// readingOnly allows what a SELECT needs.
// https://www.sqlite.org/c3ref/set_authorizer.html
func readingOnly(action int, a, b, _ string) int {
	switch action {
	case sqlite3.SQLITE_SELECT, sqlite3.SQLITE_READ, actionRecursive:
		return sqlite3.SQLITE_OK
	case actionFunction:
		if b != "load_extension" {
			return sqlite3.SQLITE_OK
		}
	case sqlite3.SQLITE_PRAGMA:
		if slices.Contains(readablePragmas, a) || b == "" && slices.Contains(readableSettings, a) {
			return sqlite3.SQLITE_OK
		}
	}
	return sqlite3.SQLITE_DENY
}

// Relation is a table or view that queries can read.
type Relation struct {
	Name    string
	View    bool
	Item    bool // the view of an item type
	Columns []string
}

// Relations lists what a query can read: the views of item types first, then
// other views, then tables, by name. Tables for this package alone, whose names
// begin with magpie_, are left out, and so are views that cannot be read: those
// of the user's that speak of what is no more, and those of items with more
// fields than SQLite has columns.
func (db *DB) Relations(ctx context.Context) ([]Relation, error) {
	all, err := collect(ctx, db, `SELECT s.name, s.type = 'view', s.type = 'view' AND instr(s.sql, ?1) > 0
		FROM sqlite_schema s WHERE s.type = 'view' OR s.type = 'table' AND s.name NOT LIKE 'sqlite\_%' ESCAPE '\' AND s.name NOT LIKE 'magpie\_%' ESCAPE '\'
		ORDER BY 3 DESC, 2 DESC, 1`, []any{itemtype.ViewMark},
		func(rows *sql.Rows) (r Relation, err error) { return r, rows.Scan(&r.Name, &r.View, &r.Item) })
	if err != nil {
		return nil, err
	}
	var readable []Relation
	for _, r := range all {
		r.Columns, err = collect(ctx, db, `SELECT name FROM pragma_table_info(?1)`, []any{r.Name},
			func(rows *sql.Rows) (name string, err error) { return name, rows.Scan(&name) })
		switch {
		case err == nil:
			readable = append(readable, r)
		case !r.View || codeOf(err) != sqlite3.ErrError || ctx.Err() != nil:
			return nil, fmt.Errorf("columns of %s: %w", r.Name, err)
		}
	}
	return readable, nil
}

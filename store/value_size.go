package store

import (
	"database/sql"
	"errors"
	"fmt"

	"github.com/mattn/go-sqlite3"
)

// SQL of the database's user can make long values out of nothing, such as
// zeroblob(1e9), and SQLite holds several at a time. Where it runs no value is
// longer than userValueBytes, which is more than a record or a stored body has.
// https://www.sqlite.org/limits.html#max_length
const (
	userValueBytes = 64 << 20
	ownValueBytes  = 1_000_000_000 // SQLite's default
)

var errTooBig = fmt.Errorf("a value in it is longer than %d MB: take less at a time, such as substr(x, 1, 1000)", userValueBytes>>20)

// boundValues bounds the values on a connection that SQL of the user's is to
// run on; unboundValues gives it back to this package.
func boundValues(conn *sql.Conn) error   { return limitValues(conn, userValueBytes) }
func unboundValues(conn *sql.Conn) error { return limitValues(conn, ownValueBytes) }

func limitValues(conn *sql.Conn, bytes int) error {
	return withDriver(conn, func(c *sqlite3.SQLiteConn) error {
		c.SetLimit(sqlite3.SQLITE_LIMIT_LENGTH, bytes)
		return nil
	})
}

// isTooBig tells whether SQLite refused a value for its length.
func isTooBig(err error) bool {
	e, ok := errors.AsType[sqlite3.Error](err)
	return ok && e.Code == sqlite3.ErrTooBig
}

package store

import (
	"errors"
	"fmt"

	"github.com/mattn/go-sqlite3"
	"modernc.org/sqlite" // and the "sqlite" driver: see SearchIndex

	"github.com/magpie-crawl/magpie/store/internal/body"
)

// What Open and OpenReadOnly refuse, wrapped with the file's path. The file
// is left as it was.
var (
	ErrNotDatabase = errors.New("not a SQLite database")
	ErrEmpty       = errors.New("an empty file, not a database; delete it to start anew")
	ErrForeign     = errors.New("a SQLite database of another program")
	ErrDamaged     = body.ErrDamaged
	ErrNewer       = errors.New("the database was written by a newer version of magpie")
	ErrOlder       = errors.New("the database was written by an older version of magpie; a crawl brings it up to date")
)

// ErrLeftLog says that there is no database at a path, but the write-ahead log
// of one that was deleted or moved. What is in it may be nowhere else, and
// SQLite would put it into whatever database comes to be at that path.
// https://www.sqlite.org/howtocorrupt.html#_unlinking_or_renaming_a_database_file_while_in_use
var ErrLeftLog = errors.New("the database was deleted or moved and its log left; put it back, or delete the log too")

// ErrMoved says that the file of an open database was deleted or replaced.
// SQLite would go on writing to the one that nobody finds any more.
var ErrMoved = errors.New("the database's file was deleted or replaced while it was in use; put it back, or start anew")

// ErrNotFound says that the job, run, page or item asked for is not in the
// database; the error that wraps it names it.
var ErrNotFound = errors.New("not found")

// ErrNotKept says that a body was not kept, or not for as long: crawl.Keep.
var ErrNotKept = body.ErrNotKept

// isDamage tells whether SQLite found the content of the database, or of its
// index for searching, at fault.
func isDamage(err error) bool {
	code := codeOf(err)
	return code == sqlite3.ErrCorrupt || code == sqlite3.ErrNotADB
}

// isForbidden tells whether SQLite could not open a file, or not for writing.
// Of the index, it does not say why.
func isForbidden(err error) bool {
	code := codeOf(err)
	return code == sqlite3.ErrCantOpen || code == sqlite3.ErrReadonly
}

// codeOf returns which error of SQLite err is, without what extends it; 0 if
// it is none. The index for searching is kept by another SQLite than the
// database: see SearchIndex.
func codeOf(err error) sqlite3.ErrNo {
	if e, ok := errors.AsType[sqlite3.Error](err); ok {
		return e.Code
	}
	if e, ok := errors.AsType[*sqlite.Error](err); ok {
		return sqlite3.ErrNo(e.Code() & 0xff)
	}
	return 0
}

// fileError says what was done with which file when SQLite failed, so that
// "disk is full" can be acted on. It passes nil on.
func (db *DB) fileError(doing string, err error) error {
	switch {
	case err == nil:
		return nil
	case isDamage(err):
		return fmt.Errorf("%s %s: %w: %w", doing, db.path, ErrDamaged, err)
	case codeOf(err) == sqlite3.ErrBusy:
		return fmt.Errorf("%s %s: %w: another program is writing to it; try again once that has ended", doing, db.path, err)
	default:
		return fmt.Errorf("%s %s: %w", doing, db.path, err)
	}
}

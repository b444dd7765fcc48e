package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/mattn/go-sqlite3" // and the "sqlite3" driver

	"github.com/magpie-crawl/magpie/store/internal/body"
	"github.com/magpie-crawl/magpie/store/internal/process"
)

// Options set how a database is opened. The zero value is what a crawl wants.
type Options struct {
	BusyTimeout time.Duration // how long to wait for another process's write (default 10s)
	NoCheck     bool          // do not read the whole file for damage before using it

	noSync bool // for tests that open very many databases: do not wait for the disk
}

func (o Options) busyTimeout() time.Duration {
	if o.BusyTimeout <= 0 {
		return 10 * time.Second
	}
	return o.BusyTimeout
}

// DB is an open database. Its methods are safe for concurrent use.
type DB struct {
	path   string
	folder string // deleted by Close; "": none
	self   process.ID
	read   *sql.DB // a pool; each connection is read-only
	writer *writer // the one connection that writes; nil: opened read-only

	decoders  *body.Decoders // of bodies
	gate      readGate
	countSpan time.Duration // how long counting records may take, beside the page itself

	mu   sync.Mutex
	runs map[*run]struct{} // begun and not closed
}

// Open opens the database at path for writing, and creates it if there is no
// file. It brings an older schema up to date.
//
// A file that is no database, is empty, damaged, another program's or a newer
// version's is refused with one of this package's errors and left as it was.
// An empty file is refused because it may be what is left of a database:
// Open's own creation never leaves one, whenever it is interrupted. None is
// created beside the log of one that is gone: ErrLeftLog.
func Open(path string, o Options) (*DB, error) {
	ctx := context.Background()
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		if err := create(ctx, path, o); err != nil {
			return nil, err
		}
	}
	if _, err := checkHeader(ctx, path); err != nil {
		return nil, err
	}
	db, err := openPool(ctx, path, o, true, 1)
	if err != nil {
		return nil, err
	}
	db.writer, err = openWriter(ctx, path, o)
	if err == nil {
		db.writer.committed = db.gate.committed
		err = migrate(ctx, db.writer.conn)
	}
	if err != nil {
		return nil, errors.Join(openError(path, err), db.Close())
	}
	return db, nil
}

// OpenReadOnly opens an existing database to look at. It creates and changes
// nothing: an older schema is refused, since it cannot be brought up to date.
// A database larger than 256 MiB is not read whole for damage, which then shows
// when the damaged part is read.
func OpenReadOnly(path string, o Options) (*DB, error) {
	ctx := context.Background()
	size, err := checkHeader(ctx, path)
	if err != nil {
		return nil, err
	}
	return openPool(ctx, path, o, size <= readOnlyCheckLimit, schemaVersion)
}

// readOptions are those of connections that read. Listings run one statement
// again and again; to prepare it takes as long as to read dozens of rows.
const readOptions = "mode=ro&_query_only=1&_stmt_cache_size=64"

// openPool opens the read-only connections and checks the content with one.
// A schema older than oldest is refused.
func openPool(ctx context.Context, path string, o Options, deep bool, oldest int) (*DB, error) {
	pool, err := sql.Open("sqlite3", dsn(path, o, readOptions))
	if err != nil {
		return nil, fmt.Errorf("open %s: %w", path, err)
	}
	pool.SetMaxIdleConns(4)
	db := &DB{path: path, self: process.This(), read: pool, gate: readGate{log: path + "-wal"}, countSpan: countSpan, runs: map[*run]struct{}{}}
	db.decoders = body.NewDecoders(db.readDictionary)
	version, err := checkContent(ctx, pool, path, deep && !o.NoCheck)
	if err == nil && version < oldest {
		err = fmt.Errorf("open %s: %w: its schema is %d, this one reads %d", path, ErrOlder, version, schemaVersion)
	}
	if err != nil {
		return nil, errors.Join(err, pool.Close())
	}
	return db, nil
}

// Path returns the path that the database was opened with.
func (db *DB) Path() string { return db.path }

// Close lets go of the jobs held and closes the database.
func (db *DB) Close() error {
	db.mu.Lock()
	open := make([]*run, 0, len(db.runs))
	for r := range db.runs {
		open = append(open, r)
	}
	db.mu.Unlock()
	var errs []error
	for _, r := range open {
		errs = append(errs, r.Close())
	}
	// The writer goes last: the last connection to close empties the
	// write-ahead log into the database, which a read-only one cannot.
	errs = append(errs, db.read.Close())
	if db.writer != nil {
		errs = append(errs, db.writer.close())
	}
	if db.folder != "" {
		errs = append(errs, os.RemoveAll(db.folder))
	}
	return errors.Join(errs...)
}

// dsn is the driver's name for the file at path. The path is escaped: SQLite
// takes "?", "#" and "%" in a file: name for its own.
func dsn(path string, o Options, options string) string {
	if abs, err := filepath.Abs(path); err == nil {
		path = abs
	}
	name := url.URL{Path: filepath.ToSlash(path)}
	synchronous := "FULL" // what a commit reports as done survives a power cut
	if o.noSync {
		synchronous = "OFF"
	}
	return fmt.Sprintf("file:%s?%s&_foreign_keys=1&_busy_timeout=%d&_synchronous=%s",
		name.EscapedPath(), options, o.busyTimeout().Milliseconds(), synchronous)
}

// openError names the file, and what keeps it from being written in the words
// of the operating system.
func openError(path string, err error) error {
	if e, ok := errors.AsType[sqlite3.Error](err); ok && e.Code == sqlite3.ErrReadonly {
		return fmt.Errorf("open %s for writing: %w", path, fs.ErrPermission)
	}
	return fmt.Errorf("open %s for writing: %w", path, err)
}

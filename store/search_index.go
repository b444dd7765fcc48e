package store

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/mattn/go-sqlite3"

	"github.com/magpie-crawl/magpie/store/search"
)

// searchID marks an index for searching: "MGPS". searchVersion is that of its
// layout and of package search's words; an index of another is made anew.
const (
	searchID      = 0x4D475053
	searchVersion = 2
)

// SearchIndex is the index by which the records and articles of a database are
// searched. It is a file of its own beside the database, which may be deleted
// at any time: Update makes it again. A crawl never waits for it.
//
// It is an FTS5 table of SQLite, which go-sqlite3 has only in programs that are
// built with a tag; magpie is to be installed by go install alone. So another
// SQLite, modernc.org/sqlite, reads and writes this file, and no other. Never
// may both have the same file open in one process: when one of them closes it,
// the system drops the locks that the other holds on it, and two processes may
// then write at once. The database is therefore not attached to the index, nor
// the index to the database; what goes from one to the other goes through here.
// https://www.sqlite.org/howtocorrupt.html#_posix_advisory_locks_canceled_by_a_separate_thread_doing_close_
//
// The table keeps no texts: they are in the database.
type SearchIndex struct {
	db   *DB
	path string
	w    *writer

	names map[string]string // of fields: what a transaction found their ids to be
}

// searchColumns are the columns of texts.
var searchColumns = strings.Join(search.Columns(), ", ")

// searchSchema is the layout of an index. A doc is a record or a page as it
// was indexed: hash is that of the record, or of the page's body.
//
// What is in texts are words folded by package search between blanks, so that
// its tokenizer has nothing to do but to tell those apart.
var searchSchema = searchFormer + `
DROP TABLE IF EXISTS texts;
DROP TABLE IF EXISTS docs;
DROP TABLE IF EXISTS fields;
DROP TABLE IF EXISTS progress;
CREATE VIRTUAL TABLE texts USING fts5(` + searchColumns + `, content='', contentless_delete=1, tokenize='ascii');
CREATE TABLE docs (
  id   INTEGER PRIMARY KEY AUTOINCREMENT,      -- texts.rowid
  kind INTEGER NOT NULL,                       -- 0: a record, 1: a page
  ref  INTEGER NOT NULL,                       -- records.id, or urls.id
  job  INTEGER NOT NULL,                       -- jobs.id
  item INTEGER NOT NULL,                       -- items.id; 0: a page
  hash BLOB    NOT NULL,
  UNIQUE (kind, ref)
) STRICT;
CREATE TABLE fields (
  id   INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE COLLATE NOCASE
) STRICT;
-- How far the database is indexed: 'records' up to that id, 'again' up to that
-- seq, 'pages:N' of job N up to that id.
CREATE TABLE progress (
  name  TEXT PRIMARY KEY,
  value INTEGER NOT NULL,
  mark  TEXT NOT NULL DEFAULT ''
) STRICT, WITHOUT ROWID;
`

// searchFormer removes the tables of version 1, which was kept by FTS4. This
// SQLite has none, and so cannot drop its table; it can forget it. texts has
// another name than that table in case that a former magpie opens the index,
// which cannot drop an FTS5 table.
const searchFormer = `
PRAGMA writable_schema = ON;
DELETE FROM sqlite_schema WHERE name = 'words';
PRAGMA writable_schema = OFF;
DROP TABLE IF EXISTS words_segments;
DROP TABLE IF EXISTS words_segdir;
DROP TABLE IF EXISTS words_docsize;
DROP TABLE IF EXISTS words_stat;
`

// What a doc is.
const (
	recordDoc = 0
	pageDoc   = 1
)

// OpenSearch opens the database's index for searching, which it makes if there
// is none; Update fills it. path is the file; "" is that of the database with
// "-search" behind it. A file there that is no index is refused. It must be no
// database that this process has open.
//
// The database must be of the present schema: ErrOlder says that it is not.
func (db *DB) OpenSearch(ctx context.Context, path string) (*SearchIndex, error) {
	if path == "" {
		path = db.path + "-search"
	}
	var version int
	if err := db.read.QueryRowContext(ctx, "PRAGMA user_version").Scan(&version); err != nil {
		return nil, db.fileError("read", err)
	}
	if version < schemaVersion {
		return nil, fmt.Errorf("search %s: %w", db.path, ErrOlder)
	}
	s := &SearchIndex{db: db, path: path}
	if err := s.open(ctx); err != nil {
		return nil, err
	}
	if err := s.check(ctx); err != nil {
		return nil, errors.Join(s.fault("open", err), s.Close())
	}
	return s, nil
}

func (s *SearchIndex) open(ctx context.Context) error {
	if info, err := os.Stat(s.path); err == nil && (!info.Mode().IsRegular() || info.Size() > 0 && info.Size() < 512) {
		return s.other() // what is smaller than any page is empty to SQLite
	}
	if s.isDatabase() {
		return s.other()
	}
	pool, err := sql.Open("sqlite", dsn(s.path, Options{}, "mode=rwc&_txlock=immediate"))
	if err != nil {
		return fmt.Errorf("open search index %s: %w", s.path, err)
	}
	pool.SetMaxOpenConns(1)
	conn, err := pool.Conn(ctx)
	if err != nil {
		return errors.Join(s.fault("open", err), pool.Close())
	}
	s.w = &writer{pool: pool, conn: conn, stmts: map[string]*sql.Stmt{}}
	if err := s.own(ctx); err != nil {
		return errors.Join(err, s.Close())
	}
	if err := s.useLog(ctx); err != nil {
		return errors.Join(s.fault("open", err), s.Close())
	}
	return nil
}

// useLog has the index use a write-ahead log. What a power cut takes from it is
// made again.
//
// Where another is making a new index do so, SQLite does not wait, since it has
// read the file already: https://www.sqlite.org/c3ref/busy_handler.html
func (s *SearchIndex) useLog(ctx context.Context) error {
	for end := time.Now().Add(Options{}.busyTimeout()); ; {
		_, err := s.w.conn.ExecContext(ctx, "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA cache_size = -32000")
		if codeOf(err) != sqlite3.ErrBusy || time.Now().After(end) {
			return err
		}
		select {
		case <-time.After(10 * time.Millisecond):
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}

// isDatabase tells whether the file belongs to the database, of which the
// locks would be lost if it were opened here: see SearchIndex.
func (s *SearchIndex) isDatabase() bool {
	info, err := os.Stat(s.path)
	for _, part := range []string{"", "-wal", "-shm", "-journal"} {
		if other, otherErr := os.Stat(s.db.path + part); err == nil && otherErr == nil && os.SameFile(info, other) {
			return true
		}
	}
	return false
}

// own makes sure that the file is an index, or empty, before it is written to.
func (s *SearchIndex) own(ctx context.Context) error {
	id, tables, err := s.contents(ctx)
	if isDamage(err) || err == nil && id != searchID && (tables > 0 || id != 0) {
		return s.other()
	}
	return s.fault("open", err)
}

// contents says whose file it is, and how much there is in it: both of one
// moment, as another process may be making the index.
func (s *SearchIndex) contents(ctx context.Context) (id, tables int64, err error) {
	tx, err := s.w.conn.BeginTx(ctx, &sql.TxOptions{ReadOnly: true})
	if err != nil {
		return 0, 0, err
	}
	defer tx.Rollback()
	if err = tx.QueryRowContext(ctx, "PRAGMA application_id").Scan(&id); err == nil {
		err = tx.QueryRowContext(ctx, "SELECT count(*) FROM sqlite_schema").Scan(&tables)
	}
	return id, tables, err
}

func (s *SearchIndex) other() error {
	return fmt.Errorf("open search index %s: the file is something else, or damaged; delete it or name another", s.path)
}

// Close closes the index.
func (s *SearchIndex) Close() error { return s.w.close() }

// Path is the index's file.
func (s *SearchIndex) Path() string { return s.path }

// fault says what was done with the index when SQLite failed.
func (s *SearchIndex) fault(doing string, err error) error {
	switch {
	case err == nil || errors.Is(err, ErrDamaged): // of the database, then
		return err
	case isDamage(err):
		return fmt.Errorf("%s search index %s: %w; delete the file, it is made anew: %w", doing, s.path, ErrDamaged, err)
	case isForbidden(err):
		return fmt.Errorf("%s search index %s: %w: is its folder there, and may it be written to?", doing, s.path, err)
	default:
		return fmt.Errorf("%s search index %s: %w", doing, s.path, err)
	}
}

// check makes the index anew if it is of another version or another database,
// or if the database was set back.
func (s *SearchIndex) check(ctx context.Context) error {
	origin, err := s.origin(ctx)
	if err != nil {
		return err
	}
	return s.w.transact(ctx, func(t *tx) error {
		fits, err := s.fits(t, origin)
		if err != nil || fits {
			return err
		}
		if err := t.define(searchSchema); err != nil {
			return err
		}
		if err := t.define(fmt.Sprintf("PRAGMA application_id = %d; PRAGMA user_version = %d", searchID, searchVersion)); err != nil {
			return err
		}
		return t.exec(`INSERT INTO progress (name, value, mark) VALUES ('origin', 0, ?)`, origin)
	})
}

// origin is a fingerprint of the database's first run, which tells it from
// another that came to be in its place.
func (s *SearchIndex) origin(ctx context.Context) (string, error) {
	var first string
	err := s.db.read.QueryRowContext(ctx, `SELECT json_array(runs.started_at, jobs.name) FROM runs JOIN jobs ON jobs.id = runs.job_id
		ORDER BY runs.id LIMIT 1`).Scan(&first)
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return "", s.db.fileError("read", err)
	}
	hash := sha256.Sum256([]byte(first))
	return hex.EncodeToString(hash[:8]), nil
}

func (s *SearchIndex) fits(t *tx, origin string) (bool, error) {
	var version int
	if _, err := t.row(`PRAGMA user_version`, nil, &version); err != nil || version != searchVersion {
		return false, err
	}
	var mark string
	if _, err := t.row(`SELECT mark FROM progress WHERE name = 'origin'`, nil, &mark); err != nil || mark != origin {
		return false, err
	}
	return s.ahead(t)
}

// ahead tells whether the database still has what was indexed last: one that
// was put back from a copy may not.
func (s *SearchIndex) ahead(t *tx) (bool, error) {
	records, mark, err := progressOf(t, "records")
	if err != nil {
		return false, err
	}
	again, _, err := progressOf(t, "again")
	if err != nil {
		return false, err
	}
	var pages, seq, newest, newestPage int64
	var hash string
	if _, err := t.row(`SELECT coalesce(max(value), 0) FROM progress WHERE name GLOB 'pages:*'`, nil, &pages); err != nil {
		return false, err
	}
	err = s.db.read.QueryRowContext(t.ctx, `SELECT coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'magpie_search_again'), 0),
		(SELECT coalesce(max(id), 0) FROM records), (SELECT coalesce(max(id), 0) FROM pages),
		coalesce((SELECT hex(hash) FROM records WHERE id = ?), '')`, records).Scan(&seq, &newest, &newestPage, &hash)
	if err != nil {
		return false, s.db.fileError("read", err)
	}
	// What was rewritten since is listed in magpie_search_again. A version
	// that is no more may have been cleared away.
	return pages <= newestPage && (seq > again || seq == again && (hash == mark || hash == "" && newest > records)), nil
}

// progressOf returns how far the index has come with something.
func progressOf(t *tx, name string) (value int64, mark string, err error) {
	_, err = t.row(`SELECT value, mark FROM progress WHERE name = ?`, []any{name}, &value, &mark)
	return value, mark, err
}

func setProgress(t *tx, name string, value int64, mark string) error {
	return t.exec(`INSERT INTO progress (name, value, mark) VALUES (?, ?, ?)
		ON CONFLICT (name) DO UPDATE SET value = excluded.value, mark = excluded.mark`, name, value, mark)
}

// ended returns why ctx has ended, if it has: what failed then failed of that,
// whatever the two SQLites call it, as each interrupts its statements.
func ended(ctx context.Context, err error) error {
	if err != nil && ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return err
}

package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// stageSchema is a generation of records before it is anybody's: what was
// found, beside the current record that has its key. It is thrown away.
const stageSchema = `
CREATE TABLE items (item INTEGER PRIMARY KEY, name TEXT NOT NULL);
CREATE TABLE pages (url_id INTEGER PRIMARY KEY, seen INTEGER NOT NULL);
CREATE TABLE found (
  item     INTEGER NOT NULL,
  key      TEXT    NOT NULL,
  url_id   INTEGER NOT NULL,
  position INTEGER NOT NULL,
  hash     BLOB    NOT NULL,
  data     TEXT,               -- NULL: as the current record
  old      INTEGER,            -- the current record; NULL: there is none
  moved    INTEGER NOT NULL    -- 1: the current record has another place
);
CREATE UNIQUE INDEX found_key ON found (item, key);
CREATE TABLE claims (item INTEGER NOT NULL, key TEXT NOT NULL, hash BLOB NOT NULL, url TEXT NOT NULL, url_id INTEGER NOT NULL);
CREATE TABLE rejects (url_id INTEGER, item INTEGER, position INTEGER, key TEXT, data TEXT);
-- The problems of a record: list is [[field, code, detail], ...].
CREATE TABLE problems (url_id INTEGER, item INTEGER, position INTEGER, key TEXT, rejected INTEGER, list TEXT, other INTEGER);
CREATE TABLE ended (id INTEGER PRIMARY KEY);
`

// stage is a database of its own, in a folder that goes with it, in which a
// generation of records is gathered. It sees the real one as src, for reading.
type stage struct {
	folder string
	path   string
	pool   *sql.DB
	conn   *sql.Conn
	stmts  map[string]*sql.Stmt
	items  map[string]stagedItem
}

// stagedItem is an item type: its number in the stage, and its id in the
// database, 0 if it is new.
type stagedItem struct{ number, id int64 }

// openStage makes the stage. That of a re-extraction stands beside the
// database, where there is room for what is to come; what a killed one left
// there goes first. That of a preview is a temporary file.
func openStage(ctx context.Context, x *reextraction) (s *stage, err error) {
	s = &stage{stmts: map[string]*sql.Stmt{}, items: map[string]stagedItem{}}
	defer func() {
		if err != nil {
			err = errors.Join(fmt.Errorf("prepare a place for records: %w", err), s.close())
		}
	}()
	if x.o.preview() {
		s.folder, err = os.MkdirTemp("", "magpie-reextract-")
	} else {
		s.folder = fmt.Sprintf("%s-reextract-%d", x.db.path, x.jobID)
		if err = os.RemoveAll(s.folder); err == nil {
			err = os.Mkdir(s.folder, 0o700)
		}
	}
	if err != nil {
		return s, err
	}
	s.path = filepath.Join(s.folder, "stage.db")
	const options = "mode=rwc&_journal_mode=OFF&_cache_size=-32000"
	if s.pool, err = sql.Open("sqlite3", dsn(s.path, Options{noSync: true}, options)); err != nil {
		return s, err
	}
	if s.conn, err = s.pool.Conn(ctx); err != nil {
		return s, err
	}
	if _, err := s.conn.ExecContext(ctx, stageSchema); err != nil {
		return s, err
	}
	if _, err := s.conn.ExecContext(ctx, `ATTACH ? AS src`, dsn(x.db.path, Options{}, "mode=ro")); err != nil {
		return s, err
	}
	return s, s.putItems(ctx, x)
}

func (s *stage) putItems(ctx context.Context, x *reextraction) error {
	for i, item := range x.items {
		staged := stagedItem{number: int64(i)}
		err := s.conn.QueryRowContext(ctx, `SELECT id FROM src.items WHERE job_id = ? AND name = ?`, x.jobID, item.Name).Scan(&staged.id)
		if err != nil && !errors.Is(err, sql.ErrNoRows) {
			return err
		}
		if _, err := s.conn.ExecContext(ctx, `INSERT INTO items VALUES (?, ?)`, staged.number, item.Name); err != nil {
			return err
		}
		s.items[item.Name] = staged
	}
	return nil
}

// disconnect closes the stage's database, so that the real one can have it.
func (s *stage) disconnect() error {
	var errs []error
	for _, stmt := range s.stmts {
		errs = append(errs, stmt.Close())
	}
	clear(s.stmts)
	if s.conn != nil {
		errs = append(errs, s.conn.Close())
	}
	if s.pool != nil {
		errs = append(errs, s.pool.Close())
	}
	s.conn, s.pool = nil, nil
	return errors.Join(errs...)
}

// close throws the stage away.
func (s *stage) close() error {
	err := s.disconnect()
	if s.folder == "" {
		return err
	}
	if gone := os.RemoveAll(s.folder); !errors.Is(gone, fs.ErrNotExist) {
		err = errors.Join(err, gone)
	}
	return err
}

// exec runs a statement, which is kept prepared, and returns the number of
// rows that it changed.
func (s *stage) exec(query string, args ...any) (int64, error) {
	stmt := s.stmts[query]
	if stmt == nil {
		var err error
		if stmt, err = s.conn.PrepareContext(context.Background(), query); err != nil {
			return 0, err
		}
		s.stmts[query] = stmt
	}
	res, err := stmt.Exec(args...)
	if err != nil {
		return 0, err
	}
	return res.RowsAffected()
}

// put takes in the records of pages, in one transaction: a read of src does
// not last longer, so that the write-ahead log of others can be cut.
func (s *stage) put(ctx context.Context, x *reextraction, pages []rereadPage) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if _, err := s.exec(`BEGIN`); err != nil {
		return err
	}
	read := make([][2]int64, 0, len(pages))
	for i := range pages {
		p := &pages[i]
		if !x.count(p) {
			continue
		}
		read = append(read, [2]int64{p.urlID, p.seen})
		if err := s.putRecords(x, p); err != nil {
			return err
		}
	}
	list, err := json.Marshal(read)
	if err != nil {
		return err
	}
	if _, err := s.exec(`INSERT INTO pages SELECT value ->> 0, value ->> 1 FROM json_each(?)`, string(list)); err != nil {
		return err
	}
	_, err = s.exec(`COMMIT`)
	return err
}

// count counts a page, and reports whether its records are to be replaced.
func (x *reextraction) count(p *rereadPage) bool {
	switch {
	case p.noBody:
		x.sum.NoBody++
	case p.skipped:
		x.sum.NotHTML++
	case p.err != nil:
		if x.sum.Failed++; x.sum.FailedOn == "" {
			x.sum.FailedOn = fmt.Sprintf("%s: %s", p.url, p.err)
		}
	default:
		x.sum.Pages++
		x.sum.Bytes += int64(p.body.Size)
		return true
	}
	return false
}

func (s *stage) putRecords(x *reextraction, p *rereadPage) error {
	for i := range p.records {
		if err := s.putRecord(x, p, &p.records[i]); err != nil {
			return err
		}
	}
	for i := range p.rejects {
		r := &p.rejects[i]
		item, err := s.item(r)
		if err != nil {
			return err
		}
		if _, err := s.exec(`INSERT INTO rejects VALUES (?, ?, ?, ?, ?)`, p.urlID, item.number, r.Position, r.Key, r.data); err != nil {
			return err
		}
		if err := s.putProblems(x, p, item, r, true); err != nil {
			return err
		}
	}
	return nil
}

// item is the type of a record.
func (s *stage) item(r *preparedRecord) (stagedItem, error) {
	item, ok := s.items[r.Item]
	if !ok {
		return item, fmt.Errorf("a record is of the item type %q, which was not declared", r.Item)
	}
	return item, nil
}

// putRecord takes in a record, unless its key was claimed by another place
// that comes before its own.
func (s *stage) putRecord(x *reextraction, p *rereadPage, r *preparedRecord) error {
	item, err := s.item(r)
	if err != nil {
		return err
	}
	if err := s.putProblems(x, p, item, r, false); err != nil {
		return err
	}
	n, err := s.exec(`INSERT OR IGNORE INTO found
		SELECT ?1, ?2, ?3, ?4, ?5, iif(r.hash = ?5, NULL, ?6), r.id, coalesce(r.url_id != ?3 OR r.position != ?4, 0)
		FROM (SELECT 1) LEFT JOIN src.records r ON r.item_id = ?7 AND r.key = ?2 AND r.to_run IS NULL`,
		item.number, r.Key, p.urlID, r.Position, r.hash[:], r.data, item.id)
	if err != nil || n == 1 {
		return err
	}
	return s.claim(p, item, r)
}

// claim settles who has a key that was found before: the smaller URL, then the
// smaller position, as in a crawl.
func (s *stage) claim(p *rereadPage, item stagedItem, r *preparedRecord) error {
	var url string
	var urlID int64
	var position int
	var hash []byte
	err := s.conn.QueryRowContext(context.Background(), `SELECT u.url, f.url_id, f.position, f.hash FROM found f JOIN src.urls u ON u.id = f.url_id
		WHERE f.item = ? AND f.key = ?`, item.number, r.Key).Scan(&url, &urlID, &position, &hash)
	if err != nil {
		return err
	}
	const lost = `INSERT INTO claims VALUES (?, ?, ?, ?, ?)`
	if url < p.url || url == p.url && position <= r.Position {
		_, err := s.exec(lost, item.number, r.Key, r.hash[:], p.url, p.urlID)
		return err
	}
	if _, err := s.exec(lost, item.number, r.Key, hash, url, urlID); err != nil {
		return err
	}
	_, err = s.exec(`UPDATE found SET (url_id, position, hash, data, moved) = (
			SELECT ?3, ?4, ?5, iif(r.hash = ?5, NULL, ?6), coalesce(r.url_id != ?3 OR r.position != ?4, 0)
			FROM (SELECT 1) LEFT JOIN src.records r ON r.id = found.old)
		WHERE item = ?1 AND key = ?2`, item.number, r.Key, p.urlID, r.Position, r.hash[:], r.data)
	return err
}

// putProblems takes in the problems of a record, and counts them.
func (s *stage) putProblems(x *reextraction, p *rereadPage, item stagedItem, r *preparedRecord, rejected bool) error {
	if len(r.Problems) == 0 {
		return nil
	}
	list := make([][3]string, len(r.Problems))
	for i, problem := range r.Problems {
		list[i] = [3]string{problem.Field, problem.Code, problem.Detail}
		sum := x.problems.of(r.Item, problem.Field, problem.Code)
		sum.Now, sum.Example = sum.Now+1, problem.Detail
	}
	x.sum.Problems += int64(len(list))
	text, err := encodeJSON(list)
	if err != nil {
		return err
	}
	_, err = s.exec(`INSERT INTO problems VALUES (?, ?, ?, ?, ?, ?, NULL)`, p.urlID, item.number, r.Position, r.Key, rejected, text)
	return err
}

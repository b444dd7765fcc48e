package store

import (
	"bufio"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Format is a format of exported data.
type Format string

// Formats of Export.
const (
	JSONL Format = "jsonl" // one JSON object a line
	CSV   Format = "csv"   // RFC 4180, in UTF-8, with a header line
)

// Formats are the formats that Export writes.
var Formats = []Format{JSONL, CSV}

// ExportOptions say what to export, and how.
type ExportOptions struct {
	Item     string // the item type
	Job      string // of this job alone; "": of all jobs that have the item
	Format   Format // default: JSONL
	Meta     bool   // add _job, _key, _url, _position, _first_run and _last_run after the fields
	Formulas bool   // CSV: leave texts that a spreadsheet would take for formulas as they are, without the ' before them
}

// Export writes the current records of an item type to w, ordered by job and
// key, and returns how many. An item type that is not in the database is an
// error that wraps ErrNotFound.
//
// Each record is written once, also while a crawl writes: as it is when its
// key's turn comes. No transaction is open in between, so w may be slow.
func (db *DB) Export(ctx context.Context, w io.Writer, o ExportOptions) (int64, error) {
	x, err := db.newExport(ctx, w, o)
	if err != nil {
		return 0, err
	}
	return x.run(ctx, db, o)
}

// ExportFile exports to a file as Export does. The records go to a temporary
// file in the same folder which takes the file's place once it is whole and on
// disk: whoever opens path finds the former file or the new one. What is no
// regular file, such as a pipe or /dev/stdout, is written to directly.
func (db *DB) ExportFile(ctx context.Context, path string, o ExportOptions) (int64, error) {
	if target, err := filepath.EvalSymlinks(path); err == nil {
		path = target // replace what a link points to, not the link
	}
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return 0, fmt.Errorf("export: %w", err)
	case info.IsDir():
		return 0, fmt.Errorf("export to %s: it is a folder", path)
	case !info.Mode().IsRegular():
		return db.exportDirect(ctx, path, o)
	}
	temp := temporaryName(path)
	f, err := os.OpenFile(temp, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return 0, fmt.Errorf("export to %s: %w", path, cause(err))
	}
	defer os.Remove(temp) // fails once it has been renamed
	defer f.Close()       // fails once it has been closed
	if info != nil {
		if err := f.Chmod(info.Mode().Perm()); err != nil {
			return 0, fmt.Errorf("export to %s: %w", path, cause(err))
		}
	}
	n, err := db.Export(ctx, f, o)
	if err != nil {
		return 0, err
	}
	for _, step := range []func() error{f.Sync, f.Close, func() error { return os.Rename(temp, path) }} {
		if err := step(); err != nil {
			return 0, fmt.Errorf("export to %s: %w", path, cause(err))
		}
	}
	syncFolder(path)
	return n, nil
}

func (db *DB) exportDirect(ctx context.Context, path string, o ExportOptions) (int64, error) {
	f, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		return 0, fmt.Errorf("export: %w", err)
	}
	n, err := db.Export(ctx, f, o)
	return n, errors.Join(err, f.Close())
}

// encoder writes records in one format.
type encoder interface {
	begin() error
	record(r *Record) error
}

// export is an export under way.
type export struct {
	encoder
	out *bufio.Writer
}

func (db *DB) newExport(ctx context.Context, w io.Writer, o ExportOptions) (*export, error) {
	fields, err := db.exportFields(ctx, o)
	if err != nil {
		return nil, err
	}
	var meta []string
	if o.Meta {
		meta = metaColumns
	}
	return encodeTo(w, fields, meta, o)
}

// encodeTo returns an encoder of records with these fields and metadata.
func encodeTo(w io.Writer, fields [][]itemField, meta []string, o ExportOptions) (*export, error) {
	x := &export{out: bufio.NewWriterSize(w, 64<<10)}
	switch o.Format {
	case JSONL, "":
		x.encoder = newJSONLEncoder(x.out, fields, meta)
	case CSV:
		x.encoder = newCSVEncoder(x.out, columnsOf(fields), meta, o.Formulas)
	default:
		return nil, fmt.Errorf("no export format is called %q: there are %s and %s", o.Format, JSONL, CSV)
	}
	return x, nil
}

// exportFields returns the fields of the item in each job it is taken from.
func (db *DB) exportFields(ctx context.Context, o ExportOptions) ([][]itemField, error) {
	rows, err := db.read.QueryContext(ctx, `SELECT items.fields FROM items JOIN jobs ON jobs.id = items.job_id
		WHERE items.name = ?1 AND (?2 = '' OR jobs.name = ?2) ORDER BY jobs.id`, o.Item, o.Job)
	if err != nil {
		return nil, db.fileError("read", err)
	}
	fields, err := scanFields(rows)
	if err != nil {
		return nil, db.fileError("read", err)
	}
	if len(fields) > 0 {
		return fields, nil
	}
	return nil, db.noItem(ctx, o)
}

// noItem says that there is no such item, and which there are.
func (db *DB) noItem(ctx context.Context, o ExportOptions) error {
	what := fmt.Sprintf("item %q", o.Item)
	if o.Job != "" {
		what += fmt.Sprintf(" of job %q", o.Job)
	}
	items, err := db.Items(ctx, o.Job)
	if err != nil {
		return err
	}
	var names []string
	for _, item := range items {
		if !slices.Contains(names, item.Name) {
			names = append(names, item.Name)
		}
	}
	if len(names) == 0 {
		return fmt.Errorf("%s in %s: %w", what, db.path, ErrNotFound)
	}
	return fmt.Errorf("%s in %s: %w: there are %s", what, db.path, ErrNotFound, strings.Join(names, ", "))
}

func (x *export) run(ctx context.Context, db *DB, o ExportOptions) (n int64, err error) {
	if err := x.begin(); err != nil {
		return 0, fmt.Errorf("export: %w", err)
	}
	items, err := collect(ctx, db, `SELECT items.id, jobs.name FROM items JOIN jobs ON jobs.id = items.job_id
		WHERE items.name = ?1 AND (?2 = '' OR jobs.name = ?2) ORDER BY jobs.name`, []any{o.Item, o.Job},
		func(rows *sql.Rows) (i exportItem, err error) { return i, rows.Scan(&i.id, &i.job) })
	if err != nil {
		return 0, err
	}
	for _, item := range items {
		for r, err := range db.exported(ctx, item, o.Item) {
			if err != nil {
				return n, err
			}
			if err := x.record(&r); err != nil {
				return n, fmt.Errorf("export: %w", err)
			}
			n++
		}
	}
	if err := x.out.Flush(); err != nil {
		return n, fmt.Errorf("export: %w", err)
	}
	return n, nil
}

// exportItem is an item type of a job.
type exportItem struct {
	id  int64
	job string
}

// exported yields an item's current records by their keys, in the order of the
// unique index. Like list it reads in chunks: where an export is written to may
// be slow.
func (db *DB) exported(ctx context.Context, item exportItem, name string) iter.Seq2[Record, error] {
	const query = `SELECT r.key, u.url, r.position, a.number, z.number, r.data
		FROM records r
		CROSS JOIN urls u ON u.id = r.url_id
		CROSS JOIN runs a ON a.id = r.from_run
		CROSS JOIN runs z ON z.id = r.last_run
		WHERE r.item_id = ?1 AND r.to_run IS NULL AND (?2 OR r.key > ?3) ORDER BY r.key LIMIT ?4`
	scan := func(rows *sql.Rows) (Record, error) {
		r := Record{Job: item.job, Item: name}
		return r, rows.Scan(&r.Key, &r.URL, &r.Position, &r.FirstRun, &r.LastRun, (*[]byte)(&r.Data))
	}
	return func(yield func(Record, error) bool) {
		after, first := "", true
		for {
			chunk, err := collect(ctx, db, query, []any{item.id, first, after, chunkSize}, scan)
			if err != nil {
				yield(Record{}, err)
				return
			}
			for _, r := range chunk {
				if !yield(r, nil) {
					return
				}
			}
			if len(chunk) < chunkSize {
				return
			}
			after, first = chunk[len(chunk)-1].Key, false
		}
	}
}

package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/magpie-crawl/magpie/store/dataset"
	"github.com/magpie-crawl/magpie/store/internal/itemtype"
)

// Export writes the current records of an item type to w, ordered by job and
// key, and returns how many; of WARC the pages. An item type that is not in
// the database is an error that wraps ErrNotFound; options that cannot be
// fulfilled are an *OptionError.
//
// Each record is written once, also while a crawl writes: as it is when its
// key's turn comes. No transaction is open in between, so w may be slow. The
// keys of records that are gone, see ExportOptions.Since, are not written.
func (db *DB) Export(ctx context.Context, w io.Writer, o ExportOptions) (int64, error) {
	if err := o.check("", false); err != nil {
		return 0, err
	}
	if o.Format == WARC {
		return db.exportPages(ctx, w, "", o)
	}
	s, err := db.exportSchema(ctx, o)
	if err != nil {
		return 0, err
	}
	encoder, err := newExportEncoder(w, s, o)
	if err != nil {
		return 0, fmt.Errorf("export: %w", err)
	}
	x := &export{db: db, options: o}
	err = x.records(ctx, s, func(r *dataset.Record) error {
		if err := encoder.Write(r); err != nil {
			return fmt.Errorf("export: %w", err)
		}
		return nil
	})
	if err != nil {
		return x.written, err
	}
	if err := encoder.Close(); err != nil {
		return x.written, fmt.Errorf("export: %w", err)
	}
	return x.written, nil
}

// ExportFile exports to a file, or to what is no regular file, such as a pipe
// or /dev/stdout, as ExportFiles does, and returns how many records.
func (db *DB) ExportFile(ctx context.Context, path string, o ExportOptions) (int64, error) {
	x, err := db.ExportFiles(ctx, path, o)
	if err != nil {
		return 0, err
	}
	return x.Records, nil
}

// Exported is what an export wrote.
type Exported struct {
	Records    int64            // of WARC: pages
	Duplicates int64            // left out
	Gone       int64            // keys in the file of records that are gone
	Misfits    map[string]int64 // Parquet: values that are not of their column's type and left out, by field
	Files      []ExportedFile
}

// ExportedFile is a file that an export wrote.
type ExportedFile struct {
	Path    string
	Kind    string // "records", "gone" or "manifest"
	Split   string // its part
	Records int64
	Bytes   int64 // of manifests 0
}

// ExportFiles exports to a file; to one for each part with Split. JSONL and
// CSV are compressed if the file's name ends with .gz or .zst. Each file is
// made under a temporary name in the same folder and takes its place once all
// are whole and on disk; whoever opens one finds the former file or the new
// one. Markdown makes a folder, and replaces none but its own; when the files in
// it reach the disk is left to the system.
//
// With Since the keys of records that are gone follow in a file called like
// path with .gone.jsonl behind it; manifests end with .datapackage.json and
// .croissant.json. What is no regular file is written to directly, and has
// neither.
func (db *DB) ExportFiles(ctx context.Context, path string, o ExportOptions) (*Exported, error) {
	if err := o.check(path, true); err != nil {
		return nil, err
	}
	if info, err := os.Stat(path); err == nil && !info.IsDir() && !info.Mode().IsRegular() {
		n, err := db.exportDirect(ctx, path, o)
		return &Exported{Records: n}, err
	}
	x := &export{db: db, options: o, path: path, misfits: map[string]int64{}}
	defer x.discard()
	if err := x.make(ctx); err != nil {
		return nil, err
	}
	return x.finish(ctx)
}

func (db *DB) exportDirect(ctx context.Context, path string, o ExportOptions) (int64, error) {
	f, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		return 0, fmt.Errorf("export: %w", err)
	}
	n, err := db.Export(ctx, f, o)
	return n, errors.Join(err, f.Close())
}

// export is an export under way.
type export struct {
	db         *DB
	options    ExportOptions
	path       string
	files      []*exportFile // the parts, then that of the gone
	manifests  []*place
	written    int64
	duplicates int64
	gone       int64
	misfits    map[string]int64
}

// make makes all files under their temporary names.
func (x *export) make(ctx context.Context) error {
	o := x.options
	if o.Format == WARC {
		return x.makePages(ctx)
	}
	items := []string{o.Item}
	if o.Item == "" {
		var err error
		if items, err = x.db.itemNames(ctx, o.Job); err != nil {
			return err
		}
	}
	// What cannot be exported is found out before there is a file.
	var schemas []dataset.Schema
	for _, item := range items {
		o.Item = item
		s, err := x.db.exportSchema(ctx, o)
		if err != nil {
			return err
		}
		schemas = append(schemas, s)
	}
	if err := x.open(); err != nil {
		return err
	}
	for _, s := range schemas {
		x.options.Item = s.Item
		if err := x.table(ctx, s); err != nil {
			return err
		}
	}
	if o.Since > 0 {
		return x.writeGone(ctx, items)
	}
	return nil
}

// itemNames lists the item types of a job, or of all.
func (db *DB) itemNames(ctx context.Context, job string) ([]string, error) {
	names, err := collect(ctx, db, `SELECT DISTINCT items.name FROM items JOIN jobs ON jobs.id = items.job_id
		WHERE ?1 = '' OR jobs.name = ?1 ORDER BY items.name`, []any{job},
		func(rows *sql.Rows) (name string, err error) { return name, rows.Scan(&name) })
	if err == nil && len(names) == 0 {
		err = fmt.Errorf("item types in %s: %w", db.path, ErrNotFound)
	}
	return names, err
}

// open begins the file, or those of the parts.
func (x *export) open() error {
	names := []dataset.Split{{}}
	if len(x.options.Split) > 0 {
		names = x.options.Split
	}
	for _, part := range names {
		path := x.path
		if part.Name != "" {
			path = dataset.SplitName(path, part.Name)
		}
		f, err := newExportFile(path, x.options.Format, part.Name)
		if err != nil {
			return err
		}
		x.files = append(x.files, f)
	}
	return nil
}

// table writes the records of an item type.
func (x *export) table(ctx context.Context, s dataset.Schema) error {
	for _, f := range x.files {
		if err := f.begin(s, x.options); err != nil {
			return err
		}
	}
	err := x.records(ctx, s, func(r *dataset.Record) error {
		return x.files[dataset.PartOf(x.options.Split, r.Item, r.Key)].write(r)
	})
	for _, f := range x.files {
		if err == nil {
			err = f.end(x.misfits)
		}
	}
	return err
}

// records hands on each record that is wanted.
func (x *export) records(ctx context.Context, s dataset.Schema, write func(*dataset.Record) error) error {
	items, err := x.db.exportItems(ctx, x.options)
	if err != nil {
		return err
	}
	seen := dataset.NewDuplicates(s, x.options.Dedup)
	for _, item := range items {
		q, err := x.db.newExportQuery(ctx, item, s, x.options)
		if err != nil {
			return err
		}
		for r, err := range q.read(ctx, x.db) {
			if err != nil {
				return err
			}
			duplicate, err := seen.Seen(r)
			if err != nil {
				return fmt.Errorf("export: %w", err)
			}
			if duplicate {
				x.duplicates++
				continue
			}
			if err := write(r); err != nil {
				return err
			}
			x.count()
		}
	}
	return nil
}

// count counts a record, or a page, and tells now and then.
func (x *export) count() {
	if x.written++; x.options.Progress != nil && x.written%1000 == 0 {
		x.options.Progress(x.written)
	}
}

// finish completes the files and their manifests, and puts them all in their
// places once they are on disk: if it is full, nothing has changed.
func (x *export) finish(ctx context.Context) (*Exported, error) {
	for _, f := range x.files {
		if err := f.finish(); err != nil {
			return nil, err
		}
	}
	if err := x.describe(ctx); err != nil {
		return nil, err
	}
	places := slices.Clone(x.manifests)
	for _, f := range x.files {
		places = append(places, f.place)
	}
	for _, p := range places {
		if err := p.settle(); err != nil {
			return nil, err
		}
	}
	for _, p := range slices.Backward(places) { // what is described before its description
		if err := p.commit(); err != nil {
			return nil, err
		}
	}
	return x.done(), nil
}

// done tells what was written.
func (x *export) done() *Exported {
	done := &Exported{Records: x.written, Duplicates: x.duplicates, Gone: x.gone, Misfits: x.misfits}
	for _, f := range x.files {
		file := ExportedFile{Path: f.place.path, Kind: "records", Split: f.about.Split, Bytes: f.about.Bytes}
		if f.about.Gone {
			file.Kind = "gone"
		}
		for _, t := range f.about.Tables {
			file.Records += t.Records
		}
		if x.options.Format == WARC {
			file.Records = x.written
		}
		done.Files = append(done.Files, file)
	}
	for _, p := range x.manifests {
		done.Files = append(done.Files, ExportedFile{Path: p.path, Kind: "manifest"})
	}
	return done
}

func (x *export) discard() {
	for _, f := range x.files {
		f.discard()
	}
	for _, p := range x.manifests {
		p.discard()
	}
}

// exportFields returns the fields of the item in each job it is taken from.
func (db *DB) exportFields(ctx context.Context, o ExportOptions) ([][]itemtype.Field, error) {
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

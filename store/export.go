package store

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/magpie-crawl/magpie/store/dataset"
	"github.com/magpie-crawl/magpie/store/internal/fileset"
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
	x := &export{db: db, options: o}
	var err error
	if o.Format == WARC {
		err = x.streamPages(ctx, w)
	} else {
		err = x.streamRecords(ctx, w)
	}
	return x.written, err
}

func (x *export) streamRecords(ctx context.Context, w io.Writer) error {
	s, err := x.db.exportSchema(ctx, x.options)
	if err != nil {
		return err
	}
	encoder, err := dataset.NewEncoder(w, x.options.Format, s, x.options.Formulas)
	if err != nil {
		return fmt.Errorf("export: %w", err)
	}
	for r, err := range x.records(ctx, s) {
		if err != nil {
			return err
		}
		if err := encoder.Write(r); err != nil {
			return fmt.Errorf("export: %w", err)
		}
	}
	if err := encoder.Close(); err != nil {
		return fmt.Errorf("export: %w", err)
	}
	return nil
}

func (x *export) streamPages(ctx context.Context, w io.Writer) error {
	archive, err := dataset.NewWARC(w, "", x.options.Software)
	if err != nil {
		return fmt.Errorf("export: %w", err)
	}
	for p, err := range x.pages(ctx) {
		if err != nil {
			return err
		}
		if err := archive.Write(p); err != nil {
			return fmt.Errorf("export %s: %w", p.URL, err)
		}
	}
	return nil
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
	if o.Format == Markdown && path != "" {
		path = filepath.Clean(path) // what is beside a folder is not in it, whether its name ends with a slash or not
	}
	if info, err := os.Stat(path); err == nil && !info.IsDir() && !info.Mode().IsRegular() {
		n, err := db.exportDirect(ctx, path, o)
		return &Exported{Records: n}, err
	}
	x := &export{db: db, options: o}
	if o.Format == WARC {
		return x.pagesTo(ctx, path)
	}
	return x.recordsTo(ctx, path)
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
	written    int64
	duplicates int64
}

// files begins the files of an export.
func (x *export) files(path string) (*fileset.Set, error) {
	o := x.options
	return fileset.Begin(fileset.Options{Path: path, Format: o.Format, Split: o.Split, Formulas: o.Formulas, Refuse: noDatabase})
}

// recordsTo exports records of one item type, or of all.
func (x *export) recordsTo(ctx context.Context, path string) (*Exported, error) {
	o := x.options
	items := []string{o.Item}
	if o.Item == "" {
		var err error
		if items, err = x.db.itemNames(ctx, o.Job); err != nil {
			return nil, err
		}
	}
	// What cannot be exported is found out before there is a file.
	var schemas []dataset.Schema
	for _, item := range items {
		o.Item = item
		s, err := x.db.exportSchema(ctx, o)
		if err != nil {
			return nil, err
		}
		schemas = append(schemas, s)
	}
	files, err := x.files(path)
	if err != nil {
		return nil, err
	}
	defer files.Discard()
	for _, s := range schemas {
		x.options.Item = s.Item
		if err := files.Table(s, x.records(ctx, s)); err != nil {
			return nil, err
		}
	}
	if o.Since > 0 {
		if err := files.Gone(x.gone(ctx, items)); err != nil {
			return nil, err
		}
	}
	return x.finish(ctx, files, items)
}

// pagesTo exports the pages of a job, or of all.
func (x *export) pagesTo(ctx context.Context, path string) (*Exported, error) {
	files, err := x.files(path)
	if err != nil {
		return nil, err
	}
	defer files.Discard()
	if err := files.Pages(x.options.Software, x.pages(ctx)); err != nil {
		return nil, err
	}
	return x.finish(ctx, files, nil)
}

// finish puts the files in their places. items are the item types they hold.
func (x *export) finish(ctx context.Context, files *fileset.Set, items []string) (*Exported, error) {
	about, err := x.about(ctx, items)
	if err != nil {
		return nil, err
	}
	written, err := files.Finish(about)
	if err != nil {
		return nil, err
	}
	done := &Exported{Records: x.written, Duplicates: x.duplicates, Gone: written.Gone, Misfits: written.Misfits}
	for _, f := range written.Files {
		done.Files = append(done.Files, ExportedFile(f))
	}
	return done, nil
}

// count counts a record, or a page, and tells now and then.
func (x *export) count() {
	if x.written++; x.options.Progress != nil && x.written%1000 == 0 {
		x.options.Progress(x.written)
	}
}

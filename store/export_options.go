package store

import (
	"fmt"

	"github.com/magpie-crawl/magpie/store/dataset"
	"github.com/magpie-crawl/magpie/store/internal/sqltext"
)

// Format is a format of exported data.
type Format = dataset.Format

// Formats of exports.
const (
	JSONL    = dataset.JSONL    // one JSON object a line
	CSV      = dataset.CSV      // RFC 4180, in UTF-8, with a header line
	Parquet  = dataset.Parquet  // typed columns, compressed by zstd
	SQLite   = dataset.SQLite   // a database with a table for each item type
	Markdown = dataset.Markdown // a folder with a file for each record
	WARC     = dataset.WARC     // the stored pages of a job: WARC/1.1
)

// Formats are the formats that exports have.
var Formats = dataset.Formats

// ExportOptions say what to export, and how.
type ExportOptions struct {
	Item     string // the item type; SQLite: "" for all; WARC: not used
	Job      string // of this job alone; "": of all jobs that have the item
	Format   Format // default: JSONL
	Meta     bool   // add _job, _key, _url, _position, _first_run and _last_run after the fields
	Formulas bool   // CSV: leave texts that a spreadsheet would take for formulas as they are, without the ' before them

	Fields  []string        // these fields alone, in this order; metadata may be among them (default: all)
	Where   string          // a condition in SQL over the columns of the item's view
	Filters []FieldFilter   // conditions as RecordsQuery has them, besides Where; with Item and Job
	Since   int             // what is new or changed after this run alone; the keys of gone records go to a file beside (default: all)
	Dedup   dataset.Dedup   // which duplicates are left out (default: none)
	Split   []dataset.Split // ExportFiles: a file for each part (default: one file)

	Manifest bool                // ExportFiles: write manifests beside the file
	Dataset  dataset.Description // what the manifests say the data is
	Software string              // and what made it (default: magpie)
	Progress func(written int64) // called now and then while exporting
}

// OptionError says which option of an export cannot be fulfilled.
type OptionError struct {
	Option string // "fields", "where", "filters", "since", "split", "dedup", "format", "item"
	Err    error
}

func (e *OptionError) Error() string { return e.Option + ": " + e.Err.Error() }

// Unwrap returns what is wrong with it.
func (e *OptionError) Unwrap() error { return e.Err }

// check finds options that don't go together. file is false for an export to
// a stream.
func (o *ExportOptions) check(path string, file bool) error {
	if o.Format == "" {
		o.Format = JSONL
	}
	if o.Software == "" {
		o.Software = "magpie"
	}
	wrong := func(option, format string, args ...any) error {
		return &OptionError{option, fmt.Errorf(format, args...)}
	}
	known := false
	for _, f := range Formats {
		known = known || f == o.Format
	}
	switch {
	case !known:
		return wrong("format", "no export format is called %q: there are %v", o.Format, Formats)
	case !file && !o.Format.Streams():
		return wrong("format", "%s needs a place on the disk: name a file", o.Format)
	case !file && len(o.Split) > 0:
		return wrong("split", "each part is a file of its own: name a file")
	case o.Item == "" && o.Format != SQLite && o.Format != WARC:
		return wrong("item", "say which item type to export")
	case len(o.Filters) > 0 && (o.Item == "" || o.Job == "" || o.Format == WARC):
		return wrong("filters", "they are those of a job's item type: say which")
	case o.Item == "" && o.Format == SQLite && (len(o.Fields) > 0 || o.Where != ""):
		return wrong("item", "a choice of fields and a condition are those of one item type: say which")
	case o.Format == WARC && (len(o.Fields) > 0 || o.Where != "" || o.Dedup != "" || len(o.Split) > 0):
		return wrong("format", "warc holds pages, not records: fields, where, dedup and split don't go with it")
	case o.Dedup != dataset.KeepAll && o.Dedup != dataset.DropExact && o.Dedup != dataset.DropNear:
		return wrong("dedup", "write exact or near, not %q", o.Dedup)
	case o.Since < 0:
		return wrong("since", "runs count from 1")
	case o.Since > 0 && o.Job == "":
		return wrong("since", "each job counts its own runs: say which job")
	}
	if err := dataset.CheckSplits(o.Split); err != nil {
		return &OptionError{"split", err}
	}
	if file {
		if err := dataset.CompressionOf(path).Check(o.Format); err != nil {
			return &OptionError{"format", err}
		}
	}
	return nil
}

// CheckCondition sees to it that a text is one condition as ExportOptions.Where
// takes it, as far as that shows without the database.
func CheckCondition(text string) error { return sqltext.CheckCondition(text) }

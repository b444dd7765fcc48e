package dataset

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
)

// Format is a format of exported data.
type Format string

// Formats of exports.
const (
	JSONL    Format = "jsonl"    // one JSON object a line
	CSV      Format = "csv"      // RFC 4180, in UTF-8, with a header line
	Parquet  Format = "parquet"  // typed columns, compressed by zstd
	SQLite   Format = "sqlite"   // a database with a table for each item type
	Markdown Format = "markdown" // a folder with a file for each record
	WARC     Format = "warc"     // the stored pages of a job, not its records: WARC/1.1
)

// Formats are all of them.
var Formats = []Format{JSONL, CSV, Parquet, SQLite, Markdown, WARC}

// extensions are the endings of file names that tell a format; the first of
// each is the usual one.
var extensions = map[Format][]string{
	JSONL: {".jsonl", ".ndjson"}, CSV: {".csv"}, Parquet: {".parquet"}, SQLite: {".sqlite", ".sqlite3", ".db"},
	Markdown: {".md", ".markdown"}, WARC: {".warc"},
}

// FormatOf tells the format of a file by its name, whatever its compression;
// ok is false when the name doesn't tell.
func FormatOf(path string) (f Format, ok bool) {
	base, _ := cutCompression(path)
	ext := strings.ToLower(filepath.Ext(base))
	for _, f := range Formats {
		if slices.Contains(extensions[f], ext) {
			return f, true
		}
	}
	return "", false
}

var errNoFormat = errors.New("the file's name tells no format: end it with .jsonl, .csv, .parquet, .sqlite, .md or .warc, or name the format")

// FormatFor is the format of an export to path: the one that is named, or,
// where named is "", the one that the name of the file tells. It is an error if
// neither tells, if they contradict each other, or if the format cannot be
// compressed as the name says.
func FormatFor(path string, named Format) (Format, error) {
	told, ok := FormatOf(path)
	switch {
	case named == "" && !ok:
		return "", errNoFormat
	case named == "":
		named = told
	case ok && told != named:
		base, _ := cutCompression(path)
		return "", fmt.Errorf("a name that ends with %s is one of %s, not of %s: change one of them", filepath.Ext(base), told, named)
	}
	return named, CompressionOf(path).Check(named)
}

// Streams tells whether a format can be written to a pipe: SQLite and Markdown
// need a place on a disk.
func (f Format) Streams() bool { return f != SQLite && f != Markdown }

// Columns tells whether a format has records as rows of one table: what is no
// column of it is not written.
func (f Format) Columns() bool { return f == CSV || f == SQLite || f == Parquet }

// MediaType is the format's media type.
func (f Format) MediaType() string {
	switch f {
	case CSV:
		return "text/csv"
	case Parquet:
		return "application/vnd.apache.parquet" // https://www.iana.org/assignments/media-types/application/vnd.apache.parquet
	case SQLite:
		return "application/vnd.sqlite3"
	case Markdown:
		return "text/markdown"
	case WARC:
		return "application/warc"
	default:
		return "application/jsonl"
	}
}

// SplitName is the name of a part of an export: books.jsonl.gz becomes
// books-train.jsonl.gz.
func SplitName(path, part string) string {
	base, compression := cutCompression(path)
	ext := filepath.Ext(base)
	return strings.TrimSuffix(base, ext) + "-" + part + ext + string(compression)
}

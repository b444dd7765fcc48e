package store

import (
	"bufio"
	"crypto/sha256"
	"encoding/hex"
	"hash"
	"io"
	"os"
	"path/filepath"

	"github.com/magpie-crawl/magpie/store/dataset"
)

// exportFile is one file, or folder, that is being exported to.
type exportFile struct {
	place   *place
	about   dataset.File
	table   dataset.Encoder // nil between tables
	counted *int64          // records of the table at hand

	sum      hash.Hash // of what stream took
	size     int64
	stream   *bufio.Writer
	packed   io.WriteCloser // compresses to stream
	database *dataset.SQLiteFile
	folder   *dataset.MarkdownFolder
}

// newExportFile begins a file. split is its part, "" the whole.
func newExportFile(path string, f Format, split string) (*exportFile, error) {
	p, err := newPlace(path, f == Markdown)
	if err != nil {
		return nil, err
	}
	x := &exportFile{place: p, about: dataset.File{Path: filepath.Base(path), Format: f, Compression: dataset.CompressionOf(path), Split: split}}
	switch f {
	case Markdown:
	case SQLite:
		if x.database, err = dataset.NewSQLite(p.temp); err != nil {
			x.discard()
			return nil, p.failed(err)
		}
	default:
		x.sum = sha256.New()
		x.stream = bufio.NewWriterSize(io.MultiWriter(p.file, x.sum, (*counting)(&x.size)), 256<<10)
		if x.packed, err = x.about.Compression.Writer(x.stream); err != nil {
			x.discard()
			return nil, p.failed(err)
		}
	}
	return x, nil
}

// counting counts bytes.
type counting int64

func (c *counting) Write(p []byte) (int, error) {
	*c += counting(len(p))
	return len(p), nil
}

// begin begins a table of records.
func (x *exportFile) begin(s dataset.Schema, o ExportOptions) (err error) {
	switch {
	case x.database != nil:
		x.table, err = x.database.Table(s)
	case x.about.Format == Markdown:
		x.folder, err = dataset.NewMarkdown(x.place.temp, s)
		x.table = x.folder
	default:
		x.table, err = newExportEncoder(x.packed, s, o)
	}
	if err != nil {
		return x.place.failed(err)
	}
	listed := dataset.Table{Schema: s}
	if x.folder != nil {
		listed.Schema = dataset.Schema{Item: s.Item, Fields: dataset.IndexFields}
	}
	x.about.Tables = append(x.about.Tables, listed)
	x.counted = &x.about.Tables[len(x.about.Tables)-1].Records
	return nil
}

func (x *exportFile) write(r *dataset.Record) error {
	if err := x.table.Write(r); err != nil {
		return x.place.failed(err)
	}
	*x.counted++
	return nil
}

// end ends a table and takes in what did not fit in its columns.
func (x *exportFile) end(misfits map[string]int64) error {
	if err := x.table.Close(); err != nil {
		return x.place.failed(err)
	}
	if p, ok := x.table.(*dataset.ParquetEncoder); ok {
		for field, n := range p.Misfits() {
			misfits[field] += n
		}
	}
	return nil
}

// finish completes the file, which is then ready to take its place.
func (x *exportFile) finish() error {
	if x.database != nil {
		if err := x.database.Close(); err != nil {
			return x.place.failed(err)
		}
		x.database = nil
		return x.measure(x.place.temp, x.about.Path)
	}
	if x.about.Format == Markdown {
		return x.measure(filepath.Join(x.place.temp, dataset.IndexName), x.about.Path+"/"+dataset.IndexName)
	}
	if err := x.packed.Close(); err != nil {
		return x.place.failed(err)
	}
	if err := x.stream.Flush(); err != nil {
		return x.place.failed(err)
	}
	x.about.Bytes, x.about.SHA256 = x.size, hex.EncodeToString(x.sum.Sum(nil))
	return nil
}

// measure reads a file that another library wrote.
func (x *exportFile) measure(file, path string) error {
	f, err := os.Open(file)
	if err != nil {
		return x.place.failed(err)
	}
	defer f.Close()
	sum := sha256.New()
	n, err := io.Copy(sum, f)
	if err != nil {
		return x.place.failed(err)
	}
	x.about.Path, x.about.Bytes, x.about.SHA256 = path, n, hex.EncodeToString(sum.Sum(nil))
	if x.about.Format == Markdown {
		x.about.Format = JSONL // of the index, which is what is described
		return nil
	}
	return f.Sync()
}

// discard throws the file away, unless it has taken its place.
func (x *exportFile) discard() {
	if x.database != nil {
		x.database.Abort()
	}
	if x.folder != nil {
		x.folder.Abort()
	}
	x.place.discard()
}

// newExportEncoder returns an encoder of a format that is a stream.
func newExportEncoder(w io.Writer, s dataset.Schema, o ExportOptions) (dataset.Encoder, error) {
	switch o.Format {
	case CSV:
		return dataset.NewCSV(w, s, o.Formulas)
	case Parquet:
		return dataset.NewParquet(w, s), nil
	default:
		return dataset.NewJSONL(w, s), nil
	}
}

package fileset

import (
	"bufio"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"hash"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/magpie-crawl/magpie/store/dataset"
	"github.com/magpie-crawl/magpie/store/internal/place"
)

// file is one file, or folder, that is being written.
type file struct {
	place *place.Place
	about dataset.File
	table dataset.Encoder // nil between tables
	pages int64           // of a web archive

	sum      hash.Hash // of what stream took
	size     int64
	stream   *bufio.Writer
	packed   io.WriteCloser // compresses to stream
	database *dataset.SQLiteFile
	folder   *dataset.MarkdownFolder
}

// newFile begins a file.
func newFile(path string, f dataset.Format, refuse func(string) error) (*file, error) {
	p, err := newPlace(path, f == dataset.Markdown, refuse)
	if err != nil {
		return nil, failed(path, err)
	}
	x := &file{place: p, about: dataset.File{Path: filepath.Base(path), Format: f, Compression: dataset.CompressionOf(path)}}
	switch f {
	case dataset.Markdown:
	case dataset.SQLite:
		x.database, err = dataset.NewSQLite(p.Temp)
	default:
		x.sum = sha256.New()
		x.stream = bufio.NewWriterSize(io.MultiWriter(p.File, x.sum, (*counting)(&x.size)), 256<<10)
		packing := x.about.Compression
		if f == dataset.WARC {
			packing = dataset.Plain // an archive compresses its records itself
		}
		x.packed, err = packing.Writer(x.stream)
	}
	if err != nil {
		x.discard()
		return nil, x.failed(err)
	}
	return x, nil
}

// newPlace is where a file will be, or a folder, which replaces none but an
// export's.
func newPlace(path string, folder bool, refuse func(string) error) (*place.Place, error) {
	if !folder {
		return place.NewFile(path, refuse)
	}
	return place.NewFolder(path, func(path string) error {
		if err := refuse(path); err != nil {
			return err
		}
		return replaceable(path)
	})
}

// replaceable refuses a folder that is neither empty nor an export.
func replaceable(path string) error {
	entries, err := os.ReadDir(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	} else if err != nil {
		return place.Cause(err)
	}
	isIndex := func(e fs.DirEntry) bool { return e.Name() == dataset.IndexName }
	if len(entries) > 0 && !slices.ContainsFunc(entries, isIndex) {
		return errors.New("the folder has files that no export wrote: name another, or empty it")
	}
	return nil
}

// failed says what was tried, in the words of the place and not of its
// temporary name.
func (x *file) failed(err error) error { return failed(x.place.Path, place.Cause(err)) }

// counting counts bytes.
type counting int64

func (c *counting) Write(p []byte) (int, error) {
	*c += counting(len(p))
	return len(p), nil
}

// begin begins a table of records.
func (x *file) begin(s dataset.Schema, formulas bool) (err error) {
	switch {
	case x.database != nil:
		x.table, err = x.database.Table(s)
	case x.about.Format == dataset.Markdown:
		x.folder, err = dataset.NewMarkdown(x.place.Temp, s)
		x.table = x.folder
	default:
		x.table, err = dataset.NewEncoder(x.packed, x.about.Format, s, formulas)
	}
	if err != nil {
		return x.failed(err)
	}
	listed := dataset.Table{Schema: s}
	if x.folder != nil {
		listed.Schema = dataset.Schema{Item: s.Item, Fields: dataset.IndexFields}
	}
	x.about.Tables = append(x.about.Tables, listed)
	return nil
}

func (x *file) write(r *dataset.Record) error {
	if err := x.table.Write(r); err != nil {
		return x.failed(err)
	}
	x.listed().Records++
	return nil
}

// listed is what is told of the table at hand.
func (x *file) listed() *dataset.Table { return &x.about.Tables[len(x.about.Tables)-1] }

// end ends a table and takes in what did not fit in its columns.
func (x *file) end(misfits map[string]int64) error {
	if err := x.table.Close(); err != nil {
		return x.failed(err)
	}
	if lines, ok := x.table.(interface{ Absent() []string }); ok {
		x.listed().Absent = lines.Absent()
	}
	if p, ok := x.table.(*dataset.ParquetEncoder); ok {
		for field, n := range p.Misfits() {
			misfits[field] += n
		}
	}
	return nil
}

// finish completes the file, which is then ready to take its place.
func (x *file) finish() error {
	if x.database != nil {
		if err := x.database.Close(); err != nil {
			return x.failed(err)
		}
		x.database = nil
		return x.measure(x.place.Temp, x.about.Path)
	}
	if x.about.Format == dataset.Markdown {
		return x.measure(filepath.Join(x.place.Temp, dataset.IndexName), x.about.Path+"/"+dataset.IndexName)
	}
	if err := x.packed.Close(); err != nil {
		return x.failed(err)
	}
	if err := x.stream.Flush(); err != nil {
		return x.failed(err)
	}
	x.about.Bytes, x.about.SHA256 = x.size, hex.EncodeToString(x.sum.Sum(nil))
	return nil
}

// measure reads a file that another library wrote.
func (x *file) measure(file, path string) error {
	f, err := os.Open(file)
	if err != nil {
		return x.failed(err)
	}
	defer f.Close()
	sum := sha256.New()
	n, err := io.Copy(sum, f)
	if err != nil {
		return x.failed(err)
	}
	x.about.Path, x.about.Bytes, x.about.SHA256 = path, n, hex.EncodeToString(sum.Sum(nil))
	if x.about.Format == dataset.Markdown {
		x.about.Format = dataset.JSONL // of the index, which is what is described
	}
	return nil
}

// discard throws the file away, unless it has taken its place.
func (x *file) discard() {
	if x.database != nil {
		x.database.Abort()
	}
	if x.folder != nil {
		x.folder.Abort()
	}
	x.place.Discard()
}

// Package exported finds the files that a job's exports wrote, and opens them:
// those alone, and no links that lead elsewhere.
package exported

import (
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/magpie-crawl/magpie/config"
	"github.com/magpie-crawl/magpie/store/dataset"
)

// File is a file that an export wrote.
type File struct {
	Export  int    // place of the export in the job file, from 1
	Name    string // without its folder
	Item    string
	Kind    string // "records", "gone" or "manifest"
	Format  string
	Bytes   int64
	Written time.Time
	Records int64 // by the manifest; -1: not known

	path string
}

// Files lists the files that a job's exports wrote and that are there. A file
// that merely stands where an export is to be, such as one that somebody named
// in a job file in order to read it, is none: a manifest has to tell of it, or
// where the export writes none, its name has to be one of the format's.
func Files(job *config.Job) []File {
	var files []File
	for i, e := range job.Exports {
		written := readManifest(e.Path)
		for _, f := range paths(e) {
			info, err := os.Lstat(f.path)
			if err != nil || !info.Mode().IsRegular() {
				continue
			}
			f.Export, f.Name, f.Item, f.Bytes, f.Written, f.Records = i+1, filepath.Base(f.path), e.Item, info.Size(), info.ModTime(), -1
			n, told := written[f.Name]
			if told {
				f.Records = n
			}
			if told || f.Kind == "manifest" && written != nil || e.NoManifest && plain(f) {
				files = append(files, f)
			}
		}
	}
	return files
}

// plain tells whether a file's name says that it is an export. Other programs
// have databases of SQLite too.
func plain(f File) bool {
	format, ok := dataset.FormatOf(f.Name)
	return ok && format != dataset.SQLite && string(format) == f.Format
}

// paths are the files that an export writes.
func paths(e config.Export) []File {
	var files []File
	for _, s := range e.Split {
		files = append(files, File{Kind: "records", Format: string(e.Format), path: dataset.SplitName(e.Path, s.Name)})
	}
	if len(files) == 0 {
		files = append(files, File{Kind: "records", Format: string(e.Format), path: e.Path})
	}
	return append(files, File{Kind: "gone", Format: "jsonl", path: e.Path + ".gone.jsonl"},
		File{Kind: "manifest", Format: "json", path: e.Path + packageEnding}, File{Kind: "manifest", Format: "json", path: e.Path + ".croissant.json"})
}

const packageEnding = ".datapackage.json"

// maxManifest is how much of a manifest is read, in bytes.
const maxManifest = 4 << 20

// readManifest reads which files an export wrote, and how many records each
// has, -1 where it has none; nil where there is no manifest.
func readManifest(path string) map[string]int64 {
	f, _, err := open(path + packageEnding)
	if err != nil {
		return nil
	}
	defer f.Close()
	var manifest struct {
		Resources []struct {
			Path    string
			Records *int64
		}
	}
	if json.NewDecoder(io.LimitReader(f, maxManifest)).Decode(&manifest) != nil {
		return nil
	}
	counts := map[string]int64{}
	for _, r := range manifest.Resources {
		if _, known := counts[r.Path]; !known {
			counts[r.Path] = -1
		}
		if r.Records != nil {
			counts[r.Path] = max(counts[r.Path], 0) + *r.Records // a database has several tables
		}
	}
	return counts
}

// Find finds a file of a job's exports by the number of the export and the
// name. The error wraps fs.ErrNotExist if there is none.
func Find(job *config.Job, export int, name string) (File, error) {
	for _, f := range Files(job) {
		if f.Export == export && f.Name == name {
			return f, nil
		}
	}
	return File{}, fmt.Errorf("export %d of %s has written no file %q: %w", export, job.Name, name, fs.ErrNotExist)
}

// Open opens the file for reading.
func (f File) Open() (*os.File, os.FileInfo, error) { return open(f.path) }

// MediaType is what the file holds.
func (f File) MediaType() string {
	switch {
	case f.Kind == "manifest":
		return "application/json"
	case strings.HasSuffix(f.Name, ".gz"):
		return "application/gzip"
	case strings.HasSuffix(f.Name, ".zst"):
		return "application/zstd"
	}
	return dataset.Format(f.Format).MediaType()
}

// open opens a regular file. What was put in its place between two looks at it,
// such as a link, is refused.
func open(path string) (*os.File, os.FileInfo, error) {
	before, err := os.Lstat(path)
	if err != nil {
		return nil, nil, err
	}
	if !before.Mode().IsRegular() {
		return nil, nil, fmt.Errorf("%s is no regular file: %w", filepath.Base(path), fs.ErrNotExist)
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, nil, err
	}
	info, err := f.Stat()
	if err == nil && !os.SameFile(before, info) {
		err = fmt.Errorf("%s was replaced meanwhile: %w", filepath.Base(path), fs.ErrNotExist)
	}
	if err != nil {
		f.Close()
		return nil, nil, err
	}
	return f, info, nil
}

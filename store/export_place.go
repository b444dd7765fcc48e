package store

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/magpie-crawl/magpie/store/dataset"
)

// place is where a file or folder of an export will be. It is made under a
// temporary name beside and takes its place once it is whole and on disk:
// whoever opens path finds the former one or the new one.
type place struct {
	path   string
	temp   string
	file   *os.File // nil: a folder, or a file that another library writes
	former fs.FileMode
	folder bool
}

// newPlace prepares a place. What stands there is left alone if it is no
// regular file, a database of this package's or one in use, or a folder that is
// not an export.
func newPlace(path string, folder bool) (*place, error) {
	p := &place{path: path, folder: folder}
	if target, err := filepath.EvalSymlinks(path); err == nil {
		p.path = target // replace what a link points to, not the link
	}
	info, err := os.Stat(p.path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return nil, fmt.Errorf("export: %w", err)
	case folder:
		if err := replaceable(p.path, info); err != nil {
			return nil, err
		}
		p.former = info.Mode().Perm()
	case info.IsDir():
		return nil, fmt.Errorf("export to %s: it is a folder", path)
	case !info.Mode().IsRegular():
		return nil, fmt.Errorf("export to %s: %w", path, errNoStream)
	default:
		p.former = info.Mode().Perm()
	}
	if err := noDatabase(p.path); err != nil {
		return nil, fmt.Errorf("export to %s: %w", path, err)
	}
	p.temp = temporaryName(p.path)
	if folder {
		err = os.Mkdir(p.temp, 0o777)
	} else {
		p.file, err = os.OpenFile(p.temp, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o666)
	}
	if err == nil && p.former != 0 {
		err = os.Chmod(p.temp, p.former)
	}
	if err != nil {
		p.discard()
		if parent := filepath.Dir(p.path); errors.Is(err, fs.ErrNotExist) {
			return nil, fmt.Errorf("export to %s: %w: there is no folder %s, make it first", path, cause(err), parent)
		}
		return nil, p.failed(err)
	}
	return p, nil
}

var errIsDatabase = errors.New("there is a database of magpie, which an export does not replace: name another file")

// noDatabase refuses the place of a database that crawls write to, or of what
// SQLite keeps beside it: in one slip an export would take all that there is to
// export.
func noDatabase(path string) error {
	for _, suffix := range []string{"", "-wal", "-shm", "-journal"} {
		of, ok := strings.CutSuffix(path, suffix)
		if !ok {
			continue
		}
		if _, err := checkHeader(context.Background(), of); err == nil {
			return errIsDatabase
		}
	}
	if hasLog(path) {
		return fmt.Errorf("it is in use or was left by a crash, as %s-wal tells: name another file", path)
	}
	return nil
}

// replaceable tells whether an export may take a folder's place: one that is
// empty, or an export itself.
func replaceable(path string, info fs.FileInfo) error {
	if !info.IsDir() {
		return fmt.Errorf("export to %s: a folder is to be written, and there is a file", path)
	}
	entries, err := os.ReadDir(path)
	if err != nil {
		return fmt.Errorf("export to %s: %w", path, cause(err))
	}
	for _, e := range entries {
		if e.Name() == dataset.IndexName {
			return nil
		}
	}
	if len(entries) > 0 {
		return fmt.Errorf("export to %s: the folder has files that no export wrote: name another, or empty it", path)
	}
	return nil
}

func (p *place) failed(err error) error {
	return fmt.Errorf("export to %s: %w", p.path, cause(err))
}

// settle sees to it that what was made is on disk.
func (p *place) settle() error {
	if p.file == nil {
		return nil
	}
	if err := errors.Join(p.file.Sync(), p.file.Close()); err != nil {
		return p.failed(err)
	}
	return nil
}

// commit puts what was settled in its place.
func (p *place) commit() error {
	if p.folder {
		return p.commitFolder()
	}
	if err := os.Rename(p.temp, p.path); err != nil {
		return p.failed(err)
	}
	syncFolder(p.path)
	return nil
}

// commitFolder puts a folder where one may be: that is moved aside first, and
// back if the new one cannot come.
func (p *place) commitFolder() error {
	aside := ""
	if p.former != 0 {
		aside = temporaryName(p.path)
		if err := os.Rename(p.path, aside); err != nil {
			return p.failed(err)
		}
	}
	if err := os.Rename(p.temp, p.path); err != nil {
		if aside != "" {
			err = errors.Join(err, os.Rename(aside, p.path))
		}
		return p.failed(err)
	}
	syncFolder(p.path)
	if aside != "" {
		if err := os.RemoveAll(aside); err != nil {
			return p.failed(err)
		}
	}
	return nil
}

// discard throws away what was made, unless it has taken its place.
func (p *place) discard() {
	if p.file != nil {
		p.file.Close()
	}
	os.RemoveAll(p.temp)
}

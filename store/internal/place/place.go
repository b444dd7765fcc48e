package place

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// Place is where a file or folder will be.
type Place struct {
	Path string   // after links
	Temp string   // where it is made
	File *os.File // what is at Temp; nil: a folder

	former fs.FileMode // of what Path has now; 0: nothing
}

var errNoFile = errors.New("it is no regular file: parts, manifests and this format need one")

// NewFile prepares a place for a file: the Place's File is empty, and for the
// caller to fill. What stands there is left alone if it is no regular file, or
// if refuse, which is asked about the path after links, returns an error.
func NewFile(path string, refuse func(path string) error) (*Place, error) {
	p, info, err := look(path)
	switch {
	case err != nil:
		return nil, err
	case info == nil:
	case info.IsDir():
		return nil, errors.New("it is a folder")
	case !info.Mode().IsRegular():
		return nil, errNoFile
	}
	if err := refuse(p.Path); err != nil {
		return nil, err
	}
	p.File, err = os.OpenFile(p.Temp, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o666)
	return p.begun(err)
}

// NewFolder prepares a place for a folder: there is an empty one at the Place's
// Temp. What stands there is left alone if it is a file, or if refuse returns
// an error.
func NewFolder(path string, refuse func(path string) error) (*Place, error) {
	p, info, err := look(path)
	switch {
	case err != nil:
		return nil, err
	case info != nil && !info.IsDir():
		return nil, errors.New("a folder is to be written, and there is a file")
	}
	if err := refuse(p.Path); err != nil {
		return nil, err
	}
	return p.begun(os.Mkdir(p.Temp, 0o777))
}

// look finds out what stands at a path; info is nil for nothing.
func look(path string) (p *Place, info fs.FileInfo, err error) {
	p = &Place{Path: path}
	if target, err := filepath.EvalSymlinks(path); err == nil {
		p.Path = target // replace what a link points to, not the link
	}
	p.Temp = TemporaryName(p.Path)
	switch info, err = os.Stat(p.Path); {
	case errors.Is(err, fs.ErrNotExist):
		info = nil
	case err != nil:
		return nil, nil, Cause(err)
	default:
		p.former = info.Mode().Perm()
	}
	return p, info, nil
}

// begun completes a place of which err says how its making went.
func (p *Place) begun(err error) (*Place, error) {
	if err == nil && p.former != 0 {
		err = os.Chmod(p.Temp, p.former)
	}
	if err == nil {
		return p, nil
	}
	p.Discard()
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%w: there is no folder %s, make it first", Cause(err), filepath.Dir(p.Path))
	}
	return nil, Cause(err)
}

// Settle sees to it that a file is on disk, and closes it. The files in a
// folder are left to the system.
func (p *Place) Settle() error {
	if p.File == nil {
		return nil
	}
	return Cause(errors.Join(p.File.Sync(), p.File.Close()))
}

// Commit puts what was settled in its place.
func (p *Place) Commit() error {
	aside := ""
	if p.File == nil && p.former != 0 {
		// No folder takes another's place: that is moved aside first, and back
		// if the new one cannot come.
		aside = TemporaryName(p.Path)
		if err := os.Rename(p.Path, aside); err != nil {
			return Cause(err)
		}
	}
	if err := os.Rename(p.Temp, p.Path); err != nil {
		if aside != "" {
			err = errors.Join(err, os.Rename(aside, p.Path))
		}
		return Cause(err)
	}
	SyncFolder(p.Path)
	if aside != "" {
		return Cause(os.RemoveAll(aside))
	}
	return nil
}

// Discard throws away what was made, unless it has taken its place.
func (p *Place) Discard() {
	if p.File != nil {
		p.File.Close()
	}
	os.RemoveAll(p.Temp)
}

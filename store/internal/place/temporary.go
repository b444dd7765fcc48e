package place

import (
	"crypto/rand"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// TemporaryName is a name in path's folder that nothing else uses.
func TemporaryName(path string) string {
	return filepath.Join(filepath.Dir(path), "."+filepath.Base(path)+"."+rand.Text()+".tmp")
}

// SyncFolder makes a file's new name outlast a power cut. Not every system
// can sync a folder; the name is then left to its care.
func SyncFolder(path string) {
	if folder, err := os.Open(filepath.Dir(path)); err == nil {
		folder.Sync()
		folder.Close()
	}
}

// Cause strips the path that an *fs.PathError or *os.LinkError adds: it is
// that of a temporary file, which would puzzle the reader.
func Cause(err error) error {
	if e, ok := errors.AsType[*fs.PathError](err); ok {
		return e.Err
	}
	if e, ok := errors.AsType[*os.LinkError](err); ok {
		return e.Err
	}
	return err
}

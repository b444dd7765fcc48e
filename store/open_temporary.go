package store

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// OpenTemporary opens an empty database in a folder of its own, which Close
// deletes: for programs that take what they want in a crawl's hooks and keep no
// database. The frontier of a crawl is still on disk, so that memory does not
// grow with it; nothing waits for the disk, as nothing is to outlast the
// process.
func OpenTemporary(o Options) (*DB, error) {
	folder, err := os.MkdirTemp("", "magpie-")
	if err != nil {
		return nil, fmt.Errorf("open a temporary database: %w", err)
	}
	o.noSync = true
	db, err := Open(filepath.Join(folder, "magpie.db"), o)
	if err != nil {
		return nil, errors.Join(err, os.RemoveAll(folder))
	}
	db.folder = folder
	return db, nil
}

package store

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
)

func TestOpenTemporary(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	db, err := OpenTemporary(Options{})
	if err != nil {
		t.Fatal(err)
	}
	crawlSite(t, beginTest(t, db), 20, nil)
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Dir(db.Path())); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the folder is left: %v", err)
	}
}

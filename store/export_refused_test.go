package store

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestExportReplacesNoDatabase(t *testing.T) {
	db := exportSample(t)
	folder := t.TempDir()
	backup := filepath.Join(folder, "backup.db")
	if _, err := db.Backup(t.Context(), backup, nil); err != nil {
		t.Fatal(err)
	}
	link := filepath.Join(folder, "link.csv")
	if err := os.Symlink(db.Path(), link); err != nil {
		t.Fatal(err)
	}
	inUse := filepath.Join(folder, "in-use.sqlite")
	for _, name := range []string{inUse, inUse + "-wal"} {
		if err := os.WriteFile(name, []byte("of another program"), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		name, path string
		format     Format
	}{
		{"the database itself", db.Path(), JSONL},
		{"the database itself, as SQLite", db.Path(), SQLite},
		{"its pages", db.Path(), WARC},
		{"its log", db.Path() + "-wal", CSV},
		{"a link to it", link, CSV},
		{"a backup", backup, Parquet},
		{"a database in use", inUse, SQLite},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := db.ExportFiles(t.Context(), c.path, ExportOptions{Item: "product", Format: c.format})
			if err == nil || !strings.Contains(err.Error(), "name another file") {
				t.Errorf("error %v", err)
			}
		})
	}
	t.Run("both are whole", func(t *testing.T) {
		if n, err := db.ExportFile(t.Context(), filepath.Join(folder, "a.jsonl"), ExportOptions{Item: "product", Format: JSONL}); err != nil || n != 3 {
			t.Errorf("%d records, %v", n, err)
		}
		copied, err := OpenReadOnly(backup, Options{})
		if err != nil {
			t.Fatal(err)
		}
		if err := copied.Close(); err != nil {
			t.Error(err)
		}
	})
	t.Run("an earlier export is replaced", func(t *testing.T) {
		path := filepath.Join(folder, "clean.sqlite")
		for range 2 {
			if _, err := db.ExportFiles(t.Context(), path, ExportOptions{Item: "product", Format: SQLite}); err != nil {
				t.Error(err)
			}
		}
	})
}

func TestExportWithoutAFolder(t *testing.T) {
	db := exportSample(t)
	path := filepath.Join(t.TempDir(), "none", "a.csv")
	_, err := db.ExportFiles(t.Context(), path, ExportOptions{Item: "product", Format: CSV})
	if !errors.Is(err, os.ErrNotExist) || !strings.Contains(err.Error(), "there is no folder "+filepath.Dir(path)) {
		t.Errorf("error %v", err)
	}
}

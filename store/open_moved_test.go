package store

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// TestMoved takes the file away under an open database.
func TestMoved(t *testing.T) {
	for name, take := range map[string]func(path string) error{
		"deleted": os.Remove,
		"renamed": func(path string) error { return os.Rename(path, path+".old") },
		"replaced": func(path string) error {
			other := path + ".other"
			if err := os.WriteFile(other, nil, 0o600); err != nil {
				return err
			}
			return os.Rename(other, path)
		},
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "a.db")
			db, err := Open(path, Options{})
			if err != nil {
				t.Fatal(err)
			}
			defer db.Close()
			hold, err := db.HoldDaemon(t.Context(), "jobs")
			if err != nil {
				t.Fatal(err)
			}
			if err := hold.Renew(t.Context(), time.Now()); err != nil {
				t.Fatal(err)
			}
			if err := take(path); err != nil {
				t.Skip("an open file cannot be taken away here:", err)
			}
			if err := hold.Renew(t.Context(), time.Now()); !errors.Is(err, ErrMoved) {
				t.Errorf("%v, want ErrMoved", err)
			}
		})
	}
}

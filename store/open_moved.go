package store

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
)

// thereCheck returns a function that tells whether path is still the file that
// it is now. It costs a microsecond.
// https://www.sqlite.org/howtocorrupt.html#_unlinking_or_renaming_a_database_file_while_in_use
func thereCheck(path string) (func() error, error) {
	opened, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	return func() error {
		now, err := os.Stat(path)
		switch {
		case errors.Is(err, fs.ErrNotExist), err == nil && !os.SameFile(opened, now):
			return fmt.Errorf("write %s: %w", path, ErrMoved)
		}
		return nil // what else is wrong is SQLite's to say
	}, nil
}

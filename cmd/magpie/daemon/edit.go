package daemon

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"path/filepath"

	"github.com/magpie-crawl/magpie/config"
)

// ErrChanged says that a job file is not what an edit began with any more.
var ErrChanged = errors.New("the file was changed meanwhile")

// Check reads the text of a job file as Save would, and saves nothing. Mistakes
// are of type config.Mistakes.
func (d *Daemon) Check(file string, source []byte) (*config.Job, error) {
	if err := checkFileName(file); err != nil {
		return nil, err
	}
	return config.Parse(filepath.Join(d.o.Dir, file), source)
}

// Source returns the text of a job file of the folder, whatever is wrong in it.
// The error wraps fs.ErrNotExist if there is no such file.
func (d *Daemon) Source(file string) ([]byte, error) {
	if err := checkFileName(file); err != nil {
		return nil, err
	}
	return readSource(filepath.Join(d.o.Dir, file))
}

// Version names the text of a job file.
func Version(source []byte) string {
	sum := sha256.Sum256(source)
	return hex.EncodeToString(sum[:16])
}

// Replace is Save if the file's text is still of that version; "" says that
// there is no such file. The error wraps ErrChanged otherwise.
func (d *Daemon) Replace(file, version string, source []byte) error {
	return d.SaveIf(file, source, func(former []byte) error {
		switch {
		case former == nil && version == "":
			return nil
		case former == nil:
			return fmt.Errorf("%s was removed: %w", file, ErrChanged)
		case version == "":
			return fmt.Errorf("there is a file %s already: %w", file, ErrChanged)
		case Version(former) != version:
			return fmt.Errorf("%s: %w", file, ErrChanged)
		}
		return nil
	})
}

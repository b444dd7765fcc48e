package daemon

import (
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"

	"github.com/magpie-crawl/magpie/config"
)

// readSource reads a job file, or that of settings. Whatever stands in its
// place, it neither waits nor reads without end: a pipe would keep the daemon
// waiting for who writes to it, a device has no end. The error of those wraps
// fs.ErrNotExist.
//
// One byte more than a job file may have is read, which is for config to tell.
func readSource(path string) ([]byte, error) {
	f, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, fmt.Errorf("read the file: %w", err)
	}
	defer f.Close()
	switch info, err := f.Stat(); {
	case err != nil:
		return nil, fmt.Errorf("read the file: %w", err)
	case !info.Mode().IsRegular():
		return nil, fmt.Errorf("%s is no regular file: %w", filepath.Base(path), fs.ErrNotExist)
	}
	source, err := io.ReadAll(io.LimitReader(f, config.MaxSource+1))
	if err != nil {
		return nil, fmt.Errorf("read the file: %w", err)
	}
	return source, nil
}

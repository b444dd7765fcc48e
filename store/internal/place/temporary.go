package place

import (
	"crypto/rand"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/magpie-crawl/magpie/internal/temporary"
)

// TemporaryName is a name in path's folder that nothing else uses.
func TemporaryName(path string) string {
	return filepath.Join(filepath.Dir(path), "."+filepath.Base(path)+"."+rand.Text()+".tmp")
}

// heldName is TemporaryName for what is held while it is made, so that sweep
// may delete it after its process was killed.
func heldName(path string) string {
	return filepath.Join(filepath.Dir(path), heldPrefix(path)+rand.Text()+heldSuffix)
}

func heldPrefix(path string) string { return "." + filepath.Base(path) + ".held-" }

const heldSuffix = ".tmp"

// random is what rand.Text returns: 26 characters of Base32.
var random = regexp.MustCompile(`^[A-Z2-7]{26}$`)

// sweep deletes what processes that were killed left of their work for path.
func sweep(path string) {
	temporary.Sweep(filepath.Dir(path), func(name string) bool {
		rest, is := strings.CutPrefix(name, heldPrefix(path))
		text, ends := strings.CutSuffix(rest, heldSuffix)
		return is && ends && random.MatchString(text)
	})
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

// Package temporary tells temporary files that somebody is making from those
// that a process left when it was killed, and deletes the latter.
//
// Who makes one holds it by a lock of the system, which ends with the process
// however that ends, in another container as well. A process number would not
// do: it says nothing after a restart of the machine, and may be that of
// another process by then. Where the system or the file system has no such
// locks, nothing is deleted.
package temporary

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// errSwept says that a file was deleted before it was held.
var errSwept = errors.New("it was deleted by another process just as it was made")

// attempts is how often Make tries: a Sweep would have to come in between each
// time.
const attempts = 10

// Make calls create, which makes a file or folder and returns its path, and
// holds that until release is called or the process ends. It calls create again
// where a Sweep came in between.
func Make(create func() (path string, err error)) (path string, release func(), err error) {
	for range attempts {
		if path, err = create(); err != nil {
			return path, nil, err
		}
		if release, err = Hold(path); err == nil {
			return path, release, nil
		}
		os.RemoveAll(path)
	}
	return path, nil, fmt.Errorf("make a temporary file: %w", err)
}

// Sweep deletes the files and folders in dir that is takes by their names, and
// that nobody holds. What cannot be deleted stays.
func Sweep(dir string, is func(name string) bool) {
	d, err := os.Open(dir)
	if err != nil {
		return
	}
	defer d.Close()
	var left []string
	for {
		names, err := d.Readdirnames(1000)
		for _, name := range names {
			if is(name) {
				left = append(left, filepath.Join(dir, name))
			}
		}
		if err != nil || len(names) == 0 {
			break
		}
	}
	for _, path := range left {
		sweep(path)
	}
}

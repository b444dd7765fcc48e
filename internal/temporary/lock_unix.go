//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package temporary

import (
	"os"
	"syscall"
)

// Hold keeps Sweep from deleting a file or folder until release is called or
// the process ends. The error says that one is about to.
func Hold(path string) (release func(), err error) {
	f, err := open(path)
	if os.IsNotExist(err) {
		return nil, errSwept
	}
	if err != nil { // it cannot be held, and so not be swept either
		return func() {}, nil
	}
	switch err := syscall.Flock(int(f.Fd()), syscall.LOCK_SH|syscall.LOCK_NB); {
	case err == syscall.EWOULDBLOCK, err == nil && !stands(f, path):
		f.Close()
		return nil, errSwept
	case err != nil:
		f.Close()
		return func() {}, nil
	}
	return func() { f.Close() }, nil
}

// sweep deletes a file or folder unless somebody holds it.
func sweep(path string) {
	f, err := open(path)
	if err != nil {
		return
	}
	defer f.Close() // after it is deleted: who has just made it is to see that
	if syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB) == nil && stands(f, path) {
		os.RemoveAll(path)
	}
}

// open opens a file or folder, and nothing else that may stand there.
func open(path string) (*os.File, error) {
	info, err := os.Lstat(path)
	if err != nil {
		return nil, err
	}
	mode := os.O_RDWR // which an exclusive lock needs on some file systems
	switch {
	case info.IsDir():
		mode = os.O_RDONLY
	case !info.Mode().IsRegular():
		return nil, syscall.EINVAL
	}
	return os.OpenFile(path, mode|syscall.O_NOFOLLOW|syscall.O_NONBLOCK, 0)
}

// stands tells whether a path still leads to what was opened.
func stands(f *os.File, path string) bool {
	opened, err := f.Stat()
	if err != nil {
		return false
	}
	info, err := os.Lstat(path)
	return err == nil && os.SameFile(opened, info)
}

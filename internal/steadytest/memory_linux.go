package steadytest

import (
	"os"
	"syscall"
)

// FilesInMemory makes temporary folders of this process, and of those that it
// starts, be in memory. A database waits for the disk at each commit: a test
// with thousands of them does little else. A process that is killed loses
// nothing of such files, so that tests of that hold as they do on a disk.
//
// It changes nothing where TMPDIR says where they belong, and where there is
// too little room or programs may not be run from there, as in many containers.
func FilesInMemory() {
	// https://www.kernel.org/doc/html/latest/filesystems/tmpfs.html
	const shared = "/dev/shm"
	if os.Getenv("TMPDIR") == "" && suits(shared) {
		os.Setenv("TMPDIR", shared)
	}
}

// suits tells whether a folder is in memory, with room, and may hold programs.
func suits(dir string) bool {
	const (
		tmpfs  = 0x01021994 // statfs(2)
		noExec = 0x8
		room   = 1 << 30
	)
	var s syscall.Statfs_t
	if err := syscall.Statfs(dir, &s); err != nil || int64(s.Type) != tmpfs || s.Flags&noExec != 0 || s.Bavail*uint64(s.Bsize) < room {
		return false
	}
	probe, err := os.MkdirTemp(dir, "probe")
	if err != nil {
		return false
	}
	return os.Remove(probe) == nil
}

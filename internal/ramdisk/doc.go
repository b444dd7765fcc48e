// Package ramdisk has tests keep their files in memory where the system has a
// file system for that. A database waits for the disk at each commit, as it
// should; a test with thousands of commits does little else, and on a machine
// whose disk is busy it takes many times as long. A process that is killed
// loses nothing of such files, so that tests of that hold as they do on a disk.
package ramdisk

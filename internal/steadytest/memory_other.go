//go:build !linux

package steadytest

// FilesInMemory does nothing here: it is known of Linux alone where such files
// belong.
func FilesInMemory() {}

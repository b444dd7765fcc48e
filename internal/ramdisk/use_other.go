//go:build !linux

package ramdisk

// Use does nothing here: it is known of Linux alone where such files belong.
func Use() {}

//go:build !(darwin || dragonfly || freebsd || linux || netbsd || openbsd)

package temporary

// Hold does nothing: neither does Sweep.
func Hold(string) (release func(), err error) { return func() {}, nil }

func sweep(string) {}

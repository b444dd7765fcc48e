//go:build unix && !linux

package process

import (
	"errors"
	"syscall"
)

// machine names the set of processes that share numbers.
func machine(host string) string { return host }

// alive tells whether a process with this number runs.
func alive(pid int) bool { return !errors.Is(syscall.Kill(pid, 0), syscall.ESRCH) }

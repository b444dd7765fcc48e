//go:build !unix

package process

import "os"

// machine names the set of processes that share numbers.
func machine(host string) string { return host }

// alive tells whether a process with this number runs.
func alive(pid int) bool {
	p, err := os.FindProcess(pid)
	if err != nil {
		return false
	}
	p.Release()
	return true
}

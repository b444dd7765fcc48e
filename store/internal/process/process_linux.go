package process

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"syscall"
)

// machine names the boot of the kernel and the PID namespace: containers that
// share a host name do not share process numbers.
func machine(host string) string {
	boot, err := os.ReadFile("/proc/sys/kernel/random/boot_id")
	if err != nil {
		return host
	}
	namespace, err := os.Readlink("/proc/self/ns/pid")
	if err != nil {
		return host
	}
	return string(bytes.TrimSpace(boot)) + " " + namespace
}

// alive tells whether a process with this number runs. One that was killed
// stays in the table as a zombie until its parent has looked.
func alive(pid int) bool {
	if errors.Is(syscall.Kill(pid, 0), syscall.ESRCH) {
		return false
	}
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return true
	}
	// The state follows the command's name in parentheses, which may itself
	// hold any character: proc_pid_stat(5).
	_, state, _ := bytes.Cut(stat[bytes.LastIndexByte(stat, ')')+1:], []byte(" "))
	return !bytes.HasPrefix(state, []byte("Z")) && !bytes.HasPrefix(state, []byte("X"))
}

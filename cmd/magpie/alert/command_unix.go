//go:build unix

package alert

import (
	"os/exec"
	"syscall"
)

// endWithChildren makes the end of a command that takes too long the end of
// what it has started, too.
func endWithChildren(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
}

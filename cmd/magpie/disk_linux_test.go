package main

import (
	"os/exec"
	"testing"
)

// onDisk returns a command that runs a script of the shell with arguments in a
// file system of its own, of so many bytes as mount takes them, whose root is
// $DISK. Where none can be mounted the test is skipped.
func onDisk(t *testing.T, size, script string, args ...string) *exec.Cmd {
	t.Helper()
	disk := t.TempDir()
	mount := func(script string, args ...string) *exec.Cmd {
		cmd := exec.Command("unshare", append([]string{"--user", "--map-root-user", "--mount", "sh", "-c",
			`mount -t tmpfs -o size=` + size + ` tmpfs "$DISK" && cd "$DISK" && ` + script, "sh"}, args...)...)
		cmd.Env = append(cmd.Environ(), "DISK="+disk)
		return cmd
	}
	if out, err := mount("true").CombinedOutput(); err != nil {
		t.Skipf("no file system can be mounted here: %v %s", err, out)
	}
	return mount(script, args...)
}

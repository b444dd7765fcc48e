package steadytest

import (
	"os"
	"strings"
	"testing"
)

func TestFilesInMemory(t *testing.T) {
	t.Run("where TMPDIR says", func(t *testing.T) {
		dir := t.TempDir()
		t.Setenv("TMPDIR", dir)
		if FilesInMemory(); os.TempDir() != dir {
			t.Errorf("temporary folders are in %s, want %s", os.TempDir(), dir)
		}
	})
	t.Run("in memory", func(t *testing.T) {
		t.Setenv("TMPDIR", "")
		FilesInMemory()
		if got := os.Getenv("TMPDIR"); got != "" && !strings.HasPrefix(t.TempDir(), got) || (got != "") != suits("/dev/shm") {
			t.Errorf("TMPDIR is %q", got)
		}
	})
	t.Run("not where there is no such folder", func(t *testing.T) {
		if suits("/dev/shm/there is none") || suits("/proc") {
			t.Error("it would be taken")
		}
	})
}

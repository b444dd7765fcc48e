package htmlparse

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// conformanceDir returns the folder name of the conformance data that lie
// beside the project, in ../shared/conformance from the module root. Some of
// the html5lib suites also lie inside the module golang.org/x/net. The test is
// skipped where neither is there.
func conformanceDir(t *testing.T, name string) string {
	t.Helper()
	root := filepath.Dir(goCommand(t, "env", "GOMOD"))
	dir := filepath.Join(root, "..", "shared", "conformance", name)
	if _, err := os.Stat(dir); err == nil {
		return dir
	}
	if strings.HasPrefix(name, "html5lib-tests") {
		dir = filepath.Join(goCommand(t, "list", "-m", "-f", "{{.Dir}}", "golang.org/x/net"), "html", "testdata", name)
		if _, err := os.Stat(dir); err == nil {
			return dir
		}
	}
	t.Skipf("no conformance data: neither ../shared/conformance/%s nor the module cache has them", name)
	return ""
}

func goCommand(t *testing.T, args ...string) string {
	t.Helper()
	out, err := exec.Command("go", args...).Output()
	if err != nil {
		t.Fatalf("go %s: %v", strings.Join(args, " "), err)
	}
	return strings.TrimSpace(string(out))
}

package htmlparse

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

// suiteDir is the folder of one of the html5lib suites: tokenizer, tree-construction, encoding or serializer.
// It is looked for in the shared folder beside the module, then in the module golang.org/x/net.
func suiteDir(t testing.TB, suite string) string {
	t.Helper()
	shared := filepath.Join(sharedDir, "conformance", "html5lib-tests", suite)
	if isDir(shared) {
		return shared
	}
	net, err := netModuleDir()
	if err != nil {
		t.Skipf("the html5lib suites are neither in %s nor in golang.org/x/net: %v", shared, err)
	}
	dir := filepath.Join(net, "html", "testdata", "html5lib-tests", suite)
	if !isDir(dir) {
		t.Skipf("the suite is neither in %s nor in %s", shared, dir)
	}
	return dir
}

// sharedDir is the shared folder that may stand beside the module.
var sharedDir = filepath.Join("..", "..", "shared")

func isDir(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

var netModuleDir = sync.OnceValues(func() (string, error) {
	out, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "golang.org/x/net").Output()
	return strings.TrimSpace(string(out)), err
})

// suiteFiles are the files of a suite with a name ending, at least one.
func suiteFiles(t testing.TB, suite, ending string) []string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(suiteDir(t, suite), "*"+ending))
	if err != nil || len(files) == 0 {
		t.Fatalf("no *%s in %s (%v)", ending, suiteDir(t, suite), err)
	}
	return files
}

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

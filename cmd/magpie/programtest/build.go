// Package programtest builds the program that users run, for tests that start
// it.
package programtest

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
)

// program is the main package.
const program = "github.com/magpie-crawl/magpie/cmd/magpie"

// folder is what the program was built in; "": it was not built.
var folder string

var build = sync.OnceValues(func() (string, error) {
	dir, err := os.MkdirTemp("", "magpie-test-")
	if err != nil {
		return "", err
	}
	folder = dir
	bin := filepath.Join(dir, "magpie")
	if out, err := exec.Command("go", "build", "-o", bin, program).CombinedOutput(); err != nil {
		return "", fmt.Errorf("go build: %w\n%s", err, out)
	}
	return bin, nil
})

// Path returns where the program is. It is built at the first call, without
// the race detector even where the test has one, in a folder that Remove
// removes.
func Path() (string, error) { return build() }

// Remove removes what Path has built. TestMain calls it when all tests are
// done.
func Remove() {
	if folder != "" {
		os.RemoveAll(folder)
	}
}

package temporary

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
)

// childVar makes the test binary a process that holds the file and the folder
// of that folder until it is killed.
const childVar = "MAGPIE_TEMPORARY_TEST_HOLD"

func TestMain(m *testing.M) {
	if dir := os.Getenv(childVar); dir != "" {
		for _, name := range []string{"left-file", "left-folder"} {
			if _, err := Hold(filepath.Join(dir, name)); err != nil {
				fmt.Fprintln(os.Stderr, err)
				os.Exit(1)
			}
		}
		fmt.Println("held")
		io.Copy(io.Discard, os.Stdin) // which is never closed
		return
	}
	os.Exit(m.Run())
}

func isLeft(name string) bool { return strings.HasPrefix(name, "left-") }

func names(t *testing.T, dir string) (list []string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		list = append(list, e.Name())
	}
	return list
}

// needLocks skips a test where the system has none.
func needLocks(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("nothing is swept here")
	}
}

func TestSweep(t *testing.T) {
	needLocks(t)
	dir := t.TempDir()
	for _, name := range []string{"left-file", "other"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte("x"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.MkdirAll(filepath.Join(dir, "left-folder", "in"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(filepath.Join(dir, "other"), filepath.Join(dir, "left-link")); err != nil {
		t.Fatal(err)
	}
	check := func(want ...string) {
		t.Helper()
		Sweep(dir, isLeft)
		if got := names(t, dir); !slices.Equal(got, want) {
			t.Errorf("there are %q, want %q", got, want)
		}
	}
	child := exec.Command(os.Args[0])
	child.Env, child.Stderr = append(os.Environ(), childVar+"="+dir), os.Stderr
	stdin, err := child.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	defer stdin.Close()
	out, err := child.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := child.Start(); err != nil {
		t.Fatal(err)
	}
	if line, err := bufio.NewReader(out).ReadString('\n'); line != "held\n" {
		t.Fatalf("the process that is to hold them: %q, %v", line, err)
	}
	check("left-file", "left-folder", "left-link", "other")
	child.Process.Kill()
	child.Wait()
	check("left-link", "other")

	Sweep(filepath.Join(dir, "nowhere"), isLeft) // does nothing
}

// Whatever sweeps meanwhile, what was made is there.
func TestMakeWhileSwept(t *testing.T) {
	needLocks(t)
	dir := t.TempDir()
	stop := make(chan struct{})
	var sweeping sync.WaitGroup
	for range 2 {
		sweeping.Go(func() {
			for {
				select {
				case <-stop:
					return
				default:
					Sweep(dir, isLeft)
				}
			}
		})
	}
	n := 0
	for made := 0; made < 200; {
		path, release, err := Make(func() (string, error) {
			n++
			path := filepath.Join(dir, fmt.Sprint("left-", n))
			return path, os.WriteFile(path, nil, 0o644)
		})
		if errors.Is(err, errSwept) { // each time: there is no more to be done
			continue
		} else if err != nil {
			t.Errorf("Make: %v", err)
			break
		}
		made++
		if _, err := os.Stat(path); err != nil {
			t.Error(err)
		}
		release()
	}
	close(stop)
	sweeping.Wait()
	Sweep(dir, isLeft)
	if got := names(t, dir); len(got) > 0 {
		t.Errorf("%d are left", len(got))
	}
}

package place

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
)

// childVar makes the test binary a process that makes a file and a folder for
// that folder until it is killed.
const childVar = "MAGPIE_PLACE_TEST_MAKE"

func TestMain(m *testing.M) {
	if dir := os.Getenv(childVar); dir != "" {
		_, err := NewFile(filepath.Join(dir, "a.csv"), anywhere)
		if err == nil {
			_, err = NewFolder(filepath.Join(dir, "pages"), anywhere)
		}
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		fmt.Println("made")
		io.Copy(io.Discard, os.Stdin) // which is never closed
		return
	}
	os.Exit(m.Run())
}

func anywhere(string) error { return nil }

// What a process that was killed left is deleted by the next that writes to the
// same place, and nothing else ever.
func TestLeftovers(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("nothing is swept here")
	}
	dir := t.TempDir()
	text := strings.Repeat("A2", 13)
	others := []string{".a.csv." + text + ".tmp", ".a.csv.held-" + text + ".tmp.bak", ".a.csv.held-x.tmp", ".b.csv.held-" + text + ".tmp", ".pages.held-" + text[1:] + ".tmp"}
	for _, name := range others {
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o644); err != nil {
			t.Fatal(err)
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
	if line, err := bufio.NewReader(out).ReadString('\n'); line != "made\n" {
		t.Fatalf("the process that is to make them: %q, %v", line, err)
	}
	for _, c := range []struct {
		name   string
		killed bool
		left   int // of what the process made, and of what this one does
		want   []string
	}{
		{"while the process makes them", false, 2, []string{"a.csv", "pages"}},
		{"after it was killed", true, 0, []string{"a.csv", "pages"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			if c.killed {
				child.Process.Kill()
				child.Wait()
			}
			for _, make := range []func() (*Place, error){
				func() (*Place, error) { return NewFile(filepath.Join(dir, "a.csv"), anywhere) },
				func() (*Place, error) { return NewFolder(filepath.Join(dir, "pages"), anywhere) },
			} {
				p, err := make()
				if err != nil {
					t.Fatal(err)
				}
				if err := p.Settle(); err != nil {
					t.Fatal(err)
				}
				if err := p.Commit(); err != nil {
					t.Fatal(err)
				}
				p.Discard()
			}
			entries, err := os.ReadDir(dir)
			if err != nil {
				t.Fatal(err)
			}
			var names []string
			left := 0
			for _, e := range entries {
				switch {
				case slices.Contains(others, e.Name()):
				case strings.HasPrefix(e.Name(), "."):
					left++
				default:
					names = append(names, e.Name())
				}
			}
			if left != c.left || !slices.Equal(names, c.want) || len(entries) != len(others)+left+len(names) {
				t.Errorf("%d are left of %v", left, entries)
			}
		})
	}
}

// A folder that was moved aside when its process was killed may be all that
// there is: it stays until another is in its place.
func TestFolderThatWasMovedAside(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("nothing is swept here")
	}
	dir := t.TempDir()
	path := filepath.Join(dir, "pages")
	aside := heldName(path)
	if err := os.MkdirAll(filepath.Join(aside, "in"), 0o755); err != nil {
		t.Fatal(err)
	}
	p, err := NewFolder(path, anywhere)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(aside); err != nil {
		t.Errorf("before: %v", err)
	}
	if err := p.Commit(); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(aside); !os.IsNotExist(err) {
		t.Errorf("afterwards: %v", err)
	}
}

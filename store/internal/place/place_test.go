package place

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func allow(string) error { return nil }

// fill makes a file, or a folder with a file, at a place; it is not there yet.
func fill(t *testing.T, path string, folder bool, text string) *Place {
	t.Helper()
	if folder {
		p, err := NewFolder(path, allow)
		if err != nil {
			t.Fatal(err)
		}
		write(t, filepath.Join(p.Temp, "a"), text)
		return p
	}
	p, err := NewFile(path, allow)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := p.File.WriteString(text); err != nil {
		t.Fatal(err)
	}
	return p
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// holds checks what a file says, and that its folder has nothing besides.
func holds(t *testing.T, path, want string, names ...string) {
	t.Helper()
	if data, _ := os.ReadFile(path); string(data) != want {
		t.Errorf("%s is %q, want %q", path, data, want)
	}
	entries, err := os.ReadDir(filepath.Dir(path))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, e := range entries {
		got = append(got, e.Name())
	}
	if strings.Join(got, " ") != strings.Join(names, " ") {
		t.Errorf("there are %q, want %q", got, names)
	}
}

func TestPlace(t *testing.T) {
	for _, c := range []struct {
		name           string
		folder, former bool
	}{{"a file", false, false}, {"a file for another", false, true}, {"a folder", true, false}, {"a folder for another", true, true}} {
		t.Run(c.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "x")
			file, was, names := path, "", []string(nil)
			if c.folder {
				file = filepath.Join(path, "a")
			}
			if c.former {
				if c.folder {
					if err := os.Mkdir(path, 0o700); err != nil {
						t.Fatal(err)
					}
				}
				write(t, file, "former")
				was, names = "former", []string{filepath.Base(file)}
			}
			fill(t, path, c.folder, "thrown away").Discard()
			if !c.folder || c.former {
				holds(t, file, was, names...)
			}
			p := fill(t, path, c.folder, "new")
			if data, _ := os.ReadFile(file); string(data) != was {
				t.Errorf("before it takes its place, %q is there", data)
			}
			if err := errors.Join(p.Settle(), p.Commit()); err != nil {
				t.Fatal(err)
			}
			p.Discard()
			holds(t, file, "new", filepath.Base(file))
			if rest, err := filepath.Glob(filepath.Join(filepath.Dir(path), ".x.*")); err != nil || len(rest) > 0 {
				t.Errorf("%q is left over, %v", rest, err)
			}
			if info, err := os.Stat(path); err != nil || c.former && info.Mode().Perm()&0o077 != 0 {
				t.Errorf("%v, %v: not the mode that it had", info.Mode(), err)
			}
		})
	}
}

// What a link points to is replaced, and not the link.
func TestPlaceOfALink(t *testing.T) {
	folder := t.TempDir()
	target, link := filepath.Join(folder, "target"), filepath.Join(folder, "link")
	write(t, target, "former")
	if err := os.Symlink("target", link); err != nil {
		t.Skipf("there are no symbolic links here: %v", err)
	}
	p := fill(t, link, false, "new")
	if err := errors.Join(p.Settle(), p.Commit()); err != nil {
		t.Fatal(err)
	}
	holds(t, target, "new", "link", "target")
	if to, err := os.Readlink(link); err != nil || to != "target" {
		t.Errorf("the link is %q, %v", to, err)
	}
}

func TestPlaceRefused(t *testing.T) {
	folder := t.TempDir()
	write(t, filepath.Join(folder, "file"), "former")
	if err := os.Mkdir(filepath.Join(folder, "sub"), 0o700); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name, path string
		make       func(string, func(string) error) (*Place, error)
		refuse     func(string) error
		want       string
	}{
		{"a file for a folder", "sub", NewFile, allow, "it is a folder"},
		{"a folder for a file", "file", NewFolder, allow, "there is a file"},
		{"a file in no folder", "none/x", NewFile, allow, "there is no folder " + filepath.Join(folder, "none")},
		{"a folder in no folder", "none/x", NewFolder, allow, "there is no folder " + filepath.Join(folder, "none")},
		{"a file that is not to be", "file", NewFile, func(path string) error { return errors.New("not " + filepath.Base(path)) }, "not file"},
		{"a folder that is not to be", "sub", NewFolder, func(path string) error { return errors.New("not " + filepath.Base(path)) }, "not sub"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := c.make(filepath.Join(folder, filepath.FromSlash(c.path)), c.refuse)
			if err == nil || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), ".tmp") {
				t.Errorf("%v, want %q", err, c.want)
			}
			holds(t, filepath.Join(folder, "file"), "former", "file", "sub")
		})
	}
}

package exported

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/magpie-crawl/magpie/config"
)

const source = `
start: https://example.com/
items: {lamp: {fields: {name: h1}}}
export:
  - {item: lamp, format: jsonl, path: out/lamps.jsonl}
  - {item: lamp, format: csv, path: link.csv, manifest: false}
  - {item: lamp, format: csv, path: missing.csv}
  - {item: lamp, format: csv, path: plain.csv, manifest: false}
  - {item: lamp, format: csv, path: shadow, manifest: false}
  - {item: lamp, format: csv, path: strange.csv}
`

func TestFiles(t *testing.T) {
	dir := t.TempDir()
	job, err := config.Parse(filepath.Join(dir, "shop.yaml"), []byte(source))
	if err != nil {
		t.Fatal(err)
	}
	write := func(name, text string) {
		if err := errors.Join(os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o755), os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644)); err != nil {
			t.Fatal(err)
		}
	}
	write("out/lamps.jsonl", "{}\n{}\n")
	write("out/lamps.jsonl.datapackage.json", `{"resources":[{"path":"lamps.jsonl","records":2}]}`)
	write("secret", "secret")
	write("plain.csv", "name\n")
	write("shadow", "root:x")
	write("strange.csv", "not written by us")
	if err := os.Symlink(filepath.Join(dir, "secret"), filepath.Join(dir, "link.csv")); err != nil {
		t.Skip(err)
	}
	files := Files(job)
	if len(files) != 3 || files[0].Name != "lamps.jsonl" || files[0].Records != 2 || files[0].Bytes != 6 || files[1].Kind != "manifest" {
		t.Errorf("files %+v", files)
	}
	tests := []struct {
		name   string
		export int
		file   string
		found  bool
	}{
		{"records", 1, "lamps.jsonl", true},
		{"manifest", 1, "lamps.jsonl.datapackage.json", true},
		{"of another export", 2, "lamps.jsonl", false},
		{"a link", 2, "link.csv", false},
		{"without a manifest", 4, "plain.csv", true},
		{"without a manifest and of another name", 5, "shadow", false},
		{"not in its manifest", 6, "strange.csv", false},
		{"not written yet", 3, "missing.csv", false},
		{"another file of the folder", 1, "secret", false},
		{"out of the folder", 1, "../secret", false},
		{"a path", 1, "out/lamps.jsonl", false},
		{"no name", 1, "", false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			f, err := Find(job, tt.export, tt.file)
			if (err == nil) != tt.found || err != nil && !errors.Is(err, fs.ErrNotExist) {
				t.Fatalf("found %+v, %v", f, err)
			}
			if err != nil {
				return
			}
			open, info, err := f.Open()
			if err != nil {
				t.Fatal(err)
			}
			defer open.Close()
			if body, err := io.ReadAll(open); err != nil || int64(len(body)) != info.Size() || info.Size() != f.Bytes {
				t.Errorf("%d bytes, %v", len(body), err)
			}
		})
	}
	t.Run("a link put in its place", func(t *testing.T) {
		f, err := Find(job, 1, "lamps.jsonl")
		if err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(dir, "out/lamps.jsonl")
		if err := errors.Join(os.Remove(path), os.Symlink(filepath.Join(dir, "secret"), path)); err != nil {
			t.Fatal(err)
		}
		if open, _, err := f.Open(); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("opened %v, %v", open, err)
		}
	})
}

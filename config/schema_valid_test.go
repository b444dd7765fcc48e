package config

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
)

// TestSchemaOfValidJobs holds that what Parse accepts the schema does.
func TestSchemaOfValidJobs(t *testing.T) {
	s := compileSchema(t, "")
	files, err := filepath.Glob("testdata/valid/*.yaml")
	if err != nil || len(files) == 0 {
		t.Fatal("no job files in testdata", err)
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			src, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			s := s
			if strings.HasPrefix(filepath.Base(file), "serve_") {
				s = serveKind.compile(t, "")
			}
			if onlyComments(string(src)) {
				t.Skip("nothing is set")
			}
			if err := s.Validate(plainJob(t, string(src))); err != nil {
				t.Error(err)
			}
		})
	}
	t.Run("README", func(t *testing.T) {
		jobs, settings := ReadmeFiles(t)
		for _, src := range jobs {
			if err := s.Validate(plainJob(t, src)); err != nil {
				t.Error(err)
			}
		}
		for _, src := range settings {
			if err := serveKind.compile(t, "").Validate(plainJob(t, src)); err != nil {
				t.Error(err)
			}
		}
	})
}

// TestSchemaOfItems holds the same of the items that extraction is tested
// with, which have every key of a field.
func TestSchemaOfItems(t *testing.T) {
	s := compileSchema(t, "")
	files, err := filepath.Glob("../extract/testdata/language/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatal("no items in extract/testdata", err)
	}
	for _, file := range files {
		archive, err := txtar.ParseFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for i := 1; i+1 < len(archive.Files); i += 2 { // a page, then items and what comes of them
			item := archive.Files[i]
			src := "start: https://shop.example/\nitems:\n  x:\n    " + strings.ReplaceAll(strings.TrimSpace(string(item.Data)), "\n", "\n    ") + "\n"
			if _, err := Parse("job.yaml", []byte(src)); err != nil {
				continue // a case of what is wrong
			}
			t.Run(filepath.Base(file)+"/"+item.Name, func(t *testing.T) {
				if err := s.Validate(plainJob(t, src)); err != nil {
					t.Errorf("%v\n%s", err, src)
				}
			})
		}
	}
}

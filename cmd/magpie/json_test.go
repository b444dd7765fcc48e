package main

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// TestJSONIsDescribed holds what magpie --help says: the lines of --json are in
// the shapes that the API's description has.
func TestJSONIsDescribed(t *testing.T) {
	t.Parallel()
	path, err := exec.LookPath("magpie")
	if err != nil {
		t.Fatal(err)
	}
	db := filepath.Join(t.TempDir(), "magpie.db")
	site := things(t, 30, 0)
	magpie(t, path, t.TempDir(), "crawl", site.URL+"/0", "--db", db, "--name", "things", "--css", "title=h1", "--pages", "20")
	schemas := describedShapes(t)
	for _, tt := range []struct {
		shape string
		args  []string
	}{
		{"Run", []string{"runs"}},
		{"Status", []string{"status"}},
		{"Page", []string{"pages"}},
		{"Health", []string{"health"}},
		{"Found", []string{"search", "thing"}},
	} {
		t.Run(tt.args[0], func(t *testing.T) {
			out := magpie(t, path, t.TempDir(), append(tt.args, "--db", db, "--json")...)
			lines := bytes.Split(bytes.TrimSpace(out), []byte("\n"))
			for _, line := range lines {
				var object map[string]json.RawMessage
				if err := json.Unmarshal(line, &object); err != nil {
					t.Fatalf("%s: %v", line, err)
				}
				for key := range object {
					if !schemas[tt.shape][key] {
						t.Errorf("%q is no property of %s", key, tt.shape)
					}
				}
			}
		})
	}
}

// describedShapes are the names of the properties of each schema of the API.
func describedShapes(t *testing.T) map[string]map[string]bool {
	t.Helper()
	text, err := os.ReadFile("web/api/openapi.json")
	if err != nil {
		t.Fatal(err)
	}
	var description struct {
		Components struct {
			Schemas map[string]struct {
				Properties map[string]json.RawMessage `json:"properties"`
			} `json:"schemas"`
		} `json:"components"`
	}
	if err := json.Unmarshal(text, &description); err != nil {
		t.Fatal(err)
	}
	shapes := map[string]map[string]bool{}
	for name, schema := range description.Components.Schemas {
		shapes[name] = map[string]bool{}
		for property := range schema.Properties {
			shapes[name][property] = true
		}
	}
	return shapes
}

package dataset

import (
	"bytes"
	"encoding/json"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// manifests are exports of all kinds.
func manifests() map[string]Manifest {
	sum := strings.Repeat("0123456789abcdef", 4)
	flat := Schema{Item: "thing", Fields: slices.Clone(everyType.Fields)}
	for i, f := range flat.Fields {
		flat.Fields[i].Columns = []Column{{Name: f.Name}}
		if f.Type == Price && !f.List {
			flat.Fields[i].Columns = []Column{{f.Name + "_amount", "amount"}, {f.Name + "_currency", "currency"}}
		}
	}
	m := func(name string, about Description, files ...File) Manifest {
		for i := range files {
			files[i].SHA256, files[i].Bytes = sum, int64(100+i)
		}
		return Manifest{Name: name, Description: about, Created: time.Date(2026, 11, 21, 8, 0, 0, 0, time.UTC), Software: "magpie 1", Files: files,
			Runs: []Run{{Job: "shop", Number: 3, State: "finished", Started: time.Unix(0, 0).UTC(), SpecSHA256: sum}}}
	}
	table := []Table{{Schema: everyType, Records: 7}}
	full := Description{Title: "Things <of> shops", Description: "What there is.", License: "CC-BY-4.0", Source: "https://shop.test/", Creator: "The Company"}
	return map[string]Manifest{
		"jsonl, nothing said": m("Things & more.jsonl", Description{}, File{Path: "Things & more.jsonl", Format: JSONL, Tables: table}),
		"parquet, all said":   m("things.parquet", full, File{Path: "things.parquet", Format: Parquet, Tables: table}),
		"csv, license by URL": m("things.csv", Description{License: "https://example.com/license", Source: "a book"}, File{Path: "things.csv", Format: CSV, Tables: []Table{{Schema: flat, Records: 7}}}),
		"license in words":    m("ü.jsonl.gz", Description{License: "ask us first"}, File{Path: "ü.jsonl.gz", Format: JSONL, Compression: Gzip, Tables: table}),
		"a database of two":   m("a.sqlite", full, File{Path: "a.sqlite", Format: SQLite, Tables: []Table{{Schema: flat, Records: 7}, {Schema: Schema{Item: "other", Fields: flat.Fields}, Records: 2}}}),
		"parts, and what is gone": m("a.jsonl", full, File{Path: "a-train.jsonl", Format: JSONL, Split: "train", Tables: table}, File{Path: "a-test.jsonl", Format: JSONL, Split: "test", Tables: table},
			File{Path: "a.jsonl.gone.jsonl", Format: JSONL, Gone: true, Tables: table}),
		"a name like a scheme": m("a:b 100%#?.jsonl.zst", full, File{Path: "a:b 100%#?.jsonl.zst", Format: JSONL, Compression: Zstd, Tables: table}),
		"values missing":       m("a.jsonl", full, File{Path: "a.jsonl", Format: JSONL, Tables: []Table{{Schema: everyType, Records: 7, Absent: []string{everyType.Fields[0].Name}}}}),
		"pages":                m("pages.warc.gz", full, File{Path: "pages.warc.gz", Format: WARC, Compression: Gzip}),
		"folder":               m("articles", full, File{Path: "articles/index.jsonl", Format: JSONL, Tables: []Table{{Schema: Schema{Item: "article", Fields: IndexFields}, Records: 3}}}),
	}
}

// TestDataPackage checks manifests against the published schema, and what
// that leaves open by hand.
func TestDataPackage(t *testing.T) {
	schema := compileSchema(t, "testdata/data-package.json")
	for name, m := range manifests() {
		t.Run(name, func(t *testing.T) {
			text, err := m.DataPackage()
			if err != nil {
				t.Fatal(err)
			}
			value, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
			if err != nil {
				t.Fatal(err)
			}
			if err := schema.Validate(value); err != nil {
				t.Errorf("%v in\n%s", err, text)
			}
			checkDataPackage(t, text)
		})
	}
	for name, wrong := range map[string]map[string]any{
		"no resources":        {"name": "x"},
		"a name with blanks":  {"name": "a b", "resources": []any{map[string]any{"name": "x", "path": "x.csv"}}},
		"no path":             {"name": "x", "resources": []any{map[string]any{"name": "x"}}},
		"a license of spaces": {"name": "x", "licenses": []any{map[string]any{"name": "a b"}}, "resources": []any{map[string]any{"name": "x", "path": "x.csv"}}},
	} {
		t.Run("the schema refuses "+name, func(t *testing.T) {
			if schema.Validate(wrong) == nil {
				t.Error("it was let pass")
			}
		})
	}
}

func compileSchema(t *testing.T, path string) *jsonschema.Schema {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	source, err := jsonschema.UnmarshalJSON(f)
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	c.AssertFormat()
	if err := c.AddResource("data-package.json", source); err != nil {
		t.Fatal(err)
	}
	return c.MustCompile("data-package.json")
}

// The types of https://datapackage.org/standard/table-schema/#field-types
var tableTypes = []string{"string", "number", "integer", "boolean", "object", "array", "list", "datetime", "date", "time", "year", "yearmonth",
	"duration", "geopoint", "geojson", "any"}

func checkDataPackage(t *testing.T, text []byte) {
	t.Helper()
	var p dataPackage
	if err := json.Unmarshal(text, &p); err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for _, r := range p.Resources {
		if seen[r.Name] || !regexp.MustCompile(`^[a-z0-9._-]+$`).MatchString(r.Name) {
			t.Errorf("a resource is called %q", r.Name)
		}
		seen[r.Name] = true
		if !regexp.MustCompile(`^sha256:[0-9a-f]{64}$`).MatchString(r.Hash) || r.Bytes == 0 || r.MediaType == "" {
			t.Errorf("resource %+v", r)
		}
		if r.Schema == nil {
			continue
		}
		columns := map[string]bool{}
		for _, f := range r.Schema.Fields {
			if f.Name == "" || columns[f.Name] || !slices.Contains(tableTypes, f.Type) {
				t.Errorf("field %+v", f)
			}
			columns[f.Name] = true
		}
	}
}

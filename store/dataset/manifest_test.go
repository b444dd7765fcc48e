package dataset

import (
	"bytes"
	"encoding/json"
	"fmt"
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
	table := []Table{{everyType, 7}}
	full := Description{Title: "Things <of> shops", Description: "What there is.", License: "CC-BY-4.0", Source: "https://shop.test/", Creator: "The Company"}
	return map[string]Manifest{
		"jsonl, nothing said": m("Things & more.jsonl", Description{}, File{Path: "Things & more.jsonl", Format: JSONL, Tables: table}),
		"parquet, all said":   m("things.parquet", full, File{Path: "things.parquet", Format: Parquet, Tables: table}),
		"csv, license by URL": m("things.csv", Description{License: "https://example.com/license", Source: "a book"}, File{Path: "things.csv", Format: CSV, Tables: []Table{{flat, 7}}}),
		"license in words":    m("ü.jsonl.gz", Description{License: "ask us first"}, File{Path: "ü.jsonl.gz", Format: JSONL, Compression: Gzip, Tables: table}),
		"a database of two":   m("a.sqlite", full, File{Path: "a.sqlite", Format: SQLite, Tables: []Table{{flat, 7}, {Schema{Item: "other", Fields: flat.Fields}, 2}}}),
		"parts, and what is gone": m("a.jsonl", full, File{Path: "a-train.jsonl", Format: JSONL, Split: "train", Tables: table}, File{Path: "a-test.jsonl", Format: JSONL, Split: "test", Tables: table},
			File{Path: "a.jsonl.gone.jsonl", Format: JSONL, Gone: true, Tables: table}),
		"pages":  m("pages.warc.gz", full, File{Path: "pages.warc.gz", Format: WARC, Compression: Gzip}),
		"folder": m("articles", full, File{Path: "articles/index.jsonl", Format: JSONL, Tables: []Table{{Schema{Item: "article", Fields: IndexFields}, 3}}}),
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

// TestCroissant checks manifests by what the specification requires: no schema
// of it is published. https://docs.mlcommons.org/croissant/docs/croissant-spec.html
func TestCroissant(t *testing.T) {
	for name, m := range manifests() {
		t.Run(name, func(t *testing.T) {
			text, err := m.Croissant()
			if err != nil {
				t.Fatal(err)
			}
			var c map[string]any
			if err := json.Unmarshal(text, &c); err != nil {
				t.Fatal(err)
			}
			// #dataset-level-information
			for _, member := range []string{"@context", "@type", "conformsTo", "description", "license", "name", "datePublished", "distribution"} {
				if c[member] == nil || c[member] == "" {
					t.Errorf("%s is missing", member)
				}
			}
			if c["@type"] != "sc:Dataset" || c["conformsTo"] != "http://mlcommons.org/croissant/1.0" || !regexp.MustCompile(`^\d+\.\d+\.\d+$`).MatchString(c["version"].(string)) {
				t.Errorf("%v conforms to %v, version %v", c["@type"], c["conformsTo"], c["version"])
			}
			if m.Source == "https://shop.test/" && c["url"] != m.Source {
				t.Errorf("url %v", c["url"])
			}
			files := map[string]bool{}
			for _, f := range c["distribution"].([]any) {
				files[checkFileObject(t, f.(map[string]any))] = true
			}
			ids := map[string]bool{}
			sets, _ := c["recordSet"].([]any)
			for _, s := range sets {
				checkRecordSet(t, s.(map[string]any), files, ids)
			}
			if tables := len(slices.Concat(tablesOf(m)...)); len(sets) != tables {
				t.Errorf("%d record sets of %d tables", len(sets), tables)
			}
		})
	}
}

// The format of a compressed file is that which loaders need: mlcroissant
// unpacks what is called .gz and reads it by its encodingFormat, and cannot
// unpack .zst.
func TestCroissantCompressed(t *testing.T) {
	for _, c := range []struct {
		file File
		want string
	}{
		{File{Path: "a.csv.gz", Format: CSV, Compression: Gzip}, "text/csv"},
		{File{Path: "a.jsonl.gz", Format: JSONL, Compression: Gzip}, "application/jsonlines"},
		{File{Path: "a.jsonl.zst", Format: JSONL, Compression: Zstd}, "application/zstd"},
		{File{Path: "a.jsonl.ZST", Format: JSONL, Compression: ".ZST"}, "application/zstd"},
		{File{Path: "a.parquet", Format: Parquet}, "application/x-parquet"},
	} {
		t.Run(c.file.Path, func(t *testing.T) {
			if got := c.file.fileObject().Encoding; got != c.want {
				t.Errorf("encodingFormat %q, want %q", got, c.want)
			}
		})
	}
}

func tablesOf(m Manifest) (all [][]Table) {
	for _, f := range m.Files {
		all = append(all, f.Tables)
	}
	return all
}

// checkFileObject checks a FileObject and returns its @id. (#fileobject)
func checkFileObject(t *testing.T, f map[string]any) string {
	t.Helper()
	for _, member := range []string{"@id", "name", "contentUrl", "contentSize", "encodingFormat"} {
		if s, _ := f[member].(string); s == "" {
			t.Errorf("%s is missing in %v", member, f)
		}
	}
	if f["@type"] != "cr:FileObject" || !regexp.MustCompile(`^[0-9a-f]{64}$`).MatchString(fmt.Sprint(f["sha256"])) {
		t.Errorf("file %v", f)
	}
	return f["@id"].(string)
}

// checkRecordSet checks a RecordSet and its fields. (#recordset, #field)
func checkRecordSet(t *testing.T, s map[string]any, files, ids map[string]bool) {
	t.Helper()
	id, _ := s["@id"].(string)
	if s["@type"] != "cr:RecordSet" || s["name"] == "" || ids[id] || id == "" {
		t.Errorf("record set %v", id)
	}
	ids[id] = true
	for _, f := range s["field"].([]any) {
		checkField(t, f.(map[string]any), id+"/", files, ids)
	}
}

var croissantTypes = []any{"sc:Text", "sc:Float", "sc:Integer", "sc:Boolean", "sc:URL", "sc:Date", "sc:DateTime"}

func checkField(t *testing.T, f map[string]any, prefix string, files, ids map[string]bool) {
	t.Helper()
	id, _ := f["@id"].(string)
	if f["@type"] != "cr:Field" || !strings.HasPrefix(id, prefix) || ids[id] || f["name"] == "" {
		t.Errorf("field %v", f)
	}
	ids[id] = true
	if parts, ok := f["subField"].([]any); ok {
		for _, part := range parts {
			checkField(t, part.(map[string]any), id+"/", files, ids)
		}
		return
	}
	source, _ := f["source"].(map[string]any)
	object, _ := source["fileObject"].(map[string]any)
	extract, _ := source["extract"].(map[string]any)
	file, _ := object["@id"].(string)
	if !files[file] || extract["column"] == nil || !slices.Contains(croissantTypes, f["dataType"]) {
		t.Errorf("field %v", f)
	}
}

package dataset

import (
	"encoding/json"
	"fmt"
	"io"
	"net/url"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/piprate/json-gold/ld"
)

// croissantBase stands for the folder in which a manifest lies.
const croissantBase = "https://data.test/folder/"

// A croissantRange tells whether a value, as JSON-LD expands it, is one that a
// property takes.
type croissantRange func(g croissantGraph, value map[string]any) bool

// A croissantProperty says how often an object has a property, and what that
// takes, where the vocabulary (see croissant_vocabulary_test.go) says less.
type croissantProperty struct {
	required, many bool
	takes          croissantRange
}

// croissantClasses are the properties that the specification gives each class,
// as far as an export has use for them. A manifest may have no others; those
// of the vocabulary's namespaces are only listed where this says more.
// https://docs.mlcommons.org/croissant/docs/croissant-spec.html
var croissantClasses map[string]map[string]croissantProperty

func init() {
	named := croissantProperty{required: true, takes: isText}
	croissantClasses = map[string]map[string]croissantProperty{
		sc + "Dataset": { // #dataset-level-information
			"http://purl.org/dc/terms/conformsTo": {required: true, takes: isText},
			sc + "name":                           named,
			sc + "description":                    named,
			sc + "license":                        {required: true, many: true, takes: either(isURLText, isA(sc+"CreativeWork"))},
			sc + "url":                            {takes: isURLText}, // required, and not to be had where a job names no source
			sc + "creator":                        {many: true, takes: isA(sc + "Organization")},
			sc + "datePublished":                  {required: true, takes: matches(`^\d{4}-\d\d-\d\d$`)},
			sc + "version":                        {takes: matches(`^\d+\.\d+\.\d+$`)},
			sc + "distribution":                   {required: true, many: true},
			rai + "dataCollection":                {takes: isText},
			rai + "dataCollectionType":            {takes: matches(`^Web Scraping$`)}, // of the list in croissant-rai-spec
			rai + "dataCollectionTimeframe":       {many: true, takes: matches(`Z$`)},
		},
		sc + "CreativeWork": {sc + "name": named},
		sc + "Organization": {sc + "name": named},
		cr + "FileObject": { // #fileobject
			sc + "name":           named,
			sc + "description":    {takes: isText},
			sc + "contentUrl":     named,
			sc + "contentSize":    {required: true, takes: matches(`^\d+ B$`)},
			sc + "encodingFormat": {required: true, takes: matches(`^[a-z]+/[-+.a-z0-9]+$`)},
			sc + "sha256":         {required: true, takes: matches(`^[0-9a-f]{64}$`)},
		},
		cr + "RecordSet": { // #recordset
			sc + "name":        named,
			sc + "description": {takes: isText},
			cr + "field":       {required: true, many: true},
		},
		cr + "Field": { // #field
			sc + "name":        named,
			sc + "description": {takes: isText},
			cr + "dataType":    {many: true, takes: isDataType},
			cr + "repeated":    {},
			cr + "source":      {},
		},
		"": { // objects that need no type
			cr + "fileObject": {takes: isReference}, // #datasource
			cr + "extract":    {},
			cr + "column":     {takes: isText}, // #extract
			cr + "jsonPath":   {takes: matches(`^\$\.`)},
		},
	}
}

// TestCroissant reads manifests with an independent processor of JSON-LD, and
// checks what they then say by the tables of the specification.
func TestCroissant(t *testing.T) {
	for name, m := range manifests() {
		t.Run(name, func(t *testing.T) {
			text, err := m.Croissant()
			if err != nil {
				t.Fatal(err)
			}
			g := expandCroissant(t, text)
			for _, fault := range g.faults() {
				t.Errorf("%s in\n%s", fault, text)
			}
			tables := 0
			for _, f := range m.Files {
				tables += len(f.Tables)
				if len(g.ids[croissantBase+iri(f.Path)]) != 1 {
					t.Errorf("the file %s is not there once", f.Path)
				}
			}
			if sets, _ := g.root[cr+"recordSet"].([]any); len(sets) != tables {
				t.Errorf("%d record sets of %d tables", len(sets), tables)
			}
		})
	}
}

// A reader that makes columns of lines finds none of a field that no record
// has, and refuses a record set that names it.
func TestCroissantAbsent(t *testing.T) {
	schema := Schema{Item: "thing", Whole: true, Fields: []Field{flat("a", Text), flat("b", Text), flat("c", Object)}}
	chosen := Schema{Item: "thing", Fields: []Field{flat("b", Text), MetaField("_key")}}
	for _, c := range []struct {
		name    string
		format  Format
		schema  Schema
		records []string
		want    []string // fields of the record set; nil: there is none
	}{
		{"all fields are there", JSONL, schema, []string{`{"a":"x","b":"y","c":{"d":1}}`}, []string{"a", "b", "c"}},
		{"each in another record", JSONL, schema, []string{`{"a":"x"}`, `{"b":"y"}`, `{"a":"x","c":{}}`}, []string{"a", "b", "c"}},
		{"one in none", JSONL, schema, []string{`{"a":"x"}`, `{"a":"z","c":{"b":"not this b"}}`}, []string{"a", "c"}},
		{"null, which is a column", JSONL, schema, []string{`{"a":null}`, `{"b":"x"}`}, []string{"a", "b"}},
		{"chosen ones", JSONL, chosen, []string{`{"a":"x"}`}, []string{"_key"}},
		{"records without fields", JSONL, schema, []string{`{}`, `{}`}, nil},
		{"no records", JSONL, schema, nil, nil},
		{"no records, of metadata", JSONL, chosen, nil, nil},
		{"no records of a format with a header", CSV, schema, nil, []string{"a", "b", "c"}},
		{"a format with a header", CSV, schema, []string{`{"a":"x"}`}, []string{"a", "b", "c"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			e, err := NewEncoder(io.Discard, c.format, c.schema, false)
			if err != nil {
				t.Fatal(err)
			}
			for _, data := range c.records {
				if err := e.Write(&Record{Item: "thing", Key: "k", Data: []byte(data)}); err != nil {
					t.Fatal(err)
				}
			}
			table := Table{Schema: c.schema, Records: int64(len(c.records))}
			if lines, ok := e.(interface{ Absent() []string }); ok {
				table.Absent = lines.Absent()
			}
			m := Manifest{Name: "a", Files: []File{{Path: "a", Format: c.format, Tables: []Table{table}}}}
			text, err := m.Croissant()
			if err != nil {
				t.Fatal(err)
			}
			var got struct{ RecordSet []recordSet }
			if err := json.Unmarshal(text, &got); err != nil {
				t.Fatal(err)
			}
			var names []string
			for _, s := range got.RecordSet {
				for _, f := range s.Fields {
					names = append(names, f.Name)
				}
			}
			if !slices.Equal(names, c.want) || len(c.want) == 0 && len(got.RecordSet) > 0 {
				t.Errorf("the fields are %q, want %q, in\n%s", names, c.want, text)
			}
			text, err = m.DataPackage()
			for _, f := range c.schema.Fields {
				if err != nil || !strings.Contains(string(text), `"name": "`+f.Name+`"`) {
					t.Errorf("the data package has no field %s, %v", f.Name, err)
				}
			}
		})
	}
}

// TestCroissantFaults shows that the check finds what it looks for.
func TestCroissantFaults(t *testing.T) {
	m := manifests()["parquet, all said"]
	text, err := m.Croissant()
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct{ old, new, want string }{
		"no license":         {`"license"`, `"licence"`, "licence"},
		"no files":           {`"distribution"`, `"spread"`, "distribution"},
		"no fields":          {`"field": [`, `"spread": [`, "0 values of"},
		"two times a column": {`"column": "text"`, `"column": ["text", "number"]`, "2 values of"},
		"a foreign member":   {`"contentSize"`, `"size"`, "size"},
		"a short checksum":   {`"sha256": "0123`, `"sha256": "`, "sha256"},
		"a lost file":        {`"fileObject": {`, `"fileObject": {"x": 1,`, "fileObject"},
		"a type of no kind":  {`"sc:Float"`, `"sc:Double"`, "dataType"},
		"a blank in an id":   {`"@id": "things.parquet"`, `"@id": "the things.parquet"`, "IRI"},
		"one id for two":     {`"@id": "things/`, `"@id": "things"` + ", \"x\": \"", "things"},
	} {
		t.Run(name, func(t *testing.T) {
			if !strings.Contains(string(text), c.old) {
				t.Fatalf("there is no %s in\n%s", c.old, text)
			}
			g := expandCroissant(t, []byte(strings.ReplaceAll(string(text), c.old, c.new)))
			if faults := strings.Join(g.faults(), "\n"); !strings.Contains(faults, c.want) {
				t.Errorf("found: %s", faults)
			}
		})
	}
}

func croissantOptions() *ld.JsonLdOptions {
	o := ld.NewJsonLdOptions(croissantBase)
	o.DocumentLoader = nil // the context is within: nothing is fetched
	return o
}

// croissantGraph is a manifest as JSON-LD reads it.
type croissantGraph struct {
	root    map[string]any
	ids     map[string][]map[string]any // nodes that say something, by @id
	written []string                    // each @id as it stands in the text
}

func expandCroissant(t *testing.T, text []byte) croissantGraph {
	t.Helper()
	var doc any
	if err := json.Unmarshal(text, &doc); err != nil {
		t.Fatal(err)
	}
	expanded, err := ld.NewJsonLdProcessor().Expand(doc, croissantOptions())
	if err != nil || len(expanded) != 1 {
		t.Fatalf("%v, %v", expanded, err)
	}
	g := croissantGraph{root: expanded[0].(map[string]any), ids: map[string][]map[string]any{}}
	for _, m := range regexp.MustCompile(`"@id": ("(?:[^"\\]|\\.)*")`).FindAllSubmatch(text, -1) {
		var id string
		if err := json.Unmarshal(m[1], &id); err != nil {
			t.Fatal(err)
		}
		g.written = append(g.written, id)
	}
	g.collect(expanded)
	return g
}

func (g croissantGraph) collect(v any) {
	switch v := v.(type) {
	case []any:
		for _, v := range v {
			g.collect(v)
		}
	case map[string]any:
		if id, ok := v["@id"].(string); ok && len(v) > 1 {
			g.ids[id] = append(g.ids[id], v)
		}
		for name, v := range v {
			if name != "@type" {
				g.collect(v)
			}
		}
	}
}

func (g croissantGraph) faults() (all []string) {
	for _, id := range g.written {
		if _, err := url.Parse(id); err != nil || strings.ContainsAny(id, " <>\"{}|\\^`") {
			all = append(all, fmt.Sprintf("%q is no IRI", id))
		}
	}
	for id, nodes := range g.ids {
		if len(nodes) > 1 {
			all = append(all, fmt.Sprintf("%d things are called %s", len(nodes), id))
		}
	}
	return append(all, g.faultsOf(g.root)...)
}

// faultsOf checks an object and those in it.
func (g croissantGraph) faultsOf(node map[string]any) (all []string) {
	class := classOf(node)
	properties, known := croissantClasses[class]
	if !known && !strings.HasPrefix(class, cr) {
		return []string{"there is no class " + class}
	}
	for name, p := range properties {
		values, _ := node[name].([]any)
		if len(values) == 0 && p.required || len(values) > 1 && !p.many {
			all = append(all, fmt.Sprintf("%d values of %s in %v", len(values), name, node["@id"]))
		}
		for _, v := range values {
			if p.takes != nil && !p.takes(g, v.(map[string]any)) {
				all = append(all, fmt.Sprintf("%s takes no %v", name, v))
			}
		}
	}
	for name, values := range node {
		if strings.HasPrefix(name, "@") {
			continue
		}
		if _, ok := properties[name]; !ok && !strings.HasPrefix(name, cr) {
			all = append(all, fmt.Sprintf("%q has no property %s", class, name))
		}
		for _, v := range values.([]any) {
			if v := v.(map[string]any); v["@value"] == nil && (len(v) > 1 || v["@id"] == nil) {
				all = append(all, g.faultsOf(v)...)
			}
		}
	}
	if class == cr+"Field" && (node[cr+"source"] == nil) == (node[cr+"subField"] == nil) {
		all = append(all, fmt.Sprintf("%v has not one of a source and parts", node["@id"]))
	}
	return all
}

func classOf(node map[string]any) string {
	if types, _ := node["@type"].([]any); len(types) == 1 {
		return types[0].(string)
	}
	return ""
}

func isText(_ croissantGraph, v map[string]any) bool {
	s, _ := v["@value"].(string)
	return s != ""
}

func isURLText(_ croissantGraph, v map[string]any) bool {
	s, _ := v["@value"].(string)
	return isAbsolute(s)
}

func matches(pattern string) croissantRange {
	expr := regexp.MustCompile(pattern)
	return func(_ croissantGraph, v map[string]any) bool {
		s, ok := v["@value"].(string)
		return ok && expr.MatchString(s)
	}
}

func either(a, b croissantRange) croissantRange {
	return func(g croissantGraph, v map[string]any) bool { return a(g, v) || b(g, v) }
}

// isA takes an object of the class.
func isA(class string) croissantRange {
	return func(_ croissantGraph, v map[string]any) bool { return v["@value"] == nil && classOf(v) == class }
}

// isReference takes the @id, and nothing else, of an object that the manifest
// has: #id-and-reference-mechanism.
func isReference(g croissantGraph, v map[string]any) bool {
	id, _ := v["@id"].(string)
	return len(v) == 1 && len(g.ids[id]) == 1
}

// The atomic types of #datatype, and URL.
func isDataType(_ croissantGraph, v map[string]any) bool {
	id, _ := v["@id"].(string)
	return path.Dir(id) == "https:/schema.org" && slices.Contains([]string{"Text", "Float", "Integer", "Boolean", "URL", "Date", "DateTime"}, path.Base(id))
}

package config

import (
	"bytes"
	"encoding/json"
	"errors"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/magpie-crawl/magpie/crawl"
	"github.com/magpie-crawl/magpie/extract"
	"github.com/magpie-crawl/magpie/store"
)

// fileKind is a kind of file that has a schema.
type fileKind struct {
	schema   func() []byte
	parse    func(text []byte) error
	start    string            // what each file has to have
	mappings map[string]string // files with a place in each mapping that one can have, by the names of their definitions in the schema
}

var jobKind = fileKind{
	schema:   Schema,
	parse:    func(text []byte) error { _, err := Parse("job.yaml", text); return err },
	start:    "start: https://example.com/\n",
	mappings: mappings,
}

var serveKind = fileKind{
	schema: ServeSchema,
	parse:  func(text []byte) error { _, err := ParseServe("serve.yaml", text); return err },
	mappings: map[string]string{
		"serve":  "%s",
		"smtp":   "smtp: {%s}",
		"notify": "notify: [{%s}]",
	},
}

// schemaDefs are the definitions of the schema of job files, by their names.
func schemaDefs(t *testing.T) map[string]schemaNode { return jobKind.defs(t) }

func (k fileKind) defs(t *testing.T) map[string]schemaNode {
	t.Helper()
	var root schemaNode
	if err := json.Unmarshal(k.schema(), &root); err != nil {
		t.Fatal(err)
	}
	return root.Defs
}

// schemaNode is as much of a schema as the tests look at.
type schemaNode struct {
	Defs        map[string]schemaNode `json:"$defs"`
	Ref         string                `json:"$ref"`
	Description string                `json:"description"`
	Type        any                   `json:"type"`
	Enum        []any                 `json:"enum"`
	Properties  map[string]schemaNode `json:"properties"`
	Additional  any                   `json:"additionalProperties"`
	AnyOf       []schemaNode          `json:"anyOf"`
	Default     any                   `json:"default"`
	Examples    []any                 `json:"examples"`
	Minimum     *float64              `json:"minimum"`
	Maximum     *float64              `json:"maximum"`
}

// UnmarshalJSON reads a schema, which may be true or false.
func (n *schemaNode) UnmarshalJSON(text []byte) error {
	if text[0] != '{' {
		return nil
	}
	type plain schemaNode
	return json.Unmarshal(text, (*plain)(n))
}

// compileSchema compiles the schema of job files, or with a pointer a part of
// it.
func compileSchema(t testing.TB, pointer string) *jsonschema.Schema {
	return jobKind.compile(t, pointer)
}

func (k fileKind) compile(t testing.TB, pointer string) *jsonschema.Schema {
	t.Helper()
	document, err := jsonschema.UnmarshalJSON(bytes.NewReader(k.schema()))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource("job.schema.json", document); err != nil {
		t.Fatal(err)
	}
	s, err := c.Compile("job.schema.json" + pointer)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// plain is a node of a job file as package json would have read it.
func (n *node) plain() any {
	switch n.kind {
	case boolKind:
		return n.text == "true"
	case numberKind:
		return json.Number(n.text)
	case textKind:
		return n.text
	case listKind:
		list := make([]any, len(n.list))
		for i, entry := range n.list {
			list[i] = entry.plain()
		}
		return list
	case mappingKind:
		m := make(map[string]any, len(n.pairs))
		for _, p := range n.pairs {
			m[p.key] = p.value.plain()
		}
		return m
	}
	return nil
}

func plainJob(t *testing.T, src string) any {
	t.Helper()
	root, mistakes := readYAML(src)
	if len(mistakes) > 0 {
		t.Fatal(mistakes)
	}
	return root.plain()
}

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

// TestSchemaOfWrongJobs holds that both refuse what is wrong by its keys and
// types alone.
func TestSchemaOfWrongJobs(t *testing.T) {
	s := compileSchema(t, "")
	const start = "start: https://example.com/\n"
	tests := []struct{ name, src string }{
		{"no start", "name: books"},
		{"start is no URL", "start: example.com"},
		{"start of another scheme", "start: ftp://example.com/"},
		{"start is a number", "start: 1"},
		{"no start in a list", "start: []"},
		{"list", "[start]"},
		{"unknown key", start + "strat: x"},
		{"unknown key below", start + "limits: {page: 1}"},
		{"unknown key of a field", start + "items: {a: {fields: {b: {selector: h1}}}}"},
		{"unknown key of an alternative", start + "items: {a: {fields: {b: [h1, {selector: h1}]}}}"},
		{"name is a number", start + "name: 1"},
		{"name with blanks", start + `name: " a"`},
		{"text is empty", start + `warc: ""`},
		{"text is blank", start + `follow: [" "]`},
		{"wrong choice", start + "scope: {within: planet}"},
		{"wrong policy", start + "recrawl: sometimes"},
		{"wrong type", start + "items: {a: {fields: {b: {css: h1, as: money}}}}"},
		{"number as text", start + "limits: {pages: many}"},
		{"number below", start + "limits: {pages: 0}"},
		{"number with a fraction", start + "limits: {pages: 1.5}"},
		{"boolean as text", start + "cookies: always"},
		{"duration without a unit", start + "limits: {duration: 90}"},
		{"duration of another unit", start + "limits: {duration: 2 weeks}"},
		{"duration of zero", start + "limits: {duration: 0s}"},
		{"size of another unit", start + "limits: {body: 3 pages}"},
		{"size of zero", start + "limits: {body: 0}"},
		{"mapping as text", start + "limits: many"},
		{"headers that are no text", start + "headers: {X-Number: 1}"},
		{"credentials of nobody", start + `credentials: {origin: "https://example.com"}`},
		{"credentials with a password", start + `credentials: {origin: "https://example.com", user: me, password: secret}`},
		{"login without fields", start + `login: {url: "https://example.com/login"}`},
		{"priority without a boost", start + `priorities: [{url: "*/a/*"}]`},
		{"boost too high", start + `priorities: [{url: "*/a/*", boost: 5000}]`},
		{"export without a path", start + "items: {a: {fields: {b: h1}}}\nexport: [{item: a, format: csv}]"},
		{"export of another format", start + "items: {a: {fields: {b: h1}}}\nexport: [{item: a, format: pdf, path: a.pdf}]"},
		{"export without an item", start + "items: {a: {fields: {b: h1}}}\nexport: [{path: a.csv}]"},
		{"export without an item, by its format", start + "items: {a: {fields: {b: h1}}}\nexport: [{format: csv, path: a.txt}]"},
		{"export of no format", start + "items: {a: {fields: {b: h1}}}\nexport: [{item: a, path: a.txt}]"},
		{"export of no format, of all", start + "items: {a: {fields: {b: h1}}}\nexport: [{path: a}]"},
		{"export that is not compressed", start + "items: {a: {fields: {b: h1}}}\nexport: [{item: a, path: a.sqlite.gz}]"},
		{"share above 1", start + "health: {fill: 1.5}"},
		{"share of zero", start + "health: {volume: 0}"},
		{"share as text", start + "health: {fill: little}"},
		{"failing on something else", start + "fail_on: weather"},
		{"webhook without a url", start + "webhook: {on: drift}"},
		{"webhook with a secret", start + `webhook: {url: "https://example.com/hook", secret: geheim}`},
		{"webhook on something else", start + `webhook: {url: "https://example.com/hook", on: [tuesdays]}`},
		{"webhook on nothing", start + `webhook: {url: "https://example.com/hook", on: []}`},
		{"message that goes nowhere", start + "notify: [{on: failure}]"},
		{"message that goes two ways", start + `notify: [{webhook: "https://example.com/hook", email: a@example.com}]`},
		{"message on something else", start + `notify: [{email: a@example.com, on: [tuesdays]}]`},
		{"message to nobody", start + "notify: [{email: []}]"},
		{"command with a template", start + `notify: [{command: [a], template: "{{.Text}}"}]`},
		{"webhook with a subject", start + `notify: [{webhook: "https://example.com/hook", subject: "{{.Job}}"}]`},
		{"message by a command line", start + `notify: [{command: "./page-me.sh books"}]`},
		{"message by no command", start + "notify: [{command: []}]"},
		{"message with a secret", start + `notify: {webhook: "https://example.com/hook", secret: geheim}`},
		{"message that is repeated all the time", start + `notify: {email: a@example.com, repeat: 0s}`},
		{"silence after nothing", start + `schedule: {cron: "@daily", silence: 0}`},
		{"schedule without cron", start + "schedule: {jitter: 1m}"},
		{"schedule from a day of the week", start + `schedule: {cron: "@daily", start: monday}`},
		{"schedule until a time without a zone", start + `schedule: {cron: "@daily", end: "2026-01-01T12:00:00"}`},
		{"overlap of another policy", start + `schedule: {cron: "@daily", overlap: restart}`},
		{"missed times of another policy", start + `schedule: {cron: "@daily", missed: all}`},
		{"item without fields", start + "items: {a: {each: .a}}"},
		{"item in capitals", start + "items: {A: {fields: {b: h1}}}"},
		{"field in capitals", start + "items: {a: {fields: {B: h1}}}"},
		{"field is a number", start + "items: {a: {fields: {b: 1}}}"},
		{"no alternatives", start + "items: {a: {fields: {b: []}}}"},
		{"required alternative", start + "items: {a: {fields: {b: [h1, {css: h2, required: true}]}}}"},
		{"nth of zero", start + "items: {a: {fields: {b: {css: h1, nth: 0}}}}"},
		{"enum without values", start + "items: {a: {fields: {b: {css: h1, as: enum}}}}"},
		{"values without enum", start + "items: {a: {fields: {b: {css: h1, values: [a]}}}}"},
		{"zone of a text", start + "items: {a: {fields: {b: {css: h1, zone: Europe/Berlin}}}}"},
		{"each without fields", start + "items: {a: {fields: {b: {each: .b}}}}"},
		{"part of no article", start + "items: {a: {fields: {b: {article: headline}}}}"},
		{"part of no URL", start + "items: {a: {fields: {b: {url: hostname}}}}"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if err := s.Validate(plainJob(t, tt.src)); err == nil {
				t.Error("the schema accepts it")
			}
			if _, err := Parse("job.yaml", []byte(tt.src)); err == nil {
				t.Error("Parse accepts it")
			}
		})
	}
}

// TestSchemaOfWrongSettings is TestSchemaOfWrongJobs for serve.yaml.
func TestSchemaOfWrongSettings(t *testing.T) {
	s := serveKind.compile(t, "")
	for _, tt := range []struct{ name, src string }{
		{"list", "[listen]"},
		{"unknown key", "port: 8490"},
		{"token in the file", "token: geheim"},
		{"url that is none", "url: magpie.example.com"},
		{"no runs at a time", "concurrency: 0"},
		{"deadline without a unit", "stop_within: 30"},
		{"mail server without a scheme", "smtp: {server: mail.example.com, from: a@example.com}"},
		{"mail from nobody", `smtp: {server: "smtps://mail.example.com"}`},
		{"password of nobody", `smtp: {server: "smtps://mail.example.com", from: a@example.com, password: "${TOKEN}"}`},
		{"message that goes nowhere", "notify: {on: failure}"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Setenv("TOKEN", "x")
			if err := s.Validate(plainJob(t, tt.src)); err == nil {
				t.Error("the schema accepts it")
			}
			if err := serveKind.parse([]byte(tt.src)); err == nil {
				t.Error("ParseServe accepts it")
			}
		})
	}
}

// noKey is no key, and like none.
const noKey = "qqqqqqqqqqqqqqqqqqqq"

// mappings are jobs with a place in each mapping that a job can have, by the
// names of their definitions in the schema.
var mappings = map[string]string{
	"job":         "%s",
	"scope":       "scope: {%s}",
	"links":       "links: {%s}",
	"limits":      "limits: {%s}",
	"budget":      "limits: {paths: [{%s}]}",
	"politeness":  "politeness: {%s}",
	"retry":       "retry: {%s}",
	"credentials": "credentials: {%s}",
	"login":       "login: {%s}",
	"recrawl":     "recrawl: {%s}",
	"priority":    "priorities: [{%s}]",
	"traps":       "traps: {%s}",
	"schedule":    "schedule: {%s}",
	"search":      "search: {%s}",
	"export":      "export: [{%s}]",
	"keep":        "keep: {%s}",
	"dataset":     "dataset: {%s}",
	"health":      "health: {%s}",
	"webhook":     "webhook: {%s}",
	"notify":      "notify: [{%s}]",
	"item":        "items: {a: {%s}}",
	"when":        "items: {a: {when: {%s}, fields: {b: h1}}}",
	"field":       "items: {a: {fields: {b: {%s}}}}",
}

// with is the file of a mapping with something in it.
func (k fileKind) with(mapping, what string) []byte {
	return []byte(k.start + strings.Replace(k.mappings[mapping], "%s", what, 1))
}

// decoderKeys are the keys that the decoder knows in a mapping: it names them
// where there is another one.
func (k fileKind) decoderKeys(t *testing.T, mapping string) []string {
	t.Helper()
	err := k.parse(k.with(mapping, noKey+": 1"))
	var mistakes Mistakes
	if !errors.As(err, &mistakes) {
		t.Fatalf("no mistakes: %v", err)
	}
	for _, m := range mistakes {
		if _, list, told := strings.Cut(m.Message, ": the keys here are "); told && strings.Contains(m.Message, noKey) {
			return slices.Sorted(slices.Values(strings.Split(strings.Replace(list, " and ", ", ", 1), ", ")))
		}
		if _, only, told := strings.Cut(m.Message, ": the keys here are"); told {
			return []string{strings.TrimSpace(only)}
		}
	}
	t.Fatalf("the decoder does not tell its keys: %v", mistakes)
	return nil
}

// TestSchemaKeys keeps the schemas and the decoder in step, key by key.
func TestSchemaKeys(t *testing.T) {
	t.Run("job", func(t *testing.T) { testSchemaKeys(t, jobKind) })
	t.Run("serve", func(t *testing.T) { testSchemaKeys(t, serveKind) })
}

func testSchemaKeys(t *testing.T, k fileKind) {
	defs := k.defs(t)
	for name, def := range defs {
		if def.Additional == false && k.mappings[name] == "" {
			t.Errorf("the mapping %s of the schema is in no file of this test", name)
		}
	}
	for name := range k.mappings {
		t.Run(name, func(t *testing.T) {
			if defs[name].Additional != false {
				t.Error("the schema lets other keys pass")
			}
			in := slices.Sorted(maps.Keys(defs[name].Properties))
			if diff := cmp.Diff(k.decoderKeys(t, name), in); diff != "" {
				t.Errorf("keys (-decoder +schema):\n%s", diff)
			}
		})
	}
}

// TestSchemasAgree holds that what job files and serve.yaml share is the same
// in both of their schemas.
func TestSchemasAgree(t *testing.T) {
	raw := func(k fileKind) map[string]json.RawMessage {
		var root struct {
			Defs map[string]json.RawMessage `json:"$defs"`
		}
		if err := json.Unmarshal(k.schema(), &root); err != nil {
			t.Fatal(err)
		}
		return root.Defs
	}
	job, shared := raw(jobKind), 0
	for name, def := range raw(serveKind) {
		if other, has := job[name]; has {
			if shared++; string(other) != string(def) {
				t.Errorf("%s: %s", name, cmp.Diff(string(other), string(def)))
			}
		}
	}
	if shared < 5 {
		t.Errorf("they share %d definitions", shared)
	}
}

// TestSchemaChoices compares what the schema lists with what there is.
func TestSchemaChoices(t *testing.T) {
	defs := schemaDefs(t)
	field := defs["field"].Properties
	formats := make([]string, len(store.Formats))
	for i, f := range store.Formats {
		formats[i] = string(f)
	}
	for _, tt := range []struct {
		name string
		got  []any
		want []string
	}{
		{"as", field["as"].Enum, extract.TypeNames()},
		{"article", field["article"].Enum, extract.ArticleParts},
		{"url", field["url"].AnyOf[0].Enum, extract.URLParts},
		{"format", defs["export"].Properties["format"].Enum, formats},
	} {
		t.Run(tt.name, func(t *testing.T) {
			want := make([]any, len(tt.want))
			for i, s := range tt.want {
				want[i] = s
			}
			if diff := cmp.Diff(want, tt.got); diff != "" {
				t.Errorf("(-want +schema):\n%s", diff)
			}
		})
	}
	t.Run("boost", func(t *testing.T) {
		boost := defs["priority"].Properties["boost"]
		if *boost.Maximum != crawl.MaxBoost || *boost.Minimum != -crawl.MaxBoost {
			t.Errorf("from %v to %v, want %d", *boost.Minimum, *boost.Maximum, crawl.MaxBoost)
		}
	})
}

// TestSchemaProperties holds that each key is described, that its examples and
// its default are valid, and that the decoder reads them and each choice.
func TestSchemaProperties(t *testing.T) {
	t.Setenv("API_KEY", "x")
	t.Setenv("PASSWORD", "x")
	t.Setenv("TOKEN", "x")
	for _, k := range []fileKind{jobKind, serveKind} {
		for mapping, def := range k.defs(t) {
			if def.Additional != false {
				continue
			}
			for name, property := range def.Properties {
				t.Run(mapping+"."+name, func(t *testing.T) {
					if property.Description == "" {
						t.Error("has no description")
					}
					k.checkValues(t, mapping, name, property)
				})
			}
		}
	}
}

func (k fileKind) checkValues(t *testing.T, mapping, name string, property schemaNode) {
	t.Helper()
	s := k.compile(t, "#/$defs/"+mapping+"/properties/"+name)
	values := append(slices.Clone(property.Examples), property.Enum...)
	if property.Default != nil {
		values = append(values, property.Default)
	}
	for _, example := range values {
		if err := s.Validate(example); err != nil {
			t.Errorf("the example %v is not valid: %v", example, err)
		}
		text, err := json.Marshal(example)
		if err != nil {
			t.Fatal(err)
		}
		err = k.parse(k.with(mapping, name+": "+string(text)))
		var mistakes Mistakes
		errors.As(err, &mistakes)
		for _, m := range mistakes {
			if strings.HasPrefix(m.Message, name+" must") || strings.HasPrefix(m.Message, name+" is empty") || strings.Contains(m.Message, "unknown key") {
				t.Errorf("the decoder does not read the example %s: %s", text, m.Message)
			}
		}
	}
	if len(values) == 0 && property.Type != "boolean" {
		t.Error("has no example, no choices and no default")
	}
}

package config

import (
	"bytes"
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/santhosh-tekuri/jsonschema/v6"
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

package extract_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/magpie-crawl/magpie/extract"
)

// recordSchema compiles the schema of an item. Formats are left to those who
// look at them: what browsers take for a URL is more than a URI.
func recordSchema(t testing.TB, x *extract.Extractor, item string) *jsonschema.Schema {
	t.Helper()
	text, err := x.Schema(item)
	if err != nil {
		t.Fatal(err)
	}
	document, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource("schema.json", document); err != nil {
		t.Fatal(err)
	}
	s, err := c.Compile("schema.json")
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return s
}

// fulfilSchemas validates records against the schemas of their items. The
// helpers that extract in tests call it, so that each case of theirs is one of
// the schema too.
func fulfilSchemas(t testing.TB, x *extract.Extractor, records []extract.Record) {
	t.Helper()
	schemas := map[string]*jsonschema.Schema{}
	for _, r := range records {
		if schemas[r.Item] == nil {
			schemas[r.Item] = recordSchema(t, x, r.Item)
		}
		text, err := r.Fields.MarshalJSON()
		if err != nil {
			t.Fatal(err)
		}
		v, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
		if err != nil {
			t.Fatal(err)
		}
		if err := schemas[r.Item].Validate(v); err != nil {
			t.Errorf("the record does not fulfil its schema: %s: %v", text, err)
		}
	}
}

// TestSchema shows what fields become.
func TestSchema(t *testing.T) {
	comma := ", "
	tests := []struct {
		name  string
		field extract.Field
		want  string
	}{
		{"text", extract.Field{CSS: "p"}, `{"type":"string"}`},
		{"integer", extract.Field{CSS: "p", As: extract.Integer}, `{"type":"integer"}`},
		{"url", extract.Field{CSS: "a", As: extract.URL}, `{"type":"string","format":"uri"}`},
		{"list", extract.Field{CSS: "p", As: extract.Date, All: true}, `{"type":"array","items":{"type":"string","format":"date"},"minItems":1}`},
		{"split", extract.Field{CSS: "p", As: extract.Number, Split: ","}, `{"type":"array","items":{"type":"number"},"minItems":1}`},
		{"join", extract.Field{CSS: "p", As: extract.Number, All: true, Join: &comma}, `{"type":"string"}`},
		{"enum", extract.Field{CSS: "p", As: extract.Enum, Values: []string{"new", "used"}}, `{"enum":["new","used"]}`},
		{"enum with a default", extract.Field{CSS: "p", As: extract.Enum, Values: []string{"new"}, Default: "unknown"},
			`{"anyOf":[{"enum":["new"]},{"const":"unknown"}],"default":"unknown"}`},
		{"default", extract.Field{CSS: "p", As: extract.Integer, Default: 0}, `{"type":"integer","default":0}`},
		{"constant", extract.Field{Const: 5, As: extract.PriceType}, `{"const":{"amount":5,"currency":""}}`},
		{"expression", extract.Field{Expr: "1 + 1"}, `{}`},
		{"expression with a type", extract.Field{Expr: "1 + 1", As: extract.Integer}, `{"type":"integer"}`},
		{"JSON", extract.Field{CSS: "script", As: extract.JSON}, `{}`},
		{"alternatives", extract.Field{Any: []extract.Field{{CSS: "p"}, {CSS: "b"}, {CSS: "i", As: extract.Bool}}},
			`{"anyOf":[{"type":"string"},{"type":"boolean"}]}`},
		{"alternatives of one type", extract.Field{Any: []extract.Field{{CSS: "p"}, {CSS: "b"}}}, `{"type":"string"}`},
		{"alternatives with a default", extract.Field{Any: []extract.Field{{CSS: "p", As: extract.Bool}}, Default: "?"},
			`{"anyOf":[{"type":"boolean"},{"const":"?"}],"default":"?"}`},
		{"nested", extract.Field{CSS: "p", Fields: []extract.Field{{Name: "a", CSS: "b", Required: true}}},
			`{"type":"object","properties":{"a":{"type":"string"}},"required":["a"],"additionalProperties":false}`},
		{"nested list", extract.Field{Each: "p", Fields: []extract.Field{{Name: "a", CSS: "b"}}},
			`{"type":"array","items":{"type":"object","properties":{"a":{"type":"string"}},"additionalProperties":false},"minItems":1}`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			tt.field.Name = "f"
			x, err := extract.Compile(extract.Spec{Items: []extract.Item{{Name: "x", Fields: []extract.Field{tt.field}}}})
			if err != nil {
				t.Fatal(err)
			}
			recordSchema(t, x, "x")
			text, err := x.Schema("x")
			if err != nil {
				t.Fatal(err)
			}
			var b bytes.Buffer
			if err := json.Compact(&b, text); err != nil {
				t.Fatal(err)
			}
			_, got, _ := strings.Cut(b.String(), `"properties":{"f":`)
			got, _, _ = strings.Cut(got, `},"additionalProperties":false,"patternProperties"`)
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// TestSchemaRefuses validates what is no record of the item.
func TestSchemaRefuses(t *testing.T) {
	x, err := extract.Compile(extract.Spec{Items: []extract.Item{{Name: "book", Fields: []extract.Field{
		{Name: "title", CSS: "h1", Required: true},
		{Name: "price", CSS: ".price", As: extract.PriceType},
		{Name: "facts", CSS: "table", As: extract.Pairs},
	}}}})
	if err != nil {
		t.Fatal(err)
	}
	s := recordSchema(t, x, "book")
	for _, tt := range []struct {
		text  string
		valid bool
	}{
		{`{"title":"A","price":{"amount":1.50,"currency":"GBP"},"facts":{"UPC":"1","Size":["S","M"]}}`, true},
		{`{"title":"A","price":{"amount":1,"amount_max":2,"currency":""}}`, true},
		{`{"title":"A","_url":"https://shop.example/","_position":0}`, true},
		{`{}`, false},
		{`{"title":1}`, false},
		{`{"title":"A","author":"B"}`, false},
		{`{"title":"A","price":1.5}`, false},
		{`{"title":"A","price":{"amount":"1.5","currency":"GBP"}}`, false},
		{`{"title":"A","price":{"amount":1.5,"currency":"pounds"}}`, false},
		{`{"title":"A","price":null}`, false},
		{`{"title":"A","facts":{"UPC":1}}`, false},
		{`[]`, false},
	} {
		t.Run(tt.text, func(t *testing.T) {
			v, err := jsonschema.UnmarshalJSON(strings.NewReader(tt.text))
			if err != nil {
				t.Fatal(err)
			}
			if err := s.Validate(v); (err == nil) != tt.valid {
				t.Errorf("valid: %t, want %t: %v", err == nil, tt.valid, err)
			}
		})
	}
}

func TestSchemaOfNoItem(t *testing.T) {
	x, err := extract.Compile(extract.Spec{Items: []extract.Item{{Name: "book", Fields: []extract.Field{{Name: "title"}}}}})
	if err != nil {
		t.Fatal(err)
	}
	_, err = x.Schema("film")
	if want := `there is no item "film": the items are book`; err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}

package extract

import (
	"bytes"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// validator compiles a schema; formats count.
func validator(t testing.TB, schema []byte) *jsonschema.Schema {
	t.Helper()
	document, err := jsonschema.UnmarshalJSON(bytes.NewReader(schema))
	if err != nil {
		t.Fatalf("%v in %s", err, schema)
	}
	c := jsonschema.NewCompiler()
	c.DefaultDraft(jsonschema.Draft2020)
	c.AssertFormat()
	if err := c.AddResource("schema.json", document); err != nil {
		t.Fatal(err)
	}
	s, err := c.Compile("schema.json")
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// validate checks JSON text against a schema.
func validate(t testing.TB, s *jsonschema.Schema, text []byte) {
	t.Helper()
	v, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Validate(v); err != nil {
		t.Errorf("%s: %v", text, err)
	}
}

// TestTypeSchemas validates what each type makes of the texts in testdata.
func TestTypeSchemas(t *testing.T) {
	folders := map[Type][]string{
		Number: {"number"}, Integer: {"integer"}, PriceType: {"price"}, Bool: {"bool"}, Date: {"date"},
		DateTime: {"datetime"}, Duration: {"duration"}, Email: {"email"}, Phone: {"phone"},
	}
	for as, name := range typeNames {
		t.Run(name, func(t *testing.T) {
			as := Type(as)
			if as >= Type(len(typeSchemas)) || typeSchemas[as] == nil {
				t.Fatal("has no schema")
			}
			text, err := typeSchemas[as].AppendJSON(nil)
			if err != nil {
				t.Fatal(err)
			}
			s := validator(t, text)
			for _, folder := range folders[as] {
				for _, c := range textCases(t, folder) {
					v, err := as.convert(found{text: c.text, work: &work{lang: c.lang}})
					if err != nil {
						continue
					}
					if text, err = appendJSON(nil, v); err != nil {
						t.Fatal(err)
					}
					validate(t, s, text)
				}
			}
		})
	}
}

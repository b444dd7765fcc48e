package config

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/magpie-crawl/magpie/crawl"
	"github.com/magpie-crawl/magpie/extract"
	"github.com/magpie-crawl/magpie/store"
)

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

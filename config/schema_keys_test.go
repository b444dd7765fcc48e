package config

import (
	"errors"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

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

package extract

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// schemaDialect is the version of JSON Schema that Schema writes.
const schemaDialect = "https://json-schema.org/draft/2020-12/schema"

// Schema returns the JSON Schema of an item's records as they are written:
// their fields by name, in the spec's order, with what each can be. Required
// are the fields that a record is never without. Names that begin with _ are
// left to those who write records and say with them where they come from.
//
// It holds for the records that Extract takes. The error is that the spec has
// no such item.
//
// https://json-schema.org/draft/2020-12/json-schema-core
func (x *Extractor) Schema(name string) ([]byte, error) {
	i := slices.IndexFunc(x.items, func(it item) bool { return it.name == name })
	if i < 0 {
		names := make([]string, len(x.items))
		for i := range x.items {
			names[i] = x.items[i].name
		}
		return nil, fmt.Errorf("there is no item %q: the items are %s", name, strings.Join(names, ", "))
	}
	s := Object{{"$schema", schemaDialect}, {"title", name}}
	s = append(s, objectSchema(x.items[i].fields)...)
	s = append(s, Member{"patternProperties", Object{{"^_", Object{{"description", "Where the record comes from."}}}}})
	text, err := s.AppendJSON(nil)
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	if err := json.Indent(&b, text, "", "  "); err != nil {
		return nil, err
	}
	b.WriteByte('\n')
	return b.Bytes(), nil
}

// objectSchema is the schema of an object with these fields.
func objectSchema(fields []field) Object {
	properties := make(Object, len(fields))
	var required []any
	for i := range fields {
		f := &fields[i]
		properties[i] = Member{f.name, f.schema()}
		if f.required {
			required = append(required, f.name)
		}
	}
	s := Object{{"type", "object"}, {"properties", properties}}
	if required != nil {
		s = append(s, Member{"required", required})
	}
	return append(s, Member{"additionalProperties", false})
}

// schema is the schema of a field's value, its default included.
func (f *field) schema() Object {
	s := f.valueSchema()
	if f.def == nil || f.expr != nil { // what is computed takes no default
		return s
	}
	if !f.defaultFits() {
		s = anyOf(s, Object{{"const", f.def}})
	}
	return append(slices.Clone(s), Member{"default", f.def})
}

// valueSchema is the schema of the values that are found.
func (f *field) valueSchema() Object {
	switch {
	case f.any != nil:
		var alternatives []Object
		for i := range f.any {
			alternatives = append(alternatives, f.any[i].schema())
		}
		return anyOf(alternatives...)
	case f.constant != nil:
		return Object{{"const", f.constant}}
	case f.fields != nil && (f.each != nil || f.all):
		return listSchema(objectSchema(f.fields))
	case f.fields != nil:
		return objectSchema(f.fields)
	case f.expr != nil:
		return f.computedSchema()
	case f.list() && f.join != nil:
		return typeSchemas[Text]
	case f.list():
		return listSchema(f.oneSchema())
	}
	return f.oneSchema()
}

// oneSchema is the schema of one value of the field's type.
func (f *field) oneSchema() Object {
	switch {
	case f.as == Enum:
		values := make([]any, len(f.values))
		for i, v := range f.values {
			values[i] = v
		}
		return Object{{"enum", values}}
	case int(f.as) < len(typeSchemas):
		return typeSchemas[f.as]
	}
	return Object{}
}

// computedSchema is the schema of a field with an expression. One of type Text
// keeps what the expression comes to, whatever that is.
func (f *field) computedSchema() Object {
	switch {
	case f.as == Text || f.as.structural():
		return Object{}
	case f.as == Enum:
		return typeSchemas[Text]
	}
	return f.oneSchema()
}

// defaultFits reports whether the default is sure to look like the values that
// are found. It need not be one of an enum's values, for instance.
func (f *field) defaultFits() bool {
	if f.any != nil || f.fields != nil || f.as.structural() || f.as == Enum || f.as == URL {
		return false
	}
	list, isList := f.def.([]any)
	return isList == (f.list() && f.join == nil) && (!isList || len(list) > 0)
}

func listSchema(of Object) Object {
	return Object{{"type", "array"}, {"items", of}, {"minItems", int64(1)}}
}

// anyOf is the schema of what fulfils one of several, each of them named once.
func anyOf(schemas ...Object) Object {
	var list []any
	seen := map[string]bool{}
	for _, s := range schemas {
		text := describe(s)
		if !seen[text] {
			seen[text] = true
			list = append(list, s)
		}
	}
	if len(list) == 1 {
		return schemas[0]
	}
	return Object{{"anyOf", list}}
}

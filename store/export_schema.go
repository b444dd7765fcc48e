package store

import (
	"context"
	"slices"

	"github.com/magpie-crawl/magpie/extract"
	"github.com/magpie-crawl/magpie/store/dataset"
)

// describeField is what the database keeps of a field's spec.
func describeField(f extract.Field) itemField {
	d := itemField{Name: f.Name, Types: fieldTypes(nil, f)}
	list := (f.All || f.Split != "") && f.Join == nil
	switch {
	case len(f.Any) > 0: // alternatives may be anything: Types say what
	case f.Each != "" || len(f.Fields) > 0:
		d.As, d.List = string(dataset.Object), list || f.Each != ""
		for _, inner := range f.Fields {
			d.Fields = append(d.Fields, describeField(inner))
		}
	case typeNames[f.As] == typeJSON: // whatever it is a list of
	case f.As == extract.Markdown:
		d.As, d.List = string(dataset.MarkdownText), list
	case list:
		d.As, d.List = typeNames[f.As], true
	}
	return d
}

// exported is the field as exports have it.
func (f itemField) exported() dataset.Field {
	field := dataset.Field{Name: f.Name, Type: dataset.Type(f.As), List: f.List}
	if f.As == "" {
		field.Type = commonType(f.Types)
	}
	for _, inner := range f.Fields {
		field.Fields = append(field.Fields, inner.exported())
	}
	if field.Type == dataset.Object && len(field.Fields) == 0 {
		field.Type, field.List = dataset.JSON, false
	}
	return field
}

// commonType is a type for values that are of one of several.
func commonType(types []string) dataset.Type {
	is := func(among ...string) bool {
		return len(types) > 0 && !slices.ContainsFunc(types, func(t string) bool { return !slices.Contains(among, t) })
	}
	switch {
	case len(types) == 1:
		return dataset.Type(types[0])
	case is("integer", "number"):
		return dataset.Number
	case is("text", "html", "url", "date", "datetime"):
		return dataset.Text
	default:
		return dataset.JSON
	}
}

// itemSchema is the schema of an item, given its fields in each job that has it:
// their union, in the order of first appearance. A field that jobs have of
// different types is JSON.
func itemSchema(item string, jobs [][]itemField, meta []string) dataset.Schema {
	s := dataset.Schema{Item: item, Whole: true}
	for _, fields := range jobs {
		for _, f := range fields {
			field := f.exported()
			i := slices.IndexFunc(s.Fields, func(other dataset.Field) bool { return other.Name == f.Name })
			switch {
			case i < 0:
				s.Fields = append(s.Fields, field)
			case !sameShape(s.Fields[i], field):
				s.Fields[i] = dataset.Field{Name: f.Name, Type: dataset.JSON}
			}
		}
	}
	for _, c := range columnsOf(jobs) {
		i := slices.IndexFunc(s.Fields, func(f dataset.Field) bool { return f.Name == c.field })
		s.Fields[i].Columns = append(s.Fields[i].Columns, dataset.Column{Name: c.name, Part: c.part})
	}
	for _, name := range meta {
		s.Fields = append(s.Fields, dataset.MetaField(name))
	}
	return s
}

func sameShape(a, b dataset.Field) bool {
	return a.Name == b.Name && a.Type == b.Type && a.List == b.List && slices.EqualFunc(a.Fields, b.Fields, sameShape)
}

// exportSchema is the schema of what is exported of an item type.
func (db *DB) exportSchema(ctx context.Context, o ExportOptions) (dataset.Schema, error) {
	jobs, err := db.exportFields(ctx, o)
	if err != nil {
		return dataset.Schema{}, err
	}
	var meta []string
	if o.Meta {
		meta = metaColumns
	}
	s := itemSchema(o.Item, jobs, meta)
	if len(o.Fields) > 0 {
		names := o.Fields
		if o.Meta {
			for _, name := range metaColumns {
				if !slices.Contains(names, name) {
					names = append(names[:len(names):len(names)], name)
				}
			}
		}
		if s, err = s.Choose(names); err != nil {
			return s, &OptionError{"fields", err}
		}
	}
	return s, nil
}

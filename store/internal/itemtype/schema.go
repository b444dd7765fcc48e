package itemtype

import (
	"slices"

	"github.com/magpie-crawl/magpie/store/dataset"
)

// exported is the field as exports have it.
func (f Field) exported() dataset.Field {
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

// Schema is the schema of an item, given its fields in each job that has it:
// their union, in the order of first appearance. A field that jobs have of
// different types is JSON.
func Schema(item string, jobs [][]Field, meta []string) dataset.Schema {
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
	for _, c := range Columns(jobs) {
		i := slices.IndexFunc(s.Fields, func(f dataset.Field) bool { return f.Name == c.Field })
		s.Fields[i].Columns = append(s.Fields[i].Columns, dataset.Column{Name: c.Name, Part: c.Part})
	}
	for _, name := range meta {
		s.Fields = append(s.Fields, dataset.MetaField(name))
	}
	return s
}

func sameShape(a, b dataset.Field) bool {
	return a.Name == b.Name && a.Type == b.Type && a.List == b.List && slices.EqualFunc(a.Fields, b.Fields, sameShape)
}

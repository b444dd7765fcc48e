package dataset

import (
	"fmt"
	"slices"
)

// Type is the type of a field's value.
type Type string

// Types of fields.
const (
	Text         Type = "text"
	HTML         Type = "html"
	MarkdownText Type = "markdown"
	Number       Type = "number" // JSON number: a decimal
	Integer      Type = "integer"
	Price        Type = "price" // object of amount, currency and sometimes amount_max
	Bool         Type = "bool"
	URL          Type = "url"
	Date         Type = "date"     // 2006-01-02
	DateTime     Type = "datetime" // RFC 3339
	Object       Type = "object"   // a nested item: see Field.Fields
	JSON         Type = "json"     // any value
)

// Schema is what the records of an export are made of.
type Schema struct {
	Item   string
	Fields []Field // in the order written: fields of the item, metadata
	Whole  bool    // they are all fields of the item, in their order, and metadata behind them
}

// Field is a field of records, or a piece of metadata.
type Field struct {
	Name    string
	Type    Type
	List    bool     // a list of values of that type
	Fields  []Field  // of an Object
	Meta    bool     // where the record comes from: one of MetaNames
	Columns []Column // as flat formats have it
}

// Column is a column of flat formats: CSV and SQLite. A price has two, any
// other field one.
type Column struct {
	Name string
	Part string // of a price: "amount" or "currency"; else ""
}

// MetaNames say where a record comes from.
var MetaNames = []string{"_job", "_key", "_url", "_position", "_first_run", "_last_run"}

// MetaField describes a piece of metadata, which may also be "_item".
func MetaField(name string) Field {
	f := Field{Name: name, Type: Text, Meta: true, Columns: []Column{{Name: name}}}
	switch name {
	case "_url":
		f.Type = URL
	case "_position", "_first_run", "_last_run":
		f.Type = Integer
	}
	return f
}

// Record is a record to be written.
type Record struct {
	Item, Job, Key    string
	URL               string // only where metadata or the format asks for it
	Position          int
	FirstRun, LastRun int
	Data              []byte // JSON: an object of the fields
}

// meta is a piece of metadata: a string or an int.
func (r *Record) meta(name string) any {
	switch name {
	case "_item":
		return r.Item
	case "_job":
		return r.Job
	case "_key":
		return r.Key
	case "_url":
		return r.URL
	case "_position":
		return r.Position
	case "_first_run":
		return r.FirstRun
	case "_last_run":
		return r.LastRun
	}
	panic("dataset: no metadata is called " + name)
}

// Choose returns a schema of the named fields alone, in the order of names. A
// name that is not there is an error that tells which are.
func (s Schema) Choose(names []string) (Schema, error) {
	chosen := Schema{Item: s.Item}
	for _, name := range names {
		i := slices.IndexFunc(s.Fields, func(f Field) bool { return f.Name == name })
		switch {
		case slices.ContainsFunc(chosen.Fields, func(f Field) bool { return f.Name == name }):
			return Schema{}, fmt.Errorf("field %q is named twice", name)
		case i >= 0:
			chosen.Fields = append(chosen.Fields, s.Fields[i])
		case slices.Contains(MetaNames, name):
			chosen.Fields = append(chosen.Fields, MetaField(name))
		default:
			return Schema{}, fmt.Errorf("%s has no field %q: there are %s", s.Item, name, s.names())
		}
	}
	return chosen, nil
}

func (s Schema) names() string {
	text := ""
	for _, f := range s.Fields {
		if !f.Meta {
			text += f.Name + ", "
		}
	}
	for i, name := range MetaNames {
		if i > 0 {
			text += ", "
		}
		text += name
	}
	return text
}

// NeedsOrigin tells whether records must have more than their job, key and
// data.
func (s Schema) NeedsOrigin() bool {
	return slices.ContainsFunc(s.Fields, func(f Field) bool { return f.Meta && f.Name != "_job" && f.Name != "_key" && f.Name != "_item" })
}

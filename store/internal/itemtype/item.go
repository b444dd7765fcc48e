package itemtype

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/magpie-crawl/magpie/extract"
	"github.com/magpie-crawl/magpie/store/dataset"
)

// Type is what the database keeps of an item's spec.
type Type struct {
	Name   string
	Fields []Field
	Index  []string // names of the fields with an index
}

// Field is a field of an item type: items.fields is a list of them.
type Field struct {
	Name  string   `json:"name"`
	Types []string `json:"types"` // what its value can be, more than one if it has alternatives

	// What exports with typed columns want to know besides. Databases of
	// earlier versions have none of it until the job is crawled again.
	As     string  `json:"as,omitempty"`     // the type of the value, or of a list's elements, where Types say less
	List   bool    `json:"list,omitempty"`   // the value is a list
	Fields []Field `json:"fields,omitempty"` // of a nested item
}

// What a field's value can be, in items.fields. Lists, nested items, pairs
// and tables are all "json".
var typeNames = map[extract.Type]string{
	extract.Text: "text", extract.HTML: HTMLType, extract.Number: "number", extract.Integer: "integer",
	extract.PriceType: priceType, extract.Bool: "bool", extract.URL: "url", extract.Date: "date",
	extract.Markdown: "text", extract.DateTime: "datetime", extract.Duration: "text", extract.Email: "text", extract.Phone: "text",
	extract.Enum: "text", extract.Pairs: jsonType, extract.Table: jsonType, extract.JSON: jsonType, extract.Links: jsonType,
	extract.Images: jsonType,
}

const (
	priceType = "price"
	jsonType  = "json"

	HTMLType = "html" // a field's only type where its value is HTML
)

// Of takes the item types from a spec. Names that the database has
// its own use for are an error.
func Of(spec extract.Spec) ([]Type, error) {
	items := make([]Type, len(spec.Items))
	for i, item := range spec.Items {
		if Reserved(item.Name) {
			return nil, fmt.Errorf("an item cannot be called %q: the database uses that name itself", item.Name)
		}
		items[i] = Type{Name: item.Name, Index: item.Index, Fields: make([]Field, len(item.Fields))}
		for j, f := range item.Fields {
			items[i].Fields[j] = describeField(f)
		}
	}
	return items, nil
}

// fieldTypes adds to types what f's value can be.
func fieldTypes(types []string, f extract.Field) []string {
	name := typeNames[f.As]
	switch {
	case len(f.Any) > 0 && !f.All:
		for _, alternative := range f.Any {
			types = fieldTypes(types, alternative)
		}
		return types
	case (f.All || f.Split != "") && f.Join == nil || f.Each != "" || len(f.Fields) > 0:
		name = jsonType
	}
	if !slices.Contains(types, name) {
		types = append(types, name)
	}
	return types
}

// ParseFields reads what items.fields holds.
func ParseFields(text string) ([]Field, error) {
	var fields []Field
	err := json.Unmarshal([]byte(text), &fields)
	return fields, err
}

// describeField is what the database keeps of a field's spec.
func describeField(f extract.Field) Field {
	d := Field{Name: f.Name, Types: fieldTypes(nil, f)}
	list := (f.All || f.Split != "") && f.Join == nil
	switch {
	case len(f.Any) > 0: // alternatives may be anything: Types say what
	case f.Each != "" || len(f.Fields) > 0:
		d.As, d.List = string(dataset.Object), list || f.Each != ""
		for _, inner := range f.Fields {
			d.Fields = append(d.Fields, describeField(inner))
		}
	case typeNames[f.As] == jsonType: // whatever it is a list of
	case f.As == extract.Markdown:
		d.As, d.List = string(dataset.MarkdownText), list
	case list:
		d.As, d.List = typeNames[f.As], true
	}
	return d
}

// reserved are the names of the schema's tables, and those that later
// versions may want for tables and views of their own.
var reserved = []string{
	"jobs", "runs", "hosts", "urls", "bodies", "pages", "items", "records", "rejects", "problems",
	"changes", "exports", "links", "robots", "schedules", "search", "settings",
	"json_each", "json_tree", // of SQLite, which a view would hide from every query
}

// reservedPrefixes begin the names that SQLite and the schema keep for
// themselves; pragma_ those of tables that SQLite makes up, as json_each is one.
// https://www.sqlite.org/pragma.html#pragfunc
var reservedPrefixes = []string{"sqlite_", "magpie_", "pragma_"}

// Reserved tells whether an item cannot have this name, because the database
// uses it or may come to: the names of its tables, of those that SQLite makes
// up, and those that begin with sqlite_, magpie_ or pragma_.
func Reserved(name string) bool {
	name = strings.ToLower(name)
	return slices.Contains(reserved, name) ||
		slices.ContainsFunc(reservedPrefixes, func(prefix string) bool { return strings.HasPrefix(name, prefix) })
}

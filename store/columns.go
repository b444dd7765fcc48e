package store

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/magpie-crawl/magpie/extract"
)

// itemType is what the database keeps of an item's spec.
type itemType struct {
	Name   string
	Fields []itemField
	Index  []string // names of the fields with an index
}

// itemField is a field of an item type: items.fields is a list of them.
type itemField struct {
	Name  string   `json:"name"`
	Types []string `json:"types"` // what its value can be, more than one if it has alternatives

	// What exports with typed columns want to know besides. Databases of
	// earlier versions have none of it until the job is crawled again.
	As     string      `json:"as,omitempty"`     // the type of the value, or of a list's elements, where Types say less
	List   bool        `json:"list,omitempty"`   // the value is a list
	Fields []itemField `json:"fields,omitempty"` // of a nested item
}

// What a field's value can be, in items.fields. Lists, nested items, pairs
// and tables are all "json".
var typeNames = map[extract.Type]string{
	extract.Text: "text", extract.HTML: "html", extract.Number: "number", extract.Integer: "integer",
	extract.PriceType: typePrice, extract.Bool: "bool", extract.URL: "url", extract.Date: "date",
	extract.Markdown: "text", extract.DateTime: "datetime", extract.Duration: "text", extract.Email: "text", extract.Phone: "text",
	extract.Enum: "text", extract.Pairs: typeJSON, extract.Table: typeJSON, extract.JSON: typeJSON, extract.Links: typeJSON,
	extract.Images: typeJSON,
}

const (
	typePrice = "price"
	typeJSON  = "json"
)

// itemTypes takes the item types from a spec. Names that the database has
// its own use for are an error.
func itemTypes(spec extract.Spec) ([]itemType, error) {
	items := make([]itemType, len(spec.Items))
	for i, item := range spec.Items {
		if Reserved(item.Name) {
			return nil, fmt.Errorf("an item cannot be called %q: the database uses that name itself", item.Name)
		}
		items[i] = itemType{Name: item.Name, Index: item.Index, Fields: make([]itemField, len(item.Fields))}
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
		name = typeJSON
	}
	if !slices.Contains(types, name) {
		types = append(types, name)
	}
	return types
}

// column is a column of an item's view and of its CSV export. A price has
// two, its amount and its currency; any other field has one.
type column struct {
	name  string
	field string // name of the record's field
	part  string // of a price: "amount" or "currency"; else ""
}

// metaColumns say where a record comes from. They follow the fields.
var metaColumns = []string{"_job", "_key", "_url", "_position", "_first_run", "_last_run"}

// columnsOf returns the columns of an item type, given the fields of each job
// that has it: the union, in the order of first appearance. Column names are
// unique without regard to case, as SQL wants them; a field whose column is
// taken gets a number: price_amount_2.
func columnsOf(jobs [][]itemField) []column {
	var columns []column
	seen := map[[2]string]bool{}
	taken := map[string]bool{}
	for _, name := range metaColumns {
		taken[name] = true
	}
	put := func(field, part string) {
		if seen[[2]string{field, part}] {
			return
		}
		seen[[2]string{field, part}] = true
		name := field
		if part != "" {
			name += "_" + part
		}
		free := name
		for n := 2; taken[strings.ToLower(free)]; n++ {
			free = fmt.Sprintf("%s_%d", name, n)
		}
		taken[strings.ToLower(free)] = true
		columns = append(columns, column{name: free, field: field, part: part})
	}
	for _, fields := range jobs {
		for _, f := range fields {
			if slices.Contains(f.Types, typePrice) {
				put(f.Name, "amount")
				put(f.Name, "currency")
			}
			if slices.ContainsFunc(f.Types, func(t string) bool { return t != typePrice }) {
				put(f.Name, "")
			}
		}
	}
	return columns
}

func parseFields(text string) ([]itemField, error) {
	var fields []itemField
	err := json.Unmarshal([]byte(text), &fields)
	return fields, err
}

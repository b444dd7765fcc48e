package health

import (
	"strings"

	"github.com/tidwall/gjson"
)

// Figures are the figures of a run.
type Figures struct {
	Run      int64                // its id
	Items    map[int64]*Item      // by their ids
	Outlines map[string]*Outlines // by the pattern of the pages' URLs
	Pages    int64                // that it fetched or did not need to
	Limited  bool                 // a limit ended it, or its plan was another: its volume says nothing
}

// Item are the figures of an item type.
type Item struct {
	Name    string
	Records int64
	Rejects int64
	Fields  map[string]*Field
}

// Total is the number of records, rejects included.
func (i *Item) Total() int64 { return i.Records + i.Rejects }

// Field are the figures of a field.
type Field struct {
	Filled    int64 // records in which it is neither absent nor empty
	Failed    int64 // records in which a value of it failed
	Different int64 // values, once CountValues was called
	Exact     bool  // false: Different is an estimate
	values    sketch
}

// Field returns the figures of a field, and makes room for one that has none.
func (i *Item) Field(name string) *Field {
	f := i.Fields[name]
	if f == nil {
		f = &Field{}
		i.Fields[name] = f
	}
	return f
}

// maxFields bounds how many fields of an item are looked at. Items that
// are declared have far fewer; programs may save what they like.
const maxFields = 1000

// Take takes in the values of a record.
func (i *Item) Take(data string) {
	gjson.Parse(data).ForEach(func(name, value gjson.Result) bool {
		f := i.Fields[name.Str]
		if f == nil {
			if len(i.Fields) >= maxFields {
				return true
			}
			f = i.Field(strings.Clone(name.Str))
		}
		if !emptyValue(value.Raw) {
			f.Filled++
			f.values.add(value.Raw)
		}
		return true
	})
}

// NewItem returns the figures of an item type that has none yet.
func NewItem() *Item { return &Item{Fields: map[string]*Field{}} }

// CountValues settles how many distinct values the fields have, once the last
// record is taken in.
func (h *Figures) CountValues() {
	for _, item := range h.Items {
		for _, f := range item.Fields {
			f.Different, f.Exact = f.values.count()
		}
	}
}

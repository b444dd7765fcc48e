package itemtype

import (
	"fmt"
	"slices"

	"github.com/magpie-crawl/magpie/store/internal/sqltext"
)

// Index is the index of a field of an item type, as its job file asks for
// with index: it holds the current records of the item by the field's value.
type Index struct{ Name, SQL string }

// IndexPrefix begins the names of the indexes of an item's fields; the field's
// name follows.
func IndexPrefix(itemID int64) string { return fmt.Sprintf("magpie_field_%d_", itemID) }

// NewIndex is the index of a field of the item type with this id.
func NewIndex(itemID int64, f Field) Index {
	name := IndexPrefix(itemID) + f.Name
	return Index{name, fmt.Sprintf("CREATE INDEX %s ON records (%s) WHERE item_id = %d AND to_run IS NULL",
		sqltext.QuoteName(name), Comparable(f), itemID)}
}

// Comparable is the expression for what of a field's value is compared and
// sorted by: of a price its amount, of a time its second since 1970; else the
// value as it is. An empty value is NULL.
func Comparable(f Field) string {
	path := `$."` + f.Name + `"`
	value := fmt.Sprintf("json_extract(data, %s)", sqltext.QuoteText(path))
	switch KindOf(f) {
	case Price:
		return fmt.Sprintf("CAST(json_extract(data, %s) AS NUMERIC)", sqltext.QuoteText(path+".amount"))
	case Time:
		// The times of a field may have different zones. A text that SQLite
		// takes for the present, which no index can hold, has no digit first.
		return fmt.Sprintf("CASE WHEN %s GLOB '[0-9]*' THEN unixepoch(%s) END", value, value)
	case List:
		return fmt.Sprintf("nullif(nullif(%s, '[]'), '{}')", value)
	default:
		return fmt.Sprintf("nullif(%s, '')", value)
	}
}

// Kind says how a value is compared.
type Kind uint8

// Kinds of values.
const (
	Text Kind = iota
	Number
	Bool
	Price
	Time
	List // or an object: there is nothing to compare
	Run  // number of a run
	URL
)

// KindOf says how the values of a field are compared.
func KindOf(f Field) Kind {
	has := func(name string) bool { return slices.Contains(f.Types, name) }
	switch {
	case has(priceType):
		return Price
	case has(jsonType) || f.List:
		return List
	case has("number") || has("integer"):
		return Number
	case has("bool"):
		return Bool
	case has("datetime"):
		return Time
	}
	return Text
}

// Indexes are those that the item asks for. Lists have none.
func (i Type) Indexes(id int64) []Index {
	var all []Index
	for _, f := range i.Fields {
		if slices.Contains(i.Index, f.Name) && KindOf(f) != List {
			all = append(all, NewIndex(id, f))
		}
	}
	return all
}

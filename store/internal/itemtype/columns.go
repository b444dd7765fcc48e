package itemtype

import (
	"fmt"
	"slices"
	"strings"
)

// Column is a column of an item's view and of its CSV export. A price has
// two, its amount and its currency; any other field has one.
type Column struct {
	Name  string
	Field string // name of the record's field
	Part  string // of a price: "amount" or "currency"; else ""
}

// Meta columns say where a record comes from. They follow the fields.
var Meta = []string{"_job", "_key", "_url", "_position", "_first_run", "_last_run"}

// Columns returns the columns of an item type, given the fields of each job
// that has it: the union, in the order of first appearance. Column names are
// unique without regard to case, as SQL wants them; a field whose column is
// taken gets a number: price_amount_2.
func Columns(jobs [][]Field) []Column {
	var columns []Column
	seen := map[[2]string]bool{}
	taken := map[string]bool{}
	for _, name := range Meta {
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
		columns = append(columns, Column{Name: free, Field: field, Part: part})
	}
	for _, fields := range jobs {
		for _, f := range fields {
			if slices.Contains(f.Types, priceType) {
				put(f.Name, "amount")
				put(f.Name, "currency")
			}
			if slices.ContainsFunc(f.Types, func(t string) bool { return t != priceType }) {
				put(f.Name, "")
			}
		}
	}
	return columns
}

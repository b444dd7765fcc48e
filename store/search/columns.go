package search

import (
	"slices"
	"strconv"
	"strings"
)

// ownColumns is how many fields have a column of an index to themselves: those
// that it met first. The others share the column behind them, with the texts
// that no field has. As words are not told apart there by their fields, they
// are in the last column too, each after a mark and its field's name.
const (
	ownColumns = 30
	shared     = ownColumns
	marked     = ownColumns + 1
	columns    = ownColumns + 2
)

// The marks are characters for private use, which no folded word has.
const (
	fieldMark = "\uE000"
	between   = "\uE001 " // between two values of a column: a phrase does not go over it
)

// Value is a text that is searched: a value of a record, or a part of a page.
type Value struct {
	Field string // as the index names it: "1" and so on; "": not to be found by its field
	Name  string // for people
	Text  string
}

// Columns are the names of an index's columns, in order.
func Columns() []string {
	names := make([]string, columns)
	for i := range ownColumns {
		names[i] = "f" + strconv.Itoa(i+1)
	}
	names[shared], names[marked] = "shared", "marked"
	return names
}

// columnOf returns the column in which the words of a field are.
func columnOf(field string) int {
	if n, err := strconv.Atoi(field); err == nil && n >= 1 && n <= ownColumns {
		return n - 1
	}
	return shared
}

// Texts returns what of values goes into each column of an index, as folded
// words between blanks.
func Texts(values []Value) []string {
	texts := make([]strings.Builder, columns)
	for _, v := range values {
		column := columnOf(v.Field)
		mark := ""
		if column == shared && v.Field != "" {
			mark = fieldMark + v.Field + fieldMark
		}
		if texts[column].Len() > 0 {
			texts[column].WriteString(between)
		}
		if mark != "" && texts[marked].Len() > 0 {
			texts[marked].WriteString(between)
		}
		eachWord(v.Text, func(w word) {
			texts[column].WriteString(w.text + " ")
			if mark != "" {
				texts[marked].WriteString(mark + w.text + " ")
			}
		})
	}
	all := make([]string, columns)
	for i := range texts {
		all[i] = texts[i].String()
	}
	return all
}

// titles are the fields, and the parts of pages, in which a word says more of
// what a record is about than in others, and how much more.
var titles = []string{"title", "name", "headline", "heading"}

const titleWeight = 3

// Weights returns how much a word counts in each column of an index, given the
// names of its fields in order. The usual weight is 1.
func Weights(fields []string) []float64 {
	weights := slices.Repeat([]float64{1}, columns)
	for i, name := range fields[:min(len(fields), ownColumns)] {
		if slices.Contains(titles, strings.ToLower(name)) {
			weights[i] = titleWeight
		}
	}
	return weights
}

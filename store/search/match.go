package search

import (
	"strings"
)

// How the words of a record go into the index: as they are in one column, and
// after a mark and the field's name for the index in the other. The marks are
// characters for private use, which no folded word has.
const (
	fieldMark = "\uE000"
	between   = "\uE001" // between two values: a phrase does not go over it
)

// Value is a text that is searched: a value of a record, or a part of a page.
type Value struct {
	Field string // as the index names it; "": not to be found by its field
	Name  string // for people
	Text  string
}

// Columns returns the words of values as an index of words between blanks
// takes them: the words alone, and with their fields.
func Columns(values []Value) (words, fields string) {
	var plain, marked strings.Builder
	for _, v := range values {
		mark := fieldMark + v.Field + fieldMark
		eachWord(v.Text, func(w word) {
			plain.WriteString(w.text)
			plain.WriteByte(' ')
			if v.Field != "" {
				marked.WriteString(mark)
				marked.WriteString(w.text)
				marked.WriteByte(' ')
			}
		})
		plain.WriteString(between + " ")
		if v.Field != "" {
			marked.WriteString(between + " ")
		}
	}
	return plain.String(), marked.String()
}

// Match returns the query in the language of SQLite's MATCH, enhanced syntax:
// https://www.sqlite.org/fts3.html#_set_operations_using_the_enhanced_query_syntax
//
// It is made of folded words in quotes alone, which have no meaning but their
// own.
func (q *Query) Match() string {
	var b strings.Builder
	for i, group := range q.All {
		if i > 0 {
			b.WriteString(" AND ")
		}
		matchAny(&b, group)
	}
	if len(q.Without) == 0 {
		return b.String()
	}
	all := b.String()
	b.Reset()
	b.WriteString("(" + all + ") NOT ")
	matchAny(&b, q.Without)
	return b.String()
}

func matchAny(b *strings.Builder, terms []Term) {
	b.WriteByte('(')
	for i, t := range terms {
		if i > 0 {
			b.WriteString(" OR ")
		}
		t.match(b)
	}
	b.WriteByte(')')
}

func (t Term) match(b *strings.Builder) {
	b.WriteByte('"')
	for i, w := range t.Words {
		if i > 0 {
			b.WriteByte(' ')
		}
		if t.Field != "" {
			b.WriteString(fieldMark + t.Field + fieldMark)
		}
		b.WriteString(w)
	}
	if t.Prefix {
		b.WriteByte('*')
	}
	b.WriteByte('"')
}

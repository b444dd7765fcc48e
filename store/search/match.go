package search

import "strings"

// Match returns the query in the language of FTS5:
// https://www.sqlite.org/fts5.html#full_text_query_syntax
//
// It is made of names of columns and folded words in quotes alone, which have
// no meaning but their own.
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
	mark := ""
	if column := columnOf(t.Field); column != shared {
		b.WriteString(Columns()[column] + " : ")
	} else if t.Field != "" {
		mark = fieldMark + t.Field + fieldMark
	}
	b.WriteByte('"')
	for i, w := range t.Words {
		if i > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(mark + w)
	}
	b.WriteByte('"')
	if t.Prefix {
		b.WriteString(" *")
	}
}

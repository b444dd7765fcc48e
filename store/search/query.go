package search

import (
	"errors"
	"fmt"
	"strings"
	"unicode"
)

// MaxTerms is how many words and phrases a query may have.
const MaxTerms = 64

// Errors of a query. Whatever else is typed means something.
var (
	ErrNoWords     = errors.New("there is no word to search for")
	ErrOnlyWithout = errors.New("there are only words to leave out: say what is to be found too")
	ErrTooLong     = fmt.Errorf("more than %d words", MaxTerms)
)

// Query is what is searched for: what has a term of each of All, and none of
// Without.
type Query struct {
	All     [][]Term
	Without []Term
	Unknown []string // names before a colon that are no field's: they were taken for words
}

// Term is a word, or words that follow each other.
type Term struct {
	Field  string   // the field they stand in, as ParseQuery's caller names it; "": any
	Words  []string // folded
	Prefix bool     // the last may go on
}

// ParseQuery reads what was typed into a search box:
//
//	brass lantern      both words
//	"brass lantern"    one after the other
//	brass OR copper    one of them
//	-lamp              not this word; as is NOT lamp
//	lant*              words that begin so
//	title:lantern      in this field; also title:"brass lantern"
//
// A word with marks in it, such as e-mail, is its parts one after the other.
// field returns the name of a field as it is written in the index, given what
// was typed. There is no text that is a mistake, but one without a word to
// search for is ErrNoWords or ErrOnlyWithout, and a long one ErrTooLong.
func ParseQuery(text string, field func(string) (string, bool)) (*Query, error) {
	p := &queryParser{rest: text, field: field, query: &Query{}}
	for p.next() {
	}
	switch q := p.query; {
	case p.terms > MaxTerms:
		return nil, ErrTooLong
	case len(q.All) == 0 && len(q.Without) > 0:
		return nil, ErrOnlyWithout
	case len(q.All) == 0:
		return nil, ErrNoWords
	}
	return p.query, nil
}

type queryParser struct {
	rest  string
	field func(string) (string, bool)
	query *Query
	terms int
	or    bool // OR stands before what comes
	not   bool // NOT does
}

// next reads a word, phrase or operator. It returns false at the end.
func (p *queryParser) next() bool {
	p.rest = strings.TrimLeftFunc(p.rest, blank)
	if p.rest == "" {
		return false
	}
	negative := false
	for _, dash := range []string{"-", "−", "–"} {
		if after, ok := strings.CutPrefix(p.rest, dash); ok && after != "" && !strings.HasPrefix(after, " ") {
			p.rest, negative = after, true
			break
		}
	}
	if text, ok := p.quoted(); ok {
		p.add("", text, negative)
		return true
	}
	end := strings.IndexFunc(p.rest, func(r rune) bool { return blank(r) || opening(r) })
	if end < 0 {
		end = len(p.rest)
	}
	typed := p.rest[:end]
	p.rest = p.rest[end:]
	switch {
	case typed == "OR" && !negative:
		p.or = true
	case typed == "NOT" && !negative:
		p.not = true
	case typed == "AND" && !negative:
	default:
		p.word(typed, negative)
	}
	return true
}

// quoted takes a phrase in quotes from what comes. Without the closing ones it
// goes to the end.
func (p *queryParser) quoted() (string, bool) {
	opened := strings.IndexFunc(p.rest, opening)
	if opened != 0 {
		return "", false
	}
	_, rest, _ := strings.Cut(p.rest, string([]rune(p.rest)[:1]))
	end := strings.IndexFunc(rest, closing)
	if end < 0 {
		p.rest = ""
		return rest, true
	}
	text := rest[:end]
	after := []rune(rest[end:])
	p.rest = string(after[1:])
	if strings.HasPrefix(p.rest, "*") {
		p.rest = p.rest[1:]
		text += "*"
	}
	return text, true
}

// word adds what was typed between blanks, which may begin with a field.
func (p *queryParser) word(typed string, negative bool) {
	name, value, colon := strings.Cut(typed, ":")
	if !colon || name == "" {
		p.add("", typed, negative)
		return
	}
	field, known := p.field(name)
	phrase, isQuoted := "", false
	if value == "" {
		phrase, isQuoted = p.quoted()
	}
	switch {
	case known && isQuoted:
		p.add(field, phrase, negative)
	case known && value != "":
		p.add(field, value, negative)
	default:
		if (value != "" || isQuoted) && !strings.HasPrefix(value, "//") {
			p.query.Unknown = append(p.query.Unknown, name)
		}
		p.add("", typed+" "+phrase, negative)
	}
}

// add adds a term. One without a letter or digit is left out.
func (p *queryParser) add(field, text string, negative bool) {
	t := Term{Field: field}
	t.Words, t.Prefix = queryWords(text)
	without, or := negative || p.not, p.or
	p.not, p.or = false, false
	q := p.query
	if len(t.Words) == 0 {
		return
	}
	p.terms += len(t.Words)
	switch {
	case without:
		q.Without = append(q.Without, t)
	case or && len(q.All) > 0:
		q.All[len(q.All)-1] = append(q.All[len(q.All)-1], t)
	default:
		q.All = append(q.All, []Term{t})
	}
}

// queryWords takes a term apart. Where it ends within a text without blanks,
// that goes on: the last character stands for no end of a run.
func queryWords(text string) (words []string, prefix bool) {
	text = strings.TrimRightFunc(text, blank)
	prefix = strings.HasSuffix(text, "*")
	var found []word
	eachWord(text, func(w word) { found = append(found, w) })
	if n := len(found); n > 0 && found[n-1].kind == last {
		if n > 1 && found[n-2].kind == pair {
			found = found[:n-1]
		} else {
			prefix = true
		}
	}
	for _, w := range found {
		words = append(words, w.text)
	}
	return words, prefix
}

// blank tells what stands between words. Brackets mean nothing.
func blank(r rune) bool { return unicode.IsSpace(r) || unicode.IsControl(r) || r == '(' || r == ')' }

func opening(r rune) bool {
	return r == '"' || r == '“' || r == '”' || r == '„' || r == '«' || r == '「'
}
func closing(r rune) bool { return r == '"' || r == '“' || r == '”' || r == '»' || r == '」' }

package search

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// Fragment is a part of an excerpt.
type Fragment struct {
	Text  string `json:"text"`
	Match bool   `json:"match,omitempty"` // it is what was searched for
}

// excerptLength is how many characters of a text are shown, and excerptBefore
// how many of them before what was found.
const (
	excerptLength = 160
	excerptBefore = 40
)

// hit is where a term stands in a text, in bytes.
type hit struct{ from, to, term int }

// Snippet returns the excerpt of values that shows most of what q searches
// for, and the name of the value it is from. It has no fragments where none of
// values matches.
func (q *Query) Snippet(values []Value) (name string, excerpt []Fragment) {
	best, bestAt, bestCount := -1, 0, 0
	var bestHits []hit
	for i, v := range values {
		hits := q.hits(v)
		if at, count := densest(hits, v.Text); count > bestCount {
			best, bestAt, bestCount, bestHits = i, at, count, hits
		}
	}
	if best < 0 {
		return "", nil
	}
	v := values[best]
	return v.Name, cutOut(v.Text, bestHits, bestAt)
}

// hits finds the terms of q in a value, ordered by where they begin.
func (q *Query) hits(v Value) []hit {
	var words []word
	eachWord(v.Text, func(w word) { words = append(words, w) })
	var hits []hit
	n := 0
	for _, group := range q.All {
		for _, t := range group {
			n++
			if t.Field != "" && t.Field != v.Field {
				continue
			}
			for i := range words {
				if t.at(words[i:]) {
					hits = append(hits, hit{words[i].from, t.end(words[i:]), n})
				}
			}
		}
	}
	slices.SortStableFunc(hits, func(a, b hit) int { return a.from - b.from })
	return hits
}

// at tells whether words begin with t.
func (t Term) at(words []word) bool {
	if len(words) < len(t.Words) {
		return false
	}
	for i, w := range t.Words {
		have := words[i].text
		if t.Prefix && i == len(t.Words)-1 {
			have = have[:min(len(have), len(w))]
		}
		if have != w {
			return false
		}
	}
	return true
}

// end is the end of t at the beginning of words. Of a pair that only begins
// with what is searched for, the first character counts.
func (t Term) end(words []word) int {
	w := words[len(t.Words)-1]
	if t.Prefix && w.kind == pair && utf8.RuneCountInString(t.Words[len(t.Words)-1]) == 1 && len(words) > len(t.Words) && words[len(t.Words)].from > w.from {
		return words[len(t.Words)].from
	}
	return w.to
}

// densest returns where the excerpt with the most terms begins, and how many
// they are.
func densest(hits []hit, text string) (at, count int) {
	const reach = 3 * (excerptLength - excerptBefore) // bytes, more or less
	if len(hits) > 10_000 {
		hits = hits[:10_000]
	}
	for i := range hits {
		terms := map[int]bool{}
		for _, h := range hits[i:min(len(hits), i+50)] {
			if len(terms) > 0 && (h.to-hits[i].from > reach || utf8.RuneCountInString(text[hits[i].from:h.to]) > excerptLength-excerptBefore) {
				break
			}
			terms[h.term] = true
		}
		if len(terms) > count {
			at, count = hits[i].from, len(terms)
		}
	}
	return at, count
}

// cutOut returns the excerpt around at with the hits in it marked.
func cutOut(text string, hits []hit, at int) []Fragment {
	from := back(text, at, excerptBefore)
	to := forward(text, from, excerptLength)
	var e excerpt
	if from > 0 {
		e.add("…", false)
	}
	done := from
	for _, h := range hits {
		if h.from < from || h.from >= to || h.to <= done {
			continue
		}
		start, end := max(h.from, done), min(h.to, to)
		e.add(text[done:start], false)
		e.add(text[start:end], true)
		done = end
	}
	e.add(text[done:to], false)
	if to < len(text) {
		e.add("…", false)
	}
	return e.fragments
}

// back returns the beginning of a word at most n characters before at.
func back(text string, at, n int) int {
	from := at
	for range n {
		_, size := utf8.DecodeLastRuneInString(text[:from])
		from -= size
	}
	if from > 0 && from < at {
		if i := strings.IndexAny(text[from:at], " \n\t"); i >= 0 {
			from += i + 1
		}
	}
	return from
}

// forward returns the end of a word at most n characters behind from.
func forward(text string, from, n int) int {
	to := from
	for range n {
		_, size := utf8.DecodeRuneInString(text[to:])
		to += size
	}
	if to < len(text) {
		if i := strings.LastIndexAny(text[from:to], " \n\t"); i > (to-from)/2 {
			to = from + i
		}
	}
	return to
}

// excerpt collects fragments. Blanks become one space each, neighbours of one
// kind one fragment.
type excerpt struct {
	fragments []Fragment
	blank     bool // the last character is a space
}

func (e *excerpt) add(text string, match bool) {
	var b strings.Builder
	for _, r := range text {
		space := r == ' ' || r == '\n' || r == '\t' || r == '\r' || r == '\u00a0'
		switch {
		case space && e.blank:
			continue
		case space:
			r = ' '
		}
		e.blank = space
		b.WriteRune(r)
	}
	if b.Len() == 0 {
		return
	}
	if n := len(e.fragments); n > 0 && e.fragments[n-1].Match == match {
		e.fragments[n-1].Text += b.String()
		return
	}
	e.fragments = append(e.fragments, Fragment{b.String(), match})
}

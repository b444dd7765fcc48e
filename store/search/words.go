package search

import (
	"unicode"
	"unicode/utf8"
)

// word is a word of a text, as the index knows it.
type word struct {
	text     string // folded
	from, to int    // its bytes in the text
	kind     kind
}

type kind uint8

const (
	whole kind = iota // a word between blanks
	pair              // two neighbours of a text that is written without blanks
	last              // the last character of such a text
)

// eachWord calls emit for each word of text, in order.
//
// Chinese, Japanese, Korean, Thai and some others are not written with blanks
// between words, or not between all. A run of them becomes its overlapping
// pairs of characters and then its last character alone: 漢字典 is 漢字, 字典,
// 典. Any part of a run is then a phrase, and a single character the beginning
// of a word.
func eachWord(text string, emit func(word)) {
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRuneInString(text[i:])
		if !unicode.IsLetter(r) && !unicode.IsNumber(r) {
			i += size
			continue
		}
		run := unspaced(r)
		end := i + size
		for end < len(text) {
			r, size := utf8.DecodeRuneInString(text[end:])
			if !unicode.IsMark(r) && !ignorable(r) && (!unicode.IsLetter(r) && !unicode.IsNumber(r) || unspaced(r) != run) {
				break
			}
			end += size
		}
		if run {
			emitRun(text[i:end], i, emit)
		} else if folded := fold(text[i:end]); folded != "" {
			emit(word{folded, i, end, whole})
		}
		i = end
	}
}

// emitRun emits the pairs of a run that begins at from.
func emitRun(run string, from int, emit func(word)) {
	for start := 0; start < len(run); {
		end := cut(run, start)
		emitPairs(run[start:end], from+start, emit)
		start = end
	}
}

// cut returns where the piece that begins at start ends: fold takes no more
// than longest characters.
func cut(run string, start int) int {
	n := 0
	for i := range run[start:] {
		if n++; n > longest/2 {
			return start + i
		}
	}
	return len(run)
}

func emitPairs(run string, from int, emit func(word)) {
	folded := []rune(fold(run))
	var starts []int // of each character in the text
	for i := range run {
		starts = append(starts, from+i)
	}
	end := from + len(run)
	exact := len(starts) == len(folded)
	starts = append(starts, end)
	for i := range folded {
		w := word{string(folded[i:]), from, end, last}
		if i+1 < len(folded) {
			w.text, w.kind = string(folded[i:i+2]), pair
		}
		if exact {
			w.from, w.to = starts[i], starts[min(i+2, len(folded))]
		}
		emit(w)
	}
}

// unspaced tells the characters of scripts that have no blank between words,
// or whose words take many endings.
func unspaced(r rune) bool {
	if r < 0xE00 {
		return false
	}
	return r == 'ー' || r == 0xFF70 || r == 0xFF9E || r == 0xFF9F || // half-width, of no script of their own
		unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul,
			unicode.Bopomofo, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar)
}

// ignorable tells invisible characters that stand within words: the soft
// hyphen, the joiners, and marks of direction.
func ignorable(r rune) bool {
	return r == 0xAD || r == 0x200C || r == 0x200D || r == 0x200E || r == 0x200F || r == 0x2060 || r == 0xFEFF
}

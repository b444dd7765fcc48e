// Package score measures how much of one text is in another, in shingles: runs
// of four words, as benchmarks of article extraction count them.
package score

import (
	"hash/maphash"
	"strings"
	"unicode"
)

// Score is the agreement of a text with the truth.
type Score struct{ Precision, Recall, F1 float64 }

// size is how many words are in a shingle.
const size = 4

// Texts scores a text found. Each shingle counts as often as it comes. An
// empty text has full precision, and against an empty truth full recall.
func Texts(found, truth string) Score {
	f, t := shingles(found), shingles(truth)
	same, all, wanted := 0, 0, 0
	for s, n := range f {
		same += min(n, t[s])
		all += n
	}
	for _, n := range t {
		wanted += n
	}
	s := Score{Precision: share(same, all), Recall: share(same, wanted)}
	if s.Precision+s.Recall > 0 {
		s.F1 = 2 * s.Precision * s.Recall / (s.Precision + s.Recall)
	}
	return s
}

func share(part, whole int) float64 {
	if whole == 0 {
		return 1
	}
	return float64(part) / float64(whole)
}

// Mean gives the average of each measure.
func Mean(scores []Score) Score {
	var m Score
	for _, s := range scores {
		m.Precision += s.Precision
		m.Recall += s.Recall
		m.F1 += s.F1
	}
	n := float64(max(1, len(scores)))
	return Score{m.Precision / n, m.Recall / n, m.F1 / n}
}

var seed = maphash.MakeSeed()

// shingles counts the shingles of a text by their hash. A shorter text is one
// shingle.
func shingles(text string) map[uint64]int {
	words := strings.FieldsFunc(text, func(r rune) bool {
		return r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r)
	})
	counts := map[uint64]int{}
	if len(words) == 0 {
		return counts
	}
	for i := 0; i == 0 || i+size <= len(words); i++ {
		var h maphash.Hash
		h.SetSeed(seed)
		for _, w := range words[i:min(i+size, len(words))] {
			h.WriteString(w)
			h.WriteByte(0)
		}
		counts[h.Sum64()]++
	}
	return counts
}

package learn

import (
	"cmp"
	"slices"
	"strings"

	"golang.org/x/net/html"
)

const (
	maxNearTexts = 3
	nearEnough   = 0.4 // of 1
	nearBytes    = 300 // of each text that are compared
)

// near returns texts of a page that are like one that isn't there: those
// that contain it, then those that have most pairs of letters in common.
func near(ix *index, value string) []string {
	value = strings.ToLower(shorten(value, nearBytes))
	if value == "" {
		return nil
	}
	type text struct {
		text  string
		score float64
	}
	var found []text
	want := pairsOf(value)
	for i := range ix.elements {
		e := &ix.elements[i]
		if isCode(e.node) || isTemplate(e.node) {
			continue
		}
		for c := e.node.FirstChild; c != nil; c = c.NextSibling {
			if c.Type != html.TextNode || len(c.Data) < 2 {
				continue
			}
			if score := likeness(c.Data, value, want); score >= nearEnough {
				found = append(found, text{c.Data, score})
			}
		}
		if len(found) > 1000 {
			break
		}
	}
	slices.SortStableFunc(found, func(a, b text) int { return cmp.Compare(b.score, a.score) })
	var list []string
	for _, t := range found {
		if s := excerpt(t.text, value); !slices.Contains(list, s) && len(list) < maxNearTexts {
			list = append(list, s)
		}
	}
	return list
}

// likeness compares a text of the page with the value, in small letters.
func likeness(text, value string, want map[string]int) float64 {
	if len(text) > nearBytes {
		if strings.Contains(strings.ToLower(text), value) {
			return 1
		}
		text = strings.ToValidUTF8(text[:nearBytes], "")
	}
	text = strings.ToLower(oneLine(text))
	if len(value) > 2 && strings.Contains(text, value) {
		return 2 - float64(len(text)-len(value))/nearBytes
	}
	have := pairsOf(text)
	both, all := 0, 0
	for pair, n := range have {
		both += min(n, want[pair])
		all += n
	}
	for _, n := range want {
		all += n
	}
	return 2 * float64(both) / float64(max(1, all))
}

// pairsOf counts the pairs of neighbouring letters.
func pairsOf(s string) map[string]int {
	pairs := map[string]int{}
	last := -1
	for i := range s {
		if last >= 0 {
			end := i + 1
			for end < len(s) && s[end]&0xC0 == 0x80 {
				end++
			}
			pairs[s[last:end]]++
		}
		last = i
	}
	return pairs
}

// excerpt returns a copy of the part of a text around the value.
func excerpt(text, value string) string {
	if i := strings.Index(strings.ToLower(text), value); i > maxNear/2 && len(text) > maxNear {
		text = strings.ToValidUTF8(text[min(i-maxNear/4, len(text)):], "")
	}
	return strings.Clone(shorten(text, maxNear))
}

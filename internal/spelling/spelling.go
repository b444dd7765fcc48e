// Package spelling guesses what a misspelt name was meant to be.
package spelling

import "strings"

// plain leaves out how words are put together.
var plain = strings.NewReplacer("-", "", "_", "", " ", "").Replace

// Nearest returns the one of names that was most likely meant by word; "" where
// none is near. How a word is put together, and its case, count for nothing.
func Nearest(word string, names []string) string {
	folded := plain(strings.ToLower(word))
	best, bestDistance := "", len(folded)/3+2
	for _, name := range names {
		if d := distance(folded, plain(strings.ToLower(name))); d < bestDistance && d < len(name) {
			best, bestDistance = name, d
		}
	}
	return best
}

// longest is how long words are that are compared at all.
const longest = 64

// distance counts the insertions, deletions, substitutions and swaps of
// neighbours that turn a into b, in bytes: the optimal string alignment
// distance.
func distance(a, b string) int {
	if max(len(a), len(b)) > longest {
		return max(len(a), len(b))
	}
	rows := make([][]int, len(a)+1)
	for i := range rows {
		rows[i] = make([]int, len(b)+1)
		rows[i][0] = i
	}
	for j := range rows[0] {
		rows[0][j] = j
	}
	for i := 1; i <= len(a); i++ {
		for j := 1; j <= len(b); j++ {
			change := rows[i-1][j-1]
			if a[i-1] != b[j-1] {
				change++
			}
			rows[i][j] = min(change, rows[i-1][j]+1, rows[i][j-1]+1)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				rows[i][j] = min(rows[i][j], rows[i-2][j-2]+1)
			}
		}
	}
	return rows[len(a)][len(b)]
}

package config

import "strings"

// synonyms are keys that people know from other tools.
var synonyms = map[string]string{
	"selector":   "css",
	"type":       "as",
	"attribute":  "attr",
	"url":        "start",
	"urls":       "start",
	"seeds":      "start",
	"start_url":  "start",
	"start_urls": "start",
	"exclude":    "deny",
	"include":    "allow",
	"max_pages":  "pages",
	"max_depth":  "depth",
	"timeout":    "duration",
	"max_size":   "body",
	"useragent":  "user_agent",
	"workers":    "concurrency",
	"retries":    "times",
	"multiple":   "all",
	"file":       "path",
}

// nearest returns the one of names that was most likely meant by word, or "".
func nearest(word string, names []string) string {
	plain := strings.NewReplacer("-", "", "_", "", " ", "").Replace
	folded := plain(strings.ToLower(word))
	best, bestDistance := "", len(folded)/3+2
	for _, name := range names {
		if synonyms[strings.ToLower(word)] == name {
			return name
		}
		if d := editDistance(folded, plain(name)); d < bestDistance && d < len(name) {
			best, bestDistance = name, d
		}
	}
	return best
}

// editDistance counts the insertions, deletions, substitutions and swaps of
// neighbours that turn a into b (optimal string alignment).
func editDistance(a, b string) int {
	if max(len(a), len(b)) > 64 {
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

// enumerate joins names as people write them: "a, b and c".
func enumerate(names []string, last string) string {
	if len(names) < 2 {
		return strings.Join(names, "")
	}
	n := len(names) - 1
	return strings.Join(names[:n], ", ") + " " + last + " " + names[n]
}

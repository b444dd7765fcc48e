// Package words writes numbers and texts as people read them.
package words

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Counted is a number with its noun.
func Counted(n int64, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// Bytes writes a size for people, in decimal units.
func Bytes(n int64) string {
	if n < 1000 {
		return fmt.Sprintf("%d B", n)
	}
	units := []string{"kB", "MB", "GB", "TB"}
	size := float64(n) / 1000
	i := 0
	for size >= 999.95 && i < len(units)-1 { // what would be written as 1000.0
		size /= 1000
		i++
	}
	return fmt.Sprintf("%.1f %s", size, units[i])
}

// Share is a part of a whole in percent, "" of nothing. 0% and 100% are exact.
func Share(part, whole int64) string {
	switch {
	case whole == 0:
		return ""
	case part == 0 || part == whole:
		return fmt.Sprintf("%d%%", 100*part/whole)
	}
	return fmt.Sprintf("%.1f%%", min(99.9, max(0.1, 100*float64(part)/float64(whole))))
}

// Sentence begins a text with a capital letter and ends it with a full stop.
func Sentence(s string) string {
	first, size := utf8.DecodeRuneInString(s)
	if size == 0 {
		return s
	}
	s = string(unicode.ToUpper(first)) + s[size:]
	if !strings.HasSuffix(s, ".") {
		s += "."
	}
	return s
}

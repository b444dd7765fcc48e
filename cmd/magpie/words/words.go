// Package words writes numbers as people read them.
package words

import "fmt"

// Counted is a number with its noun.
func Counted(n int64, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// Bytes writes a size for people, in decimal units.
func Bytes(n int64) string {
	units := []string{"B", "kB", "MB", "GB", "TB"}
	size := float64(n)
	i := 0
	for size >= 1000 && i < len(units)-1 {
		size /= 1000
		i++
	}
	if i == 0 {
		return fmt.Sprintf("%d B", n)
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

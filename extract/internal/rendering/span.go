package rendering

import (
	"strconv"
	"strings"

	"golang.org/x/net/html"
)

// Bounds of the standard for spans.
const (
	MaxColspan = 1000  // https://html.spec.whatwg.org/multipage/tables.html#dom-tdth-colspan
	MaxRowspan = 65534 // https://html.spec.whatwg.org/multipage/tables.html#dom-tdth-rowspan
)

// Colspan is how many columns a cell of a table spans; 1 where it does not say.
func Colspan(cell *html.Node) int { return max(1, span(cell, "colspan", MaxColspan)) }

// Rowspan is how many rows a cell of a table spans. All rows of its group are
// MaxRowspan.
func Rowspan(cell *html.Node) int {
	if n := span(cell, "rowspan", MaxRowspan); n > 0 {
		return n
	}
	return MaxRowspan
}

// span reads an attribute as the standard's rules for non-negative integers
// have it; 1 where there is none.
//
// https://html.spec.whatwg.org/multipage/common-microsyntaxes.html#rules-for-parsing-non-negative-integers
func span(cell *html.Node, name string, most int) int {
	for _, a := range cell.Attr {
		if a.Key != name || a.Namespace != "" {
			continue
		}
		s := strings.TrimLeft(a.Val, " \t\n\f\r+")
		digits := strings.IndexFunc(s, func(r rune) bool { return r < '0' || r > '9' })
		if digits < 0 {
			digits = len(s)
		}
		if digits == 0 {
			return 1
		}
		n, err := strconv.Atoi(s[:digits])
		if err != nil || n > most { // an error is a number beyond int
			return most
		}
		return n
	}
	return 1
}

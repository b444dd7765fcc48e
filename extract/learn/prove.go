package learn

import (
	"math"
	"strings"

	"github.com/magpie-crawl/magpie/extract"
)

// prove has package extract take the field with a candidate: its first match
// must be the example. Where the type doesn't hold, the text may.
func (s *search) prove(c *candidate) (Learned, bool) {
	types := []extract.Type{c.place.as}
	if c.place.exact && c.place.as != extract.Text {
		types = append(types, extract.Text)
	}
	for _, as := range types {
		x := compile(extract.Item{Name: "x", Each: s.each, Fields: []extract.Field{{Name: "v", CSS: c.css, Attr: c.place.attr, As: as}}})
		if x == nil {
			return Learned{}, false
		}
		v, ok := firstValue(x.Extract(s.scope.page), s.at)
		if !ok || !s.example.same(s.scope.index, as, v) {
			continue
		}
		return Learned{
			Field: s.example.Field, Selector: strings.Clone(c.css), Attr: strings.Clone(c.place.attr), As: as,
			Score: scoreOf(c.score), Why: strings.Clone(c.why), Matches: c.matches,
		}, true
	}
	return Learned{}, false
}

// scoreOf makes of points a number from 0 to 1 with two digits.
func scoreOf(points float64) float64 {
	return math.Round(min(100, max(1, points))) / 100
}

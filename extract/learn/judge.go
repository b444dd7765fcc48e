package learn

import (
	"github.com/magpie-crawl/magpie/extract"
)

// points is what a selector with these matches is worth on its own page.
func (s *search) points(p *place, h hold, matches []int32) float64 {
	points := h.points - 0.05*float64(len(css(h.parts)))
	switch {
	case len(matches) == 1:
	case s.allSay(p, matches):
		points -= 5
	case h.why == "tag" && h.points < 55: // the first of many
		points -= 28
	default:
		points -= 14
	}
	return points
}

// allSay reports whether all matches have the value of the first.
func (s *search) allSay(p *place, matches []int32) bool {
	if len(matches) > 20 {
		return false
	}
	ix := s.scope.index
	for _, i := range matches {
		if p.attr == "" && !ix.elements[i].text.equal(ix.elements[matches[0]].text) {
			return false
		}
		if p.attr != "" {
			a, _ := attr(ix.elements[matches[0]].node, p.attr)
			if b, _ := attr(ix.elements[i].node, p.attr); a != b {
				return false
			}
		}
	}
	return true
}

const (
	forHolding  = 10 // has one sensible value on every other page
	forMissing  = 40 // has none on any
	forSeveral  = 8  // has several on every one
	maxAlike    = 40 // other places that are looked at
	longerText  = 8  // times the example's text, and more is another thing
	longerBytes = 200
)

// judge changes the scores by what the selectors find on the other pages.
func (s *search) judge(all []candidate) {
	alike := s.alike[:min(len(s.alike), maxAlike)]
	if len(alike) == 0 {
		return
	}
	for i := range all {
		c := &all[i]
		hold, miss, several := 0, 0, 0
		for _, other := range alike {
			switch n := s.sensible(c, other); n {
			case 0:
				miss++
			case 1:
				hold++
			default:
				several++
			}
		}
		pages := float64(len(alike))
		c.score += (forHolding*float64(hold) - forMissing*float64(miss) - forSeveral*float64(several)) / pages
	}
}

// sensible returns how many matches a selector has in another scope, 0 if
// what the first one has is nothing like the example.
func (s *search) sensible(c *candidate, other scope) int {
	matches := []int32{other.item}
	if len(c.parts) > 0 {
		matches = other.find(c.parts)
	}
	if len(matches) == 0 || !s.like(c.place, other, matches[0]) {
		return 0
	}
	return len(matches)
}

// like reports whether the value of element i may be one of the field.
func (s *search) like(p *place, other scope, i int32) bool {
	e := &other.elements[i]
	if p.attr != "" {
		value, ok := attr(e.node, p.attr)
		if value = oneLine(value); !ok || value == "" || len(value) > longerText*len(s.example.line)+longerBytes {
			return false
		}
		switch p.as {
		case extract.Text:
			return true
		case extract.URL:
			_, ok := other.canonical(value)
			return ok
		}
		_, ok = given(other.index, p.as, value)
		return ok
	}
	if e.text.size == 0 || e.text.size > longerText*s.example.text.size+longerBytes {
		return false
	}
	if p.as == extract.Text {
		return true
	}
	_, ok := read(other.index, p.as, e.node)
	return ok
}

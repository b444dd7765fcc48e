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
	maxAlike    = 40 // other items of a list that are looked at
	longerText  = 8  // times the example's text, and more is another thing
	longerBytes = 200
)

// judge changes the scores by what the selectors find on the other pages.
func (s *search) judge(all []candidate) {
	if len(s.alike) == 0 {
		return
	}
	for i := range all {
		c := &all[i]
		hold, miss, several := 0, 0, 0
		for k := range s.alike {
			switch s.sensible(c, k) {
			case 0:
				miss++
			case 1:
				hold++
			default:
				several++
			}
		}
		pages := float64(len(s.alike))
		c.score += (forHolding*float64(hold) - forMissing*float64(miss) - forSeveral*float64(several)) / pages
	}
}

// sensible returns how many matches a selector has in alike[k], 0 if what the
// first one has is nothing like the example, or is what another field takes.
func (s *search) sensible(c *candidate, k int) int {
	matches := c.matchesIn(s.alike[k])
	if len(matches) == 0 || !s.like(c.place, s.alike[k], matches[0]) {
		return 0
	}
	for _, other := range s.others {
		if other.first[k] == matches[0] && other.place.attr == c.place.attr {
			return 0
		}
	}
	return len(matches)
}

func (c *candidate) matchesIn(other scope) []int32 {
	if len(c.parts) == 0 {
		return []int32{other.item}
	}
	return other.find(c.parts)
}

// pick returns what a candidate takes.
func (s *search) pick(c *candidate) pick {
	p := pick{place: c.place.spot(), matches: c.matches, first: make([]int32, len(s.alike))}
	for k := range s.alike {
		p.first[k] = -1
		if matches := c.matchesIn(s.alike[k]); len(matches) > 0 {
			p.first[k] = matches[0]
		}
	}
	return p
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

package learn

import "strings"

// candidate is a selector that may select a place.
type candidate struct {
	place   *place
	parts   []part // none: the item's own element
	css     string
	matches int
	score   float64 // see judge.go
	why     string
}

const (
	maxAbove     = 30 // ancestors that a selector may begin with
	maxScoped    = 12 // selectors of a place that begin with an ancestor
	pathPlaces   = 5
	maxPathParts = 40
)

// candidates returns the selectors of a place whose first match is it.
func (s *search) candidates(p *place) []candidate {
	var found []candidate
	for above, i := range p.same {
		cost := 3 * float64(above)
		if i == s.scope.item {
			found = append(found, candidate{place: p, matches: 1, score: 90 - cost + p.points, why: "item"})
			continue
		}
		holds := s.holds(i)
		if l, ok := s.label(i); ok {
			holds = append(holds, l)
		}
		scoped := 0
		for _, h := range holds {
			if s.scope.steps > s.limit {
				break
			}
			h.points -= cost
			c, ok := s.try(p, i, h)
			if ok {
				found = append(found, c)
			}
			if scoped < maxScoped {
				more := s.scoped(p, i, h, ok && c.matches == 1)
				found, scoped = append(found, more...), scoped+len(more)
			}
		}
	}
	if c, ok := s.path(p); ok {
		found = append(found, c)
	}
	return found
}

// try returns the candidate of a hold if its first match is element i.
func (s *search) try(p *place, i int32, h hold) (candidate, bool) {
	matches := s.scope.find(h.parts)
	if len(matches) == 0 || matches[0] != i {
		return candidate{}, false
	}
	c := candidate{place: p, parts: h.parts, css: css(h.parts), matches: len(matches), why: h.why}
	c.score = s.points(p, h, matches) + p.points
	return c, true
}

// scoped returns candidates that look for a hold within an ancestor. Where
// the hold alone is enough, two will do: other pages may have it elsewhere.
func (s *search) scoped(p *place, i int32, h hold, unique bool) (found []candidate) {
	most := 3
	if unique {
		most = 1
	}
	distance := 0.0
	for a := s.scope.elements[i].parent; a >= s.scope.from && distance < maxAbove && len(found) < most; a = s.scope.elements[a].parent {
		distance++
		for _, outer := range s.holds(a) {
			if s.scope.steps > s.limit {
				return found
			}
			if outer.points < 48 || strings.HasPrefix(h.why, "id") {
				continue
			}
			both := hold{
				parts:  append(append([]part{}, outer.parts...), h.parts...),
				points: 0.45*outer.points + 0.55*h.points - 4 - 0.3*distance,
				why:    h.why + " within " + outer.why,
			}
			if unique && h.points >= 55 {
				both.points = min(both.points, h.points-1)
			}
			if c, ok := s.try(p, i, both); ok && c.matches == 1 {
				found = append(found, c)
				break
			}
		}
	}
	return found
}

// path returns a selector that goes down from an ancestor child by child.
func (s *search) path(p *place) (candidate, bool) {
	ix := s.scope.index
	ix.count()
	var below []part
	cost := 0.0
	at := p.at
	for at >= s.scope.from && len(below) < maxPathParts && s.scope.steps <= s.limit {
		e := &ix.elements[at]
		if !isName(e.node.Data) {
			return candidate{}, false
		}
		step := part{'>', compound{tag: e.node.Data}}
		if cost += 3; e.same > 1 {
			step.nth = e.nth
			cost += 2
		}
		below = append([]part{step}, below...)
		at = e.parent
		if at < s.scope.from {
			break
		}
		for _, h := range s.holds(at) {
			if len(s.scope.find(h.parts)) != 1 {
				continue
			}
			path := hold{append(append([]part{}, h.parts...), below...), max(1, 0.3*h.points+8-cost), "position within " + h.why}
			if c, ok := s.try(p, p.at, path); ok {
				return c, true
			}
		}
	}
	if s.scope.item < 0 || at != s.scope.item {
		return candidate{}, false
	}
	return s.try(p, p.at, hold{below, max(1, 30-cost), "position"})
}

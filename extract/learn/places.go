package learn

import (
	"cmp"
	"slices"
	"strings"

	"github.com/magpie-crawl/magpie/extract"
)

// place is where the example's value stands.
type place struct {
	at     int32  // the deepest element that has it
	attr   string // "": the text
	as     extract.Type
	exact  bool    // as it is written, not just the same value
	same   []int32 // at and the elements above that have the same text
	points float64 // how likely the place is meant, at most about 10
}

// spot tells places apart.
type spot struct {
	at   int32
	attr string
}

func (p *place) spot() spot { return spot{p.at, p.attr} }

const (
	maxPlaces   = 20
	maxReadings = 2000 // elements that are read as a type
	maxSame     = 4
)

// places returns where the example's value stands in the scope, the likeliest
// first.
func (s *search) places() []place {
	if s.example.line == "" {
		return nil
	}
	all := slices.Concat(s.texts(), s.readings(), s.attributes())
	for i := range all {
		all[i].points += s.placePoints(&all[i])
	}
	slices.SortStableFunc(all, func(a, b place) int {
		return cmp.Or(cmp.Compare(b.points, a.points), cmp.Compare(a.at, b.at), cmp.Compare(a.attr, b.attr))
	})
	return all[:min(len(all), maxPlaces)]
}

// start is the first element that may have the value: in a list also the item.
func (s *search) start() int32 { return max(0, s.scope.from-1) }

// texts returns the deepest elements whose text is the example.
func (s *search) texts() (found []place) {
	ix := s.scope.index
	var equal []int32
	covered := map[int32]bool{} // a child has the same text
	for i := s.start(); i < s.scope.to; i++ {
		if ix.steps++; ix.elements[i].text.equal(s.example.text) {
			equal = append(equal, i)
			if e := &ix.elements[i]; !e.hidden && e.parent >= 0 {
				covered[e.parent] = true
			}
		}
	}
	for _, i := range equal {
		if !covered[i] {
			found = append(found, place{at: i, as: s.example.as, exact: true, same: s.upward(i)})
		}
	}
	if s.example.as == extract.URL { // the text is a URL, and that is all
		for i := range found {
			found[i].as = extract.Text
		}
	}
	return found
}

// upward returns i and the elements above that have the same text.
func (s *search) upward(i int32) []int32 {
	ix := s.scope.index
	same := []int32{i}
	for len(same) < maxSame && !ix.elements[i].hidden {
		i = ix.elements[i].parent
		if i < s.start() || !ix.elements[i].text.equal(s.example.text) {
			break
		}
		same = append(same, i)
	}
	return same
}

// readings returns the deepest elements whose text reads as the same value.
func (s *search) readings() (found []place) {
	ix := s.scope.index
	tries := 0
	for i := s.scope.to - 1; i >= s.start() && tries < maxReadings; i-- { // from the back: what is within comes first
		e := &ix.elements[i]
		if !s.example.mayBe(e.text.short) || e.text.equal(s.example.text) {
			continue
		}
		if k := len(found); k > 0 && found[k-1].at < e.end { // the last one found is within
			continue
		}
		tries++
		if v, ok := read(ix, s.example.as, e.node); ok && s.example.same(ix, s.example.as, v) && !s.holdsText(i) {
			found = append(found, place{at: i, as: s.example.as, same: []int32{i}, points: -8})
		}
	}
	return found
}

// holdsText reports whether a child of i has the example as its text: then
// i has it only by way of that.
func (s *search) holdsText(i int32) bool {
	ix := s.scope.index
	for c := i + 1; c < min(ix.elements[i].end, i+maxReadings); c++ {
		if ix.elements[c].text.equal(s.example.text) {
			return true
		}
	}
	return false
}

// valueAttributes are those that hold what people see or machines read, with
// the points that a place there is worth.
var valueAttributes = map[string]float64{
	"content": -10, "datetime": -8, "value": -12, "alt": -14, "title": -14, "aria-label": -16, "placeholder": -18,
	"href": -4, "src": -4, "data-src": -8, "action": -12, "poster": -8, "cite": -8,
}

var urlAttributes = setOf("href src data-src action poster cite content data-href data-url")

// attributes returns the attributes that are the example.
func (s *search) attributes() (found []place) {
	ix := s.scope.index
	for i := s.start(); i < s.scope.to; i++ {
		n := ix.elements[i].node
		if isCode(n) && n.Data != "iframe" {
			continue
		}
		for k := range n.Attr {
			a := &n.Attr[k]
			points, ok := valueAttributes[a.Key]
			if !ok && strings.HasPrefix(a.Key, "data-") && isName(a.Key) {
				points, ok = -16, true
			}
			if ix.steps++; !ok || a.Namespace != "" {
				continue
			}
			if as, exact, ok := s.attributeIs(a.Key, a.Val); ok {
				if !exact {
					points -= 4
				}
				found = append(found, place{at: i, attr: a.Key, as: as, exact: exact, same: []int32{i}, points: points})
			}
		}
	}
	return found
}

// attributeIs reports whether an attribute's value is the example, and as
// what type.
func (s *search) attributeIs(name, value string) (as extract.Type, exact, ok bool) {
	w := &s.example
	if w.as == extract.URL && urlAttributes[name] {
		u, ok := s.scope.canonical(strings.TrimSpace(value))
		return extract.URL, true, ok && u == w.url
	}
	if len(value) >= len(w.line) && len(value) <= 2*len(w.line)+200 && oneLine(value) == w.line {
		if urlAttributes[name] && name != "content" {
			return extract.URL, true, true
		}
		return w.as, true, true
	}
	if w.as != extract.URL && w.mayBe(value) && !urlAttributes[name] || name == "content" && w.mayBe(value) {
		v, ok := given(s.scope.index, w.as, value)
		return w.as, false, ok && w.same(s.scope.index, w.as, v)
	}
	return w.as, false, false
}

// placePoints is what the surroundings of a place are worth.
func (s *search) placePoints(p *place) (points float64) {
	ix := s.scope.index
	points = -regionCost[ix.elements[p.at].region]
	at := p.at
	for range maxSame {
		switch ix.elements[at].node.Data {
		case "h1":
			return points + 8
		case "h2":
			return points + 2
		}
		if at = ix.elements[at].parent; at < 0 {
			break
		}
	}
	return points
}

package learn

import (
	"cmp"
	"slices"
	"strings"
)

// List finds the selector of repeated elements that the examples, all of one
// of them, are in, such as the products of a category page or the rows of a
// table, and selectors of the fields within it. The other elements serve to
// check that a field's selector holds.
//
// ok is false where the examples aren't together in an element with at least
// two others like it beside it: then Fields is what to ask.
func List(page Page, examples []Example) (each string, fields []Learned, ok bool) {
	if checkInput([]Page{page}, examples) != nil {
		return "", nil, false
	}
	ix := newIndex(page)
	searches := make([]search, len(examples))
	places := make([][]place, len(examples))
	for i, e := range examples {
		searches[i] = search{example: newWanted(ix, e), scope: ix.document()}
		if places[i] = likely(searches[i].places()); len(places[i]) == 0 {
			return "", nil, false
		}
	}
	searches[0].limit = ix.steps + maxSteps
	for _, start := range places[0][:min(len(places[0]), maxStarts)] {
		group, lowest := ix.repeated(start.at, places)
		if len(group) == 0 {
			continue
		}
		for _, items := range searches[0].items(group, lowest) {
			if fields, ok := listFields(ix, examples, items); ok {
				return items.css, fields, true
			}
		}
	}
	return "", nil, false
}

// likely returns those of an example's places that are about as good as the
// first: a title is in the menu, too.
func likely(places []place) []place {
	const worse = 14
	for i := range places {
		if places[i].points < places[0].points-worse {
			return places[:i]
		}
	}
	return places
}

// items are the matches of a selector, of which one has the examples.
type items struct {
	css     string
	matches []int32
	at      int // the one with the examples
	points  float64
}

const (
	maxStarts        = 10 // places of the first example that are tried
	maxWithin        = 10 // levels between an item and the deepest element that has all examples
	maxItemSelectors = 4  // that are tried
	fewestRepeated   = 3  // elements that make a list
	covered          = 80 // percent of a group that a selector must match once
)

// items returns the selectors of the elements of a group, best first. Each
// matches the member that has the examples, or an element within that has
// all of them, and one in nearly every other member. lowest is the deepest
// element that has all.
func (s *search) items(group []int32, lowest int32) []items {
	ix := s.scope.index
	var found []items
	levels := 0
	for i := lowest; i >= 0 && levels < maxWithin; i = ix.elements[i].parent {
		levels++
		for _, h := range s.itemHolds(i) {
			if ix.steps > s.limit {
				break
			}
			matches := s.scope.find(h.parts)
			at, ok := slices.BinarySearch(matches, i)
			if !ok {
				continue
			}
			once, inside := ix.coverage(group, matches)
			if 100*once < covered*len(group) || inside > once {
				continue
			}
			outside := float64(len(matches)-inside) / float64(len(matches))
			text := css(h.parts)
			found = append(found, items{text, matches, at, h.points - 10*outside - 0.05*float64(len(text))})
		}
		if _, ok := slices.BinarySearch(group, i); ok {
			break
		}
	}
	slices.SortStableFunc(found, func(a, b items) int {
		return cmp.Or(cmp.Compare(b.points, a.points), cmp.Compare(len(a.css), len(b.css)), cmp.Compare(a.css, b.css))
	})
	return found[:min(len(found), maxItemSelectors)]
}

// itemHolds returns what an item can be held by: alone, within an ancestor,
// and as a child of one.
func (s *search) itemHolds(i int32) []hold {
	var list []hold
	own := s.holds(i)
	for _, h := range own {
		if h.why != "tag" || s.scope.elements[i].node.Data == "article" {
			list = append(list, h)
		}
	}
	distance := 0.0
	for a := s.scope.elements[i].parent; a >= 0 && distance < 6; a = s.scope.elements[a].parent {
		distance++
		for _, outer := range s.holds(a) {
			if outer.points < 48 {
				continue
			}
			for _, h := range own {
				if strings.HasPrefix(h.why, "id") {
					continue
				}
				points := 0.45*outer.points + 0.55*h.points - 4 - 0.5*distance
				if h.points >= 55 {
					points = min(points, h.points-1.5)
				}
				list = append(list, hold{append(slices.Clone(outer.parts), h.parts...), points, h.why})
				if distance == 1 {
					child := slices.Clone(h.parts)
					child[0].before = '>'
					list = append(list, hold{append(slices.Clone(outer.parts), child...), points + toChild(h), h.why})
				}
			}
		}
	}
	return list
}

// toChild is what a child combinator is worth before a hold: the name of an
// element means little further down.
func toChild(h hold) float64 {
	if h.why == "tag" {
		return 1
	}
	return -1
}

// coverage returns how many members of a group have exactly one of the
// matches, themselves or within, and how many matches the group has.
func (ix *index) coverage(group, matches []int32) (once, inside int) {
	for _, g := range group {
		in := ix.within(g)
		in.from = g
		n := len(in.cut(matches))
		if inside += n; n == 1 {
			once++
		}
	}
	return once, inside
}

// listFields finds the fields within an item.
func listFields(ix *index, examples []Example, it items) (fields []Learned, ok bool) {
	item := ix.within(it.matches[it.at])
	var others []scope
	for _, m := range it.matches {
		if m != item.item && len(others) < maxAlike {
			others = append(others, ix.within(m))
		}
	}
	searches := make([]search, len(examples))
	for i, e := range examples {
		searches[i] = search{example: newWanted(ix, e), scope: item, alike: others, each: it.css, at: it.at}
	}
	learnAll(searches)
	for i := range searches {
		if len(searches[i].found) == 0 {
			return nil, false
		}
		fields = append(fields, searches[i].found[0])
	}
	return fields, true
}

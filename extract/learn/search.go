package learn

import (
	"cmp"
	"slices"
)

// search is the work on one example.
type search struct {
	example wanted
	scope   scope   // where the example is
	alike   []scope // where a selector should hold as well
	each    string  // in a list: the selector of the items
	at      int     // in a list: which item the example is in
	limit   int     // of the steps of the scope's index: see maxSteps

	others []pick    // what other fields take, which this one is not
	found  []Learned // best first, one for each place
	chosen pick      // what the first of found takes
}

// pick is what a selector takes: of each of the scopes the first match.
type pick struct {
	place   spot // on the example's page
	matches int
	first   []int32 // for each of alike; -1: no match
}

// maxSteps bounds the comparisons of elements for one example, where some
// thousand are usual. Beyond it, the selectors found so far have to do.
const maxSteps = 10_000_000

// learnAll looks for each example. Of two fields that would take the same
// thing from another page, such as a price and the price before, the one with
// the less certain selector is looked for again.
func learnAll(searches []search) {
	for i := range searches {
		searches[i].learn()
	}
	for i := range searches {
		for j := range searches {
			a, b := &searches[i], &searches[j]
			if i != j && a.chosen.clashes(b.chosen) && (a.chosen.matches > b.chosen.matches || a.chosen.matches == b.chosen.matches && i > j) {
				a.others = append(a.others, b.chosen)
			}
		}
	}
	for i := range searches {
		if len(searches[i].others) > 0 {
			searches[i].learn()
		}
	}
}

// clashes reports whether two picks of different places are the same on
// another page.
func (p pick) clashes(q pick) bool {
	if p.matches == 0 || q.matches == 0 || p.place == q.place || p.place.attr != q.place.attr {
		return false
	}
	for k := range p.first {
		if p.first[k] >= 0 && p.first[k] == q.first[k] {
			return true
		}
	}
	return false
}

// learn looks for the example.
func (s *search) learn() {
	s.limit = s.scope.steps + maxSteps
	s.found, s.chosen = nil, pick{}
	s.choose(s.places())
}

// choose tries the selectors of places in the order of their scores, and
// takes those that package extract agrees with.
func (s *search) choose(places []place) {
	var all []candidate
	for i := range places {
		all = append(all, s.candidates(&places[i])...)
	}
	byScore(all)
	s.judge(all[:min(len(all), maxJudged)])
	byScore(all)
	var taken []spot
	tries := 0
	for i := range all {
		c := &all[i]
		if slices.Contains(taken, c.place.spot()) {
			continue
		}
		if tries++; tries > maxProofs || len(s.found) > maxAlternatives {
			break
		}
		if l, ok := s.prove(c); ok {
			if len(s.found) == 0 {
				s.chosen = s.pick(c)
			}
			s.found = append(s.found, l)
			taken = append(taken, c.place.spot())
		}
	}
}

const (
	maxJudged = 60 // candidates that are tried on the other pages
	maxProofs = 60 // candidates that are tried with package extract
)

// byScore sorts the best first; of equals the shorter, then the one that
// comes first in the alphabet, so that the order is always the same.
func byScore(all []candidate) {
	slices.SortStableFunc(all, func(a, b candidate) int {
		return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(len(a.css), len(b.css)), cmp.Compare(a.css, b.css), cmp.Compare(a.place.at, b.place.at))
	})
}

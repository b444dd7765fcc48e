package learn

import (
	"cmp"
	"errors"
	"slices"

	"golang.org/x/net/html"

	"github.com/magpie-crawl/magpie/extract"
)

// Example is a value that someone sees on a page.
type Example struct {
	Field string // a name for it: price
	Value string // as it is read, case and all: £51.77
}

// Page is a page that examples are on, or another one of its site.
type Page struct {
	Root *html.Node // the document node
	URL  string     // its address
}

// Learned says how package extract finds a field.
type Learned struct {
	Field    string
	Selector string       // CSS; "" in a list: the item's own element
	Attr     string       // the attribute that is the value; "": the text
	As       extract.Type // what the value is
	Score    float64      // 0 to 1: how likely the selector is to last
	Why      string       // for people, what the selector holds on to: "id", "itemprop", "class within id", …
	Matches  int          // how many elements of the page the selector matches; the first is the example

	// Alternatives find the value in other places on the page, best first.
	Alternatives []Learned
}

const (
	maxExamples     = 100
	maxPages        = 10 // that selectors are tried on; more are left out
	maxAlternatives = 3
)

// Fields finds a selector for each example, whose values are on pages[0]. The
// first match of a selector there is the example's value. The other pages are
// of the same site. Those built like pages[0] decide between selectors: one
// that has exactly one value of the same kind there is better.
//
// The error is a *NotFoundError where examples are not on the page; what was
// learned of the others is returned with it.
func Fields(pages []Page, examples []Example) ([]Learned, error) {
	if err := checkInput(pages, examples); err != nil {
		return nil, err
	}
	first := newIndex(pages[0])
	var alike []scope
	for _, p := range pages[1:min(len(pages), maxPages)] {
		if p.Root == nil {
			continue
		}
		if ix := newIndex(p); similarity(first, ix) >= sameKind {
			alike = append(alike, ix.document())
		}
	}
	searches := make([]search, len(examples))
	for i, e := range examples {
		searches[i] = search{example: newWanted(first, e), scope: first.document(), alike: alike}
	}
	learnAll(searches)
	var learned []Learned
	var missing []Missing
	for i, e := range examples {
		found := searches[i].found
		if len(found) == 0 {
			missing = append(missing, Missing{Field: e.Field, Value: e.Value, Near: near(first, e.Value)})
			continue
		}
		best := found[0]
		best.Alternatives = found[1:min(len(found), 1+maxAlternatives)]
		learned = append(learned, best)
	}
	if len(missing) > 0 {
		return learned, &NotFoundError{Missing: missing}
	}
	return learned, nil
}

func checkInput(pages []Page, examples []Example) error {
	switch {
	case len(pages) == 0 || pages[0].Root == nil:
		return errors.New("there is no page to learn from")
	case len(examples) == 0:
		return errors.New("there is no example to learn from")
	case len(examples) > maxExamples:
		return errors.New("there are more than 100 examples")
	}
	return nil
}

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

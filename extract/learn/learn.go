package learn

import (
	"errors"

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

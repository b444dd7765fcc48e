package extract

import (
	"errors"

	"golang.org/x/net/html"
)

// Selector is a selector list of CSS as job files have it, see Field.CSS, to be
// used on trees outside of items. It may be used by several goroutines.
//
// https://drafts.csswg.org/selectors-4/
type Selector struct{ list *selector }

// ErrTooMuch says that a page asks a selector for too much work: what was not
// found by then may be there.
var ErrTooMuch = errors.New("there is too much to look at")

// ParseSelector reads a selector list; the error says what is wrong with it.
func ParseSelector(css string) (*Selector, error) {
	list, err := compileSelector(css)
	if err != nil {
		return nil, err
	}
	return &Selector{list}, nil
}

// Each calls yield with the matches below scope in tree order until it returns
// false. As in querySelectorAll what is above scope counts for combinators, and
// the contents of a template are not in the document. It takes time in
// proportion to the tree. The error is ErrTooMuch.
//
// https://dom.spec.whatwg.org/#dom-parentnode-queryselectorall
func (s *Selector) Each(scope *html.Node, yield func(*html.Node) bool) error {
	root := scope
	for root.Parent != nil {
		root = root.Parent
	}
	w := newWork(&Page{Root: root})
	w.each(s.list, scope, yield)
	if w.exhausted() {
		return ErrTooMuch
	}
	return nil
}

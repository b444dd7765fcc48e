package extract

import (
	"errors"
	"fmt"
	"math/bits"
	"strings"

	"github.com/andybalholm/cascadia"
	"golang.org/x/net/html"
)

// selector is a compiled selector list. It is an automaton with one state
// for each compound selector: which states an element reaches depends on
// those that its ancestors and earlier siblings reached, so one walk in
// document order decides for every element, however deep the tree and however
// many combinators. Matching right to left would climb the ancestors of each
// element again, once for each descendant combinator.
//
// https://drafts.csswg.org/selectors-4/#structure
type selector struct {
	parts        []compound
	begins       uint64 // parts that begin a complex selector
	ends         uint64 // parts that end one: an element that reaches them is a match
	after        [combinators]uint64
	combines     bool // there is a combinator
	relative     bool // every complex selector begins with :scope: what is above the scope doesn't matter
	beside       bool // some complex selector looks at the scope's following siblings
	within       bool // some complex selector looks at the scope's descendants
	fromDocument bool // begins with :root
}

// combinator is what stands before a compound selector.
//
// https://drafts.csswg.org/selectors-4/#combinators
type combinator uint8

const (
	descendant combinator = iota
	child
	nextSibling
	subsequentSibling
	combinators
)

// compound is a compound selector: all of it must match one element.
type compound struct {
	needs   needs        // type, IDs, classes and attributes
	basic   cascadia.Sel // cascadia's pseudo-classes; nil: none
	scope   bool         // :scope
	states  []state      // :empty, :lang(…) and their like
	nth     []*nth       // :nth-child(…) and its like
	is      [][]compound // :is(…) and :where(…): one of each list
	not     [][]compound // :not(…): none of any list
	has     []*selector  // :has(…)
	text    cascadia.Sel // :contains(…) and its like, which read all that is below an element
	complex *selector    // in the lists of :is and :not: one with combinators
}

const maxParts = 64 // states fit in a word

// compileSelector reads a selector list. One that begins with a combinator
// is relative to the scope, as if :scope stood before it.
func compileSelector(src string) (*selector, error) {
	if err := notCSS(src); err != nil {
		return nil, err
	}
	list, err := splitList(src)
	if err != nil {
		return nil, err
	}
	s := &selector{relative: true}
	roots := 0
	for _, complex := range list {
		steps, err := splitComplex(complex)
		if err != nil {
			return nil, err
		}
		if err := s.add(steps); err != nil {
			return nil, err
		}
		if beginsWithRoot(steps[0].compound) {
			roots++
		}
	}
	if roots > 0 && roots < len(list) {
		return nil, errors.New("a list can't mix selectors that begin with :root, which look from the document, with others: write alternatives")
	}
	s.fromDocument = roots > 0
	return s, nil
}

// add appends the compounds of one complex selector.
func (s *selector) add(steps []step) error {
	if len(s.parts)+len(steps) > maxParts {
		return fmt.Errorf("more than %d parts in one selector", maxParts)
	}
	for i, st := range steps {
		part, err := compileCompound(st.compound)
		if err != nil {
			return err
		}
		bit := uint64(1) << len(s.parts)
		if i == 0 {
			s.begins |= bit
			s.relative = s.relative && part.scope
			beside := part.scope && len(steps) > 1 && steps[1].before >= nextSibling
			s.beside = s.beside || beside
			s.within = s.within || !beside
		} else {
			s.after[st.before] |= bit
			s.combines = true
		}
		if i == len(steps)-1 {
			s.ends |= bit
		}
		s.parts = append(s.parts, part)
	}
	return nil
}

// reached is what an element's surroundings have reached.
type reached struct {
	ancestors, parent, previous, earlier uint64
}

// below returns what the children of an element that reached got begin with.
func (r reached) below(got uint64) reached {
	return reached{ancestors: r.ancestors | got, parent: got}
}

// behind returns what the next sibling of an element that reached got begins with.
func (r reached) behind(got uint64) reached {
	r.previous = got
	r.earlier |= got
	return r
}

// query is one use of a selector from one scope.
type query struct {
	*selector
	*work
	scope *html.Node   // the element that :scope stands for
	until *html.Node   // where a walk ends; nil: at the last node
	live  uint64       // parts that are tried
	set   *selectorSet // whose index says which; nil: there is none
	got   uint64       // what the element in hand reached
}

// newQuery looks up s from a scope.
func newQuery(s *selector, w *work, scope *html.Node) *query {
	q := &query{selector: s, work: w, scope: scope, live: ^uint64(0)}
	if scope.Type == html.DocumentNode {
		q.scope = rootElement(scope)
	}
	return q
}

// reach returns the states that element n reaches.
func (q *query) reach(n *html.Node, at reached) (got uint64) {
	open := q.begins
	if q.combines {
		open |= at.ancestors<<1&q.after[descendant] | at.parent<<1&q.after[child] |
			at.previous<<1&q.after[nextSibling] | at.earlier<<1&q.after[subsequentSibling]
	}
	if open &= q.live; q.set != nil && open != 0 {
		open = q.set.candidates(q.work, n, open)
	}
	for ; open != 0; open &= open - 1 {
		if i := bits.TrailingZeros64(open); q.parts[i].matches(q, n) {
			got |= 1 << i
		}
	}
	return got
}

// matches puts what is cheap first.
func (c *compound) matches(q *query, n *html.Node) bool {
	if c.scope && n != q.scope || !c.needs.met(n, q.quirks) || c.basic != nil && !c.basic.Match(n) {
		return false
	}
	for _, has := range c.states {
		if !has(q.work, n) {
			return false
		}
	}
	for _, nth := range c.nth {
		if !nth.matches(q, n) {
			return false
		}
	}
	for _, list := range c.is {
		if !anyMatches(list, q, n) {
			return false
		}
	}
	for _, list := range c.not {
		if anyMatches(list, q, n) {
			return false
		}
	}
	for _, inner := range c.has {
		if q.work.first(inner, n) == nil {
			return false
		}
	}
	if c.text != nil && !(q.work.spendBelow(n) && c.text.Match(n)) {
		return false
	}
	return c.complex == nil || q.work.all(c.complex)[n]
}

func anyMatches(list []compound, q *query, n *html.Node) bool {
	for i := range list {
		if list[i].matches(q, n) {
			return true
		}
	}
	return false
}

// beginsWithRoot reports whether a compound selector begins with :root.
func beginsWithRoot(compound string) bool {
	rest, ok := strings.CutPrefix(compound, ":root")
	return ok && (rest == "" || !isNameByte(rest[0]))
}

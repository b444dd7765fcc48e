package htmlparse

import (
	"slices"

	"golang.org/x/net/html"
)

// openElement is an entry of the stack of open elements. The fields beside the element say what lies above it
// (nearer to the root), so that no rule has to walk the stack to know what is open or in scope.
// They are depths: 1 is the root element, 0 means none.
type openElement struct {
	node  *html.Node
	name  string // the name of the token the element was made for: lower-case in foreign elements too
	class elementClass
	tag   tag

	same    int32 // the next element above with this tag, or with this name where the tag is shared
	html    int32 // the nearest element in the HTML namespace, the element itself included
	scope   int32 // the nearest scope boundary, the element itself included
	special int32 // the nearest special element, the element itself included
	barrier int32 // the nearest list item barrier, the element itself included
}

// is says whether the element's type belongs to one of the given sets.
func (e *openElement) is(c elementClass) bool { return e.class&c != 0 }

// openElements is the stack of open elements. The stack grows downwards: the root element is at depth 1,
// the current node at depth len(elements).
//
// https://html.spec.whatwg.org/multipage/parsing.html#the-stack-of-open-elements
type openElements struct {
	elements []openElement
	newest   [tagForeign]int32 // the depth of the lowest open element with a tag, 0 for none; not for tagOther

	// The depths of the lowest open elements by name: of HTML elements without a tag of their own,
	// and of all foreign elements.
	newestOther, newestForeign map[string]int32
}

// depth is the number of open elements.
func (s *openElements) depth() int { return len(s.elements) }

// current gives the current node.
func (s *openElements) current() *openElement { return &s.elements[len(s.elements)-1] }

// at gives the element at a depth.
func (s *openElements) at(depth int) *openElement { return &s.elements[depth-1] }

// has says whether an element with this tag is anywhere on the stack.
func (s *openElements) has(t tag) bool { return s.newest[t] != 0 }

// push makes an element the current node. The arguments are the fields of its entry.
func (s *openElements) push(n *html.Node, name string, t tag, class elementClass) {
	depth := len(s.elements) + 1
	s.elements = slices.Grow(s.elements, 1)[:depth]
	e := s.at(depth) // written field by field: to make an entry and copy it costs far more
	e.node, e.name, e.tag, e.class = n, name, t, class
	s.link(depth)
}

// link fills in what the element at a depth knows of those above it.
func (s *openElements) link(depth int) {
	e := s.at(depth)
	e.html, e.scope, e.special, e.barrier = 0, 0, 0, 0
	if depth > 1 {
		above := s.at(depth - 1)
		e.html, e.scope, e.special, e.barrier = above.html, above.scope, above.special, above.barrier
	}
	d := int32(depth)
	if !e.is(foreign) {
		e.html = d
	}
	if e.is(scopeBoundary) {
		e.scope = d
	}
	if e.is(special) {
		e.special = d
	}
	if e.is(listItemBarrier) {
		e.barrier = d
	}
	e.same = s.setNewest(e, d)
}

// setNewest makes a depth that of the lowest open element with e's tag or name, and gives what it was.
func (s *openElements) setNewest(e *openElement, depth int32) (before int32) {
	if tagOther < e.tag && e.tag < tagForeign {
		before, s.newest[e.tag] = s.newest[e.tag], depth
		return before
	}
	names := &s.newestOther
	if e.is(foreign) {
		names = &s.newestForeign
	}
	before = (*names)[e.name]
	switch {
	case depth == 0:
		delete(*names, e.name)
	case *names == nil:
		*names = map[string]int32{e.name: depth}
	default:
		(*names)[e.name] = depth
	}
	return before
}

// pop takes the current node off the stack. The result is valid until the next push.
func (s *openElements) pop() *openElement {
	e := s.current()
	s.setNewest(e, e.same)
	s.elements = s.elements[:len(s.elements)-1]
	return e
}

// remove takes the element at a depth out of the stack.
func (s *openElements) remove(depth int) {
	s.unlink(depth)
	s.elements = slices.Delete(s.elements, depth-1, depth)
	s.relink(depth)
}

// insert puts an element into the stack so that it stands at a depth.
func (s *openElements) insert(depth int, e openElement) {
	s.unlink(depth)
	s.elements = slices.Insert(s.elements, depth-1, e)
	s.relink(depth)
}

// unlink forgets the elements from a depth down, relink takes them in again: between the two the stack may
// be changed there.
func (s *openElements) unlink(depth int) {
	for i := len(s.elements); i >= depth; i-- {
		e := s.at(i)
		s.setNewest(e, e.same)
	}
}

func (s *openElements) relink(depth int) {
	for i := depth; i <= len(s.elements); i++ {
		s.link(i)
	}
}

// depthOf finds an element on the stack; 0 if it is not there.
func (s *openElements) depthOf(n *html.Node) int {
	for i := len(s.elements); i > 0; i-- {
		if s.at(i).node == n {
			return i
		}
	}
	return 0
}

package htmlparse

import (
	"hash/maphash"
	"slices"

	"golang.org/x/net/html"
)

// formattingElement is an entry of the list of active formatting elements: a marker, or an element with what
// its token said.
type formattingElement struct {
	node  *html.Node      // nil for a marker
	token formattingToken // for making the element again
	depth int             // where the element, or that of the marker, stood on the stack of open elements when it was last there
	hash  uint64          // of token.attr, 0 until Noah's Ark asks for it
}

// formattingToken is what is kept of the start tag of a formatting element. Its attributes are those that the
// parser read: scripts may have changed the element's.
type formattingToken struct {
	tag   tag
	attr  []html.Attribute
	first *html.Node // the element made for the tag itself
}

func (f *formattingElement) isMarker() bool { return f.node == nil }

// activeFormattingElements is the list of active formatting elements.
//
// https://html.spec.whatwg.org/multipage/parsing.html#the-list-of-active-formatting-elements
type activeFormattingElements struct {
	entries []formattingElement
	limit   int // entries after a marker that the list holds: more could never be open at once
	tidyAt  int // the number of entries at which the list is tidied next
}

// push adds an element, by the Noah's Ark clause at most three of a kind after the last marker.
//
// https://html.spec.whatwg.org/multipage/parsing.html#push-onto-the-list-of-active-formatting-elements
func (l *activeFormattingElements) push(f formattingElement) {
	sameTag, sameTagFirst, first := 0, -1, len(l.entries)
	for first > 0 && !l.entries[first-1].isMarker() {
		first--
		if l.entries[first].token.tag == f.token.tag {
			sameTag++
			sameTagFirst = first
		}
	}
	if sameTag >= 3 {
		l.noahsArk(&f, sameTagFirst)
	}
	if len(l.entries)-first >= l.limit {
		l.remove(first)
	}
	l.entries = append(l.entries, f)
}

// noahsArk removes the earliest of three elements, from index first on, that equal f in tag and attributes.
func (l *activeFormattingElements) noahsArk(f *formattingElement, first int) {
	same, earliest := 0, -1
	for i := len(l.entries) - 1; i >= first; i-- {
		e := &l.entries[i]
		if e.token.tag == f.token.tag && e.attrHash() == f.attrHash() && sameAttributes(e.token.attr, f.token.attr) {
			same++
			earliest = i
		}
	}
	if same >= 3 {
		l.remove(earliest)
	}
}

var attrHashSeed = maphash.MakeSeed()

// attrHash is a hash of the attributes whatever their order; never 0.
func (f *formattingElement) attrHash() uint64 {
	if f.hash == 0 {
		for i := range f.token.attr {
			f.hash += maphash.Comparable(attrHashSeed, f.token.attr[i])
		}
		f.hash |= 1
	}
	return f.hash
}

// sameAttributes says whether two elements have the same attributes, in any order.
func sameAttributes(a, b []html.Attribute) bool {
	if len(a) != len(b) {
		return false
	}
	if slices.Equal(a, b) {
		return true
	}
	values := make(map[string]string, len(a))
	for i := range a {
		values[a[i].Key] = a[i].Val
	}
	for i := range b {
		if v, ok := values[b[i].Key]; !ok || v != b[i].Val {
			return false
		}
	}
	return true
}

// insertMarker adds a marker for the current node. Every open element that was listed before stands above it on the
// stack of open elements, and every one that is listed later stands below those.
func (b *treeBuilder) insertMarker() {
	l := &b.formatting
	l.entries = append(l.entries, formattingElement{depth: b.open.depth()})
	if len(l.entries) >= l.tidyAt {
		b.dropUnreachableFormatting()
		l.tidyAt = max(leastTidied, 2*len(l.entries))
	}
}

const leastTidied = 1024 // entries of a list that is not worth tidying

// dropUnreachableFormatting removes the entries that no rule can find any more. Where an element with a marker is closed
// by another one's end tag, a marker too many stays: as each element that is still open takes but one marker with it, the
// earliest markers stay for good, and of what stands before them only elements that are open can be asked for.
func (b *treeBuilder) dropUnreachableFormatting() {
	l := &b.formatting
	stay := 0
	for i := range l.entries {
		if l.entries[i].isMarker() {
			stay++
		}
	}
	for i := range b.open.elements {
		if b.open.elements[i].is(marked) {
			stay--
		}
	}
	kept := l.entries[:0]
	for i, f := range l.entries {
		if f.isMarker() {
			stay--
		}
		if stay <= 0 || !f.isMarker() && b.isOpen(i) {
			kept = append(kept, f)
		}
	}
	clear(l.entries[len(kept):])
	l.entries = kept
}

// clearToLastMarker removes what was added since the last marker, and the marker.
//
// https://html.spec.whatwg.org/multipage/parsing.html#clear-the-list-of-active-formatting-elements-up-to-the-last-marker
func (l *activeFormattingElements) clearToLastMarker() {
	for i := len(l.entries) - 1; i >= 0; i-- {
		if l.entries[i].isMarker() {
			l.entries = l.entries[:i]
			return
		}
	}
	l.entries = l.entries[:0]
}

// lastWithTag finds the last entry with this tag after the last marker; -1 if there is none.
func (l *activeFormattingElements) lastWithTag(t tag) int {
	for i := len(l.entries) - 1; i >= 0 && !l.entries[i].isMarker(); i-- {
		if l.entries[i].token.tag == t {
			return i
		}
	}
	return -1
}

// indexOf finds the entry of an element after the last marker; -1 if there is none.
func (l *activeFormattingElements) indexOf(n *html.Node) int {
	for i := len(l.entries) - 1; i >= 0 && !l.entries[i].isMarker(); i-- {
		if l.entries[i].node == n {
			return i
		}
	}
	return -1
}

// has says whether the element that stands at a depth on the stack of open elements is in the list.
func (l *activeFormattingElements) has(n *html.Node, depth int) bool {
	for i := len(l.entries) - 1; i >= 0; i-- {
		f := &l.entries[i]
		if f.node == n {
			return true
		}
		if f.isMarker() && f.depth <= depth {
			return false // what was listed before stands above the marker's element
		}
	}
	return false
}

func (l *activeFormattingElements) remove(i int) {
	l.entries = slices.Delete(l.entries, i, i+1)
}

// isOpen says whether the element of entry i is on the stack of open elements.
func (b *treeBuilder) isOpen(i int) bool {
	f := &b.formatting.entries[i]
	return f.depth <= b.open.depth() && b.open.at(f.depth).node == f.node
}

// reconstructActiveFormattingElements opens again the formatting elements that were closed by the end of an
// element around them rather than by their end tags. As many are opened as there is room for on the stack.
//
// https://html.spec.whatwg.org/multipage/parsing.html#reconstruct-the-active-formatting-elements
func (b *treeBuilder) reconstructActiveFormattingElements() {
	if len(b.formatting.entries) > 0 { // rarely: asked here, so that the question is inlined
		b.reopenFormattingElements()
	}
}

func (b *treeBuilder) reopenFormattingElements() {
	list := b.formatting.entries
	first := len(list)
	for first > 0 && !list[first-1].isMarker() && !b.isOpen(first-1) {
		first--
	}
	for i := first; i < len(list) && b.hasRoom(); i++ {
		list[i].node = b.insertAgain(&list[i].token)
		list[i].depth = b.open.depth()
	}
}

package htmlparse

import "golang.org/x/net/html"

// adoptionAgency puts right what a formatting element's end tag closes across the ends of other elements.
// Its steps are functions of their own below.
//
// https://html.spec.whatwg.org/multipage/parsing.html#adoption-agency-algorithm
func (b *treeBuilder) adoptionAgency(t *Token) {
	if current := b.open.current(); current.tag == t.tag && !b.formatting.has(current.node, b.open.depth()) {
		b.pop()
		return
	}
	for range 8 {
		entry := b.formatting.lastWithTag(t.tag)
		if entry < 0 {
			b.anyOtherEndTagInBody(t)
			return
		}
		if !b.checkFormattingElement(entry) {
			return
		}
		formattingDepth := b.formatting.entries[entry].depth
		furthest := b.furthestBlock(formattingDepth)
		if furthest == 0 {
			b.popTo(formattingDepth - 1)
			b.formatting.remove(entry)
			return
		}
		b.adopt(entry, furthest)
	}
}

// checkFormattingElement says whether the formatting element is open and in scope. One that is not open is
// dropped from the list.
func (b *treeBuilder) checkFormattingElement(entry int) bool {
	if !b.isOpen(entry) {
		b.parseError(CodeAdoptionAgencyNotOpen)
		b.formatting.remove(entry)
		return false
	}
	depth := b.formatting.entries[entry].depth
	if depth < int(b.open.current().scope) {
		b.parseError(CodeAdoptionAgencyNotInScope)
		return false
	}
	if depth != b.open.depth() {
		b.parseError(CodeAdoptionAgencyNotCurrent)
	}
	return true
}

// furthestBlock gives the depth of the topmost special element below a depth, 0 if there is none.
func (b *treeBuilder) furthestBlock(below int) int {
	if int(b.open.current().special) <= below {
		return 0
	}
	for depth := below + 1; ; depth++ {
		if b.open.at(depth).is(special) {
			return depth
		}
	}
}

// adopt does one round of the outer loop: the furthest block leaves the formatting element, a copy of which
// takes in the block's children.
func (b *treeBuilder) adopt(entry, furthest int) {
	formattingNode := b.formatting.entries[entry].node
	formattingDepth := b.formatting.entries[entry].depth
	commonAncestor := b.open.at(formattingDepth - 1)
	block := b.open.at(furthest).node

	bookmark := entry
	lastNode := b.rebuildBetween(furthest, formattingDepth, &bookmark)
	b.detach(lastNode)
	b.insertAt(b.appropriatePlaceIn(commonAncestor), lastNode)

	entry = b.formatting.indexOf(formattingNode)
	again := b.formatting.entries[entry]
	again.node = b.createAgain(&again.token)
	moveChildren(again.node, block)
	b.positionAdopted(again.node)
	b.insertAt(place{parent: block}, again.node)

	entry = b.formatting.move(entry, bookmark, again)
	b.removeOpen(formattingDepth)
	b.insertOpen(b.open.depthOf(block)+1, entry)
}

// rebuildBetween is the inner loop: of the elements between the furthest block and the formatting element,
// from the lowest up, the first three that are active formatting elements are made again around what was below
// them; the others close. It gives the outermost node of what it built. The bookmark moves behind
// the first element that is made again.
//
// https://html.spec.whatwg.org/multipage/parsing.html#adoption-agency-algorithm (step 4.13)
func (b *treeBuilder) rebuildBetween(furthest, formattingDepth int, bookmark *int) *html.Node {
	block := b.open.at(furthest).node
	lastNode := block
	inner := 0
	for depth := furthest - 1; depth > formattingDepth; depth-- {
		inner++
		node := b.open.at(depth).node
		entry := b.formatting.indexOf(node)
		if inner > 3 && entry >= 0 {
			b.formatting.remove(entry)
			if entry < *bookmark {
				*bookmark--
			}
			entry = -1
		}
		if entry < 0 {
			b.removeOpen(depth)
			continue
		}
		f := &b.formatting.entries[entry]
		f.node = b.createAgain(&f.token)
		b.open.at(depth).node = f.node
		if lastNode == block {
			*bookmark = entry + 1
		}
		b.detach(lastNode)
		b.insertAt(place{parent: f.node}, lastNode)
		b.positionAdopted(f.node)
		lastNode = f.node
	}
	return lastNode
}

// move takes the entry at index from out of the list and puts f in at index to, as counted before. It gives the index of f.
func (l *activeFormattingElements) move(from, to int, f formattingElement) int {
	if to > from {
		to--
		copy(l.entries[from:to], l.entries[from+1:])
	} else {
		copy(l.entries[to+1:from+1], l.entries[to:from])
	}
	l.entries[to] = f
	return to
}

// removeOpen takes the element at a depth out of the stack of open elements, wherever it stands.
func (b *treeBuilder) removeOpen(depth int) {
	b.closed(b.open.at(depth))
	b.open.remove(depth)
	b.shiftFormattingDepths(depth, -1)
}

// insertOpen puts the element of an entry into the stack of open elements at a depth.
func (b *treeBuilder) insertOpen(depth, entry int) {
	b.shiftFormattingDepths(depth-1, +1)
	f := &b.formatting.entries[entry]
	f.depth = depth
	b.open.insert(depth, b.entryOf(f.node, f.token.tag))
}

// shiftFormattingDepths keeps the depths that the list of active formatting elements knows in step with the
// stack: those below a depth change by one.
func (b *treeBuilder) shiftFormattingDepths(below, by int) {
	for i := len(b.formatting.entries) - 1; i >= 0; i-- {
		f := &b.formatting.entries[i]
		if f.depth > below {
			f.depth += by
		} else if f.isMarker() {
			return // what was listed before stands above the marker's element
		}
	}
}

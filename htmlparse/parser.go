package htmlparse

import (
	"slices"

	"golang.org/x/net/html"
)

// Parser parses pages one after the other in memory that it uses again: what it gives is what ParseBytes gives,
// without the cost of new memory for each tree. The zero Parser is ready. It is for one goroutine at a time.
//
// The next call of ParseBytes overwrites the nodes of the Document that the call before gave, and their lists of
// attributes, whoever holds them. The strings in them are not touched: they are as safe to keep as those of the
// function ParseBytes. So a Parser is for programs that are done with a page, but for strings and what was computed,
// when they turn to the next; [Clone] copies nodes that are to be kept.
//
// A Parser holds the last two trees that it made, and some megabytes for the next at most, until it is let go itself.
type Parser struct {
	memory treeMemory
}

// ParseBytes does what the function of that name does. It ends the use of the Document of the call before, also
// where it returns an error.
func (p *Parser) ParseBytes(src []byte, opts *Options) (*Document, error) {
	p.memory.reset()
	if err := opts.check(); err != nil {
		return nil, err
	}
	return parseSource(src, Sniff(src, opts), opts, &p.memory)
}

// treeMemory is what trees are made of, one after the other. A nil one is new memory for each.
type treeMemory struct {
	nodes      slabs[html.Node]
	attributes slabs[html.Attribute]
}

// reset makes all memory free for the next tree.
func (m *treeMemory) reset() {
	if m != nil {
		m.nodes.reset()
		m.attributes.reset()
	}
}

func (m *treeMemory) nodeSlab(size int) []html.Node {
	if m == nil {
		return make([]html.Node, size)
	}
	return m.nodes.take(size)
}

func (m *treeMemory) attributeSlab(size int) []html.Attribute {
	if m == nil {
		return make([]html.Attribute, size)
	}
	return m.attributes.take(size)
}

const (
	slabLength = 128 // of what is used again
	keptSlabs  = 512 // of each kind, which are 7 MB of nodes and 3 MB of attributes: more than nearly all pages need
)

// slabs are slabs of equal size that serve one tree after the other.
type slabs[T any] struct {
	all  [][]T
	used int // the first so many of all are in the tree
	full int // the first so many hold what is in the tree, or was in the one before
}

// take gives a slab of zero values, of at least this size. It is cleared now, and not when it was given back, as it is
// written to next and so comes into the processor's cache but once.
func (s *slabs[T]) take(size int) []T {
	if size > slabLength { // as rare as an element with as many attributes
		return make([]T, size)
	}
	if s.used == len(s.all) {
		s.all = append(s.all, make([]T, slabLength))
	}
	slab := s.all[s.used]
	if s.used++; s.used <= s.full {
		clear(slab)
	}
	s.full = max(s.full, s.used)
	return slab
}

// reset takes all slabs back, and lets go of those that are too many and of what the tree before the last left.
func (s *slabs[T]) reset() {
	for i := s.used; i < s.full; i++ {
		clear(s.all[i])
	}
	if len(s.all) > keptSlabs {
		s.all = slices.Clone(s.all[:keptSlabs])
	}
	s.used, s.full = 0, min(s.used, len(s.all))
}

package extract

import (
	"math/bits"

	"golang.org/x/net/html"
)

// fieldList is the fields of an item with the selectors that are looked up
// for them together, when a record is begun: one walk over the scope where
// there would be one for each field.
type fieldList struct {
	fields []field
	sets   []*selectorSet // more than one only where the selectors have too many parts for a word
	slots  int            // how many selectors the sets have
}

// plan puts the selectors of fields into sets.
func (l *fieldList) plan(fields []field) {
	for i := range fields {
		f := &fields[i]
		if f.any != nil {
			l.plan(f.any)
		}
		source, css := f.source.(cssSource)
		if !css || source.selector == nil || source.document || f.jq != nil || f.nth < 0 {
			continue
		}
		last := len(l.sets) - 1
		if last < 0 || !l.sets[last].takes(source.selector) {
			fresh := &selectorSet{}
			if !fresh.takes(source.selector) {
				continue
			}
			l.sets = append(l.sets, fresh)
			last++
		}
		l.slots++
		f.slot = l.slots
		l.sets[last].add(source.selector, f.slot, f.needed())
	}
}

// needed is how many matches of its selector a field asks for; 0: all.
func (f *field) needed() int {
	switch {
	case f.all:
		return 0
	case f.single: // and one more, which there must not be
		return max(1, f.nth) + 1
	}
	return max(1, f.nth)
}

// hits are the matches that the selectors of a field list have in a scope. A
// nil one has none and knows nothing.
type hits struct {
	slots []slotHits
	log   []hit // of all slots, in document order
}

// slotHits are the matches of one selector, chained through the log.
type slotHits struct {
	count       int
	first, last int  // in the log
	lost        bool // there were too many to note: the selector must be looked up alone
}

type hit struct {
	node *html.Node
	next int // of the same selector, in the log
}

// maxHits bounds what is noted in one scope, where fields that take all their
// matches could ask for each node of a large page.
const maxHits = 1 << 16

// known reports whether the matches of a field's selector have been noted.
func (h *hits) known(f *field) bool {
	return h != nil && f.slot > 0 && !h.slots[f.slot-1].lost
}

// count is how many matches a field's selector has, as far as they are needed.
func (h *hits) count(f *field) int { return h.slots[f.slot-1].count }

// first is the first match of a field's selector, which has one.
func (h *hits) first(f *field) *html.Node { return h.log[h.slots[f.slot-1].first].node }

// each calls yield with the matches of a field's selector in document order
// until it returns false.
func (h *hits) each(f *field, yield func(*html.Node) bool) {
	s := &h.slots[f.slot-1]
	for i, at := 0, s.first; i < s.count && yield(h.log[at].node); i++ {
		at = h.log[at].next
	}
}

// note adds a match of a slot.
func (h *hits) note(slot int, n *html.Node) {
	s := &h.slots[slot-1]
	at := len(h.log)
	h.log = append(h.log, hit{node: n})
	if s.count == 0 {
		s.first = at
	} else {
		h.log[s.last].next = at
	}
	s.last = at
	s.count++
}

// noted reports whether n is the last match of a slot: a list can match an
// element twice.
func (h *hits) noted(slot int, n *html.Node) bool {
	s := &h.slots[slot-1]
	return s.count > 0 && h.log[s.last].node == n
}

// lookUp finds what the fields' selectors match in a scope; nil where there
// is nothing to look up.
func (e *extraction) lookUp(l *fieldList, sc scope) *hits {
	if len(l.sets) == 0 || sc.node == nil {
		return nil
	}
	h := e.takeHits(l.slots)
	for _, set := range l.sets {
		set.lookUp(&e.work, sc, h)
	}
	return h
}

// takeHits gives hits for a number of slots, such as a former record's.
func (w *work) takeHits(slots int) *hits {
	h := &hits{}
	if last := len(w.freeHits) - 1; last >= 0 {
		h, w.freeHits = w.freeHits[last], w.freeHits[:last]
	}
	if cap(h.slots) < slots {
		h.slots = make([]slotHits, slots)
		h.log = make([]hit, 0, slots)
	}
	h.slots, h.log = h.slots[:slots], h.log[:0]
	clear(h.slots)
	return h
}

// giveBack takes hits back that nobody uses any longer.
func (w *work) giveBack(h *hits) {
	if h != nil {
		w.freeHits = append(w.freeHits, h)
	}
}

// lookUp notes the matches of the set's selectors in a scope. A selector that
// has all that are needed is tried no further, and the walk ends with the
// last one.
func (s *selectorSet) lookUp(w *work, sc scope, h *hits) {
	q := newQuery(&s.selector, w, sc.node)
	q.set, q.until = s, sc.until
	below, beside := q.seed(sc.node)
	note := func(n *html.Node) bool {
		for got := q.got & s.ends; got != 0; got &= got - 1 {
			part := bits.TrailingZeros64(got)
			if !s.note(part, n, h) {
				q.live &^= s.own[part]
			}
		}
		return q.live != 0
	}
	if q.live = s.all(); q.walk(firstBelow(sc.node), below, note) && sc.siblings {
		q.walk(sc.node.NextSibling, beside, note)
	}
}

// all is the set of all parts.
func (s *selectorSet) all() uint64 { return 1<<len(s.parts) - 1 }

// note notes a match of the selector that a part ends, and reports whether it
// is to be tried further.
func (s *selectorSet) note(part int, n *html.Node, h *hits) bool {
	slot, limit := s.slots[part], s.limits[part]
	if h.noted(slot, n) {
		return true
	}
	if limit == 0 && len(h.log) >= maxHits {
		h.slots[slot-1].lost = true
		return false
	}
	h.note(slot, n)
	return limit == 0 || h.slots[slot-1].count < limit
}

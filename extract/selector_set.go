package extract

import "golang.org/x/net/html"

// selectorSet is several selectors as one automaton: their parts stand in one
// row, so that one walk over a scope tells for all of them what each element
// reaches. The states of one never become those of the next, as the part that
// begins a selector comes after none. An index by what the parts need names
// the few that an element can match at all.
type selectorSet struct {
	selector
	slots  [maxParts]int // of each part: whose it is
	limits [maxParts]int // of each part: how many matches its selector needs; 0: all
	own    [maxParts]uint64

	// Parts by what they need, the rarest of it. Several names share a bucket:
	// a part found there is a candidate, no more.
	anywhere                          uint64
	byTag, byID, byClass, byAttribute [buckets]uint64
	attributes                        uint64 // all that are not in anywhere or byTag
}

const buckets = 64

// caseBit sets small letters apart from capitals.
const caseBit = 'a' - 'A'

// bucket is where a name stands, in letters of whatever case. Names of HTML
// differ in their length and ends more often than not.
func bucket(name string) int {
	if name == "" {
		return 0
	}
	return (len(name) + int(name[0]|caseBit)*5 + int(name[len(name)-1]|caseBit)*11) % buckets
}

// takes reports whether a selector can be one of a set, and there is room.
// One that looks beside the scope or from the document is walked elsewhere.
func (s *selectorSet) takes(one *selector) bool {
	return !one.beside && !one.fromDocument && len(s.parts)+len(one.parts) <= maxParts
}

// add appends a selector of which so many matches are needed; 0: all.
func (s *selectorSet) add(one *selector, slot, limit int) {
	at := len(s.parts)
	s.parts = append(s.parts, one.parts...)
	s.begins |= one.begins << at
	s.ends |= one.ends << at
	for k := range s.after {
		s.after[k] |= one.after[k] << at
	}
	s.relative = (s.relative || at == 0) && (one.relative || !one.combines)
	s.combines = s.combines || one.combines
	s.within = true
	own := (uint64(1)<<len(one.parts) - 1) << at
	for i := at; i < len(s.parts); i++ {
		s.slots[i], s.limits[i], s.own[i] = slot, limit, own
		s.index(uint64(1)<<i, &s.parts[i].needs)
	}
}

// index files a part under what it needs.
func (s *selectorSet) index(part uint64, d *needs) {
	switch {
	case len(d.ids) > 0:
		s.byID[bucket(d.ids[0])] |= part
	case len(d.classes) > 0:
		s.byClass[bucket(d.classes[0])] |= part
	case d.tag != "":
		s.byTag[bucket(d.tag)] |= part
		return
	case d.attribute() != "":
		s.byAttribute[bucket(d.attribute())] |= part
	default:
		s.anywhere |= part
		return
	}
	s.attributes |= part
}

// candidates returns those of the open parts that n may match. Long lists of
// classes cost steps, as there may be many scopes beside an element.
func (s *selectorSet) candidates(w *work, n *html.Node, open uint64) uint64 {
	found := s.anywhere | s.byTag[bucket(n.Data)]
	if open&s.attributes == 0 {
		return open & found
	}
	for i := range n.Attr {
		a := &n.Attr[i]
		found |= s.byAttribute[bucket(a.Key)]
		switch a.Key {
		case "id":
			found |= s.byID[bucket(a.Val)]
		case "class":
			w.steps -= len(a.Val) / 64
			for word, rest := nextWord(a.Val); word != ""; word, rest = nextWord(rest) {
				found |= s.byClass[bucket(word)]
			}
		}
	}
	return open & found
}

package store

import (
	"crypto/sha256"
	"encoding/binary"
)

// urlHash identifies a URL within the database: see the table urls.
type urlHash [16]byte

func hashURL(jobID int64, url string) urlHash {
	buf := make([]byte, 0, 256) // most URLs fit, and it stays off the heap
	buf = binary.BigEndian.AppendUint64(buf, uint64(jobID))
	buf = append(buf, url...)
	sum := sha256.Sum256(buf)
	return urlHash(sum[:16])
}

// knownLinks remembers URLs that the run has met, so that the same link found
// again need not be looked up. It forgets, in constant room, but is never
// wrong: it compares whole hashes.
type knownLinks struct {
	slots []knownLink
}

type knownLink struct {
	hash  urlHash
	depth int32 // a link at this depth or below it changes nothing
	way   bool  // skipped for the way that led there: an acceptable link changes that
}

// knownSlots, a power of two, takes 6 MB.
const knownSlots = 1 << 18

func newKnownLinks() *knownLinks { return &knownLinks{slots: make([]knownLink, knownSlots)} }

func (k *knownLinks) slot(h urlHash) *knownLink {
	return &k.slots[binary.LittleEndian.Uint32(h[:])&(knownSlots-1)]
}

// settled tells whether a link is sure to change nothing.
func (k *knownLinks) settled(h urlHash, depth int, skip bool) bool {
	s := k.slot(h)
	return s.hash == h && (skip || !s.way && depth >= int(s.depth))
}

func (k *knownLinks) put(h urlHash, depth int, way bool) {
	*k.slot(h) = knownLink{hash: h, depth: int32(depth), way: way}
}

func (k *knownLinks) forget(h urlHash) {
	if s := k.slot(h); s.hash == h {
		*s = knownLink{}
	}
}

func (k *knownLinks) empty() { clear(k.slots) }

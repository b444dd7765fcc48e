// Package simhash makes fingerprints of text that differ in few bits where
// texts differ in little.
//
//	Charikar: Similarity estimation techniques from rounding algorithms (2002)
//	Manku, Jain, Das Sarma: Detecting near-duplicates for web crawling (2007)
package simhash

import "math/bits"

// Builder takes in the words of a text. The zero Builder has none.
type Builder struct {
	ones  [64]uint32 // how many features have each bit, but for those in lanes
	lanes [8]uint64  // the same of the last features: a byte for each bit
	fresh int        // features in lanes
	total int        // features
	last  [2]uint64  // hashes of the words before
	words int
}

// Add takes in the next word. What counts are the runs of three words, so that
// the same words in another order make another text; digits count as one and
// the same, so that dates and page numbers do not.
func (b *Builder) Add(word string) {
	h := hashWord(word)
	if b.words++; b.words > 2 {
		b.feature(mix(b.last[0]*3 ^ mix(b.last[1]*5^h)))
	} else {
		b.feature(mix(h))
	}
	b.last[0], b.last[1] = b.last[1], h
}

// AddFeature takes in a feature by its hash. It counts by itself, whatever is
// added before and after it.
func (b *Builder) AddFeature(hash uint64) {
	b.words++
	b.feature(mix(hash))
}

// Hash is a hash of a word. Digits count as in Add.
func Hash(word string) uint64 { return mix(hashWord(word)) }

// spread has a byte 1 for each bit that is set in its index.
var spread = func() (s [256]uint64) {
	for i := range s {
		for bit := range 8 {
			s[i] |= uint64(i>>bit&1) << (8 * bit)
		}
	}
	return s
}()

// feature counts the bits of h, eight at a time.
func (b *Builder) feature(h uint64) {
	for i := range b.lanes {
		b.lanes[i] += spread[h>>(8*i)&0xff]
	}
	b.total++
	if b.fresh++; b.fresh == 255 { // more would overflow a byte
		b.flush()
	}
}

// flush moves what is in the lanes to where there is room.
func (b *Builder) flush() {
	for i, lane := range b.lanes {
		for bit := range 8 {
			b.ones[8*i+bit] += uint32(lane >> (8 * bit) & 0xff)
		}
		b.lanes[i] = 0
	}
	b.fresh = 0
}

// Words is how many words were added.
func (b *Builder) Words() int { return b.words }

// Sum is the fingerprint of the words so far; 0 if there are none.
func (b *Builder) Sum() (sum uint64) {
	b.flush()
	for i, n := range b.ones {
		if 2*int(n) > b.total {
			sum |= 1 << i
		}
	}
	return sum
}

// Distance is the number of bits in which two fingerprints differ, 0 to 64.
// Manku et al. call pages near-duplicates up to 3.
func Distance(a, b uint64) int { return bits.OnesCount64(a ^ b) }

// hashWord is FNV-1a of a word in which all digits are 0 and a run of them one.
func hashWord(word string) uint64 {
	h := uint64(14695981039346656037)
	digit := false
	for i := range len(word) {
		c := word[i]
		if '0' <= c && c <= '9' {
			if digit {
				continue
			}
			c, digit = '0', true
		} else {
			digit = false
		}
		h = (h ^ uint64(c)) * 1099511628211
	}
	return h
}

// mix spreads the bits of h: the finalizer of MurmurHash3.
func mix(h uint64) uint64 {
	h ^= h >> 33
	h *= 0xff51afd7ed558ccd
	h ^= h >> 33
	h *= 0xc4ceb9fe1a85ec53
	return h ^ h>>33
}

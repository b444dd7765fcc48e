package health

import (
	"encoding/binary"
	"fmt"
	"math"
)

// Outlines adds up the outlines of pages.
type Outlines struct {
	Pages int64
	ones  [64]uint32 // how many have each bit
	Dirty bool       // for who stores it: pages were added
}

// Add takes in what a page looks like.
func (o *Outlines) Add(sum uint64) {
	o.Pages++
	o.Dirty = true
	for bit := range o.ones {
		o.ones[bit] += uint32(sum >> bit & 1)
	}
}

// Difference is how much the pages of two counts differ: 0 is not at all, 1
// as much as pages that have nothing in common, of whose bits every other one
// differs by chance. Where pages differ among themselves so do samples of them:
// 1.5 standard errors are not counted, which is what nearly all bits of such
// samples stay below.
func (o *Outlines) Difference(other *Outlines) float64 {
	var sum float64
	for bit := range o.ones {
		n, m := float64(o.Pages), float64(other.Pages)
		p, q := float64(o.ones[bit])/n, float64(other.ones[bit])/m
		chance := 1.5 * math.Sqrt(p*(1-p)/n+q*(1-q)/m)
		sum += max(0, math.Abs(p-q)-chance)
	}
	return min(1, 2*sum/64)
}

// Encode returns the counts as they are stored.
func (o *Outlines) Encode() []byte {
	b := make([]byte, 0, 256)
	for _, n := range o.ones {
		b = binary.LittleEndian.AppendUint32(b, n)
	}
	return b
}

// Decode is the inverse of Encode, once pages is set.
func (o *Outlines) Decode(b []byte) error {
	if len(b) != 256 || o.Pages < 1 {
		return fmt.Errorf("outlines of %d pages in %d bytes", o.Pages, len(b))
	}
	for bit := range o.ones {
		o.ones[bit] = binary.LittleEndian.Uint32(b[4*bit:])
	}
	return nil
}

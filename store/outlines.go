package store

import (
	"encoding/binary"
	"fmt"
	"math"

	"github.com/magpie-crawl/magpie/crawl"
)

// maxPatterns bounds how many patterns of URLs a run keeps outlines of: those
// that it came to first.
const maxPatterns = 256

// outlineCount adds up the outlines of pages.
type outlineCount struct {
	pages int64
	ones  [64]uint32 // how many have each bit
	dirty bool       // not written yet
}

func (o *outlineCount) add(sum uint64) {
	o.pages++
	o.dirty = true
	for bit := range o.ones {
		o.ones[bit] += uint32(sum >> bit & 1)
	}
}

// difference is how much the pages of two counts differ: 0 is not at all, 1
// as much as pages that have nothing in common, of whose bits every other one
// differs by chance. Where pages differ among themselves so do samples of them:
// 1.5 standard errors are not counted, which is what nearly all bits of such
// samples stay below.
func (o *outlineCount) difference(other *outlineCount) float64 {
	var sum float64
	for bit := range o.ones {
		n, m := float64(o.pages), float64(other.pages)
		p, q := float64(o.ones[bit])/n, float64(other.ones[bit])/m
		chance := 1.5 * math.Sqrt(p*(1-p)/n+q*(1-q)/m)
		sum += max(0, math.Abs(p-q)-chance)
	}
	return min(1, 2*sum/64)
}

func (o *outlineCount) encode() []byte {
	b := make([]byte, 0, 256)
	for _, n := range o.ones {
		b = binary.LittleEndian.AppendUint32(b, n)
	}
	return b
}

func (o *outlineCount) decode(b []byte) error {
	if len(b) != 256 || o.pages < 1 {
		return fmt.Errorf("outlines of %d pages in %d bytes: %w", o.pages, len(b), ErrDamaged)
	}
	for bit := range o.ones {
		o.ones[bit] = binary.LittleEndian.Uint32(b[4*bit:])
	}
	return nil
}

// outline takes in what a page looks like.
func (c *commit) outline(o *crawl.Outline) error {
	if o == nil {
		return nil
	}
	m := &c.run.mirror
	if m.outlines == nil {
		var err error
		if m.outlines, err = c.tx.outlines(c.run.info.ID); err != nil {
			return err
		}
	}
	count := m.outlines[o.Pattern]
	if count == nil {
		if len(m.outlines) >= maxPatterns {
			return nil
		}
		count = &outlineCount{}
		m.outlines[o.Pattern] = count
	}
	count.add(o.Sum)
	return nil
}

// putOutlines writes what the batch added.
func (c *commit) putOutlines() error {
	for pattern, o := range c.run.mirror.outlines {
		if !o.dirty {
			continue
		}
		err := c.tx.exec(`INSERT INTO magpie_outlines (run_id, pattern, pages, ones) VALUES (?, ?, ?, ?)
			ON CONFLICT (run_id, pattern) DO UPDATE SET pages = excluded.pages, ones = excluded.ones`,
			c.run.info.ID, pattern, o.pages, o.encode())
		if err != nil {
			return err
		}
		o.dirty = false
	}
	return nil
}

// outlines reads the outlines of a run, by pattern.
func (t *tx) outlines(runID int64) (map[string]*outlineCount, error) {
	rows, err := t.query(`SELECT pattern, pages, ones FROM magpie_outlines WHERE run_id = ?`, runID)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	all := map[string]*outlineCount{}
	for rows.Next() {
		var pattern string
		var ones []byte
		o := &outlineCount{}
		if err := rows.Scan(&pattern, &o.pages, &ones); err != nil {
			return nil, err
		}
		if err := o.decode(ones); err != nil {
			return nil, err
		}
		all[pattern] = o
	}
	return all, rows.Err()
}

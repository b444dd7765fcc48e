package store

import (
	"fmt"

	"github.com/magpie-crawl/magpie/crawl"
	"github.com/magpie-crawl/magpie/store/internal/health"
)

// maxPatterns bounds how many patterns of URLs a run keeps outlines of: those
// that it came to first.
const maxPatterns = 256

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
		count = &health.Outlines{}
		m.outlines[o.Pattern] = count
	}
	count.Add(o.Sum)
	return nil
}

// putOutlines writes what the batch added.
func (c *commit) putOutlines() error {
	for pattern, o := range c.run.mirror.outlines {
		if !o.Dirty {
			continue
		}
		err := c.tx.exec(`INSERT INTO magpie_outlines (run_id, pattern, pages, ones) VALUES (?, ?, ?, ?)
			ON CONFLICT (run_id, pattern) DO UPDATE SET pages = excluded.pages, ones = excluded.ones`,
			c.run.info.ID, pattern, o.Pages, o.Encode())
		if err != nil {
			return err
		}
		o.Dirty = false
	}
	return nil
}

// outlines reads the outlines of a run, by pattern.
func (t *tx) outlines(runID int64) (map[string]*health.Outlines, error) {
	rows, err := t.query(`SELECT pattern, pages, ones FROM magpie_outlines WHERE run_id = ?`, runID)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	all := map[string]*health.Outlines{}
	for rows.Next() {
		var pattern string
		var ones []byte
		o := &health.Outlines{}
		if err := rows.Scan(&pattern, &o.Pages, &ones); err != nil {
			return nil, err
		}
		if err := o.Decode(ones); err != nil {
			return nil, fmt.Errorf("%w: %w", ErrDamaged, err)
		}
		all[pattern] = o
	}
	return all, rows.Err()
}

package crawl

import "cmp"

// Health says when the figures of a run count as drift: when they are worse
// than usual, which is the median of the runs before. Of each figure the
// default stands for zero, and a negative one turns its rule off.
type Health struct {
	Off bool // no figures are taken and nothing is compared

	// MinRecords is how many records, or pages, there have to be now and
	// usually for them to be compared. Default 20.
	MinRecords int

	// Fill is by how much the share of records that have a field may fall.
	// Default 0.25: from 90% to 65%.
	Fill float64

	// Failures is by how much the share of records may rise in which a field
	// fails its type or its check, and that of rejects. Default 0.1.
	Failures float64

	// Distinct is by what part the number of distinct values of a field may
	// fall, also in relation to the records. Default 0.5.
	Distinct float64

	// Volume is by what part the number of an item's records, and of pages,
	// may fall. Runs that a limit ended are not compared. Default 0.5.
	Volume float64

	// Template is how much the elements of pages at URLs of one pattern may
	// differ from what they were: 0 is not at all, 1 is another site.
	// Default 0.3.
	Template float64
}

// Defaults of Health.
const (
	DefaultHealthRecords  = 20
	DefaultHealthFill     = 0.25
	DefaultHealthFailures = 0.1
	DefaultHealthDistinct = 0.5
	DefaultHealthVolume   = 0.5
	DefaultHealthTemplate = 0.3
)

// WithDefaults returns h with the default in place of what is zero.
func (h Health) WithDefaults() Health {
	h.MinRecords = cmp.Or(h.MinRecords, DefaultHealthRecords)
	h.Fill = cmp.Or(h.Fill, DefaultHealthFill)
	h.Failures = cmp.Or(h.Failures, DefaultHealthFailures)
	h.Distinct = cmp.Or(h.Distinct, DefaultHealthDistinct)
	h.Volume = cmp.Or(h.Volume, DefaultHealthVolume)
	h.Template = cmp.Or(h.Template, DefaultHealthTemplate)
	return h
}

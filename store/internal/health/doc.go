// Package health takes the figures of a run, and says what of them is worse
// than usual.
//
// In go a run's records as JSON ([Item.Take]) and what its pages look like
// ([Outlines.Add]); out come [Figures]: of each field in how many records it
// is, failed, and how many values it has. [Compare] holds them against those
// of the runs before and returns what drifted. Memory is bounded by the number
// of fields, not of records. No database is asked.
package health

package schedule

import "time"

// zoned is an expression by the clock of a zone.
type zoned struct {
	*expression
	zone *time.Location
}

// period is a stretch of time in which a zone keeps its offset from UTC.
type period struct {
	start, end time.Time // zero: without one
	offset     time.Duration
}

// period is the one of t. In years to come a period ends with the year, too.
func (z zoned) period(t time.Time) period {
	t = t.In(z.zone)
	start, end := t.ZoneBounds()
	if !end.IsZero() && !end.After(t) {
		// On the last day of leap years: https://github.com/golang/go/issues/81583
		end = time.Date(t.UTC().Year()+1, 1, 1, 0, 0, 0, 0, time.UTC)
	}
	_, seconds := t.Zone()
	return period{start, end, time.Duration(seconds) * time.Second}
}

// reading is what the clock shows at t by the period's offset.
func (p period) reading(t time.Time) time.Time { return t.UTC().Add(p.offset) }

// next goes through the periods from the one of t on, until the next reading
// is in one of them, or in the leap at its end.
func (z zoned) next(t time.Time) (time.Time, bool) {
	p := z.period(t)
	from := p.reading(t)
	if !p.start.IsZero() {
		from = z.afterShown(from, z.period(p.start.Add(-1)), p.start)
	}
	reading, ok := z.expression.next(from)
	for ok && !p.end.IsZero() && !reading.Before(p.reading(p.end)) {
		q := z.period(p.end)
		begin := q.reading(p.end)
		if reading.Before(begin) && !z.everyHour {
			return p.end, true // it is leapt over
		}
		from = z.afterShown(begin.Add(-1), p, p.end)
		if from.Before(p.reading(p.end).Add(-1)) || !from.Before(reading) {
			reading, ok = z.expression.next(from)
		}
		p = q
	}
	return reading.Add(-p.offset), ok
}

// afterShown is from, or the last reading that p, whose end is at end, showed
// already, if those are not to be due again.
func (z zoned) afterShown(from time.Time, p period, end time.Time) time.Time {
	if shown := p.reading(end).Add(-1); !z.goesOn && from.Before(shown) {
		return shown
	}
	return from
}

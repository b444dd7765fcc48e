package schedule

import (
	"fmt"
	"time"
)

// Options say when a job is due.
type Options struct {
	Cron   string         // five fields (minute, hour, day, month, weekday), six with seconds in front, a tag such as @daily, or "@every 90m"
	Zone   *time.Location // whose clock Cron is about; nil: time.Local
	Jitter time.Duration  // each start is put off by less than this
	Start  time.Time      // not due before this; zero: no bound
	End    time.Time      // not due at this time or later; zero: no bound

	Overlap Overlap
	Missed  Missed
}

// Error is a mistake in Options.
type Error struct {
	Key     string // cron, jitter or end: the one to change
	Message string // what is wrong, and what to write instead
}

func (e *Error) Error() string { return e.Message }

func wrong(key, format string, args ...any) error {
	return &Error{Key: key, Message: fmt.Sprintf(format, args...)}
}

// Due is a time at which a job is to run.
type Due struct {
	Nominal time.Time // what the schedule says
	At      time.Time // when the run is to start: Nominal with jitter, before the next Nominal
}

// Schedule tells when a job is due. It does not change: its methods may be
// called from any goroutine.
type Schedule struct {
	options Options
	seed    string
	times   series
}

// series are the times that an expression stands for.
type series interface {
	// next is the first time after t; false: there is none.
	next(t time.Time) (time.Time, bool)
}

// New reads o. seed spreads the jitter: jobs with different seeds, such as
// their names, start at different times. The error is an *Error.
func New(o Options, seed string) (*Schedule, error) {
	if o.Zone == nil {
		o.Zone = time.Local
	}
	times, err := parse(o)
	if err != nil {
		return nil, err
	}
	s := &Schedule{options: o, seed: seed, times: times}
	if err := s.check(); err != nil {
		return nil, err
	}
	return s, nil
}

// Next is the first due time whose Nominal is after t, however the times
// before it went: what is due is a function of the schedule alone. Its times
// are in the schedule's zone. False: it is never due again.
func (s *Schedule) Next(t time.Time) (Due, bool) {
	nominal, ok := s.nominal(t)
	if !ok {
		return Due{}, false
	}
	return Due{Nominal: nominal, At: nominal.Add(s.delay(nominal))}, true
}

// nominal is the Nominal of Next.
func (s *Schedule) nominal(t time.Time) (time.Time, bool) {
	if start := s.options.Start; !start.IsZero() && t.Before(start) {
		t = start.Add(-1)
	}
	switch year := t.Year(); {
	case year > lastYear:
		return time.Time{}, false
	case year < firstYear:
		t = time.Date(firstYear, 1, 1, 0, 0, 0, 0, time.UTC)
	}
	next, ok := s.times.next(t)
	if !ok || next.Year() > lastYear || !s.options.End.IsZero() && !next.Before(s.options.End) {
		return time.Time{}, false
	}
	return next.In(s.options.Zone), true
}

// No schedule is due outside of these years.
const firstYear, lastYear = 1900, 9999

// check finds what is wrong with the options together.
func (s *Schedule) check() error {
	o := s.options
	if !o.Start.IsZero() && !o.End.IsZero() && !o.Start.Before(o.End) {
		return wrong("end", "end must be after start")
	}
	first, ok := s.nominal(time.Time{})
	if !ok {
		if !o.End.IsZero() {
			return wrong("end", "cron %s is not due between start and end", quote(o.Cron))
		}
		return wrong("cron", "cron %s is never due", quote(o.Cron))
	}
	return s.checkJitter(first)
}

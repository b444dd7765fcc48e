package schedule

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"time"
)

// delay is the jitter of the due time t: a function of it and the seed, in
// whole milliseconds, that ends before the next due time.
func (s *Schedule) delay(t time.Time) time.Duration {
	most := s.options.Jitter
	if most <= 0 {
		return 0
	}
	// Where the clock leaps over due times, two can be closer than elsewhere.
	if next, ok := s.nominal(t); ok {
		most = min(most, next.Sub(t))
	}
	sum := sha256.Sum256(fmt.Appendf(nil, "%d %s", t.Unix(), s.seed))
	d := time.Duration(binary.BigEndian.Uint64(sum[:]) % uint64(most))
	return d.Truncate(time.Millisecond)
}

// looked at are the due times that checkJitter finds the shortest distance of.
const lookedAt = 100

// checkJitter refuses jitter that could reach the next due time.
func (s *Schedule) checkJitter(first time.Time) error {
	if s.options.Jitter <= 0 {
		return nil
	}
	for t, n := first, 0; n < lookedAt; n++ {
		next, ok := s.nominal(t)
		if !ok {
			return nil
		}
		if distance := next.Sub(t); s.options.Jitter >= distance {
			return wrong("jitter", "jitter must be shorter than the time between runs, which is %s", short(distance))
		}
		t = next
	}
	return nil
}

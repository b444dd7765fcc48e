// Package clock makes the time of day a parameter, so that a month of
// schedules is tested in seconds, with the clock of package clocktest.
//
// A wall clock jumps: it is set, and it goes on while the machine sleeps;
// timers do neither. Whoever waits for a time of day takes naps, and looks at
// the clock after each: see [Nap].
package clock

import "time"

// Clock tells the time and wakes up whoever waits.
type Clock interface {
	// Now is the time of day, without a monotonic reading: of two that follow
	// each other the second may be before the first.
	Now() time.Time
	// After sends once, when d has passed; at once if d is not above 0. What
	// passes is what a timer measures: no setting of the clock changes it.
	After(d time.Duration) <-chan time.Time
}

// System is the machine's clock.
var System Clock = system{}

type system struct{}

func (system) Now() time.Time                         { return time.Now().Round(0) }
func (system) After(d time.Duration) <-chan time.Time { return time.After(d) }

// Nap is how long whoever waits for a time of day lets pass at most before they
// look at the clock again: a jump of it is seen within that.
const Nap = 500 * time.Millisecond

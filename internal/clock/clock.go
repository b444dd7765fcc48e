// Package clock makes the time of day a parameter, so that a month of
// schedules is tested in seconds.
//
// A wall clock jumps: it is set, and it goes on while the machine sleeps;
// timers do neither. Whoever waits for a time of day uses [Until], which naps
// and looks at the clock again.
package clock

import (
	"context"
	"time"
)

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

// Nap is how long [Until] waits at most before it looks at the clock again.
const Nap = 500 * time.Millisecond

// Until waits until c shows t or later, however it got there. A jump of the
// clock is seen within a Nap. The error is that of ctx, when it is done first.
func Until(ctx context.Context, c Clock, t time.Time) error {
	for {
		left := t.Sub(c.Now())
		if left <= 0 {
			return nil
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-c.After(min(left, Nap)):
		}
	}
}

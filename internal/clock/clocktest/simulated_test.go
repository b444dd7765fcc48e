package clocktest_test

import (
	"sync"
	"testing"
	"time"

	"github.com/magpie-crawl/magpie/internal/clock"
	"github.com/magpie-crawl/magpie/internal/clock/clocktest"
)

var _ clock.Clock = (*clocktest.Simulated)(nil)

var start = time.Date(2026, 3, 29, 0, 0, 0, 0, time.UTC)

// fired tells whether a timer has.
func fired(c <-chan time.Time) (time.Time, bool) {
	select {
	case t := <-c:
		return t, true
	default:
		return time.Time{}, false
	}
}

func TestAdvanceFiresInOrder(t *testing.T) {
	c := clocktest.NewSimulated(start)
	late, soon, again := c.After(time.Hour), c.After(time.Minute), c.After(time.Minute)
	c.Advance(59 * time.Second)
	if _, ok := fired(soon); ok {
		t.Error("a timer fires too early")
	}
	c.Advance(2 * time.Hour)
	for _, timer := range []struct {
		name string
		c    <-chan time.Time
		want time.Duration
	}{{"soon", soon, time.Minute}, {"again", again, time.Minute}, {"late", late, time.Hour}} {
		if at, ok := fired(timer.c); !ok || !at.Equal(start.Add(timer.want)) {
			t.Errorf("%s fired: %v, at %s", timer.name, ok, at)
		}
	}
	if want := start.Add(2*time.Hour + 59*time.Second); !c.Now().Equal(want) {
		t.Errorf("the clock shows %s, want %s", c.Now(), want)
	}
}

func TestAfterNothing(t *testing.T) {
	c := clocktest.NewSimulated(start)
	for _, d := range []time.Duration{0, -time.Second} {
		if at, ok := fired(c.After(d)); !ok || !at.Equal(start) {
			t.Errorf("after %s: %v, %s", d, ok, at)
		}
	}
	if n := c.Waiters(); n != 0 {
		t.Errorf("%d wait", n)
	}
}

// TestSetMovesNoTimer: neither back nor forward, as with the machine's.
func TestSetMovesNoTimer(t *testing.T) {
	for name, jump := range map[string]time.Duration{"back": -24 * time.Hour, "forward": 24 * time.Hour} {
		t.Run(name, func(t *testing.T) {
			c := clocktest.NewSimulated(start)
			timer := c.After(time.Hour)
			c.Advance(20 * time.Minute)
			c.Set(start.Add(jump))
			if _, ok := fired(timer); ok || c.Waiters() != 1 || !c.Now().Equal(start.Add(jump)) {
				t.Fatalf("after Set: fired %v, %d wait, %s", ok, c.Waiters(), c.Now())
			}
			c.Advance(40*time.Minute - 1)
			if _, ok := fired(timer); ok {
				t.Error("the timer fires before its duration has passed")
			}
			c.Advance(1)
			if at, ok := fired(timer); !ok || !at.Equal(start.Add(jump+40*time.Minute)) {
				t.Errorf("the timer fires: %v, %s", ok, at)
			}
		})
	}
}

func TestAdvanceBackwards(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("time went backwards")
		}
	}()
	clocktest.NewSimulated(start).Advance(-1)
}

// TestBlockUntil drives goroutines that wait again and again.
func TestBlockUntil(t *testing.T) {
	c := clocktest.NewSimulated(start)
	const goroutines, rounds = 8, 100
	var wg sync.WaitGroup
	for range goroutines {
		wg.Go(func() {
			for range rounds {
				<-c.After(time.Second)
			}
		})
	}
	for range rounds {
		c.BlockUntil(goroutines)
		c.Advance(time.Second)
	}
	wg.Wait()
	if want := start.Add(rounds * time.Second); !c.Now().Equal(want) {
		t.Errorf("the clock shows %s, want %s", c.Now(), want)
	}
}

package pace

import (
	"math"
	"testing"
	"time"
)

func TestMeter(t *testing.T) {
	start := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	// every adds n at each step until the end.
	every := func(m *Meter, from, step, until time.Duration, n int64) {
		for at := from; at <= until; at += step {
			m.Add(n, start.Add(at))
		}
	}
	for _, c := range []struct {
		name string
		fill func(m *Meter)
		at   time.Duration
		want float64
	}{
		{"nothing yet", func(*Meter) {}, 0, 0},
		{"steady, from the beginning", func(m *Meter) { every(m, 0, 100*time.Millisecond, 3*time.Second, 2) }, 3 * time.Second, 20},
		{"steady, for long", func(m *Meter) { every(m, 0, 100*time.Millisecond, time.Minute, 2) }, time.Minute, 20},
		{"a burst in the first moment is not taken for a pace", func(m *Meter) { every(m, 0, 1, 9, 1) }, 10 * time.Microsecond, 20},
		{"slower than before", func(m *Meter) {
			every(m, 0, 100*time.Millisecond, time.Minute, 10)
			every(m, time.Minute, 100*time.Millisecond, 66*time.Second, 1)
		}, 66 * time.Second, 10},
		{"one in a while", func(m *Meter) { every(m, 0, 2*time.Second, time.Minute, 1) }, time.Minute, 0.5},
		{"over", func(m *Meter) { every(m, 0, 100*time.Millisecond, time.Minute, 10) }, 66 * time.Second, 0},
		{"over for long", func(m *Meter) { every(m, 0, 100*time.Millisecond, time.Minute, 10) }, 1000 * time.Hour, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			var m Meter
			m.Add(0, start)
			c.fill(&m)
			if got := m.PerSecond(start.Add(c.at)); math.Abs(got-c.want) > c.want/4 {
				t.Errorf("%v, want about %v", got, c.want)
			}
		})
	}
	t.Run("the zero value", func(t *testing.T) {
		var m Meter
		if got := m.PerSecond(start); got != 0 {
			t.Errorf("%v", got)
		}
	})
}

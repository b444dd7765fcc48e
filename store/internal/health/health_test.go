package health

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
)

func TestSketch(t *testing.T) {
	for _, n := range []int{0, 1, 1000, 2 * sketchSize, 2*sketchSize + 1, 10_000, 300_000} {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			var s sketch
			for i := range 2 * n {
				s.add(fmt.Sprint("value ", i%max(n, 1)))
			}
			got, exact := s.count()
			if exact != (n <= 2*sketchSize) {
				t.Errorf("exact = %v", exact)
			}
			if diff := math.Abs(float64(got - int64(n))); exact && diff > 0 || diff > 0.1*float64(n) {
				t.Errorf("count = %d", got)
			}
		})
	}
}

func TestOutlineDifference(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 3))
	count := func(pages int, sum func() uint64) *Outlines {
		var o Outlines
		for range pages {
			o.Add(sum())
		}
		return &o
	}
	one := func() uint64 { return 0x0123456789abcdef }
	other := func() uint64 { return 0xf00dfacecafe1234 }
	noisy := func(of func() uint64) func() uint64 { // half of the bits of each page are its own
		return func() uint64 { return of() ^ random.Uint64()&0xffffffff }
	}
	for _, c := range []struct {
		name     string
		a, b     *Outlines
		min, max float64
	}{
		{"the same", count(20, one), count(20, one), 0, 0},
		{"others", count(20, one), count(20, other), 0.8, 1},
		{"samples of pages that have nothing in common", count(20, random.Uint64), count(20, random.Uint64), 0, 0.1},
		{"samples of pages that have something in common", count(20, noisy(one)), count(40, noisy(one)), 0, 0.1},
		{"of others", count(20, noisy(one)), count(40, noisy(other)), 0.35, 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			if d := c.a.Difference(c.b); d < c.min || d > c.max {
				t.Errorf("difference %.3f, want %.2f to %.2f", d, c.min, c.max)
			}
		})
	}
}

// The figures of a run, through the API and through SQL.

package crawl

import (
	"testing"
	"time"
)

func TestThrottle(t *testing.T) {
	limits := hostLimits{inFlight: 2, maxDelay: time.Minute, adaptive: true, backoff: time.Second}
	with := func(change func(*hostLimits)) hostLimits {
		l := limits
		change(&l)
		return l
	}
	t.Run("a host at ease is not slowed down", func(t *testing.T) {
		var h throttle
		for range 100 {
			h.answered(400*time.Millisecond, 1000, limits)
		}
		if d := h.delay(limits); d != 0 {
			t.Errorf("delay %v", d)
		}
	})
	t.Run("latency is put between requests, what is ordinary apart", func(t *testing.T) {
		var h throttle
		for range 200 {
			h.answered(3*time.Second, 1000, limits)
		}
		if d := h.delay(limits); d < 2400*time.Millisecond || d > 2500*time.Millisecond {
			t.Errorf("delay %v, want about 2.5s", d)
		}
		if d := h.delay(with(func(l *hostLimits) { l.inFlight = 20 })); d > 250*time.Millisecond {
			t.Errorf("delay %v for 20 requests in flight, want a tenth of 2.5s", d)
		}
		for range 200 {
			h.answered(10*time.Millisecond, 1000, limits)
		}
		if d := h.delay(limits); d != 0 {
			t.Errorf("delay %v once it is quick again", d)
		}
	})
	t.Run("a large body says nothing of the host", func(t *testing.T) {
		var h throttle
		for range 200 {
			h.answered(time.Minute, 30<<20, limits)
		}
		if d := h.delay(limits); d != 0 {
			t.Errorf("delay %v", d)
		}
	})
	t.Run("overload doubles the delay up to the limit", func(t *testing.T) {
		var h throttle
		for i, want := range []time.Duration{1, 2, 4, 8, 16, 32, 60, 60} {
			h.overloaded(limits)
			if d := h.delay(limits); d != want*time.Second {
				t.Errorf("after %d: delay %v, want %v", i+1, d, want*time.Second)
			}
		}
	})
	t.Run("and wears off slowly, to nothing", func(t *testing.T) {
		var h throttle
		h.overloaded(limits)
		n := 0
		for last := h.delay(limits); h.delay(limits) > 0; n++ {
			if h.answered(time.Millisecond, 0, limits); h.delay(limits) >= last {
				t.Fatalf("delay %v after %v", h.delay(limits), last)
			}
			last = h.delay(limits)
		}
		if n < 50 || n > 500 {
			t.Errorf("after %d good answers", n)
		}
	})
	t.Run("never below the job's delay", func(t *testing.T) {
		l := with(func(l *hostLimits) { l.delay = 5 * time.Second })
		var h throttle
		for range 1000 {
			h.answered(time.Millisecond, 0, l)
		}
		if d := h.delay(l); d != 5*time.Second {
			t.Errorf("delay %v", d)
		}
		if h.overloaded(l); h.delay(l) != 10*time.Second {
			t.Errorf("delay %v after overload", h.delay(l))
		}
		l.delay = 5 * time.Minute
		if d := h.delay(l); d != 5*time.Minute {
			t.Errorf("delay %v where the job's is beyond the limit", d)
		}
	})
	t.Run("Crawl-delay is capped", func(t *testing.T) {
		h := throttle{crawlDelay: time.Hour}
		if d := h.delay(limits); d != time.Minute {
			t.Errorf("delay %v", d)
		}
	})
	t.Run("not adaptive", func(t *testing.T) {
		h := throttle{crawlDelay: 2 * time.Second, slow: 10 * time.Second, latency: time.Minute}
		if d := h.delay(with(func(l *hostLimits) { l.adaptive = false })); d != 2*time.Second {
			t.Errorf("delay %v", d)
		}
	})
}

func TestNextInterval(t *testing.T) {
	const h = time.Hour
	for _, c := range []struct {
		name          string
		interval, age time.Duration
		same          bool
		want          time.Duration
	}{
		{"the same content", 24 * h, 24 * h, true, 36 * h},
		{"the same for longer than the interval", 24 * h, 100 * h, true, 150 * h},
		{"the same, asked early", 24 * h, h, true, 36 * h},
		{"changed", 24 * h, 30 * h, false, 12 * h},
		{"changed sooner than thought", 24 * h, 4 * h, false, 2 * h},
		{"the clock was set back, the same", 24 * h, -1000 * h, true, 36 * h},
		{"the clock was set back, changed", 24 * h, -1000 * h, false, 12 * h},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := nextInterval(c.interval, c.age, c.same); got != c.want {
				t.Errorf("%v, want %v", got, c.want)
			}
		})
	}
}

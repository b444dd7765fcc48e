// Package pace measures how fast something goes, over the last few seconds.
package pace

import "time"

// window is what a pace is measured over.
const window = slots * slot

const (
	slots = 10
	slot  = 500 * time.Millisecond
)

// Meter adds up what happens and forgets it after a window. It takes the same
// time and memory however much that is. Its zero value begins with the first
// call of a method; it is not safe for concurrent use.
type Meter struct {
	began  time.Time
	counts [slots + 1]int64 // by slot of time since began, in turn; one is being filled
	last   int64            // the slot that is being filled
}

// Add notes that n more have happened at now. Times may not go back.
func (m *Meter) Add(n int64, now time.Time) {
	m.turn(now)
	m.counts[m.last%(slots+1)] += n
}

// PerSecond returns how many a second have happened lately, by now: over a
// window, or since the meter began if that is less.
func (m *Meter) PerSecond(now time.Time) float64 {
	m.turn(now)
	sum := int64(0)
	for _, n := range m.counts {
		sum += n
	}
	// All slots but the one being filled are whole.
	span := min(now.Sub(m.began), window+now.Sub(m.began.Add(time.Duration(m.last)*slot)))
	if span <= 0 {
		return 0
	}
	return float64(sum) / max(span, slot).Seconds()
}

// turn empties the slots that have passed unused.
func (m *Meter) turn(now time.Time) {
	if m.began.IsZero() {
		m.began = now
	}
	at := int64(now.Sub(m.began) / slot)
	for range min(at-m.last, slots+1) {
		m.last++
		m.counts[m.last%(slots+1)] = 0
	}
	m.last = max(m.last, at)
}

// Package clocktest has a clock that tests move.
package clocktest

import (
	"container/heap"
	"sync"
	"time"
)

// Simulated is a clock.Clock that stands still until it is moved. Its methods may be
// called from any goroutine.
type Simulated struct {
	mu      sync.Mutex
	changed *sync.Cond // a timer was added
	now     time.Time
	passed  time.Duration // since the start, as timers measure it: Set does not change it
	timers  timers
	added   int
}

// NewSimulated returns a clock that shows start.
func NewSimulated(start time.Time) *Simulated {
	s := &Simulated{now: start.Round(0)}
	s.changed = sync.NewCond(&s.mu)
	return s
}

// Now is the time that the clock was moved to.
func (s *Simulated) Now() time.Time {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.now
}

// After sends the clock's time when it was advanced by d.
func (s *Simulated) After(d time.Duration) <-chan time.Time {
	s.mu.Lock()
	defer s.mu.Unlock()
	c := make(chan time.Time, 1)
	if d <= 0 {
		c <- s.now
		return c
	}
	s.added++
	heap.Push(&s.timers, timer{at: s.passed + d, order: s.added, c: c})
	s.changed.Broadcast()
	return c
}

// Advance lets d pass: timers that end meanwhile fire in their order, each
// with the time it ends at. Timers that are set in answer count from the end
// of d: advance by small steps, and call BlockUntil between them, where the
// ones who wait set the next. d must not be negative: see Set.
func (s *Simulated) Advance(d time.Duration) {
	if d < 0 {
		panic("clocktest: time does not go backwards, only the clock can be set back: use Set")
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	end := s.passed + d
	for len(s.timers) > 0 && s.timers[0].at <= end {
		t := heap.Pop(&s.timers).(timer)
		s.move(t.at)
		t.c <- s.now
	}
	s.move(end)
}

// move lets time pass until passed.
func (s *Simulated) move(passed time.Duration) {
	s.now = s.now.Add(passed - s.passed)
	s.passed = passed
}

// Set makes the clock show t, before or after what it shows now, as when
// someone sets it or the machine was asleep. No timer fires by it, and each
// keeps the duration that it has left, as those of the machine do.
func (s *Simulated) Set(t time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.now = t.Round(0)
}

// Waiters is the number of timers that have not fired, those that nobody
// listens to any more with them.
func (s *Simulated) Waiters() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.timers)
}

// BlockUntil returns when there are at least n Waiters.
func (s *Simulated) BlockUntil(n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for len(s.timers) < n {
		s.changed.Wait()
	}
}

// timer is one call of After.
type timer struct {
	at    time.Duration // passed when it fires
	order int           // among those that fire at once
	c     chan<- time.Time
}

// timers is a heap: the first to fire is in front.
type timers []timer

func (ts timers) Len() int      { return len(ts) }
func (ts timers) Swap(i, j int) { ts[i], ts[j] = ts[j], ts[i] }
func (ts *timers) Push(t any)   { *ts = append(*ts, t.(timer)) }

func (ts timers) Less(i, j int) bool {
	if ts[i].at != ts[j].at {
		return ts[i].at < ts[j].at
	}
	return ts[i].order < ts[j].order
}

func (ts *timers) Pop() any {
	last := len(*ts) - 1
	t := (*ts)[last]
	*ts = (*ts)[:last]
	return t
}

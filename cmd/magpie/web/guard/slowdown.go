package guard

import (
	"sync"
	"time"
)

const (
	freeGuesses  = 5                // wrong tokens that nobody minds: people mistype
	longestPause = 10 * time.Second // short, since who shares the address waits too
	forgetAfter  = 15 * time.Minute
	maxGuessers  = 10000 // addresses remembered
)

// slowdown makes an address wait that gave wrong tokens: longer after each.
type slowdown struct {
	mu    sync.Mutex
	wrong map[string]*guesses
	now   func() time.Time
}

type guesses struct {
	count int
	last  time.Time
	until time.Time // nothing is looked at before
}

func newSlowdown() *slowdown { return &slowdown{wrong: map[string]*guesses{}, now: time.Now} }

// try lets an address show what it knows, unless it must wait first. One try
// at a time is looked at: many at once are no way around the wait.
func (s *slowdown) try(address string, right func() bool) (ok bool, wait time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	now := s.now()
	g := s.wrong[address]
	switch {
	case g != nil && g.until.After(now):
		return false, g.until.Sub(now)
	case right():
		delete(s.wrong, address)
		return true, 0
	case g == nil || now.Sub(g.last) > forgetAfter:
		s.forget(now)
		g = &guesses{}
		s.wrong[address] = g
	}
	g.count++
	g.last = now
	if over := g.count - freeGuesses; over >= 0 {
		g.until = now.Add(min(longestPause, time.Second<<min(over, 10)))
	}
	return false, 0
}

// forget makes room for another address.
func (s *slowdown) forget(now time.Time) {
	if len(s.wrong) < maxGuessers {
		return
	}
	oldest := ""
	for address, g := range s.wrong {
		if now.Sub(g.last) > forgetAfter {
			delete(s.wrong, address)
		} else if oldest == "" || g.last.Before(s.wrong[oldest].last) {
			oldest = address
		}
	}
	if len(s.wrong) >= maxGuessers {
		delete(s.wrong, oldest)
	}
}

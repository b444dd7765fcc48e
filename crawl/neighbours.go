package crawl

import "time"

// granted gets the host's turn from the crawls that share Hosts; take uses it.
// Without leave the host goes back into the heap, or waits there for a call.
func (s *scheduler) granted(h *host, now time.Time) bool {
	if s.guest == nil || h.down() {
		return true
	}
	limit, delay := h.terms(s.limits)
	seat, g := s.guest.ask(h.seat, h.name, limit, delay, now)
	h.seat = seat
	h.adopt(g.lesson)
	switch {
	case g.turn > 0:
		s.grant, h.bar = g, bar{until: g.next}
		if g.delay > delay {
			h.bar.why = WaitNeighbour
		}
		return true
	case h.down(): // as another crawl has found
		h.bar = bar{}
	default:
		h.bar = bar{closed: g.next.IsZero(), until: g.next, why: g.wait}
	}
	s.update(h)
	return false
}

// terms are what the crawl would keep to by itself.
func (h *host) terms(l hostLimits) (limit int, delay time.Duration) {
	limit = l.inFlight
	if !h.greeted {
		limit = 1 // its robots.txt and its health are still to be learned
	}
	return limit, h.delay(l)
}

// adopt takes in what another crawl has learned of the host; l may be nil.
func (h *host) adopt(l *lesson) {
	if l == nil {
		return
	}
	h.failures = l.failures
	h.leaveAlone(l.pause, l.why)
	h.next = latest(h.next, h.pause)
}

// learn takes in an answer, and tells the crawls that share Hosts of it.
func (s *scheduler) learn(h *host, a answer) {
	if a.grant == 0 {
		h.learn(a, s.limits)
		return
	}
	h.adopt(s.guest.news(h.seat))
	pause := h.pause
	h.learn(a, s.limits)
	h.bar = bar{}
	var l *lesson
	if !a.unsent && !a.private {
		l = &lesson{failures: h.failures}
		if h.pause.After(pause) {
			l.pause, l.why = h.pause, h.why
		}
	}
	limit, delay := h.terms(s.limits)
	s.guest.done(h.seat, &a, limit, delay, l)
}

// warn tells other crawls of what the store kept of a host.
func (s *scheduler) warn(h *host, now time.Time) {
	if s.guest != nil && h.pause.After(now) {
		s.guest.warn(h.name, lesson{pause: h.pause, why: h.why}, now)
	}
}

// bell rings when another crawl has made room, see called.
func (s *scheduler) bell() <-chan struct{} {
	if s.guest == nil {
		return nil
	}
	return s.guest.bell
}

// called puts the hosts back where they belong at which another crawl has made
// room.
func (s *scheduler) called() {
	for _, name := range s.guest.calls() {
		if h := s.hosts[name]; h != nil {
			h.bar = bar{}
			s.update(h)
		}
	}
}

// ready tells the crawls that share Hosts whether this one would take a turn.
func (s *scheduler) ready(would bool) {
	if s.guest != nil && s.guest.ready.Load() != would {
		s.guest.ready.Store(would)
	}
}

// leave gives up the crawl's seat at a host.
func (s *scheduler) leave(h *host) {
	if h.seat != nil {
		s.guest.leave(h.seat, time.Now())
		h.seat, h.bar = nil, bar{}
	}
}

// leaveAll gives up all seats; nothing is in flight any more.
func (s *scheduler) leaveAll() {
	s.ready(false)
	for _, h := range s.hosts {
		s.leave(h)
	}
}

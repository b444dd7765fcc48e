package crawl

import (
	"sync"
	"sync/atomic"
	"time"
)

// Hosts lets crawls of one process be polite together: what all of them send
// to a host at the same time stays within what any one of them may send. Give
// the same Hosts to each by Options.Hosts. Its zero value is ready; it is safe
// for concurrent use.
//
// Of the crawls that are at a host, which is from a crawl's first request
// there until it has no URL of the host left, these hold for all:
//
//   - as many requests are in flight to the host in sum as the smallest
//     Politeness.PerHost of theirs allows, and one alone while one of them has
//     yet to hear from the host for the first time,
//   - between the starts of two requests is the longest delay of theirs: their
//     Politeness.Delay, the Crawl-delay that the host asks of them, what they
//     have learned from its slowness,
//   - a host that wants to be left alone, by Retry-After or by its failures, is
//     left alone by all, later ones of the process too; one that one of them
//     gives up is given up by all that are there.
//
// Crawls that wait for a host take turns: who waits longest is next. What a
// login asks for is not counted.
type Hosts struct {
	mu    sync.Mutex
	known map[string]*sharedHost
	sweep int // at how many of them those without a crawl are looked through
}

// minSweep is below how many hosts it is not worth looking which can go.
const minSweep = 1000

// claimGrace is for how long a crawl may leave a turn that is its own to the
// next before others take it: its scheduler may be held up.
const claimGrace = 100 * time.Millisecond

// sharedHost is what crawls know together of one host.
type sharedHost struct {
	name     string
	seats    []*seat // of the crawls that are there
	inFlight int
	turns    int           // how often a request was allowed
	began    time.Time     // when the last of these was, as far as is known
	before   time.Time     // what began was before that
	sent     time.Time     // when the last request went out whose answer is there
	took     time.Duration // that one
	freed    time.Time     // when there was last one in flight less
	claims   uint64        // seats that have had to wait
	quiet    time.Time     // of one without a crawl: nothing is owed to it any more
	lesson   lesson
}

// lesson is what one crawl has learned of a host and others have to know.
type lesson struct {
	number   uint64 // of the lessons so far
	pause    time.Time
	why      Wait // pause
	failures int  // in a row
}

// seat is a crawl's place at a host.
type seat struct {
	host     *sharedHost
	of       *guest
	limit    int           // requests in flight that it would allow
	delay    time.Duration // that it would keep
	inFlight int
	claim    uint64 // its place among those that wait; 0: none
	refused  bool   // it is to be woken when there is room
	learned  uint64 // number of the last lesson that it has taken in
}

// guest is one crawl among those that share Hosts.
type guest struct {
	hosts *Hosts
	ready atomic.Bool   // its scheduler would send something if it was allowed to
	bell  chan struct{} // rung when woken is not empty
	woken []string      // hosts to ask again for, under hosts.mu
}

func (hs *Hosts) guest() *guest {
	if hs == nil {
		return nil
	}
	return &guest{hosts: hs, bell: make(chan struct{}, 1)}
}

// grant is what a crawl is told that wants to send a request.
type grant struct {
	turn   int           // sharedHost.turns, to be handed back with the answer; 0: not now
	delay  time.Duration // that all keep
	next   time.Time     // with a turn: none after it before; else when to ask again, zero: the crawl is woken
	wait   Wait          // why not now
	lesson *lesson       // nil: none that is new to the crawl
}

// ask wants a turn at a host for a crawl that would allow so many requests in
// flight and keep such a delay by itself. It takes the crawl's seat there; pass
// nil for the first time.
func (g *guest) ask(s *seat, name string, limit int, delay time.Duration, now time.Time) (*seat, grant) {
	hs := g.hosts
	hs.mu.Lock()
	defer hs.mu.Unlock()
	if s == nil {
		s = &seat{of: g, host: hs.host(name, now)}
		s.host.seats = append(s.host.seats, s)
	}
	s.limit, s.delay = limit, delay
	out := s.host.allow(s, now)
	out.lesson = s.news()
	return s, out
}

// host returns the host of that name, a new one if nobody was there.
func (hs *Hosts) host(name string, now time.Time) *sharedHost {
	h := hs.known[name]
	if h != nil {
		return h
	}
	if hs.known == nil {
		hs.known = map[string]*sharedHost{}
	}
	if len(hs.known) >= max(hs.sweep, minSweep) {
		for name, h := range hs.known {
			if len(h.seats) == 0 && !h.quiet.After(now) {
				delete(hs.known, name)
			}
		}
		hs.sweep = 2 * len(hs.known)
	}
	h = &sharedHost{name: name}
	hs.known[name] = h
	return h
}

// allow gives a seat a turn, or says when to ask again.
func (h *sharedHost) allow(s *seat, now time.Time) grant {
	limit, delay := h.terms()
	refuse := func(next time.Time, why Wait) grant {
		s.refused = true
		if s.claim == 0 {
			h.claims++
			s.claim = h.claims
		}
		return grant{next: next, wait: why}
	}
	next, why := h.next(delay), WaitNeighbour
	if len(h.seats) == 1 {
		why = WaitDelay
	}
	if h.lesson.pause.After(next) {
		next, why = h.lesson.pause, h.lesson.why
	}
	free := limit - h.inFlight
	switch {
	case next.After(now):
		return refuse(next, why)
	case free <= 0:
		return refuse(time.Time{}, WaitNeighbour)
	}
	if delay > 0 {
		free = 1 // the next has to wait for its time
	}
	if h.ahead(s) >= free {
		if due := latest(next, h.freed).Add(claimGrace); due.After(now) {
			return refuse(due, WaitNeighbour)
		}
		h.forfeit(s)
	}
	s.claim, s.refused = 0, false
	s.inFlight++
	h.inFlight++
	h.turns++
	h.before, h.began = h.began, now
	return grant{turn: h.turns, delay: delay, next: h.next(delay)}
}

// terms are what all that are at the host can agree to.
func (h *sharedHost) terms() (limit int, delay time.Duration) {
	for i, s := range h.seats {
		if i == 0 || s.limit < limit {
			limit = s.limit
		}
		delay = max(delay, s.delay)
	}
	return limit, delay
}

// next is when the next request may start where such a delay is kept.
func (h *sharedHost) next(delay time.Duration) time.Time {
	if h.turns == 0 {
		return time.Time{}
	}
	next := h.began.Add(delay)
	if !h.sent.IsZero() {
		next = latest(next, h.sent.Add(spacing(delay, h.took)))
	}
	return next
}

// ahead is how many other crawls could take a turn now and have waited longer.
func (h *sharedHost) ahead(s *seat) (n int) {
	for _, other := range h.seats {
		if other.before(s) && other.of.ready.Load() {
			n++
		}
	}
	return n
}

// forfeit takes their places from those who have let their turn pass.
func (h *sharedHost) forfeit(s *seat) {
	for _, other := range h.seats {
		if other.before(s) {
			other.claim = 0
		}
	}
}

// before says that a seat has waited longer than another.
func (s *seat) before(other *seat) bool {
	return s.claim > 0 && (other.claim == 0 || s.claim < other.claim)
}

// news is what the seat's crawl does not know yet.
func (s *seat) news() *lesson {
	if s.learned == s.host.lesson.number {
		return nil
	}
	s.learned = s.host.lesson.number
	l := s.host.lesson
	return &l
}

// news is what other crawls have learned of a host since the seat's last asked.
func (g *guest) news(s *seat) *lesson {
	g.hosts.mu.Lock()
	defer g.hosts.mu.Unlock()
	return s.news()
}

// done ends a turn at a host: limit and delay are what the crawl allows by
// itself from now on. l is what it knows now; nil: what concerns it alone.
func (g *guest) done(s *seat, a *answer, limit int, delay time.Duration, l *lesson) {
	g.hosts.mu.Lock()
	defer g.hosts.mu.Unlock()
	h := s.host
	s.limit, s.delay = limit, delay
	s.inFlight--
	h.inFlight--
	h.freed = time.Now()
	switch {
	case a.unsent && a.grant == h.turns:
		h.began = h.before
	case !a.unsent && a.sent.After(h.sent):
		h.sent, h.took = a.sent, a.took
	}
	if l != nil {
		h.teach(s, *l)
	}
	h.wake(s)
}

// teach takes in what a seat's crawl knows.
func (h *sharedHost) teach(s *seat, l lesson) {
	known := &h.lesson
	if l.failures == known.failures && !l.pause.After(known.pause) {
		return
	}
	known.failures = l.failures
	if l.pause.After(known.pause) {
		known.pause, known.why = l.pause, l.why
	}
	known.number++
	s.learned = known.number
}

// warn tells of a host that wants to be left alone, as a crawl knows from an
// earlier process.
func (g *guest) warn(name string, l lesson, now time.Time) {
	g.hosts.mu.Lock()
	defer g.hosts.mu.Unlock()
	h := g.hosts.host(name, now)
	if l.pause.After(h.lesson.pause) {
		h.lesson.pause, h.lesson.why = l.pause, l.why
	}
	h.quiet = latest(h.quiet, h.lesson.pause)
}

// wake lets those ask again who wait for another's request to end.
func (h *sharedHost) wake(by *seat) {
	for _, s := range h.seats {
		if s == by || !s.refused {
			continue
		}
		s.refused = false
		s.of.woken = append(s.of.woken, h.name)
		select {
		case s.of.bell <- struct{}{}:
		default: // it is rung already
		}
	}
}

// calls returns the hosts to ask again for.
func (g *guest) calls() []string {
	g.hosts.mu.Lock()
	defer g.hosts.mu.Unlock()
	names := g.woken
	g.woken = nil
	return names
}

// leave gives a seat up. What it has in flight has ended by now.
func (g *guest) leave(s *seat, now time.Time) {
	hs, h := g.hosts, s.host
	hs.mu.Lock()
	defer hs.mu.Unlock()
	_, delay := h.terms()
	if s.inFlight > 0 { // the crawl was broken off: when it was sent is not known
		h.inFlight -= s.inFlight
		h.began, h.before = now, now
	}
	for i, other := range h.seats {
		if other == s {
			h.seats = append(h.seats[:i], h.seats[i+1:]...)
			break
		}
	}
	if len(h.seats) > 0 {
		h.freed = now
		h.wake(s)
		return
	}
	h.lesson.failures = 0 // a later run asks again
	if h.quiet = latest(h.next(delay), h.lesson.pause); !h.quiet.After(now) {
		delete(hs.known, h.name)
	}
}

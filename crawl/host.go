package crawl

import (
	"container/heap"
	"slices"
	"time"
)

// hostLimits is what every host is granted.
type hostLimits struct {
	inFlight int           // requests at a time
	delay    time.Duration // between the starts of two requests, at least
	maxDelay time.Duration // the longest that a host may make of it
	adaptive bool          // the delay follows how the host is doing
	backoff  time.Duration // pause after a first failure, doubled for each next in a row
	resumed  time.Time     // when the run was taken up from an earlier process; zero: it was not
}

// maxBackoff bounds how long a host is left alone after failures.
const maxBackoff = time.Minute

// MaxRetryAfter bounds how long a host is left alone at its own wish, and so
// for how long any request is put off.
const MaxRetryAfter = time.Hour

// deadAfter is how many failures in a row, each after the pause that the one
// before it brought, make a host count as down: some five minutes.
const deadAfter = 10

// host is what politeness and scheduling know of one host.
type host struct {
	name     string
	window   []Request // due, in order, not handed out
	more     bool      // the store may have further requests that are due
	wake     time.Time // when the store's first request that is not yet due will be; zero: none
	open     []int64   // handed out and not committed
	inFlight int       // being fetched
	greeted  bool      // has answered, or failed to, at least once
	turns    int       // how often a request was handed out
	next     time.Time // no request before
	owed     time.Time // the end of the delay after the last request that was sent
	throttle           // the delay
	failures int       // in a row
	pause    time.Time // failures before this belong to the last one
	why      Wait      // pause
	known    bool      // the store was asked what it knows of the host
	kept     bool      // the store has something to know
	pending  int64     // URLs to be visited, those handed out included
	sitemaps sitemapsInHand

	seat *seat // among the crawls that are at the host; nil: it has none, or they don't share Hosts
	bar  bar   // what other crawls are let go first for

	at      time.Time // its turn, the heap's key
	index   int       // in the heap; -1: not there
	counted bool      // among scheduler.active
}

// bar keeps a host from its turn for the sake of other crawls.
type bar struct {
	closed bool      // until one of them has ended a request
	until  time.Time // else until then
	why    Wait
}

// answer is what a request taught about its host.
type answer struct {
	host       string
	turn       int           // see job.turn
	grant      int           // see job.grant
	unsent     bool          // no request was sent
	sent       time.Time     // when the last request went out
	took       time.Duration // from there to the end of its answer
	size       int64         // bytes of the answer's body
	failed     bool          // it brought no response, or one that says the host is overloaded
	overloaded bool          // it says so
	retryAfter time.Duration // what it asked for; 0: nothing
	closed     time.Time     // nothing may be sent before, for want of its robots.txt
	private    bool          // that it failed means nothing to other crawls
	ruled      bool          // its robots.txt is known
	crawlDelay time.Duration // of its robots.txt; 0: none

	lesson chan<- *HostState // what is to be kept of the host with the visit
}

// working says that the host has requests pending or open.
func (h *host) working() bool {
	return len(h.window) > 0 || h.more || !h.wake.IsZero() || len(h.open) > 0
}

// turn returns when the host is to be looked at next, false if an event has
// to come first.
func (h *host) turn(l hostLimits) (time.Time, bool) {
	limit := l.inFlight
	if !h.greeted {
		limit = 1 // its robots.txt and its health are still to be learned
	}
	next := latest(h.next, h.bar.until)
	closed := h.bar.closed
	if h.down() {
		next, closed = time.Time{}, false // nothing is sent any more
	}
	switch {
	case h.inFlight >= limit || closed:
		return time.Time{}, false
	case len(h.window) > 0:
		return latest(next, h.sitemaps.hold), true
	case h.more:
		return next, true
	case !h.wake.IsZero():
		return latest(next, h.wake), true
	case len(h.open) > 0:
		return time.Time{}, false
	default:
		return h.next, true // to be forgotten once no delay is owed
	}
}

// learn takes in an answer.
func (h *host) learn(a answer, l hostLimits) {
	if a.ruled {
		h.crawlDelay = a.crawlDelay
	}
	h.leaveAlone(a.closed, WaitRobots)
	if a.unsent {
		if a.turn == h.turns { // nothing was asked of the host since the last request
			h.next = h.owed
		}
		h.next = latest(h.next, h.pause)
		return
	}
	h.greeted = true
	now := time.Now()
	first := a.closed.After(now) || now.After(h.pause)
	switch {
	case !a.failed:
		h.answered(a.took, a.size, l)
	case a.overloaded && first:
		h.overloaded(l)
	}
	h.owe(a, l)
	if !a.failed {
		h.failures = 0
		return
	}
	if first {
		h.failures++
	}
	if h.next = latest(h.next, h.pause); h.failures == 1 && !a.overloaded {
		return // one connection that broke says nothing of the host
	}
	h.leaveAlone(now.Add(backoff(l.backoff, h.failures, maxBackoff)), WaitBackoff)
	if a.retryAfter > 0 {
		h.leaveAlone(now.Add(min(a.retryAfter, MaxRetryAfter)), WaitRetryAfter)
	}
	h.next = latest(h.next, h.pause)
}

// leaveAlone sees that nothing is sent before a time, and notes why.
func (h *host) leaveAlone(until time.Time, why Wait) {
	if until.After(h.pause) {
		h.pause, h.why = until, why
	}
}

// owe puts the delay after a request.
func (h *host) owe(a answer, l hostLimits) {
	h.owed = latest(h.owed, a.sent.Add(spacing(h.delay(l), a.took)))
	h.next = latest(h.next, h.owed)
}

// state is what the store is to keep of the host, nil if there is nothing to
// know and it knows nothing.
func (h *host) state(now time.Time) *HostState {
	s := HostState{CrawlDelay: h.crawlDelay, Slow: h.slow, Failures: h.failures}
	if next := latest(h.next, h.pause); next.After(now) {
		s.NotBefore = next
	}
	if s == (HostState{}) && !h.kept {
		return nil
	}
	h.kept = s != HostState{}
	return &s
}

// recall takes in what the store kept of the host. Of times that only a wrong
// clock can have written, no more is believed than could be true.
func (h *host) recall(s HostState, now time.Time, l hostLimits) {
	h.known, h.kept = true, s != HostState{}
	h.crawlDelay, h.slow, h.failures = s.CrawlDelay, min(s.Slow, l.maxDelay), s.Failures
	if !s.NotBefore.IsZero() {
		h.pause, h.why = now.Add(min(s.NotBefore.Sub(now), MaxRetryAfter)), WaitKept
		h.next = latest(h.next, h.pause)
	}
	// What was in flight when an earlier process ended is not known.
	h.next = latest(h.next, l.resumed.Add(h.delay(l)))
}

// down says that the host is given up for this run.
func (h *host) down() bool { return h.failures >= deadAfter }

// close forgets a request that was committed.
func (h *host) close(id int64) {
	if i := slices.Index(h.open, id); i >= 0 {
		h.open = slices.Delete(h.open, i, i+1)
	}
}

// backoff is first doubled for each failure after the first, at most limit.
func backoff(first time.Duration, failures int, limit time.Duration) time.Duration {
	d := first
	for range failures - 1 {
		if d >= limit {
			break
		}
		d *= 2
	}
	return min(d, limit)
}

func latest(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}

// hostHeap orders hosts by their turn; it keeps host.index.
type hostHeap []*host

func (q hostHeap) Len() int           { return len(q) }
func (q hostHeap) Less(i, j int) bool { return q[i].at.Before(q[j].at) }
func (q hostHeap) Swap(i, j int) {
	q[i], q[j] = q[j], q[i]
	q[i].index, q[j].index = i, j
}

// Push implements heap.Interface; use add.
func (q *hostHeap) Push(x any) {
	h := x.(*host)
	h.index = len(*q)
	*q = append(*q, h)
}

// Pop implements heap.Interface; use remove.
func (q *hostHeap) Pop() any {
	old := *q
	h := old[len(old)-1]
	old[len(old)-1] = nil
	*q = old[:len(old)-1]
	h.index = -1
	return h
}

func (q *hostHeap) add(h *host) { heap.Push(q, h) }

func (q *hostHeap) fix(h *host) { heap.Fix(q, h.index) }

func (q *hostHeap) remove(h *host) {
	if h.index >= 0 {
		heap.Remove(q, h.index)
	}
}

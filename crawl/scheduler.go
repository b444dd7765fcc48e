package crawl

import (
	"context"
	"time"
)

// maxWindow and minWindow bound how many requests of one host wait in memory;
// windowBudget is what all hosts share.
const (
	minWindow    = 4
	maxWindow    = 128
	windowBudget = 20_000
)

// scheduler decides which request goes out next. It keeps a window of due
// requests for each host, and the hosts in a heap by the time of their next
// request. It belongs to one goroutine.
//
// Nothing is claimed in the store: what has been handed out and not committed
// is known here alone, so that after a crash it is simply still pending.
type scheduler struct {
	run    Run
	limits hostLimits
	hosts  map[string]*host
	heap   hostHeap
	active int    // hosts that have requests pending or open
	held   int    // requests in the windows
	open   int    // requests handed out and not committed
	free   int    // workers that wait for a job
	guest  *guest // among the crawls that share Hosts; nil: it shares none
	grant  grant  // the turn that peek has got and take uses
	queue  int64  // pending requests, those handed out included

	due func(Request, time.Time) bool // see session.due; nil: every request is
}

func newScheduler(run Run, limits hostLimits, shared *Hosts) *scheduler {
	return &scheduler{run: run, limits: limits, hosts: map[string]*host{}, guest: shared.guest()}
}

// load learns the hosts that have pending URLs.
func (s *scheduler) load(ctx context.Context) error {
	s.queue = 0
	return s.run.Hosts(ctx, func(q HostQueue) bool {
		h := s.host(q.Host)
		h.more, h.wake = q.Due.IsZero(), q.Due
		h.pending = q.Pending
		s.queue += q.Pending
		s.update(h)
		return true
	})
}

// host returns the host of that name, a new one if it was not known.
func (s *scheduler) host(name string) *host {
	h := s.hosts[name]
	if h == nil {
		h = &host{name: name, index: -1}
		s.hosts[name] = h
	}
	return h
}

// peek returns the host whose turn it is at now: its window is not empty. If
// there is a worker for it, it has the leave of the crawls that share Hosts, and
// is to be taken at once. When it is nobody's turn yet peek returns nil and the
// time to ask again, zero if only an event can change that.
func (s *scheduler) peek(ctx context.Context, now time.Time) (*host, time.Time, error) {
	for len(s.heap) > 0 {
		h := s.heap[0]
		if h.at.After(now) {
			return nil, h.at, nil
		}
		if len(h.window) > 0 {
			if !s.bringForward(h, now) {
				s.update(h)
				continue
			}
			if s.free > 0 && !s.granted(h, now) {
				continue
			}
			return h, time.Time{}, nil
		}
		if err := s.refill(ctx, h, now); err != nil {
			return nil, time.Time{}, err
		}
		s.update(h)
		if !h.working() {
			s.forget(h)
		}
	}
	return nil, time.Time{}, nil
}

// refill reads the host's next window from the store.
func (s *scheduler) refill(ctx context.Context, h *host, now time.Time) error {
	if !h.more && (h.wake.IsZero() || h.wake.After(now)) {
		return nil
	}
	if !h.known {
		state, err := s.run.HostState(ctx, h.name)
		if err != nil {
			return err
		}
		h.recall(state, now, s.limits)
		s.warn(h, now)
		if h.next.After(now) && !h.down() {
			return nil
		}
	}
	limit := min(max(windowBudget-s.held, minWindow), maxWindow)
	due, next, err := s.run.Window(ctx, h.name, now, limit, h.open)
	if err != nil {
		return err
	}
	h.window, h.wake, h.more = due, next, len(due) == limit
	s.held += len(due)
	return nil
}

// job is a request that is handed to a worker.
type job struct {
	Request
	down  bool          // its host is given up: not to be sent
	delay time.Duration // between two requests to its host
	turn  int           // of host.turns
	grant int           // of sharedHost.turns; 0: it needs none
}

// take makes a job of the host's next request, for a worker that waits for one.
func (s *scheduler) take(h *host, now time.Time) job {
	j := job{Request: h.window[0], down: h.down(), delay: h.delay(s.limits)}
	h.sitemaps.take(&j.Request, now)
	h.open = append(h.open, h.window[0].ID)
	h.window = h.window[1:]
	s.held--
	h.inFlight++
	h.turns++
	j.turn = h.turns
	h.next = now.Add(j.delay)
	if s.grant.turn > 0 {
		j.grant, j.delay = s.grant.turn, max(j.delay, s.grant.delay)
		s.grant = grant{}
	}
	s.open++
	s.free--
	s.update(h)
	return j
}

// fetched frees the place of a request at its host, and slows the host down
// as its answer asks.
func (s *scheduler) fetched(a answer) {
	h := s.host(a.host)
	h.inFlight--
	s.learn(h, a)
	if a.lesson != nil {
		a.lesson <- h.state(time.Now())
	}
	s.update(h)
}

// committed takes in what the store made of a visit.
func (s *scheduler) committed(v *Visit, c Committed) {
	h := s.host(v.Request.Host)
	h.close(v.Request.ID)
	h.sitemaps.committed(&v.Request)
	s.open--
	if c.Stored && v.State == Pending && v.RetryAt.IsZero() {
		h.more = true
	} else if c.Stored && v.State == Pending {
		if h.wake.IsZero() || v.RetryAt.Before(h.wake) {
			h.wake = v.RetryAt
		}
	} else if c.Stored {
		s.queue--
		h.pending--
	}
	s.add(c.Added)
	s.update(h) // at last: what it still has to do is known now
}

// add takes in how many pending URLs hosts have got.
func (s *scheduler) add(added map[string]int64) {
	for name, n := range added {
		h := s.host(name)
		h.more = true
		s.queue += n
		h.pending += n
		s.update(h)
	}
}

// idle says that there is nothing left to do.
func (s *scheduler) idle() bool { return s.active == 0 }

// update puts the host where it belongs in the heap.
func (s *scheduler) update(h *host) {
	if w := h.working(); w != h.counted {
		h.counted = w
		if w {
			s.active++
		} else {
			s.active--
			s.leave(h)
		}
	}
	at, ok := h.turn(s.limits)
	switch {
	case !ok:
		s.heap.remove(h)
	case h.index < 0:
		h.at = at
		s.heap.add(h)
	default:
		h.at = at
		s.heap.fix(h)
	}
}

// forget drops a host that has nothing to do and owes no delay any more.
func (s *scheduler) forget(h *host) {
	s.heap.remove(h)
	delete(s.hosts, h.name)
}

package crawl

import (
	"cmp"
	"slices"
	"strings"
	"time"
)

// HostProgress is where a crawl stands with one host.
type HostProgress struct {
	Host     string
	InFlight int           // requests being sent or answered
	Queue    int64         // its URLs known and not yet visited, those in flight included
	Next     time.Time     // when its next request may go out; zero: an event has to come first, or nothing is left to send
	Wait     Wait          // why not now
	Delay    time.Duration // between the starts of two requests, as this crawl would have it; others at the host may want more
	Failures int           // in a row
	Latency  time.Duration // from a request to the last byte of its answer, smoothed
}

// hostsWithin is how long Crawler.Hosts waits for the scheduler, which may be
// reading from the store.
const hostsWithin = time.Second

// hostsShare is how long a list of hosts is good for, in units of the time
// that it took: making lists takes at most a hundredth of the scheduler's time.
const hostsShare = 100

// maxListedHosts bounds Crawler.Hosts.
const maxListedHosts = 1000

// hostList is a list of hosts with what it was made for.
type hostList struct {
	hosts []HostProgress
	limit int
	until time.Time // it is good
}

// hostsAsked is a question for the scheduler.
type hostsAsked struct {
	limit int
	reply chan<- *hostList // has a place
}

// Hosts returns up to limit of the hosts that the crawl has URLs of, at most
// 1,000: those with the most requests in flight first, then those whose next
// request is the furthest away, then those with the most URLs. It is empty
// before and after Crawl. It may be called from any goroutine; of a crawl with
// very many hosts the list may be some seconds old.
func (c *Crawler) Hosts(limit int) []HostProgress {
	s := c.session.Load()
	if s == nil || limit <= 0 {
		return nil
	}
	select {
	case <-s.scheduled:
		return nil
	default:
	}
	limit = min(limit, maxListedHosts)
	if l := s.hostList.Load(); l != nil && l.limit >= limit && time.Now().Before(l.until) {
		return l.first(limit)
	}
	reply := make(chan *hostList, 1)
	late := time.NewTimer(hostsWithin)
	defer late.Stop()
	select {
	case s.hostsAsked <- hostsAsked{limit, reply}:
		// The scheduler answers at once.
		return (<-reply).first(limit)
	case <-s.scheduled:
		return nil
	case <-late.C:
		return s.hostList.Load().first(limit)
	}
}

func (l *hostList) first(limit int) []HostProgress {
	if l == nil {
		return nil
	}
	return slices.Clone(l.hosts[:min(limit, len(l.hosts))])
}

// tellHosts answers a question.
func (s *session) tellHosts(sched *scheduler, ask hostsAsked) {
	start := time.Now()
	l := &hostList{hosts: sched.list(ask.limit, s.now()), limit: ask.limit}
	end := time.Now()
	l.until = end.Add(hostsShare * end.Sub(start))
	s.hostList.Store(l)
	ask.reply <- l
}

// list is Crawler.Hosts.
func (s *scheduler) list(limit int, now time.Time) []HostProgress {
	top := make([]*host, 0, limit+1)
	for _, h := range s.hosts {
		if !h.working() || len(top) == limit && compareHosts(h, top[limit-1]) >= 0 {
			continue
		}
		i, _ := slices.BinarySearchFunc(top, h, compareHosts)
		if top = slices.Insert(top, i, h); len(top) > limit {
			top = top[:limit]
		}
	}
	out := make([]HostProgress, len(top))
	for i, h := range top {
		out[i] = h.progress(s.limits, s.free, now)
	}
	return out
}

// compareHosts is the order of Crawler.Hosts. A host that waits for an event
// is not in the heap: h.at is when its turn was last.
func compareHosts(a, b *host) int {
	return cmp.Or(
		cmp.Compare(b.inFlight, a.inFlight),
		b.at.Compare(a.at),
		cmp.Compare(b.pending, a.pending),
		strings.Compare(a.name, b.name),
	)
}

func (h *host) progress(l hostLimits, free int, now time.Time) HostProgress {
	p := HostProgress{
		Host:     strings.Clone(h.name),
		InFlight: h.inFlight,
		Queue:    h.pending,
		Delay:    h.delay(l),
		Failures: h.failures,
		Latency:  h.latency,
	}
	if next, ok := h.turn(l); ok {
		p.Next = next
	}
	p.Wait = h.wait(l, free, now)
	return p
}

// wait is why nothing is sent to the host right now; free is how many workers
// are.
func (h *host) wait(l hostLimits, free int, now time.Time) Wait {
	limit, _ := h.terms(l)
	switch next := latest(h.next, h.bar.until); {
	case h.down():
		return WaitDown
	case h.inFlight >= limit && !h.greeted:
		return WaitFirst
	case h.inFlight >= limit:
		return WaitInFlight
	case len(h.window) == 0 && !h.more && h.wake.IsZero():
		return WaitNothing // the last answers are yet to be stored
	case len(h.window) == 0 && !h.more && h.wake.After(latest(next, now)):
		return WaitRetry
	case h.bar.closed, h.bar.until.After(latest(h.next, now)):
		return cmp.Or(h.bar.why, h.spaced(l))
	case len(h.window) > 0 && h.sitemaps.hold.After(latest(next, now)):
		return WaitSitemaps
	case !next.After(now) && free == 0:
		return WaitWorkers
	case !next.After(now):
		return WaitNothing
	case !h.pause.Before(next):
		return h.why
	default:
		return h.spaced(l)
	}
}

// spaced is what the delay between two requests is for.
func (h *host) spaced(l hostLimits) Wait {
	switch delay := h.delay(l); {
	case delay <= l.delay:
		return WaitDelay
	case delay <= h.crawlDelay || !l.adaptive || max(h.slow, h.ease(l)) <= h.crawlDelay:
		return WaitCrawlDelay
	default:
		return WaitSlow
	}
}

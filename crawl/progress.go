package crawl

import (
	"sync/atomic"
	"time"
)

// Progress is where a crawl stands.
type Progress struct {
	Run      RunInfo
	Queue    int64         // URLs known and not yet visited
	InFlight int64         // requests being sent or answered
	Hosts    int64         // hosts with URLs in the queue, or owed a delay
	Elapsed  time.Duration // of this process's work
	Stopping bool          // nothing further is sent
	NextHost string        // whose turn is next
	NextAt   time.Time     // when that is; zero: an event has to come first
	Stored   time.Time     // when the store last took something; it does so every few seconds

	Rate      float64 // pages a second, lately: over some five seconds
	BytesRate float64 // bytes of bodies a second, likewise
}

// gauges are what other goroutines may see of a session.
type gauges struct {
	queue, inFlight, hosts atomic.Int64
	stopping               atomic.Bool
	next                   atomic.Pointer[nextTurn]
	hostList               atomic.Pointer[hostList] // the last that was asked for
}

// nextTurn is when which host is to be looked at next.
type nextTurn struct {
	host string
	at   time.Time
}

// report publishes the scheduler's part of Progress.
func (g *gauges) report(sched *scheduler, end *end) {
	g.queue.Store(sched.queue)
	g.hosts.Store(int64(len(sched.hosts)))
	g.stopping.Store(end.reached())
	g.reportNext(sched.heap)
}

func (g *gauges) reportNext(hosts hostHeap) {
	if len(hosts) == 0 {
		g.next.Store(nil)
		return
	}
	h := hosts[0]
	if old := g.next.Load(); old == nil || old.host != h.name || !old.at.Equal(h.at) {
		g.next.Store(&nextTurn{h.name, h.at})
	}
}

// Progress returns where the crawl stands now; it is zero before Crawl. It may
// be called from any goroutine.
func (c *Crawler) Progress() Progress {
	s := c.session.Load()
	if s == nil {
		return Progress{}
	}
	p := Progress{
		Run:      s.run.Info(),
		Queue:    s.queue.Load(),
		InFlight: s.inFlight.Load(),
		Hosts:    s.hosts.Load(),
		Elapsed:  time.Since(s.began),
		Stopping: s.stopping.Load(),
	}
	s.meter.progress(&p)
	if next := s.next.Load(); next != nil {
		p.NextHost, p.NextAt = next.host, next.at
	}
	return p
}

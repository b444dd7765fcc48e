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
	Stored   time.Time     // when the store last took something; it does so every few seconds
}

// gauges are what other goroutines may see of a session.
type gauges struct {
	queue, inFlight, hosts atomic.Int64
	stopping               atomic.Bool
}

// report publishes the scheduler's part of Progress.
func (g *gauges) report(sched *scheduler, end *end) {
	g.queue.Store(sched.queue)
	g.hosts.Store(int64(len(sched.hosts)))
	g.stopping.Store(end.reached())
}

// Progress returns where the crawl stands now; it is zero before Crawl. It may
// be called from any goroutine.
func (c *Crawler) Progress() Progress {
	s := c.session.Load()
	if s == nil {
		return Progress{}
	}
	return Progress{
		Run:      s.run.Info(),
		Queue:    s.queue.Load(),
		InFlight: s.inFlight.Load(),
		Hosts:    s.hosts.Load(),
		Elapsed:  time.Since(s.began),
		Stopping: s.stopping.Load(),
		Stored:   s.meter.lastStored(),
	}
}

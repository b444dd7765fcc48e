package crawl

import (
	"context"
	"net/http"
	"runtime"
	"sync"
	"time"

	"github.com/magpie-crawl/magpie/crawl/fetch"
)

// session is one process's work on a run: the goroutines of the drawing in the
// package documentation and the channels between them.
type session struct {
	*Crawler
	run    Run
	began  time.Time
	base   Counters // what does not count towards the limits
	robots *robotsCache

	jobs      chan job       // scheduler → fetch workers
	answers   chan answer    // fetch workers → scheduler: politeness
	responses chan *Visit    // fetch workers → page workers
	visits    chan *Visit    // page workers → committer
	stored    chan []outcome // committer → scheduler

	gauges
	meter *meter
}

// outcome is a visit with what the store made of it.
type outcome struct {
	visit *Visit
	Committed
}

func newSession(c *Crawler, run Run, began time.Time) *session {
	return &session{
		Crawler:   c,
		run:       run,
		began:     began,
		robots:    newRobotsCache(c.opts),
		jobs:      make(chan job),
		answers:   make(chan answer),
		responses: make(chan *Visit, c.opts.Politeness.Concurrency),
		visits:    make(chan *Visit, maxBatch),
		stored:    make(chan []outcome, 1),
		meter:     newMeter(),
	}
}

// crawl runs all stages until the scheduler is through. finished tells a run
// that is done from one that was stopped.
func (s *session) crawl(ctx context.Context) (finished bool, reason string, err error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	transport := s.transport()
	defer transport.CloseIdleConnections()

	var fetchers, pagers, committer sync.WaitGroup
	for range s.opts.Politeness.Concurrency {
		fetchers.Go(func() { s.fetchLoop(ctx, s.newFetcher(transport)) })
	}
	for range runtime.GOMAXPROCS(0) {
		pagers.Go(func() { s.pageLoop(ctx) })
	}
	committer.Go(func() {
		if err := s.commitLoop(ctx); err != nil {
			cancel(err)
		}
	})
	finished, reason, err = s.schedule(ctx)
	if err != nil {
		cancel(err)
	}
	close(s.jobs)
	fetchers.Wait()
	close(s.responses)
	pagers.Wait()
	close(s.visits)
	committer.Wait()
	if err == nil && ctx.Err() != nil {
		err = context.Cause(ctx)
	}
	return finished, reason, err
}

// transport is shared by all fetch workers of the session.
func (s *session) transport() *http.Transport {
	var named []string
	for _, u := range s.named {
		named = append(named, u.Host())
	}
	return fetch.NewTransport(fetch.TransportOptions{
		PerHost:      s.opts.Politeness.PerHost,
		AllowPrivate: s.opts.AllowPrivate,
		AllowHosts:   named,
	})
}

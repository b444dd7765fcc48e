package crawl

import (
	"context"
	"errors"
	"net/http"
	"runtime"
	"sync"
	"time"

	"github.com/magpie-crawl/magpie/crawl/fetch"
	"github.com/magpie-crawl/magpie/crawl/sitemap"
	"github.com/magpie-crawl/magpie/weburl"
)

// session is one process's work on a run: the goroutines of the drawing in the
// package documentation and the channels between them.
type session struct {
	*Crawler
	run     Run
	began   time.Time
	base    Counters // what does not count towards the limits
	robots  *robotsCache
	budgets *budgets
	archive *archive // nil: none

	largeBodies chan struct{} // a place for each large body that is not committed yet
	cookies     *cookieJar    // nil: cookies are off

	idle      chan struct{}  // fetch workers → scheduler: one more waits for a job
	jobs      chan job       // scheduler → fetch workers
	answers   chan answer    // fetch workers → scheduler: politeness
	responses chan *Visit    // fetch workers → page workers
	visits    chan *Visit    // page workers → committer
	stored    chan []outcome // committer → scheduler

	hostsAsked chan hostsAsked // Crawler.Hosts → scheduler
	scheduled  chan struct{}   // closed once the scheduler is through

	gauges
	meter *meter
}

// outcome is a visit with what the store made of it.
type outcome struct {
	visit *Visit
	Committed
}

// now is the time as the session's clock has it: that of the machine when the
// session began, and from there on what has passed. Setting the machine's
// clock meanwhile neither stalls a crawl nor makes it hurry.
func (s *session) now() time.Time { return s.began.Add(time.Since(s.began)) }

// resumed is when the run was taken up from an earlier process, zero if it is
// new.
func (s *session) resumed() time.Time {
	if s.run.Info().Resumed {
		return s.began
	}
	return time.Time{}
}

// newSession takes up what the run knows from an earlier process.
func newSession(ctx context.Context, c *Crawler, run Run, began time.Time) (*session, error) {
	s := &session{
		Crawler:   c,
		run:       run,
		began:     began,
		idle:      make(chan struct{}, c.opts.Politeness.Concurrency),
		jobs:      make(chan job, c.opts.Politeness.Concurrency),
		answers:   make(chan answer),
		responses: make(chan *Visit, c.opts.Politeness.Concurrency),
		visits:    make(chan *Visit, maxBatch),
		stored:    make(chan []outcome, 1),

		hostsAsked: make(chan hostsAsked),
		scheduled:  make(chan struct{}),
		meter:      newMeter(),
	}
	s.robots = newRobotsCache(c.opts, run, s.now)
	s.largeBodies = make(chan struct{}, max(1, c.opts.Limits.Memory/max(c.opts.Limits.Body, sitemap.MaxSize)))
	if c.opts.Requests.Cookies == CookiesOn {
		s.cookies = newCookieJar()
	}
	var err error
	if s.archive, err = openArchive(ctx, c.opts.WARC, run); err != nil {
		return nil, err
	}
	if s.watch, err = newTrapWatch(ctx, c.opts.Traps.Duplicates, run); err != nil {
		return nil, err
	}
	if s.budgets, err = newBudgets(c.opts.Limits); err != nil {
		return nil, err
	}
	if err = s.budgets.load(ctx, run); err != nil {
		return nil, err
	}
	return s, run.MovedStarts(ctx, func(url string) bool {
		if u, err := weburl.Parse(url); err == nil {
			s.scope.extend(u)
		}
		return true
	})
}

// crawl runs all stages until the scheduler is through. finished tells a run
// that is done from one that was stopped.
func (s *session) crawl(ctx context.Context) (finished bool, reason string, err error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	transport := s.transport()
	defer transport.CloseIdleConnections()
	if s.login != nil {
		if err := s.newFetcher(transport).logIn(ctx); err != nil {
			close(s.scheduled)
			return false, "", err
		}
	}

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
	sched := s.newScheduler()
	finished, reason, err = s.schedule(ctx, sched)
	close(s.scheduled)
	if err != nil {
		cancel(err)
	}
	close(s.jobs)
	fetchers.Wait()
	sched.leaveAll()
	close(s.responses)
	pagers.Wait()
	close(s.visits)
	committer.Wait()
	if closeErr := s.archive.close(); err == nil {
		err = closeErr
	}
	// Whoever was kept from reading by the end of ctx says no more than that.
	if ctx.Err() != nil && (err == nil || errors.Is(err, context.Canceled)) {
		err = context.Cause(ctx)
	}
	return finished, reason, err
}

// transport makes connections as the job says. All fetch workers of a session
// share one.
func (c *Crawler) transport() *http.Transport {
	var named []string
	for _, u := range c.named {
		named = append(named, u.Host())
	}
	if c.login != nil {
		named = append(named, c.login.url.Host())
	}
	return fetch.NewTransport(fetch.TransportOptions{
		PerHost:      c.opts.Politeness.PerHost,
		AllowPrivate: c.opts.AllowPrivate,
		Proxies:      c.proxies,
		InsecureTLS:  c.opts.Requests.InsecureTLS,
		AllowHosts:   named,
		Record:       c.opts.WARC != "",
	})
}

package crawl

import (
	"context"
	"time"
)

// renewEvery is how often the hold on the job is renewed, see Run.Renew.
const renewEvery = 10 * time.Second

// newScheduler returns the session's scheduler.
func (s *session) newScheduler() *scheduler {
	sched := newScheduler(s.run, hostLimits{
		inFlight: s.opts.Politeness.PerHost,
		delay:    s.opts.Politeness.Delay,
		maxDelay: s.opts.Politeness.MaxDelay,
		adaptive: s.opts.Politeness.Adaptive == AdaptiveOn,
		backoff:  s.opts.Retry.Delay,
		resumed:  s.resumed(),
	}, s.opts.Hosts)
	if s.opts.Recrawl.Policy == RecrawlAdaptive {
		sched.due = s.due
	}
	return sched
}

// schedule hands out jobs until the run is finished or stopped and everything
// handed out is stored.
func (s *session) schedule(ctx context.Context, sched *scheduler) (finished bool, reason string, err error) {
	if err := sched.load(ctx); err != nil {
		return false, "", err
	}
	end := newEnd(s.opts.Limits, s.stop, s.spent())
	defer end.release()
	for {
		s.report(sched, end)
		if sched.open == 0 && sched.idle() && !end.reached() {
			if more, err := s.recall(ctx, sched); err != nil {
				return false, "", err
			} else if more {
				continue
			}
		}
		if sched.open == 0 && (sched.idle() || end.reached()) {
			return sched.idle() || end.reason != "", end.finishReason(sched), nil
		}
		if err := s.step(ctx, sched, end); err != nil {
			return false, "", err
		}
	}
}

// step hands out a job or takes in one event, whichever comes first.
func (s *session) step(ctx context.Context, sched *scheduler, end *end) error {
	for len(s.idle) > 0 {
		<-s.idle
		sched.free++
	}
	var turn <-chan time.Time
	now := s.now()
	h, at, err := s.turn(ctx, sched, end, now)
	switch {
	case err != nil:
		return err
	case h != nil && sched.free > 0:
		s.jobs <- sched.take(h, now) // a worker waits for it
		return nil
	case !at.IsZero():
		timer := time.NewTimer(at.Sub(now))
		defer timer.Stop()
		turn = timer.C
	}
	select {
	case <-s.idle:
		sched.free++
	case <-sched.bell():
		sched.called()
	case a := <-s.answers:
		sched.fetched(a)
	case outcomes := <-s.stored:
		for _, o := range outcomes {
			sched.committed(o.visit, o.Committed)
			if sched.due != nil {
				sched.heed(o.visit)
			}
			end.count(o)
		}
		end.spend(s.spent())
	case ask := <-s.hostsAsked:
		s.tellHosts(sched, ask)
	case <-turn:
	case <-end.stop:
		end.stopped()
	case <-end.timeout:
		end.timedOut()
	case <-ctx.Done():
		return context.Cause(ctx)
	}
	return nil
}

// turn is scheduler.peek while further requests may go out.
func (s *session) turn(ctx context.Context, sched *scheduler, end *end, now time.Time) (*host, time.Time, error) {
	if end.reached() || end.mayBeReached(sched.open) {
		sched.ready(false)
		return nil, time.Time{}, nil
	}
	sched.ready(sched.free > 0)
	return sched.peek(ctx, now)
}

// countsAsPage says that the visit is a page in the sense of Limits.Pages and
// Counters.Pages.
func (v *Visit) countsAsPage() bool {
	return v.State == Done && v.Request.Kind == PageKind && v.Page != nil && v.Page.Location == ""
}

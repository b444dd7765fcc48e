package crawl

import "time"

// Reasons of runs that a limit ended: Summary.Reason, and what Run.Finish is
// told.
const (
	LimitPages    = "pages"
	LimitBytes    = "bytes"
	LimitRecords  = "records"
	LimitDuration = "duration"
)

// Records is how many records the run has kept.
func (c *Counters) Records() int64 { return c.New + c.Changed + c.Unchanged }

// spent is what counts towards the limits: all that the run has committed, or
// what has been committed since when the job goes on beyond a limit.
func (s *session) spent() Counters {
	c := s.run.Info().Counters
	c.Pages -= s.base.Pages
	c.Bytes -= s.base.Bytes
	c.New -= s.base.Records()
	return c
}

// end knows when a session is to send nothing further.
type end struct {
	limits  Limits
	pages   int64
	spent   Counters
	stop    <-chan struct{} // nil once it was seen
	timeout <-chan time.Time
	timer   *time.Timer
	soft    bool   // Stop was called
	reason  string // limit that was reached
}

func newEnd(l Limits, stop <-chan struct{}, spent Counters) *end {
	e := &end{limits: l, pages: spent.Pages, stop: stop}
	if l.Duration > 0 {
		e.timer = time.NewTimer(l.Duration)
		e.timeout = e.timer.C
	}
	e.checkPages()
	e.spend(spent)
	return e
}

func (e *end) release() {
	if e.timer != nil {
		e.timer.Stop()
	}
}

func (e *end) count(o outcome) {
	if o.Stored && o.visit.countsAsPage() {
		e.pages++
		e.checkPages()
	}
}

func (e *end) checkPages() {
	if e.limits.Pages > 0 && e.pages >= int64(e.limits.Pages) {
		e.reach(LimitPages)
	}
}

// spend compares what the crawl has used with the limits on that.
func (e *end) spend(c Counters) {
	e.spent = c
	if e.limits.Bytes > 0 && c.Bytes >= e.limits.Bytes {
		e.reach(LimitBytes)
	}
	if e.limits.Records > 0 && c.Records() >= int64(e.limits.Records) {
		e.reach(LimitRecords)
	}
}

// reach ends the crawl; the first limit that does is the reason.
func (e *end) reach(limit string) {
	if e.reason == "" {
		e.reason = limit
	}
}

func (e *end) stopped() { e.soft, e.stop = true, nil }

func (e *end) timedOut() {
	e.timeout = nil
	e.reach(LimitDuration)
}

func (e *end) reached() bool { return e.soft || e.reason != "" }

// mayBeReached says that what is in flight could be the last pages: if all are
// kept, or if they bring as much as those before on average. The crawl then
// waits for what comes of them.
func (e *end) mayBeReached(open int) bool {
	expected := func(limit, spent int64) bool {
		return limit > 0 && spent+int64(open)*(1+spent/max(1, e.spent.Pages)) >= limit
	}
	return e.limits.Pages > 0 && e.pages+int64(open) >= int64(e.limits.Pages) ||
		expected(e.limits.Bytes, e.spent.Bytes) || expected(int64(e.limits.Records), e.spent.Records())
}

// finishReason is the reason to finish a run with: none when nothing is left.
func (e *end) finishReason(sched *scheduler) string {
	if sched.idle() {
		return ""
	}
	return e.reason
}

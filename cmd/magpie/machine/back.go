package machine

import (
	"time"

	"github.com/magpie-crawl/magpie/crawl"
	"github.com/magpie-crawl/magpie/store"
)

// Store returns the status as the store has it, for who has read it from a
// server and tells it to people.
func (s Status) Store() store.JobStatus {
	j := store.JobStatus{Name: s.Job, Latest: s.Run.Store(), Rate: s.PagesASecond, AllHosts: s.AllHosts, Messages: s.Messages, MessageError: s.MessageError}
	if s.Previous != nil {
		p := s.Previous.Store()
		j.Previous = &p
	}
	if h := s.Holder; h != nil {
		j.Holder = &store.Holder{PID: h.PID, Host: h.Host, Since: h.Since, Heartbeat: h.Heartbeat}
	}
	for _, h := range s.Hosts {
		j.Hosts = append(j.Hosts, store.HostStatus{Host: h.Host, Ready: h.Ready, Waiting: h.Waiting, Next: given(h.Next), Reason: h.Reason, Detail: h.Detail, State: h.Politeness.store()})
	}
	if c := s.Schedule; c != nil {
		j.Schedule = &store.Schedule{Job: s.Job, Schedule: c.Schedule, Next: given(c.Next), Paused: c.Paused}
		if d := c.Skipped; d != nil {
			last := d.Store()
			j.LastDue = &last
		}
	}
	return j
}

// Store returns the due time as the store has it.
func (d Due) Store() store.DueRun {
	return store.DueRun{Job: d.Job, Kind: store.DueKind(d.Kind), Nominal: d.Due, Until: d.Until, Count: d.Count, At: d.StartAt, Decided: d.Decided,
		Outcome: store.DueOutcome(d.Outcome), Reason: d.Reason, Run: d.Run, RunState: store.RunState(d.RunState)}
}

// Store returns the run as the store has it.
func (r Run) Store() store.Run {
	return store.Run{Job: r.Job, Number: r.Run, Kind: store.RunKind(r.Kind), State: store.RunState(r.State), Reason: r.Limit, Started: r.Started,
		Ended: given(r.Ended), Pending: r.Pending, Drifts: r.Drifts, Counters: r.Counters.crawl()}
}

func (c Counters) crawl() crawl.Counters {
	failed := int64(0)
	for _, n := range c.Failed {
		failed += n
	}
	return crawl.Counters{Pages: c.Pages, Redirects: c.Redirects, Sitemaps: c.Sitemaps, Failed: failed, Retries: c.Retries, Skipped: c.Skipped, Failures: c.Failed,
		Bytes: c.Bytes, New: c.New, Changed: c.Changed, Unchanged: c.Unchanged, Rejects: c.Rejects, Problems: c.Problems,
		NotModified: c.NotModified, Gone: c.Gone, RecordsGone: c.RecordsGone}
}

func (h HostInfo) store() crawl.HostState {
	return crawl.HostState{NotBefore: given(h.NotBefore), CrawlDelay: span(h.CrawlDelay), Slow: span(h.Slow), Failures: h.Failures}
}

func span(seconds float64) time.Duration { return time.Duration(seconds * float64(time.Second)) }

// given is a time that may be left out.
func given(t *time.Time) time.Time {
	if t == nil {
		return time.Time{}
	}
	return *t
}

package daemon

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/magpie-crawl/magpie/config/schedule"
	"github.com/magpie-crawl/magpie/store"
)

// Bounds of what counts as late, and as a clock that was wrong.
const (
	// missedAfter is how late a due time may be noticed to count as met. The
	// daemon looks twice a second, so that one noticed later was passed while
	// it did not run, the machine slept, or the clock was put forward.
	missedAfter = time.Minute

	// clockAhead is how far beyond the clock due times may have been followed.
	// Up to that, a clock that was set back is waited for: what was decided
	// is not decided again. Beyond, the clock was wrong before.
	clockAhead = 24 * time.Hour
)

// missedReason is why a due time is skipped with missed: skip.
const missedReason = "missed: the daemon or the machine did not run"

// maxWalk is how many due times that have passed are counted one by one.
const maxWalk = 100_000

// passed are the due times of a job that have come and are not decided.
type passed struct {
	first, before, last schedule.Due // before: the one before last
	n                   int
	more                bool // there are n or more
}

// passed finds the due times up to now; ok is false if there are none.
func (j *job) passed(now time.Time) (p passed, ok bool) {
	if j.schedule == nil || j.next.At.IsZero() || j.next.At.After(now) {
		return p, false
	}
	p = passed{first: j.next, last: j.next, n: 1}
	for {
		next, more := j.schedule.Next(p.last.Nominal)
		if !more || next.At.After(now) {
			return p, true
		}
		if p.n == maxWalk {
			p.more = true
			p.n++
			p.before, p.last = j.latest(next, now)
			return p, true
		}
		p.before, p.last = p.last, next
		p.n++
	}
}

// latest finds the last due time up to now, and the one before it, looking
// back from now in strides that grow. from is a due time before now.
func (j *job) latest(from schedule.Due, now time.Time) (before, last schedule.Due) {
	before, last = from, from
	for stride := time.Minute; now.Add(-stride).After(from.Nominal); stride *= 2 {
		if next, ok := j.schedule.Next(now.Add(-stride)); ok && !next.At.After(now) {
			before, last = next, next
			break
		}
	}
	for {
		next, ok := j.schedule.Next(last.Nominal)
		if !ok || next.At.After(now) {
			return before, last
		}
		before, last = last, next
	}
}

// count tells how many due times have passed.
func (p passed) count() string {
	if p.more {
		return fmt.Sprintf("more than %d due times", maxWalk)
	}
	if p.n == 1 {
		return "1 due time"
	}
	return fmt.Sprintf("%d due times", p.n)
}

// plan is what is to become of a job's due times.
type plan struct {
	job      *job
	decision store.Decision
	consider time.Time
	begin    int     // index in decision.Add of the run that is to begin; -1: none
	drop     []*work // runs that wait no longer
	cancel   bool    // the run that goes on is to be stopped
}

// plan decides about what has come due by now; ok is false where nothing has.
func (j *job) plan(now time.Time) (p *plan, ok bool) {
	if j.schedule != nil && j.considered.Sub(now) > clockAhead {
		return j.bringBack(now), true
	}
	due, ok := j.passed(now)
	if !ok {
		return nil, false
	}
	p = &plan{job: j, decision: store.Decision{Job: j.name}, consider: due.last.Nominal, begin: -1}
	late := now.Sub(due.last.At) > missedAfter
	skipMissed := j.config.Schedule.Missed == schedule.SkipMissed
	switch {
	case j.paused:
		p.skip(due.first, due.last, due.n, now, "paused")
		return p, true
	case late && skipMissed:
		p.skip(due.first, due.last, due.n, now, missedReason)
		return p, true
	case due.n > 1 && skipMissed:
		p.skip(due.first, due.before, due.n-1, now, missedReason)
	case due.n > 1:
		p.skip(due.first, due.before, due.n-1, now, "missed: run once for "+due.count())
	}
	reason := ""
	if late || due.n > 1 && !skipMissed {
		reason = "missed: run once for " + due.count()
	}
	p.run(due.last, now, reason)
	return p, true
}

// bringBack follows the schedule from now on, after a clock that was wrong.
func (j *job) bringBack(now time.Time) *plan {
	p := &plan{job: j, decision: store.Decision{Job: j.name}, consider: now, begin: -1}
	at := schedule.Due{Nominal: now, At: now}
	p.skip(at, at, 0, now, "clock: it was ahead, and due times up to "+j.considered.UTC().Format(time.DateTime)+" UTC are decided; they count again from now on")
	return p
}

func (p *plan) skip(first, last schedule.Due, n int, now time.Time, reason string) {
	p.decision.Add = append(p.decision.Add, store.DueRun{Job: p.job.name, Kind: store.DueSchedule, Nominal: first.Nominal, Until: last.Nominal,
		Count: n, At: first.At, Decided: now, Outcome: store.DueSkipped, Reason: reason, Settled: true})
}

// run has a run begin for a due time, unless another of the job is in its way.
func (p *plan) run(due schedule.Due, now time.Time, reason string) {
	j, fresh := p.job, false
	busy, policy := j.busy(), j.config.Schedule.Overlap
	switch {
	case busy == "":
	case policy == schedule.Skip || j.waiting() != nil:
		// What waits has not begun: it is as fresh as another would be.
		p.skip(due, due, 1, now, "overlap: "+busy)
		return
	case policy == schedule.Cancel:
		p.makeRoom(due)
		fresh = true
	}
	p.begin = len(p.decision.Add)
	p.decision.Add = append(p.decision.Add, store.DueRun{Job: j.name, Kind: store.DueSchedule, Nominal: due.Nominal, Until: due.Nominal,
		Count: 1, At: due.At, Decided: now, Outcome: store.DueWaiting, Reason: reason, Fresh: fresh})
}

// makeRoom cancels the run that goes on, or waits to be resumed.
func (p *plan) makeRoom(due schedule.Due) {
	reason := "overlap: cancelled for the due time " + due.Nominal.UTC().Format(time.DateTime) + " UTC"
	if w := p.job.current; w != nil {
		p.cancel = true
		p.decision.Settle = append(p.decision.Settle, store.Settle{ID: w.due.ID, Reason: reason})
	}
	for _, w := range p.job.queue {
		p.drop = append(p.drop, w)
		p.decision.Settle = append(p.decision.Settle, store.Settle{ID: w.due.ID, Reason: reason})
	}
}

// followSchedules decides about all due times that have come.
func (d *Daemon) followSchedules(ctx context.Context) {
	d.change.Lock()
	defer d.change.Unlock()
	d.follow(ctx)
}

// follow is followSchedules for those who hold change. Whoever changes a
// schedule does it first: what came due before, such as while the machine was
// asleep, goes by the schedule as it was.
func (d *Daemon) follow(ctx context.Context) {
	now := d.clock.Now()
	if back := d.seen.Sub(now); back > missedAfter {
		d.log.Warn("the clock was set back: times that were due already are not due again", "by", back.Round(time.Second).String())
	}
	d.seen = now
	var plans []*plan
	var decisions []store.Decision
	for _, j := range d.jobs {
		if !j.adopted || j.gone {
			continue
		}
		if p, ok := j.plan(now); ok {
			p.decision.Schedule = j.standing(p.consider)
			plans, decisions = append(plans, p), append(decisions, p.decision)
		}
	}
	if len(plans) == 0 {
		return
	}
	if err := d.decide(ctx, decisions); err != nil {
		d.followed.log(d.log, "due times could not be written down: they are tried again", err)
		return
	}
	d.followed.over()
	d.update(func() {
		for i, p := range plans {
			p.decision = decisions[i]
			p.apply()
		}
	})
	for _, p := range plans {
		d.logPlan(p)
	}
	d.dispatch()
}

// apply makes the job as the plan has it.
func (p *plan) apply() {
	j := p.job
	j.follow(p.consider)
	j.queue = slices.DeleteFunc(j.queue, func(w *work) bool { return slices.Contains(p.drop, w) })
	if p.cancel && j.current != nil {
		j.current.halt(stoppedByNext)
	}
	if p.begin >= 0 {
		j.queue = append(j.queue, &work{job: j, due: p.decision.Add[p.begin]})
	}
}

// logPlan tells of due times that were skipped, of many in a row for the same
// reason once.
func (d *Daemon) logPlan(p *plan) {
	for _, r := range p.decision.Add {
		if r.Outcome == store.DueSkipped && r.Reason != p.job.skipped {
			d.log.Warn("due time skipped", "job", r.Job, "due", r.Nominal.UTC(), "count", r.Count, "reason", r.Reason)
		}
		p.job.skipped = r.Reason
	}
}

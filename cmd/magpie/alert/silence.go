package alert

import (
	"cmp"
	"context"
	"time"

	"github.com/magpie-crawl/magpie/config/notify"
	"github.com/magpie-crawl/magpie/config/schedule"
	"github.com/magpie-crawl/magpie/internal/harmless"
	"github.com/magpie-crawl/magpie/store"
)

const (
	tickGap     = 5 * time.Minute // between two ticks: longer ones mean that the machine was asleep
	maxPatience = time.Hour       // that a run is given to succeed
	maxCount    = 1000            // intervals that are counted
)

// watch is what is remembered of jobs between ticks.
type watch struct {
	jobs   map[string]*watched
	since  time.Time // since when ticks have come without a gap
	last   time.Time // the last tick
	forget time.Time // when old messages are next deleted
}

// watched is a job, and when it will be silent unless it succeeds.
type watched struct {
	store.AlertJob
	from     time.Time     // what silentAt was computed from
	n        int           // and the number of intervals
	silentAt time.Time     // zero: never
	patience time.Duration // that its runs are given: an interval, or maxPatience
}

func (w *watch) job(name string) *watched {
	j := w.jobs[name]
	if j == nil {
		j = &watched{}
		w.jobs[name] = j
	}
	return j
}

// tick notes a tick, and whether there was a gap before it: jobs whose times
// passed meanwhile are caught up, and are given time for that.
func (w *watch) tick(now time.Time) {
	if gap := now.Sub(w.last); w.last.IsZero() || gap > tickGap || gap < -tickGap {
		w.since = now
	}
	w.last = now
}

// forgetAt tells once a day that old messages are to be deleted.
func (w *watch) forgetAt(now time.Time) bool {
	if now.Before(w.forget) && w.forget.Sub(now) <= 24*time.Hour {
		return false
	}
	w.forget = now.Add(24 * time.Hour)
	return true
}

// fingerprint is a job's schedule as it is remembered; "": it does not run by
// itself.
func fingerprint(job Job) string {
	if job.Schedule == nil || job.Paused {
		return ""
	}
	return job.Schedule.String()
}

// checkSilence finds whether a job has become silent, or is it still.
func (a *Alerter) checkSilence(ctx context.Context, job Job, channels []notify.Channel, now time.Time, c *store.AlertChange) error {
	w, times := a.watch.job(job.Name), fingerprint(job)
	if w.Since.IsZero() || w.Schedule != times || now.Before(later(w.Since, w.Succeeded)) {
		// A new schedule says nothing of the time before it, and a clock that was
		// set back nothing of the time after.
		next := w.AlertJob
		next.Job, next.Schedule, next.Since = job.Name, times, now
		if now.Before(next.Succeeded) {
			next.Succeeded = now
		}
		c.Jobs = append(c.Jobs, next)
		w.AlertJob, w.from = next, time.Time{}
	}
	n := cmp.Or(job.Silence, notify.DefaultSilence)
	if times == "" || n < 0 {
		return nil
	}
	if from := later(w.Succeeded, w.Since); !from.Equal(w.from) || n != w.n {
		w.compute(job, from, n)
	}
	if w.silentAt.IsZero() || now.Before(w.silentAt) || now.Sub(a.watch.since) < w.patience {
		return nil
	}
	// A run that takes longer than its schedule's intervals is no silence.
	if may := max(maxPatience, w.silentAt.Sub(w.from)); !job.Began.IsZero() && now.Sub(job.Began) < may {
		return nil
	}
	// It may have been crawled by hand.
	success, err := a.db.LastSuccess(ctx, job.Name, now)
	if err != nil {
		return err
	}
	if success.After(later(w.Succeeded, w.Since)) {
		next := w.AlertJob
		next.Succeeded = success
		c.Jobs = append(c.Jobs, next)
		w.AlertJob = next
		w.compute(job, success, n)
		return a.closeSilence(ctx, job, c)
	}
	return a.silent(ctx, job, channels, later(w.Succeeded, success), w, c)
}

// compute finds when a job that last succeeded at from is silent: at the n-th
// of the times it is due after that.
func (w *watched) compute(job Job, from time.Time, n int) {
	w.from, w.n, w.silentAt, w.patience = from, n, time.Time{}, maxPatience
	var last schedule.Due
	for range n {
		due, ok := job.Schedule.Next(later(from, last.Nominal))
		if !ok {
			return // it is not due so often any more
		}
		last = due
	}
	if next, ok := job.Schedule.Next(last.Nominal); ok {
		w.patience = min(w.patience, next.Nominal.Sub(last.Nominal))
	}
	// The run of that time needs some itself.
	w.silentAt = last.At.Add(w.patience)
}

// silent tells that a job is silent.
func (a *Alerter) silent(ctx context.Context, job Job, channels []notify.Channel, success time.Time, w *watched, c *store.AlertChange) error {
	open, err := a.db.Alerts(ctx, job.Name)
	if err != nil {
		return err
	}
	alert := find(open, notify.Silence)
	if alert == nil {
		alert = &store.Alert{Job: job.Name, Kind: string(notify.Silence), Since: success, Told: map[string]time.Time{}}
		if failure := find(open, notify.Failure); failure != nil {
			alert.Run, alert.Detail = failure.Run, failure.Detail
		}
	}
	events := len(c.Events)
	before := alert.Count
	alert.Last, alert.Count = c.At, job.intervals(w.from, c.At)
	e := notify.Event{Kind: notify.Silence, Job: harmless.Text(job.Name), Run: alert.Run, Since: success, Count: alert.Count, Detail: alert.Detail}
	if err := tellProblem(c, channels, alert, e, false, nil); err != nil {
		return err
	}
	if len(c.Events) > events || alert.Count != before {
		c.Open = append(c.Open, *alert)
	}
	return nil
}

// intervals counts how often a job was due.
func (job Job) intervals(from, now time.Time) int {
	for n := range maxCount {
		due, ok := job.Schedule.Next(from)
		if !ok || due.At.After(now) {
			return n
		}
		from = due.Nominal
	}
	return maxCount
}

// closeSilence closes silence that was ended by a crawl outside of the daemon.
func (a *Alerter) closeSilence(ctx context.Context, job Job, c *store.AlertChange) error {
	open, err := a.db.Alerts(ctx, job.Name)
	if err != nil {
		return err
	}
	return recovered(job, a.channelsOf(job), open, Outcome{}, c)
}

func later(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}

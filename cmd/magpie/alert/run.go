package alert

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/magpie-crawl/magpie/cmd/magpie/machine"
	"github.com/magpie-crawl/magpie/cmd/magpie/words"
	"github.com/magpie-crawl/magpie/config/notify"
	"github.com/magpie-crawl/magpie/internal/harmless"
	"github.com/magpie-crawl/magpie/store"
)

// Bounds of what one event tells.
const (
	maxDetail = 500 // characters of an error
	maxDrifts = 20  // figures
)

// judge finds what a run's end changes.
func (a *Alerter) judge(ctx context.Context, job Job, channels []notify.Channel, o Outcome, c *store.AlertChange) error {
	open, err := a.db.Alerts(ctx, job.Name)
	if err != nil {
		return err
	}
	var run *store.Run
	why := ""
	switch {
	case o.Err != nil:
		why = o.Err.Error()
	case o.Run == 0:
		why = "no run was begun"
	default:
		if run, err = a.db.Run(ctx, job.Name, o.Run); err != nil {
			return err
		}
		why = nothingFetched(run)
	}
	w := a.watch.job(job.Name)
	if o.Due != 0 && o.Due == w.Due && w.Failed == (why != "") {
		return nil // the process before told of it already
	}
	now := w.AlertJob
	now.Job, now.Due, now.Failed = job.Name, o.Due, why != ""
	if now.Since.IsZero() {
		now.Since, now.Schedule = c.At, fingerprint(job)
	}
	if why == "" {
		now.Succeeded = c.At
	}
	c.Jobs = append(c.Jobs, now)
	if why != "" {
		return failed(job, channels, open, o, why, c)
	}
	if err := recovered(job, channels, open, o, c); err != nil {
		return err
	}
	if err := a.drifted(ctx, job, channels, open, o, c); err != nil {
		return err
	}
	return changed(job, channels, run, c)
}

// nothingFetched says why a finished run counts as failed; "": it does not.
func nothingFetched(r *store.Run) string {
	if store.FetchedSomething(r.Counters) {
		return ""
	}
	var parts []string
	for reason, n := range r.Counters.Failures {
		parts = append(parts, fmt.Sprintf("%s failed: %s", words.Counted(n, "URL"), reason))
	}
	for reason, n := range r.Counters.Skipped {
		parts = append(parts, fmt.Sprintf("%s left out: %s", words.Counted(n, "URL"), reason))
	}
	slices.Sort(parts)
	return strings.Join(append([]string{"nothing was fetched"}, parts...), "; ")
}

// failed counts a failure, and tells of it.
func failed(job Job, channels []notify.Channel, open []store.Alert, o Outcome, why string, c *store.AlertChange) error {
	alert := find(open, notify.Failure)
	if alert == nil {
		alert = &store.Alert{Job: job.Name, Kind: string(notify.Failure), Since: c.At, Told: map[string]time.Time{}}
	}
	alert.Last, alert.Run, alert.Detail = c.At, o.Run, clean(why)
	alert.Count++
	e := notify.Event{Kind: notify.Failure, Job: harmless.Text(job.Name), Run: o.Run, Since: alert.Since, Count: alert.Count, Detail: alert.Detail}
	var knowing map[string]time.Time
	if silence := find(open, notify.Silence); silence != nil {
		knowing = silence.Told
	}
	err := tellProblem(c, channels, alert, e, false, knowing)
	c.Open = append(c.Open, *alert)
	return err
}

// recovered closes what a success is the end of, and tells those who know of it.
func recovered(job Job, channels []notify.Channel, open []store.Alert, o Outcome, c *store.AlertChange) error {
	e := notify.Event{Kind: notify.Recovery, Job: harmless.Text(job.Name), Run: o.Run}
	var knowing []string
	for _, kind := range []notify.Kind{notify.Silence, notify.Failure} {
		alert := find(open, kind)
		if alert == nil {
			continue
		}
		c.Closed = append(c.Closed, *alert)
		e.Since, e.Count = alert.Since, 0
		if kind == notify.Failure {
			e.Count = alert.Count
		}
		for id := range alert.Told {
			knowing = append(knowing, id)
		}
	}
	for _, channel := range channels {
		if !slices.Contains(knowing, channel.ID) {
			continue
		}
		if err := tell(c, channel, e); err != nil {
			return err
		}
	}
	return nil
}

// drifted tells what of a run was worse than usual.
func (a *Alerter) drifted(ctx context.Context, job Job, channels []notify.Channel, open []store.Alert, o Outcome, c *store.AlertChange) error {
	drifts, err := machine.Drifts(ctx, a.db, store.HealthFilter{Job: job.Name, Run: o.Run})
	if err != nil {
		return err
	}
	alert := find(open, notify.Drift)
	if len(drifts) == 0 {
		if alert != nil {
			c.Closed = append(c.Closed, *alert)
		}
		return nil
	}
	if alert == nil {
		alert = &store.Alert{Job: job.Name, Kind: string(notify.Drift), Since: c.At, Told: map[string]time.Time{}}
	}
	alert.Last, alert.Run = c.At, o.Run
	alert.Count++
	e := notify.Event{Kind: notify.Drift, Job: harmless.Text(job.Name), Run: o.Run, Since: alert.Since, Count: alert.Count}
	news := false
	for i, d := range drifts {
		what := strings.TrimSuffix(d.Text(), ": "+d.Detail)
		if i == 0 {
			alert.Detail = clean(d.Text())
		}
		if topic := string(d.Kind) + " " + what; !slices.Contains(alert.Topics, topic) {
			alert.Topics, news = append(alert.Topics, topic), true
		}
		if i < maxDrifts {
			e.Drift = append(e.Drift, notify.Drifted{What: clean(what), Detail: clean(d.Detail)})
		}
	}
	err = tellProblem(c, channels, alert, e, news, nil)
	c.Open = append(c.Open, *alert)
	return err
}

// changed tells how many records a run changed.
func changed(job Job, channels []notify.Channel, run *store.Run, c *store.AlertChange) error {
	n := run.Counters
	if n.New+n.Changed+n.RecordsGone == 0 {
		return nil
	}
	e := notify.Event{Kind: notify.Changes, Job: harmless.Text(job.Name), Run: run.Number, New: n.New, Changed: n.Changed, Gone: n.RecordsGone}
	for _, channel := range channels {
		if !slices.Contains(channel.On, notify.Changes) {
			continue
		}
		if err := tell(c, channel, e); err != nil {
			return err
		}
	}
	return nil
}

// clean is text from anywhere as one harmless line of bounded length.
func clean(s string) string {
	runes := []rune(harmless.Text(s))
	if len(runes) > maxDetail {
		runes = append(runes[:maxDetail-1], '…')
	}
	return strings.TrimSpace(string(runes))
}

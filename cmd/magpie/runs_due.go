package main

import (
	"context"
	"fmt"
	"iter"
	"time"

	"github.com/magpie-crawl/magpie/cmd/magpie/machine"
	"github.com/magpie-crawl/magpie/cmd/magpie/web/client"
	"github.com/magpie-crawl/magpie/internal/harmless"
	"github.com/magpie-crawl/magpie/store"
)

// serverDue lists what became of the due times of a server's job, or with ""
// of all jobs one after the other, the last first within each.
func serverDue(ctx context.Context, c *client.Client, job string) iter.Seq2[store.DueRun, error] {
	return func(yield func(store.DueRun, error) bool) {
		names, err := serverJobs(ctx, c, job)
		if err != nil {
			yield(store.DueRun{}, err)
			return
		}
		for _, name := range names {
			for d, err := range c.Due(ctx, name) {
				if !yield(d.Store(), err) || err != nil {
					return
				}
			}
		}
	}
}

// writeDue lists what became of due times; where is what was asked.
func (a *app) writeDue(due iter.Seq2[store.DueRun, error], where string) error {
	tb := &table{header: []string{"JOB", "DUE", "TIMES", "OUTCOME", "RUN", "WHY"}, right: []bool{false, false, true, false, true}}
	for r, err := range due {
		if err != nil {
			return err
		}
		if a.json {
			if err := a.writeJSON(machine.DueOf(r)); err != nil {
				return err
			}
			continue
		}
		tb.rows = append(tb.rows, dueRow(r))
	}
	if a.json {
		return nil
	}
	if len(tb.rows) == 0 {
		fmt.Fprintf(a.stderr, "Nothing has been due at %s.\n", harmless.Text(where))
		return nil
	}
	return tb.write(a.stdout, terminalOf(a.stdout))
}

func dueRow(r store.DueRun) []string {
	due, run, outcome := localTime(r.Nominal), "", string(r.Outcome)
	if r.Count > 1 {
		due += " to " + localTime(r.Until)
	}
	if r.Kind == store.DueHand {
		due += " (by hand)"
	}
	if r.Run > 0 {
		run, outcome = fmt.Sprint(r.Run), string(r.RunState)
	}
	return []string{r.Job, due, fmt.Sprint(r.Count), outcome, run, r.Reason}
}

// scheduleText says when a job is due next; "": it has no schedule.
func scheduleText(s *store.Schedule, now time.Time) string {
	switch {
	case s == nil || s.Schedule == "":
		return ""
	case s.Paused:
		return "paused: its schedule is off"
	case s.Next.IsZero():
		return "never again by its schedule"
	}
	return fmt.Sprintf("%s, %s", localTime(s.Next), until(s.Next, now))
}

// skippedText says what became of the last due time, where it was skipped.
func skippedText(r *store.DueRun) string {
	if r == nil || r.Outcome != store.DueSkipped {
		return ""
	}
	if r.Count > 1 {
		return fmt.Sprintf("%d due times until %s: %s", r.Count, localTime(r.Until), r.Reason)
	}
	return fmt.Sprintf("the due time %s: %s", localTime(r.Until), r.Reason)
}

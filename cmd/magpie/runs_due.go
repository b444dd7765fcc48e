package main

import (
	"context"
	"fmt"
	"time"

	"github.com/magpie-crawl/magpie/cmd/magpie/machine"
	"github.com/magpie-crawl/magpie/store"
)

// writeDue lists what became of due times, the last first.
func (a *app) writeDue(ctx context.Context, db *store.DB, job string) error {
	tb := &table{header: []string{"JOB", "DUE", "TIMES", "OUTCOME", "RUN", "WHY"}, right: []bool{false, false, true, false, true}}
	for r, err := range db.Due(ctx, job) {
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
		fmt.Fprintf(a.stderr, "Nothing has been due in %s.\n", a.db)
		return nil
	}
	return tb.write(a.stdout, terminalOf(a.stdout))
}

func dueRow(r store.DueRun) []string {
	due, run := localTime(r.Nominal), ""
	if r.Count > 1 {
		due += " to " + localTime(r.Until)
	}
	if r.Kind == store.DueHand {
		due += " (by hand)"
	}
	if r.Run > 0 {
		run = fmt.Sprint(r.Run)
	}
	return []string{r.Job, due, fmt.Sprint(r.Count), string(r.Outcome), run, r.Reason}
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

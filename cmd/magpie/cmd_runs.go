package main

import (
	"context"
	"fmt"
	"iter"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"github.com/magpie-crawl/magpie/cmd/magpie/machine"
	"github.com/magpie-crawl/magpie/cmd/magpie/web/client"
	"github.com/magpie-crawl/magpie/store"
)

func newRunsCommand(a *app) *cobra.Command {
	var job string
	var due bool
	var server serverFlags
	cmd := &cobra.Command{
		Use:   "runs",
		Short: "List the crawls in the database",
		Example: `  magpie runs
  magpie runs --job books --json
  magpie runs --due            # what became of the due times of schedules`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if server.wanted() {
				c, err := server.client(cmd)
				if err != nil {
					return err
				}
				if due {
					return a.writeDue(serverDue(cmd.Context(), c, job), server.url)
				}
				return a.writeRuns(serverRuns(cmd.Context(), c, job))
			}
			db, err := a.openReadOnly()
			if err != nil {
				return err
			}
			defer db.Close()
			if err := a.checkNames(cmd.Context(), db, job, ""); err != nil {
				return err
			}
			if due {
				return a.writeDue(db.Due(cmd.Context(), job), a.db)
			}
			return a.writeRuns(db.Runs(cmd.Context(), job))
		},
	}
	cmd.Flags().StringVar(&job, "job", "", "runs of this job alone")
	cmd.Flags().BoolVar(&due, "due", false, "list the due times that magpie serve met, with the run that began or why none did, the last first; of each job a thousand are kept, for 400 days")
	server.define(cmd, "default: the database is read")
	a.completeNames(cmd)
	return cmd
}

// serverRuns lists the runs of a server's job, or with "" of all jobs, oldest
// first within each.
func serverRuns(ctx context.Context, c *client.Client, job string) iter.Seq2[store.Run, error] {
	return func(yield func(store.Run, error) bool) {
		names, err := serverJobs(ctx, c, job)
		if err != nil {
			yield(store.Run{}, err)
			return
		}
		for _, name := range names {
			var runs []store.Run
			for r, err := range c.Runs(ctx, name) {
				if err != nil {
					yield(store.Run{}, err)
					return
				}
				runs = append(runs, r.Store())
			}
			for _, r := range slices.Backward(runs) {
				if !yield(r, nil) {
					return
				}
			}
		}
	}
}

// serverJobs are the names of a server's jobs, or job alone.
func serverJobs(ctx context.Context, c *client.Client, job string) ([]string, error) {
	if job != "" {
		return []string{job}, nil
	}
	jobs, err := c.Jobs(ctx)
	var names []string
	for _, j := range jobs {
		names = append(names, j.Job)
	}
	return names, err
}

// writeRuns writes a line for each run.
func (a *app) writeRuns(runs iter.Seq2[store.Run, error]) error {
	tb := &table{
		header: []string{"JOB", "RUN", "STATE", "STARTED", "TOOK", "PAGES", "FAILED", "NEW", "CHANGED", "SAME", "REJECTS", "DRIFT", "LEFT"},
		right:  []bool{false, true, false, false, true, true, true, true, true, true, true, true, true},
	}
	for r, err := range runs {
		if err != nil {
			return err
		}
		if a.json {
			if err := a.writeJSON(machine.RunOf(r)); err != nil {
				return err
			}
			continue
		}
		tb.rows = append(tb.rows, runRow(r))
	}
	if a.json {
		return nil
	}
	if len(tb.rows) == 0 {
		fmt.Fprintln(a.stderr, "No runs yet.")
		return nil
	}
	return tb.write(a.stdout, terminalOf(a.stdout))
}

func runRow(r store.Run) []string {
	c := r.Counters
	state := string(r.State)
	if r.Reason != "" {
		state += " (" + r.Reason + ")"
	}
	if r.Kind == store.ReextractRun {
		state = "re-extracted"
	}
	took := ""
	if !r.Ended.IsZero() {
		took = r.Ended.Sub(r.Started).Round(time.Second / 10).String()
	}
	row := []string{r.Job, fmt.Sprint(r.Number), state, r.Started.Local().Format(time.DateTime), took}
	for _, n := range []int64{c.Pages, c.Failed, c.New, c.Changed, c.Unchanged, c.Rejects, int64(r.Drifts), r.Pending} {
		row = append(row, fmt.Sprint(n))
	}
	return row
}

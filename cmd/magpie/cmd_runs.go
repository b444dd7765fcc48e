package main

import (
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"github.com/magpie-crawl/magpie/cmd/magpie/machine"
	"github.com/magpie-crawl/magpie/store"
)

func newRunsCommand(a *app) *cobra.Command {
	var job string
	var due bool
	cmd := &cobra.Command{
		Use:   "runs",
		Short: "List the crawls in the database",
		Example: `  magpie runs
  magpie runs --job books --json
  magpie runs --due            # what became of the due times of schedules`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			db, err := a.openReadOnly()
			if err != nil {
				return err
			}
			defer db.Close()
			if due {
				return a.writeDue(cmd.Context(), db, job)
			}
			tb := &table{
				header: []string{"JOB", "RUN", "STATE", "STARTED", "TOOK", "PAGES", "FAILED", "NEW", "CHANGED", "SAME", "REJECTS", "DRIFT", "LEFT"},
				right:  []bool{false, true, false, false, true, true, true, true, true, true, true, true, true},
			}
			for r, err := range db.Runs(cmd.Context(), job) {
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
				fmt.Fprintf(a.stderr, "No runs in %s.\n", a.db)
				return nil
			}
			return tb.write(a.stdout, terminalOf(a.stdout))
		},
	}
	cmd.Flags().StringVar(&job, "job", "", "runs of this job alone")
	cmd.Flags().BoolVar(&due, "due", false, "list the due times that magpie serve met, with the run that began or why none did, the last first")
	return cmd
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

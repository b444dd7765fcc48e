package main

import (
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"github.com/magpie-crawl/magpie/crawl"
	"github.com/magpie-crawl/magpie/store"
)

func newRunsCommand(a *app) *cobra.Command {
	var job string
	cmd := &cobra.Command{
		Use:   "runs",
		Short: "List the crawls in the database",
		Example: `  magpie runs
  magpie runs --job books --json`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			db, err := a.openReadOnly()
			if err != nil {
				return err
			}
			defer db.Close()
			tb := &table{
				header: []string{"JOB", "RUN", "STATE", "STARTED", "TOOK", "PAGES", "FAILED", "NEW", "CHANGED", "SAME", "REJECTS", "DRIFT", "LEFT"},
				right:  []bool{false, true, false, false, true, true, true, true, true, true, true, true, true},
			}
			for r, err := range db.Runs(cmd.Context(), job) {
				if err != nil {
					return err
				}
				if a.json {
					if err := a.writeJSON(machineRunOf(r)); err != nil {
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

// machineRun is a run for programs.
type machineRun struct {
	Job     string     `json:"job"`
	Run     int        `json:"run"`
	State   string     `json:"state"`
	Kind    string     `json:"kind"` // crawl or reextract
	Limit   string     `json:"limit,omitempty"`
	Started time.Time  `json:"started"`
	Ended   *time.Time `json:"ended,omitempty"`
	Pending int64      `json:"pending"`
	Drifts  int        `json:"drifts"` // figures that were worse than usual
	machineCounters
}

func machineRunOf(r store.Run) machineRun {
	m := machineRun{
		Job: r.Job, Run: r.Number, Kind: string(r.Kind), State: string(r.State), Limit: r.Reason, Started: r.Started, Pending: r.Pending, Drifts: r.Drifts,
		machineCounters: machineCountersOf(r.Counters),
	}
	if !r.Ended.IsZero() {
		m.Ended = &r.Ended
	}
	return m
}

// machineCounters are a run's counters for programs.
type machineCounters struct {
	Pages     int64                  `json:"pages"`
	Bytes     int64                  `json:"bytes"`
	New       int64                  `json:"new"`
	Changed   int64                  `json:"changed"`
	Unchanged int64                  `json:"unchanged"`
	Rejects   int64                  `json:"rejects"`
	Problems  int64                  `json:"problems"`
	Redirects int64                  `json:"redirects"`
	Sitemaps  int64                  `json:"sitemaps"`
	Retries   int64                  `json:"retries"`
	Skipped   map[crawl.Reason]int64 `json:"skipped"`
	Failed    map[crawl.Reason]int64 `json:"failed"`

	NotModified int64 `json:"not_modified"`
	Gone        int64 `json:"gone"`
	RecordsGone int64 `json:"records_gone"`
}

func machineCountersOf(c crawl.Counters) machineCounters {
	return machineCounters{c.Pages, c.Bytes, c.New, c.Changed, c.Unchanged, c.Rejects, c.Problems, c.Redirects, c.Sitemaps, c.Retries, c.Skipped, c.Failures, c.NotModified, c.Gone, c.RecordsGone}
}

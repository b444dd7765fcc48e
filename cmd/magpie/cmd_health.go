package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/magpie-crawl/magpie/cmd/magpie/machine"
	"github.com/magpie-crawl/magpie/cmd/magpie/words"
	"github.com/magpie-crawl/magpie/internal/harmless"
	"github.com/magpie-crawl/magpie/store"
)

func newHealthCommand(a *app) *cobra.Command {
	var f store.HealthFilter
	cmd := &cobra.Command{
		Use:   "health",
		Short: "Tell how full the fields were, and what was worse than usual",
		Long: `Health shows of a finished run, by default each job's last, in how many records
each field was filled and failed its type or check, and how many different
values it had. Below stands what drifted: what was worse than the median of the
five finished runs before.

The figures are in the database too, as the views magpie_health and
magpie_drift. When they count as drift is said by health: in the job file.`,
		Example: `  magpie health
  magpie health --job books --run 12
  magpie health --json | jq 'select(.fill_rate < 0.5)'
  sqlite3 magpie.db "select run, fill_rate from magpie_health where item = 'book' and field = 'price'"`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if f.Run < 0 || f.Run == 0 && cmd.Flags().Changed("run") {
				return usagef(cmd, "--run must be at least 1")
			}
			db, err := a.openReadOnly()
			if err != nil {
				return err
			}
			defer db.Close()
			return a.writeHealth(cmd.Context(), db, f)
		},
	}
	cmd.Flags().StringVar(&f.Job, "job", "", "of this job alone")
	cmd.Flags().IntVar(&f.Run, "run", 0, "of the run with this number; left out: the last that finished")
	a.completeNames(cmd)
	return cmd
}

func (a *app) writeHealth(ctx context.Context, db *store.DB, f store.HealthFilter) error {
	if err := a.checkNames(ctx, db, f.Job, ""); err != nil {
		return err
	}
	if err := a.checkRun(ctx, db, f.Job, f.Run); err != nil {
		return err
	}
	fields, err := db.Health(ctx, f)
	if err != nil {
		return err
	}
	drifted, err := machine.Drifts(ctx, db, f)
	if err != nil {
		return err
	}
	if a.json {
		return a.writeHealthJSON(fields, drifted)
	}
	if len(fields)+len(drifted) == 0 {
		fmt.Fprintln(a.stderr, "No finished run with records.")
		return nil
	}
	if err := a.writeFields(fields); err != nil {
		return err
	}
	for _, d := range drifted {
		if _, err := fmt.Fprintf(a.stdout, "%s %s, run %d: %s\n", terminalOf(a.stdout).style(red, "drift"), harmless.Text(d.Job), d.Run, harmless.Text(d.Text())); err != nil {
			return err
		}
	}
	return nil
}

// writeFields writes a table for each job and run.
func (a *app) writeFields(fields []store.FieldHealth) error {
	for len(fields) > 0 {
		first := fields[0]
		n := 0
		tb := &table{
			header: []string{"ITEM", "FIELD", "FILLED", "", "BEFORE", "FAILED", "DISTINCT", "RECORDS"},
			right:  []bool{false, false, false, true, true, true, true, true},
		}
		for ; n < len(fields) && fields[n].Job == first.Job && fields[n].Run == first.Run; n++ {
			tb.rows = append(tb.rows, healthRow(fields[n]))
		}
		fmt.Fprintf(a.stdout, "%s, run %d\n", harmless.Text(first.Job), first.Run)
		if err := tb.write(a.stdout, terminalOf(a.stdout)); err != nil {
			return err
		}
		fields = fields[n:]
	}
	return nil
}

func healthRow(h store.FieldHealth) []string {
	distinct := fmt.Sprint(h.Distinct)
	if !h.DistinctExact {
		distinct = "~" + distinct
	}
	return []string{h.Item, h.Field, bar(h.Filled, h.Records), words.Share(h.Filled, h.Records), words.Share(h.Usual, h.UsualRecords),
		words.Share(h.Failed, h.Records), distinct, fmt.Sprint(h.Records)}
}

// barWidth is the length of a full bar in characters.
const barWidth = 10

// bar draws a share. What is not nothing has a mark, and what is not all has
// a gap.
func bar(part, whole int64) string {
	full := 0
	if whole > 0 {
		full = int((part*barWidth + whole/2) / whole)
	}
	if part > 0 {
		full = max(full, 1)
	}
	if part < whole {
		full = min(full, barWidth-1)
	}
	return strings.Repeat("█", full) + strings.Repeat("░", barWidth-full)
}

// writeHealthJSON writes a line for each field, with its drift, and one for
// each drift that is of no field.
func (a *app) writeHealthJSON(fields []store.FieldHealth, drifted []machine.Drift) error {
	list, rest := machine.HealthOf(fields, drifted)
	for _, m := range list {
		if err := a.writeJSON(m); err != nil {
			return err
		}
	}
	for _, d := range rest {
		line := struct {
			Job   string          `json:"job"`
			Run   int             `json:"run"`
			Drift []machine.Drift `json:"drift"`
		}{d.Job, d.Run, []machine.Drift{d}}
		if err := a.writeJSON(line); err != nil {
			return err
		}
	}
	return nil
}

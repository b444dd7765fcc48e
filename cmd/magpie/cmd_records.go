package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"github.com/magpie-crawl/magpie/cmd/magpie/values"
	"github.com/magpie-crawl/magpie/cmd/magpie/words"
	"github.com/magpie-crawl/magpie/extract"
	"github.com/magpie-crawl/magpie/internal/harmless"
	"github.com/magpie-crawl/magpie/store"
)

func newRecordsCommand(a *app) *cobra.Command {
	c := &recordsCommand{app: a}
	cmd := &cobra.Command{
		Use:   "records",
		Short: "Look at the records, and at the values that could not be had",
		Example: `  magpie records --item book
  magpie records --item book --limit 0 --json | jq .price.amount
  magpie records --item book --at 2026-11-01      # as they stood then; or --at 3: after run 3
  magpie records --problems     # values that failed, counted by field
  magpie records --rejects      # records set aside: a required value is absent`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := errors.Join(apart(cmd, "problems", "rejects", "at"), checkLimit(cmd, c.limit)); err != nil {
				return err
			}
			db, err := a.openReadOnly()
			if err != nil {
				return err
			}
			defer db.Close()
			if err := a.checkNames(cmd.Context(), db, c.job, c.item); err != nil {
				return err
			}
			switch {
			case c.problems:
				return c.listProblems(cmd, db)
			case c.rejects:
				return c.listRejects(cmd, db)
			}
			return c.list(cmd, db)
		},
	}
	f := cmd.Flags()
	f.StringVar(&c.job, "job", "", "of this job alone")
	f.StringVar(&c.item, "item", "", "of this item type alone")
	f.IntVar(&c.limit, "limit", 20, "at most this many; 0: all")
	f.BoolVar(&c.problems, "problems", false, "values that could not be read in each job's last run, counted by field")
	f.BoolVar(&c.rejects, "rejects", false, "records that were set aside in each job's last run")
	f.StringVar(&c.at, "at", "", "the records as they stood at a `time`, such as 2026-11-01 or 2026-11-01T15:04:05Z, or after a run, by its number")
	a.completeNames(cmd)
	return cmd
}

// recordsCommand is one call of magpie records.
type recordsCommand struct {
	*app
	job, item         string
	limit             int
	problems, rejects bool
	at                string // time or number of a run; "": now
}

// list writes the current records, a table for each item type.
func (c *recordsCommand) list(cmd *cobra.Command, db *store.DB) error {
	items, err := db.Items(cmd.Context(), c.job)
	if err != nil {
		return err
	}
	shown := 0
	for _, item := range items {
		if c.item != "" && item.Name != c.item {
			continue
		}
		shown++
		if err := c.listItem(cmd, db, item); err != nil {
			return err
		}
	}
	if shown == 0 {
		return c.noItems()
	}
	return nil
}

// noItems says that there is no item type at all.
func (a *app) noItems() error {
	return fmt.Errorf("%s has no item types: the jobs crawled so far had no items", a.db)
}

func (c *recordsCommand) listItem(cmd *cobra.Command, db *store.DB, item store.ItemSummary) error {
	tb := &table{header: item.Fields}
	filter := store.RecordFilter{Job: item.Job, Item: item.Name, Limit: c.limit}
	when := ""
	if c.at != "" {
		run, err := c.runAt(cmd, db, item.Job)
		if err != nil {
			return err
		}
		filter.Run = run.Number
		when = fmt.Sprintf(" after run %d of %s", run.Number, run.Started.Local().Format(time.DateTime))
		if item.Records, err = db.CountRecords(cmd.Context(), filter); err != nil {
			return err
		}
	}
	for r, err := range db.Records(cmd.Context(), filter) {
		if err != nil {
			return err
		}
		if c.json {
			if err := c.writeJSON(r.Data); err != nil {
				return err
			}
			continue
		}
		row, err := recordRow(item.Fields, r.Data)
		if err != nil {
			return fmt.Errorf("record %s: %w", r.Key, err)
		}
		tb.rows = append(tb.rows, row)
	}
	if c.json {
		return nil
	}
	fmt.Fprintf(c.stdout, "%s of %s%s: %s\n", item.Name, harmless.Text(item.Job), when, words.Counted(item.Records, "record"))
	if len(tb.rows) == 0 {
		return nil
	}
	if err := tb.write(c.stdout, terminalOf(c.stdout)); err != nil {
		return err
	}
	if int64(len(tb.rows)) < item.Records {
		fmt.Fprintf(c.stderr, "The first %d; --limit 0 shows all, magpie export writes them.\n", len(tb.rows))
	}
	return nil
}

// runAt finds the run that --at asks for.
func (c *recordsCommand) runAt(cmd *cobra.Command, db *store.DB, job string) (*store.Run, error) {
	if number, err := strconv.Atoi(c.at); err == nil && number > 0 {
		return c.runOf(cmd.Context(), db, job, number)
	}
	at, err := parseTime(c.at)
	if err != nil {
		return nil, usagef(cmd, "--at %s: %s", c.at, err)
	}
	run, err := db.RunAt(cmd.Context(), job, at)
	if errors.Is(err, store.ErrNotFound) {
		return nil, fmt.Errorf("no run of %s had ended by %s: magpie runs lists them", job, at.Local().Format(time.DateTime))
	}
	return run, err
}

// parseTime reads a time as RFC 3339 has it, or without a zone as local time.
// A day stands for its end. https://www.rfc-editor.org/rfc/rfc3339
func parseTime(s string) (time.Time, error) {
	if at, err := time.Parse(time.RFC3339, s); err == nil {
		return at, nil
	}
	for _, layout := range []string{"2006-01-02T15:04:05", time.DateTime, "2006-01-02T15:04", "2006-01-02 15:04"} {
		if at, err := time.ParseInLocation(layout, s, time.Local); err == nil {
			return at, nil
		}
	}
	if day, err := time.ParseInLocation(time.DateOnly, s, time.Local); err == nil {
		return day.AddDate(0, 0, 1).Add(-time.Millisecond), nil
	}
	return time.Time{}, errors.New("write a time such as 2026-11-01 or 2026-11-01T15:04:05Z, or the number of a run")
}

// recordRow is a record's values in the order of fields, for people.
func recordRow(fields []string, data json.RawMessage) ([]string, error) {
	var o extract.Object
	if err := json.Unmarshal(data, &o); err != nil {
		return nil, err
	}
	row := make([]string, len(fields))
	for i, name := range fields {
		row[i] = values.Display(values.Member(o, name))
	}
	return row, nil
}

// listProblems writes how often which value failed.
func (c *recordsCommand) listProblems(cmd *cobra.Command, db *store.DB) error {
	counts, err := db.ProblemCounts(cmd.Context(), store.ProblemFilter{Job: c.job, Item: c.item})
	if err != nil {
		return err
	}
	tb := &table{
		header: []string{"ITEM", "FIELD", "PROBLEM", "COUNT", "REJECTED", "EXAMPLE", "ON"},
		right:  []bool{false, false, false, true, true},
	}
	for _, p := range counts {
		if c.json {
			if err := c.writeJSON(map[string]any{
				"job": p.Job, "item": p.Item, "field": p.Field, "code": p.Code, "count": p.Count, "rejected": p.Rejected,
				"example": map[string]string{"url": p.Example.URL, "detail": p.Example.Detail},
			}); err != nil {
				return err
			}
			continue
		}
		tb.rows = append(tb.rows, []string{p.Item, p.Field, p.Code, fmt.Sprint(p.Count), fmt.Sprint(p.Rejected), p.Example.Detail, p.Example.URL})
	}
	switch {
	case c.json:
		return nil
	case len(tb.rows) == 0:
		fmt.Fprintln(c.stderr, "No problems.")
		return nil
	}
	return tb.write(c.stdout, terminalOf(c.stdout))
}

// listRejects writes the records that were set aside.
func (c *recordsCommand) listRejects(cmd *cobra.Command, db *store.DB) error {
	n := 0
	for r, err := range db.Rejects(cmd.Context(), store.ProblemFilter{Job: c.job, Item: c.item, Limit: c.limit}) {
		if err != nil {
			return err
		}
		n++
		if c.json {
			err = c.writeJSON(map[string]any{"job": r.Job, "item": r.Item, "url": r.URL, "position": r.Position, "found": r.Data})
		} else {
			_, err = fmt.Fprintf(c.stdout, "%s on %s: %s\n", r.Item, harmless.Text(r.URL), harmless.Text(string(r.Data)))
		}
		if err != nil {
			return err
		}
	}
	if n == 0 && !c.json {
		fmt.Fprintln(c.stderr, "No rejects.")
	}
	return nil
}

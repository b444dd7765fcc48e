package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/magpie-crawl/magpie/cmd/magpie/machine"
	"github.com/magpie-crawl/magpie/cmd/magpie/values"
	"github.com/magpie-crawl/magpie/internal/harmless"
	"github.com/magpie-crawl/magpie/store"
)

func newDiffCommand(a *app) *cobra.Command {
	c := &diffCommand{app: a}
	cmd := &cobra.Command{
		Use:   "diff [RUN] [RUN]",
		Short: "Show which records differ between two runs",
		Long: `Diff shows the records that a run added, that it found changed, field by field,
and that it found to be gone: on no page of the run, though the page that had
them was read, or is gone. A page that answers 404 is gone when it does so in
the second run in a row; at 410 it is gone at once.

Without a RUN it compares the last finished run with the one before, with one
RUN that one with the one before, with two the older with the newer. RUN is a
number as magpie runs shows it; 0 stands for before the first.`,
		Example: `  magpie diff
  magpie diff 3 7 --job books --item book
  magpie diff --kind gone --json | jq .key
  magpie diff --format csv > changes.csv     # a line for each field that changed`,
		Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error { return c.run(cmd, args) },
	}
	f := cmd.Flags()
	f.StringVar(&c.options.Job, "job", "", "the job; may be left out when there is only one")
	f.StringVar(&c.options.Item, "item", "", "of this item type alone")
	c.kind = addChoice(cmd, "kind", "only what became of records", allKinds, string(store.Added), string(store.Changed), string(store.Gone))
	f.IntVar(&c.options.Limit, "limit", 20, "list at most this many changes of each kind; 0: all (default of JSON and CSV)")
	c.format = addChoice(cmd, "format", "how to write it", "text", "json", "csv")
	a.completeNames(cmd)
	cmd.ValidArgsFunction = a.completion(completeRuns)
	return cmd
}

// diffCommand is one call of magpie diff.
type diffCommand struct {
	*app
	options store.DiffOptions
	kind    *choiceFlag
	format  *choiceFlag
}

const allKinds = "all"

func (c *diffCommand) run(cmd *cobra.Command, args []string) error {
	if err := checkLimit(cmd, c.options.Limit); err != nil {
		return err
	}
	if err := c.onlyJSON(cmd, c.format); err != nil {
		return err
	}
	if c.format.value != "text" && !cmd.Flags().Changed("limit") {
		c.options.Limit = 0
	}
	if c.kind.value != allKinds {
		c.options.Kind = store.ChangeKind(c.kind.value)
	}
	db, err := c.openReadOnly()
	if err != nil {
		return err
	}
	defer db.Close()
	if err := c.checkNames(cmd.Context(), db, c.options.Job, ""); err != nil {
		return err
	}
	if c.options.Job, err = c.onlyJob(cmd, db, c.options.Job); err != nil {
		return err
	}
	if err := c.runs(cmd, db, args); err != nil {
		return err
	}
	switch c.format.value {
	case "json":
		return c.writeLines(cmd.Context(), db)
	case "csv":
		return c.writeCSV(cmd.Context(), db)
	}
	return c.writeText(cmd.Context(), db)
}

// onlyJob is the job when there is just one, or the one named.
func (a *app) onlyJob(cmd *cobra.Command, db *store.DB, name string) (string, error) {
	if name != "" {
		return name, nil
	}
	names, err := db.JobNames(cmd.Context())
	if err != nil {
		return "", err
	}
	switch len(names) {
	case 0:
		return "", fmt.Errorf("%s has no jobs: nothing was crawled yet", a.db)
	case 1:
		return names[0], nil
	}
	return "", usagef(cmd, "say which with --job: there are %s", strings.Join(names, ", "))
}

// runs finds out which runs to compare.
func (c *diffCommand) runs(cmd *cobra.Command, db *store.DB, args []string) error {
	if len(args) > 2 {
		return usagef(cmd, "diff takes at most two runs, not also %q", args[2])
	}
	numbers := make([]int, len(args))
	for i, arg := range args {
		n, err := strconv.Atoi(arg)
		if err != nil || n < 0 {
			return usagef(cmd, "%q is no run: it is a number, see magpie runs", arg)
		}
		numbers[i] = n
		if n > 0 {
			if _, err := c.runOf(cmd.Context(), db, c.options.Job, n); err != nil {
				return err
			}
		}
	}
	o := &c.options
	if len(numbers) == 2 {
		o.From, o.To = min(numbers[0], numbers[1]), max(numbers[0], numbers[1])
		if o.From == o.To {
			return usagef(cmd, "run %d does not differ from itself: name another", o.From)
		}
		return nil
	}
	if len(numbers) == 1 {
		if o.To = numbers[0]; o.To == 0 {
			return usagef(cmd, "0 stands for before the first run: name the run to compare with")
		}
	} else {
		last, err := db.RunBefore(cmd.Context(), o.Job, 0)
		if errors.Is(err, store.ErrNotFound) {
			return fmt.Errorf("job %q in %s has no finished run yet: magpie crawl goes on with one", o.Job, c.db)
		} else if err != nil {
			return err
		}
		o.To = last.Number
	}
	before, err := db.RunBefore(cmd.Context(), o.Job, o.To)
	switch {
	case errors.Is(err, store.ErrNotFound):
		o.From = 0
	case err != nil:
		return err
	default:
		o.From = before.Number
	}
	return nil
}

// writeText writes the counts, then a bounded list.
func (c *diffCommand) writeText(ctx context.Context, db *store.DB) error {
	counts, err := db.DiffCounts(ctx, c.options)
	if err != nil {
		return err
	}
	out := bufio.NewWriter(c.stdout)
	fmt.Fprintf(out, "%s: %s against %s\n", harmless.Text(c.options.Job), c.runText(ctx, db, c.options.To), c.runText(ctx, db, c.options.From))
	listed, all := int64(0), int64(0)
	for _, n := range counts {
		fmt.Fprintf(out, "%s: %s\n", harmless.Text(n.Item), c.countText(n))
		all += n.Added + n.Changed + n.Gone
	}
	item := ""
	for change, err := range db.Diff(ctx, c.options) {
		if err != nil {
			return err
		}
		if change.Item != item {
			item = change.Item
			fmt.Fprintf(out, "\n%s\n", harmless.Text(item))
		}
		if err := writeChange(out, &change); err != nil {
			return err
		}
		listed++
	}
	if err := out.Flush(); err != nil {
		return err
	}
	if listed < all {
		fmt.Fprintf(c.stderr, "%d of %d changes; --limit 0 lists all.\n", listed, all)
	}
	return nil
}

// countText says how many changes there are of the kinds that are asked for.
func (c *diffCommand) countText(n store.DiffCount) string {
	counted := map[store.ChangeKind]int64{store.Added: n.Added, store.Changed: n.Changed, store.Gone: n.Gone}
	var parts []string
	for _, kind := range store.ChangeKinds {
		if c.options.Kind == "" || c.options.Kind == kind {
			parts = append(parts, fmt.Sprintf("%d %s", counted[kind], kind))
		}
	}
	return strings.Join(parts, ", ")
}

// runText is a run for people.
func (c *diffCommand) runText(ctx context.Context, db *store.DB, number int) string {
	if number == 0 {
		return "nothing"
	}
	run, err := db.Run(ctx, c.options.Job, number)
	if err != nil {
		return fmt.Sprint("run ", number)
	}
	text := fmt.Sprintf("run %d of %s", number, run.Started.Local().Format(time.DateTime))
	if run.Kind == store.ReextractRun {
		text += " (re-extracted: the job file changed, not the site)"
	}
	if run.State != store.RunFinished { // what is gone is known at the end
		text += fmt.Sprintf(" (%s)", run.State)
	}
	return text
}

var changeSigns = map[store.ChangeKind]string{store.Added: "+", store.Changed: "~", store.Gone: "-"}

// writeChange writes a change for people: a line for the record, and of a
// changed one a line for each field.
func writeChange(w io.Writer, c *store.Change) error {
	line := "  " + changeSigns[c.Kind] + " " + keyText(c.Key)
	if c.Kind != store.Changed {
		data := c.New
		if c.Kind == store.Gone {
			data = c.Old
		}
		_, err := fmt.Fprintf(w, "%s  %s\n", line, harmless.Text(values.Short(values.Stored(data))))
		return err
	}
	fmt.Fprintln(w, line)
	for _, f := range c.Fields() {
		if _, err := fmt.Fprintf(w, "      %s: %s\n", harmless.Text(f.Field), changeText(f.Old, f.New)); err != nil {
			return err
		}
	}
	return nil
}

// changeText says what a stored value was, and what it is now.
func changeText(old, now json.RawMessage) string {
	was, is := values.Differing(values.Stored(old), values.Stored(now))
	return harmless.Text(was) + " → " + harmless.Text(is)
}

// keyText is a record's key for people: the values of its key fields, where it
// has such.
func keyText(key string) string {
	return harmless.Text(values.Key(key))
}

// writeLines writes the changes as JSON, a line each.
func (c *diffCommand) writeLines(ctx context.Context, db *store.DB) error {
	out := bufio.NewWriter(c.stdout)
	for change, err := range db.Diff(ctx, c.options) {
		if err != nil {
			return err
		}
		line, err := machine.Line(machine.ChangeOf(c.options.Job, &change))
		if err != nil {
			return fmt.Errorf("record %q: %w", change.Key, err)
		}
		if _, err := out.Write(line); err != nil {
			return err
		}
	}
	return out.Flush()
}

// writeCSV writes a line for each field that changed, and one for each record
// that was added or is gone.
func (c *diffCommand) writeCSV(ctx context.Context, db *store.DB) error {
	w := newCSVWriter(c.stdout)
	w.row("job", "item", "change", "key", "url", "field", "old", "new")
	for change, err := range db.Diff(ctx, c.options) {
		if err != nil {
			return err
		}
		fields := []store.FieldChange{{Old: change.Old, New: change.New}}
		if change.Kind == store.Changed {
			fields = change.Fields()
		}
		for _, f := range fields {
			err := w.row(c.options.Job, change.Item, string(change.Kind), change.Key, change.URL, f.Field, jsonCell(f.Old), jsonCell(f.New))
			if err != nil {
				return err
			}
		}
	}
	return w.flush()
}

// jsonCell is a stored value as a cell of CSV: a text as it is, all else as JSON.
func jsonCell(value json.RawMessage) string {
	var text string
	if json.Unmarshal(value, &text) == nil {
		return text
	}
	return string(value)
}

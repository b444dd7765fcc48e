package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"

	"github.com/spf13/cobra"

	"github.com/magpie-crawl/magpie/cmd/magpie/words"
	"github.com/magpie-crawl/magpie/internal/harmless"
	"github.com/magpie-crawl/magpie/store"
)

func newGCCommand(a *app) *cobra.Command {
	c := &gcCommand{app: a}
	cmd := &cobra.Command{
		Use:   "gc",
		Short: "Clean up the database: drop what jobs do not keep, compress, give room back",
		Long: `Gc makes a database small:

  - it drops the bodies that jobs keep no longer (keep: in the job file), and
    those that nothing refers to,
  - it compresses the others as small as can be, which a crawl has no time for:
    where a host's pages have much in common, with a dictionary of their own,
  - it writes the file anew where more than a tenth of it is free.

It works while crawls go on, but for the last, which is left out then. It may be
interrupted at any moment: the next time it goes on from there.`,
		Example: `  magpie gc --dry-run    # say what would be done
  magpie gc
  magpie db              # what takes the room`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error { return c.run(cmd) },
	}
	cmd.Flags().BoolVar(&c.dryRun, "dry-run", false, "change nothing, say what would be done")
	return cmd
}

// gcCommand is one call of magpie gc.
type gcCommand struct {
	*app
	dryRun bool
}

func (c *gcCommand) run(cmd *cobra.Command) error {
	open := c.openExisting
	if c.dryRun {
		open = c.openReadOnly
	}
	db, err := open()
	if err != nil {
		return err
	}
	defer db.Close()
	var at atomic.Pointer[store.GCProgress]
	work := c.startWork(cmd.Context(), func() []stat { return gcStats(at.Load()) })
	defer work.stop()
	r, err := db.GC(work.ctx, store.GCOptions{DryRun: c.dryRun, Progress: func(p store.GCProgress) { at.Store(&p) }})
	work.stop()
	if err != nil && work.interrupted && errors.Is(err, context.Canceled) {
		if !c.json {
			fmt.Fprintln(c.stderr, "What was done stays done. The same command goes on from here.")
		}
		return errInterrupted
	} else if err != nil {
		return err
	}
	if c.json {
		return c.writeJSON(machineGCOf(r, c.dryRun))
	}
	_, err = fmt.Fprint(c.stdout, c.report(r))
	return err
}

func gcStats(p *store.GCProgress) []stat {
	if p == nil {
		return nil
	}
	all := []stat{{"step", p.Step, string(p.Step)}}
	if p.Total > 0 {
		all = append(all, stat{"done", p.Done, fmt.Sprintf("%d%%", 100*p.Done/p.Total)})
	}
	return all
}

// report tells people what was done.
func (c *gcCommand) report(r *store.GCResult) string {
	var b strings.Builder
	line := func(name, format string, args ...any) {
		fmt.Fprintf(&b, "  %-10s %s\n", name, harmless.Text(fmt.Sprintf(format, args...)))
	}
	if c.dryRun {
		fmt.Fprintf(&b, "%s: this would be done\n", c.db)
	} else {
		fmt.Fprintf(&b, "%s: cleaned up\n", c.db)
	}
	for _, t := range r.Trimmed {
		if t.Bodies > 0 {
			line("dropped", "%s of %s that it does not keep, %s", countedBodies(t.Bodies), t.Job, words.Bytes(t.Bytes))
		}
		if over := t.Over(); over > 0 {
			line("budget", "the last bodies of the pages of %s exceed its budget of %s by %s: raise it, or write keep: none", t.Job, words.Bytes(t.Budget), words.Bytes(over))
		}
	}
	if r.Unused > 0 {
		line("unused", "%s that nothing refers to, %s", countedBodies(r.Unused), words.Bytes(r.UnusedBytes))
	}
	switch {
	case r.Compressed > 0 && c.dryRun:
		line("compress", "%s of %s as crawls stored them", countedBodies(r.Compressed), words.Bytes(r.BytesBefore))
	case r.Compressed > 0:
		line("compressed", "%s, from %s to %s%s", countedBodies(r.Compressed), words.Bytes(r.BytesBefore), words.Bytes(r.BytesAfter), dictionariesText(r.Dictionaries))
	}
	if r.Damaged > 0 {
		line("damaged", "%s, left as they are: see magpie db check", countedBodies(r.Damaged))
	}
	switch {
	case r.Held != "":
		line("file", "%s, %s of it free: not made smaller while %s is being crawled", words.Bytes(r.FileBefore), words.Bytes(r.Free), r.Held)
	case r.FileAfter < r.FileBefore:
		line("file", "%s, was %s", words.Bytes(r.FileAfter), words.Bytes(r.FileBefore))
	default:
		line("file", "%s, %s of it free", words.Bytes(r.FileBefore), words.Bytes(r.Free))
	}
	return b.String()
}

func dictionariesText(n int64) string {
	if n == 1 {
		return ", 1 new dictionary"
	}
	return more(", %d new dictionaries", n)
}

func countedBodies(n int64) string {
	if n == 1 {
		return "1 body"
	}
	return fmt.Sprintf("%d bodies", n)
}

// trimTexts says what was dropped of a job's bodies, in sentences.
func trimTexts(t *store.Trimmed) (texts []string) {
	if t.Bodies > 0 {
		texts = append(texts, fmt.Sprintf("Dropped %s (%s) that %s does not keep.", countedBodies(t.Bodies), words.Bytes(t.Bytes), t.Job))
	}
	if over := t.Over(); over > 0 {
		texts = append(texts, fmt.Sprintf("The last bodies of the pages of %s exceed its budget of %s by %s: raise it, or write keep: none.",
			t.Job, words.Bytes(t.Budget), words.Bytes(over)))
	}
	return texts
}

// machineGC is what gc did, for programs.
type machineGC struct {
	DryRun       bool             `json:"dry_run,omitempty"`
	Dropped      []machineTrimmed `json:"dropped"`
	Unused       int64            `json:"unused"`
	UnusedBytes  int64            `json:"unused_bytes"`
	Compressed   int64            `json:"compressed"`
	BytesBefore  int64            `json:"bytes_before"`
	BytesAfter   int64            `json:"bytes_after"`
	Dictionaries int64            `json:"dictionaries"`
	Damaged      int64            `json:"damaged"`
	FileBefore   int64            `json:"file_before"`
	FileAfter    int64            `json:"file_after"`
	Free         int64            `json:"free"`
	Held         string           `json:"held,omitempty"`
}

type machineTrimmed struct {
	Job    string `json:"job"`
	Bodies int64  `json:"bodies"`
	Bytes  int64  `json:"bytes"`
	Over   int64  `json:"over_budget,omitempty"`
}

func machineGCOf(r *store.GCResult, dryRun bool) machineGC {
	m := machineGC{dryRun, []machineTrimmed{}, r.Unused, r.UnusedBytes, r.Compressed, r.BytesBefore, r.BytesAfter, r.Dictionaries, r.Damaged,
		r.FileBefore, r.FileAfter, r.Free, r.Held}
	for _, t := range r.Trimmed {
		m.Dropped = append(m.Dropped, machineTrimmed{t.Job, t.Bodies, t.Bytes, t.Over()})
	}
	return m
}

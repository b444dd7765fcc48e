package main

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"sync/atomic"

	"github.com/spf13/cobra"

	"github.com/magpie-crawl/magpie/cmd/magpie/words"
	"github.com/magpie-crawl/magpie/config"
	"github.com/magpie-crawl/magpie/internal/harmless"
	"github.com/magpie-crawl/magpie/internal/spelling"
	"github.com/magpie-crawl/magpie/store"
	"github.com/magpie-crawl/magpie/store/dataset"
)

func newExportCommand(a *app) *cobra.Command {
	c := &exportCommand{app: a}
	cmd := &cobra.Command{
		Use:   "export",
		Short: "Write records as JSONL, CSV, Parquet, SQLite or Markdown, pages as WARC",
		Long: `Export writes the current records of an item type, ordered by job and key. The
same database gives the same file.

  jsonl     one JSON object a line; .gz and .zst at the end of the file's name compress
  csv       the columns of the item's view; compressed likewise
  parquet   typed columns, nested lists and groups, zstd. Numbers and amounts are
            DOUBLE, dates DATE, times TIMESTAMP in UTC; tables, pairs and the like JSON
  sqlite    a database of its own, a table for each item type (without --item: all)
  markdown  a folder, a file for each record: fields as YAML front matter, then the
            field that is Markdown, else the longest text; index.jsonl lists the files
  warc      the stored page of each URL as WARC/1.1 (.warc or .warc.gz)

A file is written beside its place and renamed when it is whole. Beside it stand
FILE.datapackage.json (a Frictionless Data Package) and FILE.croissant.json
(Croissant): fields, counts, checksums, runs, and what the job file says under
dataset (title, description, license, source, creator).

--since RUN writes what is new or changed after that run; the keys of records that
are gone since go to FILE.gone.jsonl. --split puts each record, by a hash of its
key, into FILE-train.jsonl and so on: always into the same. --dedup near leaves out
records whose texts differ in little; those of less than 12 words must be equal.`,
		Example: `  magpie export --item book -o books.csv
  magpie export --item book --format jsonl | jq .title
  magpie export --item book -o books.parquet --where "price_amount < 20 AND stock > 0"
  magpie export --item book -o books.jsonl.zst --fields title,price,_url
  magpie export --item book -o delta.jsonl --job books --since 12
  magpie export --item article -o articles.parquet --split train=80,validation=10,test=10 --dedup near
  magpie export --format warc -o pages.warc.gz --job books`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error { return c.run(cmd) },
	}
	f := cmd.Flags()
	f.StringVar(&c.options.Item, "item", "", "the item type; may be left out when there is only one")
	f.StringVar(&c.options.Job, "job", "", "records of this job alone")
	f.StringVarP(&c.path, "output", "o", "-", "the `file` to write; - is the standard output")
	f.StringVar(&c.format, "format", "", "the `format`: "+strings.Join(formatNames(), ", ")+" (default: by the file's name, else jsonl)")
	f.BoolVar(&c.options.Meta, "meta", false, "add where a record comes from: _job, _key, _url, _position, _first_run, _last_run")
	f.BoolVar(&c.options.Formulas, "formulas", false, "CSV: leave texts that a spreadsheet would run as formulas as they are")
	f.StringSliceVar(&c.options.Fields, "fields", nil, "these fields alone, in this order: `a,b,c`; _url and the like may be among them")
	f.StringVar(&c.options.Where, "where", "", "records that fulfil a `condition` in SQL over the columns of the item's view")
	f.IntVar(&c.options.Since, "since", 0, "what is new or changed after this `run`, and what is gone")
	f.StringVar(&c.split, "split", "", "a file for each part, by shares: `train=80,test=20`")
	f.StringVar((*string)(&c.options.Dedup), "dedup", "", "leave out duplicates of this `kind`: exact or near")
	f.BoolVar(&c.noManifest, "no-manifest", false, "write no manifests beside the file")
	a.completeNames(cmd)
	complete(cmd, "format", cobra.FixedCompletions(formatNames(), cobra.ShellCompDirectiveNoFileComp))
	complete(cmd, "dedup", cobra.FixedCompletions([]string{"exact", "near"}, cobra.ShellCompDirectiveNoFileComp))
	return cmd
}

// exportCommand is one call of magpie export.
type exportCommand struct {
	*app
	path       string
	format     string
	split      string
	noManifest bool
	options    store.ExportOptions
}

func (c *exportCommand) run(cmd *cobra.Command) error {
	db, err := c.openReadOnly()
	if err != nil {
		return err
	}
	defer db.Close()
	if err := c.checkNames(cmd.Context(), db, c.options.Job, ""); err != nil {
		return err
	}
	if err := c.prepare(cmd, db); err != nil {
		return err
	}
	if c.path == "-" {
		err = c.toOutput(cmd, db)
	} else {
		err = c.toFile(cmd, db)
	}
	if wrong, ok := errors.AsType[*store.OptionError](err); ok && !errors.Is(err, store.ErrNotFound) {
		return usagef(cmd, "--%s: %s", wrong.Option, wrong.Err)
	}
	return err
}

// prepare makes options of the flags.
func (c *exportCommand) prepare(cmd *cobra.Command, db *store.DB) (err error) {
	o := &c.options
	if o.Format, err = c.formatOf(cmd); err != nil {
		return err
	}
	for i, name := range o.Fields {
		o.Fields[i] = strings.TrimSpace(name)
	}
	if c.split != "" {
		if o.Split, err = dataset.ParseSplits(c.split); err != nil {
			return usagef(cmd, "--split: %s", err)
		}
	}
	if o.Since < 0 || cmd.Flags().Changed("since") && o.Since == 0 {
		return usagef(cmd, "--since: runs count from 1")
	}
	if o.Format == store.WARC && o.Item != "" {
		return usagef(cmd, "--item: a web archive holds pages, with no item types: leave it out")
	}
	whole := o.Format == store.WARC || o.Format == store.SQLite && len(o.Fields) == 0 && o.Where == ""
	if o.Item == "" && !whole {
		if o.Item, err = c.onlyItem(cmd, db); err != nil {
			return err
		}
	}
	if o.Job == "" {
		if o.Job, err = c.onlyJob(cmd, db); err != nil {
			return err
		}
	}
	o.Manifest, o.Software = !c.noManifest, software()
	o.Dataset = about(cmd, db, o.Job)
	return nil
}

// onlyJob is the job that has the item when there is just one; "": there are
// several.
func (c *exportCommand) onlyJob(cmd *cobra.Command, db *store.DB) (string, error) {
	if c.options.Item == "" {
		jobs, err := db.JobNames(cmd.Context())
		if err != nil || len(jobs) != 1 {
			return "", err
		}
		return jobs[0], nil
	}
	items, err := db.ItemTypes(cmd.Context(), "")
	if err != nil {
		return "", err
	}
	only := ""
	for _, item := range items {
		switch {
		case item.Name != c.options.Item:
		case only != "":
			return "", nil
		default:
			only = item.Job
		}
	}
	return only, nil
}

// about is what a job, as its last run had it, says of its data; nothing if it
// says nothing, or if there are several jobs.
func about(cmd *cobra.Command, db *store.DB, job string) dataset.Description {
	if job == "" {
		return dataset.Description{}
	}
	run, err := db.Run(cmd.Context(), job, 0)
	if err != nil || run.Source == "" {
		return dataset.Description{Title: job}
	}
	spec, err := config.ParseOffline(job, []byte(run.Source))
	if err != nil { // written by another version
		return dataset.Description{Title: job}
	}
	spec.Name = job
	return spec.About()
}

func (c *exportCommand) toOutput(cmd *cobra.Command, db *store.DB) error {
	if t := terminalOf(c.stdout); t.people && (c.options.Format == store.Parquet || c.options.Format == store.WARC) {
		return usagef(cmd, "%s is not for a terminal: name a file with -o", c.options.Format)
	}
	out, flush := pageWriter(c.stdout)
	if _, err := db.Export(cmd.Context(), out, c.options); err != nil {
		return err
	}
	if c.options.Since > 0 {
		fmt.Fprintln(c.stderr, "Keys of records that are gone are not written here: with -o FILE they are, to FILE.gone.jsonl.")
	}
	return flush()
}

func (c *exportCommand) toFile(cmd *cobra.Command, db *store.DB) error {
	if terminalOf(c.stderr).people && !c.json {
		var written atomic.Int64
		c.options.Progress = written.Store
		p := startProgress(c.stderr, logOptions{}, false, func() []stat {
			n := written.Load()
			return []stat{{"written", n, words.Counted(n, exportedNoun(c.options.Format)) + " written"}}
		})
		defer p.stop()
	}
	ctx, stop := untilSignal(cmd.Context())
	defer stop()
	done, err := db.ExportFiles(ctx, c.path, c.options)
	if err != nil && ctx.Err() != nil {
		if !c.json {
			fmt.Fprintf(c.stderr, "Interrupted: %s is as it was.\n", harmless.Text(c.path))
		}
		return errInterrupted
	}
	if err != nil {
		return err
	}
	if c.json {
		return c.writeJSON(exportedJSON(c.options.Item, c.path, done))
	}
	c.tell(done)
	return nil
}

// tell says what was written.
func (c *exportCommand) tell(done *store.Exported) {
	of := ""
	if c.options.Item != "" && c.options.Format != store.WARC {
		of = " of " + harmless.Text(c.options.Item)
	}
	for _, f := range done.Files {
		switch f.Kind {
		case "records":
			fmt.Fprintf(c.stdout, "Wrote %s%s to %s.\n", words.Counted(f.Records, exportedNoun(c.options.Format)), of, harmless.Text(f.Path))
		case "gone":
			fmt.Fprintf(c.stdout, "Wrote the keys of %s that went since to %s.\n", words.Counted(f.Records, "record"), harmless.Text(f.Path))
		}
	}
	if len(done.Files) == 0 { // what is no regular file
		fmt.Fprintf(c.stdout, "Wrote %s%s to %s.\n", words.Counted(done.Records, exportedNoun(c.options.Format)), of, harmless.Text(c.path))
	}
	if c.options.Dedup != dataset.KeepAll {
		fmt.Fprintf(c.stdout, "Left out %s.\n", words.Counted(done.Duplicates, "duplicate"))
	}
	for field, n := range done.Misfits {
		fmt.Fprintf(c.stderr, "Left out %s of %s that are not of the column's type: an earlier spec stored them.\n", words.Counted(n, "value"), harmless.Text(field))
	}
}

func exportedNoun(f store.Format) string {
	if f == store.WARC {
		return "page"
	}
	return "record"
}

// exportedJSON is what was written, for machines.
func exportedJSON(item, path string, done *store.Exported) map[string]any {
	files := []map[string]any{}
	for _, f := range done.Files {
		file := map[string]any{"path": f.Path, "kind": f.Kind}
		if f.Kind != "manifest" {
			file["records"], file["bytes"] = f.Records, f.Bytes
		}
		if f.Split != "" {
			file["split"] = f.Split
		}
		files = append(files, file)
	}
	return map[string]any{"item": item, "records": done.Records, "path": path, "duplicates": done.Duplicates, "gone": done.Gone,
		"misfits": done.Misfits, "files": files}
}

// software is what a manifest says made it.
func software() string { return "magpie " + readVersion().Version }

func formatNames() []string {
	var names []string
	for _, f := range store.Formats {
		names = append(names, string(f))
	}
	return names
}

// formatOf is the format that the flags ask for.
func (c *exportCommand) formatOf(cmd *cobra.Command) (store.Format, error) {
	name := c.format
	if name == "" {
		if f, ok := dataset.FormatOf(c.path); ok {
			return f, nil
		}
		name = strings.ToLower(strings.TrimPrefix(filepath.Ext(c.path), "."))
		if name == "" {
			return store.JSONL, nil
		}
	}
	for _, f := range store.Formats {
		if string(f) == name {
			f, err := dataset.FormatFor(c.path, f)
			if err != nil {
				return "", usagef(cmd, "--format: %s", err)
			}
			return f, nil
		}
	}
	if near := spelling.Nearest(name, formatNames()); near != "" {
		return "", usagef(cmd, "%q is no format: did you mean %s?", name, near)
	}
	return "", usagef(cmd, "%q is no format: write --format %s", name, strings.Join(formatNames(), ", "))
}

// onlyItem is the item type when there is just one.
func (c *exportCommand) onlyItem(cmd *cobra.Command, db *store.DB) (string, error) {
	items, err := db.ItemTypes(cmd.Context(), c.options.Job)
	if err != nil {
		return "", err
	}
	list := itemNames(items)
	switch len(list) {
	case 0:
		return "", c.noItems()
	case 1:
		return list[0], nil
	}
	return "", usagef(cmd, "say which with --item: there are %s", strings.Join(list, ", "))
}

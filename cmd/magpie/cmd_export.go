package main

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/magpie-crawl/magpie/store"
)

func newExportCommand(a *app) *cobra.Command {
	c := &exportCommand{app: a}
	cmd := &cobra.Command{
		Use:   "export",
		Short: "Write records as JSONL or CSV",
		Long: `Export writes the current records of an item type, ordered by job and key. The
same database gives the same file.

A file is written beside its place and renamed when it is whole.`,
		Example: `  magpie export --item book -o books.csv
  magpie export --item book --format jsonl | jq .title
  magpie export --item book --meta -o books.jsonl   # with _url, _key and the runs that saw it`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error { return c.run(cmd) },
	}
	f := cmd.Flags()
	f.StringVar(&c.options.Item, "item", "", "the item type; may be left out when there is only one")
	f.StringVar(&c.options.Job, "job", "", "records of this job alone")
	f.StringVarP(&c.path, "output", "o", "-", "the `file` to write; - is the standard output")
	f.StringVar(&c.format, "format", "", "jsonl or csv (default: by the file's name, else jsonl)")
	f.BoolVar(&c.options.Meta, "meta", false, "add where a record comes from: _job, _key, _url, _position, _first_run, _last_run")
	f.BoolVar(&c.options.Formulas, "formulas", false, "CSV: leave texts that a spreadsheet would run as formulas as they are")
	complete(cmd, "format", cobra.FixedCompletions(formatNames(), cobra.ShellCompDirectiveNoFileComp))
	return cmd
}

// exportCommand is one call of magpie export.
type exportCommand struct {
	*app
	path    string
	format  string
	options store.ExportOptions
}

func (c *exportCommand) run(cmd *cobra.Command) error {
	db, err := c.openReadOnly()
	if err != nil {
		return err
	}
	defer db.Close()
	if c.options.Format, err = c.formatOf(cmd); err != nil {
		return err
	}
	if c.options.Item == "" {
		if c.options.Item, err = c.onlyItem(cmd, db); err != nil {
			return err
		}
	}
	if c.path == "-" {
		out, flush := pageWriter(c.stdout)
		if _, err := db.Export(cmd.Context(), out, c.options); err != nil {
			return err
		}
		return flush()
	}
	n, err := db.ExportFile(cmd.Context(), c.path, c.options)
	if err != nil {
		return err
	}
	if c.json {
		return c.writeJSON(map[string]any{"item": c.options.Item, "records": n, "path": c.path})
	}
	fmt.Fprintf(c.stdout, "Wrote %d records of %s to %s.\n", n, c.options.Item, c.path)
	return nil
}

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
		name = strings.ToLower(strings.TrimPrefix(filepath.Ext(c.path), "."))
		if name == "" {
			return store.JSONL, nil
		}
	}
	for _, f := range store.Formats {
		if string(f) == name {
			return f, nil
		}
	}
	return "", usagef(cmd, "%q is no format: write --format %s", name, strings.Join(formatNames(), " or "))
}

// onlyItem is the item type when there is just one.
func (c *exportCommand) onlyItem(cmd *cobra.Command, db *store.DB) (string, error) {
	items, err := db.Items(cmd.Context(), c.options.Job)
	if err != nil {
		return "", err
	}
	names := map[string]bool{}
	var list []string
	for _, item := range items {
		if !names[item.Name] {
			names[item.Name] = true
			list = append(list, item.Name)
		}
	}
	switch len(list) {
	case 0:
		return "", fmt.Errorf("%s has no item types: the jobs crawled so far had no items", c.db)
	case 1:
		return list[0], nil
	}
	return "", usagef(cmd, "say which with --item: there are %s", strings.Join(list, ", "))
}

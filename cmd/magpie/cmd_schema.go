package main

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/magpie-crawl/magpie/config"
	"github.com/magpie-crawl/magpie/internal/harmless"
)

func newSchemaCommand(a *app) *cobra.Command {
	var item string
	var serve bool
	cmd := &cobra.Command{
		Use:   "schema [JOB.yaml]",
		Short: "Write the JSON Schema of job files, or of a job's records",
		Long: `Schema writes the JSON Schema of job files. With it an editor completes keys,
says what they mean, and marks what is wrong while you type. Editors that use the
YAML language server, such as VS Code with its YAML extension, take it from a
comment in the job file's first line:

  # yaml-language-server: $schema=job.schema.json

The file is looked up from the job file's folder. What a schema cannot know, such
as whether a selector can be read, magpie check tells.

With --serve it is the schema of serve.yaml, the settings of magpie serve.

With a job it writes the JSON Schema of the job's records as they are exported to
JSONL: for code generators, databases, and those who get your data. Where the job
has several items, --item says which. Fields that are not required are left out of
records of pages that have no value for them. Nothing is fetched.`,
		Example: `  magpie schema > job.schema.json
  magpie schema --serve > serve.schema.json
  magpie schema books.yaml > book.schema.json
  magpie schema shop.yaml --item review | jq '.properties | keys'`,
		Args:              atMostOneJob,
		ValidArgsFunction: jobFiles,
		RunE: func(cmd *cobra.Command, args []string) error {
			if serve && len(args) > 0 {
				return usagef(cmd, "--serve is without a job")
			}
			if len(args) == 0 {
				if serve {
					return a.writeSchema(config.ServeSchema())
				}
				if item != "" {
					return usagef(cmd, "--item is of a job: name its file")
				}
				return a.writeSchema(config.Schema())
			}
			job, err := loadJobOffline(args[0])
			if err != nil {
				return err
			}
			name, err := chooseItem(cmd, args[0], job, item)
			if err != nil {
				return err
			}
			text, err := job.Options.Extractor.Schema(name)
			if err != nil {
				return err
			}
			return a.writeSchema(text)
		},
	}
	cmd.Flags().StringVar(&item, "item", "", "of the records of this item")
	cmd.Flags().BoolVar(&serve, "serve", false, "of serve.yaml, the settings of magpie serve")
	complete(cmd, "item", jobItems)
	return cmd
}

// atMostOneJob lets one job file be named, or none.
func atMostOneJob(cmd *cobra.Command, args []string) error {
	if len(args) > 1 {
		return usagef(cmd, "%s takes one job file, not also %q", cmd.Name(), args[1])
	}
	return nil
}

// chooseItem is the item that is asked for, or the only one.
func chooseItem(cmd *cobra.Command, file string, job *config.Job, asked string) (string, error) {
	var names []string
	for _, item := range job.Items.Items {
		names = append(names, item.Name)
	}
	switch {
	case len(names) == 0:
		return "", usagef(cmd, "%s has no items", file)
	case asked == "" && len(names) == 1:
		return names[0], nil
	case asked == "":
		return "", usagef(cmd, "%s has several items, %s: say which with --item", file, strings.Join(names, ", "))
	case !slices.Contains(names, asked):
		return "", usagef(cmd, "%s has no item %q: it has %s", file, asked, strings.Join(names, ", "))
	}
	return asked, nil
}

// writeSchema writes a schema as it is, on several lines: it is a file for
// machines whether --json is given or not.
func (a *app) writeSchema(text []byte) error {
	_, err := a.stdout.Write(harmless.JSON(text))
	return err
}

package main

import (
	"slices"

	"github.com/spf13/cobra"
)

func newTryCommand(a *app) *cobra.Command {
	f := &extractFlags{explain: true}
	cmd := &cobra.Command{
		Use:   "try JOB.yaml URL|FILE|-...",
		Short: "See what a job takes from a page, and why",
		Long: `Try takes the records of a job from pages and tells of each value what was tried,
what was found where, and what it became: the source and its selector, the line
and column, the XPath of the node, the piece of the page. Nothing is stored.

A URL is fetched as the job's crawl would: robots.txt is asked first, and what it
forbids is not fetched unless the job says politeness: {robots: ignore}; headers,
credentials and proxies are the job's, and where it has a login, that comes
before. It tells where a crawl would not go there by itself.

A job's "when" decides which items apply to a page, unless --item names one. For
a file, --base-url says which address it is to have.

The exit code is 3 when there were rejects or some pages failed, 1 when all
pages failed.`,
		Example: `  magpie try books.yaml https://books.toscrape.com/catalogue/a-light-in-the-attic_1000/index.html
  magpie try books.yaml saved.html --item book --base-url https://books.toscrape.com/
  magpie try books.yaml saved.html --json | jq '.[] | select(.value == null)'`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) < 2 {
				return usagef(cmd, "name a job file and a page: magpie try JOB.yaml URL")
			}
			return nil
		},
		ValidArgsFunction: jobThenPages,
	}
	f.definePage(cmd)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		f.job, f.asCrawl = args[0], slices.ContainsFunc(args[1:], isURL)
		return a.extract(cmd, f, args[1:])
	}
	return cmd
}

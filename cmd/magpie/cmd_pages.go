package main

import (
	"cmp"
	"errors"
	"fmt"
	"net/url"

	"github.com/spf13/cobra"

	"github.com/magpie-crawl/magpie/cmd/magpie/machine"
	"github.com/magpie-crawl/magpie/cmd/magpie/words"
	"github.com/magpie-crawl/magpie/store"
	"github.com/magpie-crawl/magpie/weburl"
)

func newPagesCommand(a *app) *cobra.Command {
	c := &pagesCommand{app: a}
	cmd := &cobra.Command{
		Use:   "pages [URL]",
		Short: "List the URLs that crawls met, and why they were not fetched",
		Long: `Pages lists every URL that a crawl met with what became of it: done, failed,
skipped or still pending, and why. With a URL, * standing for any characters,
it lists those alone.

A page that answers 404 is gone, for --gone, when it does so in the second run
in a row: until then it has failed, and its records stay. One that answers 410
says itself that it is gone.

With --why it tells all that is known of one URL: what became of it in each
run, by which rule or fault, how the crawl came to it, when it is tried again.
For a URL that no crawl met it tells which rule of the job keeps it out, and
exits with 1.`,
		Example: `  magpie pages --state failed
  magpie pages --reason robots
  magpie pages '*/catalogue/*' --status 404
  magpie pages --why https://books.toscrape.com/login
  magpie pages --body https://books.toscrape.com/ >page.html`,
		Args: atMostOne("a URL"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				c.filter.URL = args[0]
			}
			return c.run(cmd)
		},
	}
	f := cmd.Flags()
	f.StringVar(&c.filter.Job, "job", "", "of this job alone")
	f.IntVar(&c.filter.Run, "run", 0, "as this `run` of the job left them (default: the last that met them)")
	f.StringVar(&c.filter.State, "state", "", "only these: done, failed, skipped or pending")
	f.StringVar(&c.filter.Reason, "reason", "", "only those skipped or failed for this `reason`, such as robots or http-404")
	f.IntVar(&c.filter.Status, "status", 0, "only those with this HTTP `status`; 4 stands for all of 400 to 499")
	f.BoolVar(&c.filter.Gone, "gone", false, "only pages that were there and whose absence is confirmed")
	f.IntVar(&c.filter.Limit, "limit", 100, "at most this many; 0: all")
	f.StringVar(&c.why, "why", "", "tell all that is known of this `URL`, or why no crawl came to it")
	f.StringVar(&c.body, "body", "", "write the stored body of this `URL`, as it was received")
	a.completeNames(cmd)
	complete(cmd, "state", cobra.FixedCompletions([]string{"done", "failed", "skipped", "pending"}, cobra.ShellCompDirectiveNoFileComp))
	return cmd
}

// pagesCommand is one call of magpie pages.
type pagesCommand struct {
	*app
	filter    store.PageFilter
	why, body string
}

// check refuses flags that cannot be.
func (c *pagesCommand) check(cmd *cobra.Command) error {
	if c.filter.State != "" {
		if _, err := store.ParseState(c.filter.State); err != nil {
			return usagef(cmd, "--state: %s", err)
		}
	}
	if s := c.filter.Status; cmd.Flags().Changed("status") && (s < 1 || s > 5 && s < 100 || s > 999) {
		return usagef(cmd, "--status must be one of HTTP, such as 404, or 4 for all of 400 to 499")
	}
	if u, err := url.Parse(c.why); c.why != "" && (err != nil || u.Scheme == "") {
		return usagef(cmd, "--why %q is no URL: write it whole, such as https://example.com/page", c.why)
	}
	return cmp.Or(apart(cmd, "why", "body"), checkLimit(cmd, c.filter.Limit))
}

func (c *pagesCommand) run(cmd *cobra.Command) error {
	if err := c.check(cmd); err != nil {
		return err
	}
	db, err := c.openReadOnly()
	if err != nil {
		return err
	}
	defer db.Close()
	if err := c.checkNames(cmd.Context(), db, c.filter.Job, ""); err != nil {
		return err
	}
	if err := c.checkRun(cmd.Context(), db, c.filter.Job, c.filter.Run); err != nil {
		return err
	}
	switch {
	case c.body != "":
		return c.writeBody(cmd, db)
	case c.why != "":
		return c.tellWhy(cmd, db)
	}
	return c.list(cmd, db)
}

// list writes a line for each page.
func (c *pagesCommand) list(cmd *cobra.Command, db *store.DB) error {
	tb := &table{
		header: []string{"STATE", "REASON", "STATUS", "DEPTH", "SIZE", "ENCODING", "URL"},
		right:  []bool{false, false, true, true, true},
	}
	for p, err := range db.Pages(cmd.Context(), c.filter) {
		if err != nil {
			return err
		}
		if c.json {
			if err := c.writeJSON(machine.PageOf(&p)); err != nil {
				return err
			}
			continue
		}
		tb.rows = append(tb.rows, pageRow(&p))
	}
	switch {
	case c.json:
		return nil
	case len(tb.rows) == 0:
		fmt.Fprintln(c.stderr, "No such pages.")
		return nil
	}
	if err := tb.write(c.stdout, terminalOf(c.stdout)); err != nil {
		return err
	}
	if len(tb.rows) == c.filter.Limit {
		fmt.Fprintf(c.stderr, "The first %d; --limit 0 shows all.\n", c.filter.Limit)
	}
	return nil
}

func pageRow(p *store.Page) []string {
	status, size, encoding := "", "", ""
	if r := p.Response; r != nil {
		status, size, encoding = fmt.Sprint(r.Status), words.Bytes(r.Size), r.Encoding.Name
	}
	return []string{store.StateName(p.State), string(p.Reason), status, fmt.Sprint(p.Depth), size, encoding, p.URL}
}

// find returns what is known of a URL, in whatever job met it.
func (c *pagesCommand) find(cmd *cobra.Command, db *store.DB, url string) (*store.Page, error) {
	jobs := []string{c.filter.Job}
	if c.filter.Job == "" {
		all, err := db.Jobs(cmd.Context())
		if err != nil {
			return nil, err
		}
		jobs = nil
		for _, j := range all {
			jobs = append(jobs, j.Name)
		}
	}
	if u, err := weburl.Parse(url); err == nil {
		url = u.String() // as crawls keep it
	}
	for _, job := range jobs {
		p, err := db.Page(cmd.Context(), job, url, c.filter.Run)
		if err == nil || !errors.Is(err, store.ErrNotFound) {
			return p, err
		}
	}
	return nil, &notMetError{fmt.Sprintf("no crawl in %s met %s", c.db, url), jobs}
}

// notMetError says that no job met a URL.
type notMetError struct {
	message string
	jobs    []string // that were asked
}

func (e *notMetError) Error() string { return e.message }

func (c *pagesCommand) writeBody(cmd *cobra.Command, db *store.DB) error {
	p, err := c.find(cmd, db, c.body)
	switch {
	case err != nil:
		return err
	case p.Response == nil:
		return fmt.Errorf("%s was not fetched: %s", c.body, pageReason(p))
	}
	body, err := db.Body(cmd.Context(), p.Response)
	if err != nil {
		return err
	}
	out, flush := pageWriter(c.stdout)
	if _, err := out.Write(body); err != nil {
		return err
	}
	return flush()
}

// pageReason says what became of a page, and why.
func pageReason(p *store.Page) string {
	s := store.StateName(p.State)
	if p.Reason != "" {
		s += ": " + string(p.Reason)
	}
	if p.Detail != "" {
		s += " (" + p.Detail + ")"
	}
	return s
}

func encodingText(r *store.Response) string {
	if r.Encoding.Name == "" {
		return ""
	}
	return fmt.Sprintf("%s, %s, by %s", r.Encoding.Name, r.Encoding.Confidence, r.Encoding.Source)
}

package main

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"os/signal"
	"runtime/debug"
	"strings"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"github.com/magpie-crawl/magpie/config"
	"github.com/magpie-crawl/magpie/crawl"
	"github.com/magpie-crawl/magpie/internal/pace"
	"github.com/magpie-crawl/magpie/store"
)

func newReextractCommand(a *app) *cobra.Command {
	c := &reextractCommand{app: a}
	cmd := &cobra.Command{
		Use:   "reextract [JOB.yaml]",
		Short: "Take records from the stored pages again, by a changed job file, without fetching",
		Long: `Reextract reads the last good answer of each URL of a job again, as it is stored,
and replaces the records that were taken from it: by the items of a job file, or
without one by those that the job last ran with. Nothing is fetched.

The new records take the place of the old ones all at once, at the end: until
then nothing changes, and one that is interrupted or killed has changed nothing.
It is a run of its own in the history: what differs from the run before is a
change of the job file and not of the site. A record that reads the same stays
as it is; one that its page does not give any more ends. Records of pages that
are not HTML, have no stored body any more, are gone, or cannot be read, stay.

With --sample it reads a few pages, always the same ones, and shows what would
change, field by field; with --dry-run it reads all and counts. Both write
nothing.

The exit code is 3 when records were set aside or pages could not be read.`,
		Example: `  magpie reextract books.yaml --sample 20
  magpie reextract books.yaml --dry-run
  magpie reextract books.yaml
  magpie reextract --job books --json`,
		Args:              atMostOne("a job file"),
		ValidArgsFunction: jobFiles,
		RunE:              func(cmd *cobra.Command, args []string) error { return c.run(cmd, args) },
	}
	f := cmd.Flags()
	f.StringVar(&c.name, "job", "", "the job's name in the database (default: the job file's, or the only one)")
	f.IntVar(&c.options.Sample, "sample", 0, "read this many pages and show what would change; writes nothing")
	f.BoolVar(&c.options.Preview, "dry-run", false, "read all pages and count what would change; writes nothing")
	f.IntVar(&c.limit, "limit", 0, "show at most this many of the records that change (default: 20 with --sample, else none)")
	a.completeNames(cmd)
	return cmd
}

// reextractCommand is one call of magpie reextract.
type reextractCommand struct {
	*app
	name    string
	limit   int
	options store.ReextractOptions
	told    int // records of which a change was shown
}

func (c *reextractCommand) run(cmd *cobra.Command, args []string) error {
	if err := checkLimit(cmd, c.limit); err != nil {
		return err
	}
	switch {
	case c.options.Sample < 0 || c.options.Sample == 0 && cmd.Flags().Changed("sample"):
		return usagef(cmd, "--sample must be at least 1")
	case c.options.Sample > 0 && c.options.Preview:
		return usagef(cmd, "--sample reads a few pages and --dry-run all of them: use one")
	case c.options.Sample > 0 && !cmd.Flags().Changed("limit"):
		c.limit = 20
	}
	db, err := c.open()
	if err != nil {
		return err
	}
	defer db.Close()
	job, err := c.job(cmd, db, args)
	if err != nil {
		return err
	}
	crawler, err := crawl.New(job.Options)
	if err != nil {
		return &usageError{cmd.CommandPath(), err.Error()}
	}
	c.options.Job, c.options.Source, c.options.Items, c.options.Read = job.Name, job.Source, job.Items, crawler.Reread
	if c.limit > 0 {
		c.options.OnChange = c.tell
	}
	result, err := c.extract(cmd.Context(), db)
	switch {
	case errors.Is(err, store.ErrNotFound):
		return c.notFound(cmd, db, job.Name)
	case err != nil:
		return err
	}
	if err := c.print(result); err != nil {
		return err
	}
	if result.Rejects > 0 || result.Failed > 0 {
		return errIncomplete
	}
	return nil
}

// open opens the database: a preview writes nothing. No database is made.
func (c *reextractCommand) open() (*store.DB, error) {
	if _, err := os.Stat(c.db); err != nil || c.options.Preview || c.options.Sample > 0 {
		return c.openReadOnly()
	}
	return store.Open(c.db, store.Options{})
}

// job is the job that the arguments name: a file's, or that of the last run.
func (c *reextractCommand) job(cmd *cobra.Command, db *store.DB, args []string) (job *config.Job, err error) {
	if len(args) > 0 {
		if isURL(args[0]) {
			return nil, usagef(cmd, "reextract takes a job file, not a URL: nothing is fetched")
		}
		job, err = loadJobOffline(args[0])
	} else {
		job, err = c.storedJob(cmd, db)
	}
	if err != nil {
		return nil, err
	}
	if c.name != "" {
		job.Name = c.name
	}
	if job.Options.Extractor == nil {
		return nil, usagef(cmd, "job %q has no items: write what to take from its pages into a job file, and name that", job.Name)
	}
	return job, nil
}

// storedJob is the job as its last run had it.
func (c *reextractCommand) storedJob(cmd *cobra.Command, db *store.DB) (*config.Job, error) {
	name := c.name
	if name == "" {
		jobs, err := db.Jobs(cmd.Context())
		switch {
		case err != nil:
			return nil, err
		case len(jobs) == 0:
			return nil, fmt.Errorf("%s has no jobs: magpie crawl makes them", c.db)
		case len(jobs) > 1:
			return nil, usagef(cmd, "say which job, by its file or with --job: there are %s", jobNames(jobs))
		}
		name = jobs[0].Name
	}
	run, err := db.Run(cmd.Context(), name, 0)
	switch {
	case errors.Is(err, store.ErrNotFound):
		return nil, c.notFound(cmd, db, name)
	case err != nil:
		return nil, err
	case run.Source == "":
		return nil, usagef(cmd, "job %q was crawled without a job file: write one with its items, and name it here with --job %s", name, shellWord(name))
	}
	job, err := config.ParseOffline(name, []byte(run.Source))
	if err != nil {
		return nil, fmt.Errorf("the job file stored with job %q can't be read by this version, name one: %w", name, err)
	}
	job.Name = name
	return job, nil
}

// notFound says which jobs there are instead.
func (c *reextractCommand) notFound(cmd *cobra.Command, db *store.DB, name string) error {
	jobs, err := db.Jobs(cmd.Context())
	if err != nil {
		return err
	}
	if len(jobs) == 0 {
		return fmt.Errorf("%s has no jobs: magpie crawl makes them", c.db)
	}
	return fmt.Errorf("there is no job %q in %s, only %s: name it with --job", name, c.db, jobNames(jobs))
}

func jobNames(jobs []store.JobSummary) string {
	var names []string
	for _, j := range jobs {
		names = append(names, j.Name)
	}
	return strings.Join(names, ", ")
}

// collectPercent is how far the memory may grow between two collections, in
// percent of what is in use. That is little, whatever the number of pages:
// collecting less often costs some tens of megabytes and saves a fifth of the
// time.
const collectPercent = 400

// extract reads the pages, with the progress shown. An interruption ends it at
// once: there is nothing to save.
func (c *reextractCommand) extract(ctx context.Context, db *store.DB) (*store.Reextraction, error) {
	if os.Getenv("GOGC") == "" {
		defer debug.SetGCPercent(debug.SetGCPercent(collectPercent))
	}
	var read, all atomic.Int64
	c.options.OnProgress = func(n, of int64) {
		read.Store(n)
		all.Store(of)
	}
	speed := &speed{}
	progress := startProgress(c.stderr, logOptions{}, c.json, func() []stat { return reextractStats(read.Load(), all.Load(), speed) })
	defer progress.stop()
	ctx, release := signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM)
	defer release()
	result, err := db.Reextract(ctx, c.options)
	if err != nil && ctx.Err() != nil {
		progress.tell("Interrupted: nothing was changed.")
		err = errInterrupted
	}
	return result, err
}

// speed is how fast a count goes up.
type speed struct {
	meter pace.Meter
	count int64
}

// of takes in the count at now and returns the rate a second.
func (s *speed) of(count int64, now time.Time) float64 {
	s.meter.Add(count-s.count, now)
	s.count = count
	return s.meter.PerSecond(now)
}

func reextractStats(read, all int64, speed *speed) []stat {
	perSecond := math.Round(speed.of(read, time.Now()))
	return []stat{
		{"pages", read, fmt.Sprintf("%d of %d pages", read, all)},
		{"rate", perSecond, fmt.Sprintf("%.0f/s", perSecond)},
	}
}

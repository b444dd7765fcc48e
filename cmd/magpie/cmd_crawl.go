package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"net/url"
	"os"
	"time"

	"github.com/spf13/cobra"

	"github.com/magpie-crawl/magpie/cmd/magpie/runner"
	"github.com/magpie-crawl/magpie/cmd/magpie/words"
	"github.com/magpie-crawl/magpie/config"
	"github.com/magpie-crawl/magpie/crawl"
	"github.com/magpie-crawl/magpie/internal/harmless"
	"github.com/magpie-crawl/magpie/store"
)

func newCrawlCommand(a *app) *cobra.Command {
	c := &crawlCommand{app: a}
	cmd := &cobra.Command{
		Use:   "crawl JOB.yaml|URL",
		Short: "Crawl a site into the database, or go on with a crawl that was interrupted",
		Long: `Crawl visits the pages of a job, or of the site of a URL, and keeps pages and
records in the database.

A crawl that was interrupted, by Ctrl-C or otherwise, is resumed by the same
command: nothing is lost, nothing is stored twice. Ctrl-C once finishes the
requests in flight, twice ends at once.

A run ends when everything was visited, or at a limit of pages, records, bytes
or time. With --more the same command goes on beyond the limit; without, it
starts a new run.

The exit code is 0 when all went well, at a limit too, 3 when pages failed or
records were set aside, when a webhook did not take its messages, or with
--fail-on drift when figures were worse than usual (see magpie health), 130 when
it was interrupted, 1 when it could not go on, such as for a full disk; what was
stored is safe then.`,
		Example: `  magpie crawl books.yaml
  magpie crawl books.yaml --fresh --db books.db
  magpie crawl books.yaml --warc archive
  magpie crawl books.yaml --stdout | jq .title
  magpie crawl books.yaml --fail-on drift || mail -s "books has changed" me@example.com < /dev/null
  magpie crawl books.yaml --bytes 1GB --metrics 127.0.0.1:9100 --log json
  magpie crawl https://books.toscrape.com/ --pages 100 --css title=h1 --css 'price=.price_color|price'`,
		Args:              oneArgument("a job file or a URL"),
		ValidArgsFunction: jobFiles,
		RunE:              func(cmd *cobra.Command, args []string) error { return c.run(cmd, args[0]) },
	}
	f := cmd.Flags()
	f.BoolVar(&c.fresh, "fresh", false, "start a new run even if one is unfinished")
	f.BoolVar(&c.more, "more", false, "go on with a run that a limit ended; limits count anew")
	f.StringVar(&c.name, "name", "", "the job's name in the database (default: the job's, or the URL's host)")
	f.IntVar(&c.change.Limits.Pages, "pages", 0, "stop after this many pages")
	f.IntVar(&c.change.Limits.Depth, "depth", 0, "follow links this far from the start")
	f.IntVar(&c.change.Limits.Records, "records", 0, "stop after this many records")
	f.Var((*sizeFlag)(&c.change.Limits.Bytes), "bytes", "stop after this much of bodies, such as 500MB")
	f.DurationVar(&c.change.Limits.Duration, "duration", 0, "stop after this time")
	f.StringArrayVar(&c.change.Follow, "follow", nil, "follow the links of this CSS `selector`, instead of every link in scope; repeat for more")
	f.DurationVar(&c.change.Politeness.Delay, "delay", 0, "wait this long between two requests to a host")
	f.IntVar(&c.change.Politeness.PerHost, "per-host", 0, "requests at a time to one host")
	f.IntVar(&c.change.Politeness.Concurrency, "concurrency", 0, "requests at a time over all hosts")
	recrawlVar(cmd, &c.change.Recrawl.Policy)
	f.BoolVar(&c.change.AllowPrivate, "allow-private", false, "let links lead to loopback and private addresses")
	f.Var((*headerFlag)(&c.change.Requests.Header), "header", "send this `field` to the start URLs' origins, such as 'Accept-Language: de'; repeat for more")
	f.StringArrayVar(&c.change.Requests.Proxies, "proxy", nil, "send requests through this proxy `URL`; repeat for several that take turns")
	f.StringVar(&c.change.WARC, "warc", "", "archive each exchange in web archives in this `folder`")
	f.BoolVar(&c.pipe, "stdout", false, "write the records as JSONL to standard output once they are stored; the summary then goes to standard error")
	f.StringSliceVar(&c.failOn, "fail-on", nil, "end with exit code 3 also on this `word`: drift")
	complete(cmd, "fail-on", cobra.FixedCompletions([]string{"drift"}, cobra.ShellCompDirectiveNoFileComp))
	f.StringVar(&c.metrics, "metrics", "", "serve /metrics for Prometheus, and /healthz, at this `address` while crawling, such as 127.0.0.1:9100")
	c.logs.define(cmd)
	c.fields.define(cmd)
	return cmd
}

// crawlCommand is one call of magpie crawl.
type crawlCommand struct {
	*app
	fresh  bool
	more   bool
	pipe   bool
	failOn []string
	name   string
	change crawl.Options // by flags
	watch
	fields fieldFlags
}

func (c *crawlCommand) run(cmd *cobra.Command, target string) error {
	job, err := c.job(cmd, target)
	if err != nil {
		return err
	}
	if c.fresh && c.more {
		return usagef(cmd, "--fresh starts a new run and --more goes on with the last: use one of them")
	}
	if err := c.override(cmd, job); err != nil {
		return err
	}
	if err := c.sinks(cmd, job); err != nil {
		return err
	}
	told := *c.app
	if c.pipe {
		told.stdout = c.stderr
	}
	crawling, err := told.newCrawling(job, c.watch)
	if err != nil {
		return err
	}
	if c.pipe {
		var release func()
		if crawling.pipe, release, err = newRecordPipe(c.app, job.Options.Extractor.Spec(), crawling.crawler.Stop); err != nil {
			return err
		}
		defer release()
	}
	db, err := store.Open(c.db, store.Options{})
	if err != nil {
		return err
	}
	defer db.Close()
	return c.crawl(cmd.Context(), db, crawling)
}

// sinks checks the flags that say what is done with records and figures.
func (c *crawlCommand) sinks(cmd *cobra.Command, job *config.Job) error {
	for _, word := range c.failOn {
		if word != "drift" {
			return usagef(cmd, "--fail-on takes drift, not %q", word)
		}
		job.FailOnDrift = true
	}
	if c.pipe && job.Options.Extractor == nil {
		return usagef(cmd, "--stdout writes records, and the job has no items")
	}
	return nil
}

// crawl crawls, and hands on what came of it.
func (c *crawlCommand) crawl(ctx context.Context, db *store.DB, crawling *crawling) error {
	out := crawling.app
	work := crawling.work(db, crawl.Job{Fresh: c.fresh, Continue: c.more})
	if err := work.Before(ctx); err != nil {
		return err
	}
	sum, err := crawling.run(ctx, work)
	c.errors = out.errors
	if err != nil {
		return err
	}
	if !sum.crawled.Finished {
		return cmp.Or(crawling.pipe.failure(), sum.verdict())
	}
	failed := work.After(ctx)
	undelivered := work.Outcome.Undelivered
	if undelivered != nil {
		c.report(undelivered)
		undelivered = errIncomplete
	}
	if sent := work.Outcome.Sent; sent > 0 && !c.json {
		fmt.Fprintf(out.stdout, "Sent %s.\n", words.Counted(int64(sent), "message"))
	}
	return cmp.Or(failed, crawling.pipe.failure(), sum.verdict(), undelivered)
}

// job reads the job file, or makes a job of a URL.
func (c *crawlCommand) job(cmd *cobra.Command, target string) (*config.Job, error) {
	if !isURL(target) {
		if c.fields.given() {
			return nil, usagef(cmd, "--css, --each and --all go with a URL: a job file has its items")
		}
		if _, err := os.Stat(target); errors.Is(err, fs.ErrNotExist) && maybeHost(target) {
			return nil, usagef(cmd, "there is no file %s; a URL begins with https://", target)
		}
		return loadJob(target)
	}
	job := &config.Job{Name: target, Options: crawl.Options{Start: []string{target}}}
	if u, err := url.Parse(target); err == nil {
		job.Name = u.Host
	}
	if !c.fields.given() {
		return job, nil
	}
	var err error
	job.Options.Extractor, err = c.fields.extractor(cmd)
	return job, err
}

// override puts what the flags say in the job's place.
func (c *crawlCommand) override(cmd *cobra.Command, job *config.Job) error {
	o := &job.Options
	if cmd.Flags().Changed("name") {
		if err := config.CheckName(c.name); err != nil {
			return usagef(cmd, "--%s", err)
		}
		job.Name = c.name
	}
	for name, set := range map[string]func(){
		"pages":         func() { o.Limits.Pages = c.change.Limits.Pages },
		"depth":         func() { o.Limits.Depth = c.change.Limits.Depth },
		"records":       func() { o.Limits.Records = c.change.Limits.Records },
		"bytes":         func() { o.Limits.Bytes = c.change.Limits.Bytes },
		"duration":      func() { o.Limits.Duration = c.change.Limits.Duration },
		"follow":        func() { o.Follow = c.change.Follow },
		"delay":         func() { o.Politeness.Delay = c.change.Politeness.Delay },
		"per-host":      func() { o.Politeness.PerHost = c.change.Politeness.PerHost },
		"concurrency":   func() { o.Politeness.Concurrency = c.change.Politeness.Concurrency },
		"header":        func() { o.Requests.Header = merged(o.Requests.Header, c.change.Requests.Header) },
		"proxy":         func() { o.Requests.Proxies, o.Requests.HostProxies = c.change.Requests.Proxies, nil },
		"warc":          func() { o.WARC = c.change.WARC },
		"recrawl":       func() { o.Recrawl.Policy = c.change.Recrawl.Policy },
		"allow-private": func() { o.AllowPrivate = c.change.AllowPrivate },
	} {
		if cmd.Flags().Changed(name) {
			set()
		}
	}
	return checkBounds(cmd, o)
}

// checkBounds refuses limits and delays by flags that are none.
func checkBounds(cmd *cobra.Command, o *crawl.Options) error {
	for name, n := range map[string]int{"pages": o.Limits.Pages, "records": o.Limits.Records, "depth": o.Limits.Depth, "per-host": o.Politeness.PerHost, "concurrency": o.Politeness.Concurrency} {
		if n < 0 || n == 0 && cmd.Flags().Changed(name) {
			return usagef(cmd, "--%s must be at least 1", name)
		}
	}
	if cmd.Flags().Changed("duration") && o.Limits.Duration <= 0 {
		return usagef(cmd, "--duration must be above 0, such as 30m")
	}
	if o.Politeness.Delay < 0 {
		return usagef(cmd, "--delay must not be below 0")
	}
	return nil
}

// crawling is a crawl with its progress and its summary.
type crawling struct {
	*app
	job     *config.Job
	crawler *crawl.Crawler
	summary *crawlSummary
	log     *progress
	pipe    *recordPipe // nil: none
	watch
}

// watch is how a crawl is looked at while it goes on.
type watch struct {
	logs    logOptions
	metrics string // address to serve them at; "": none
}

// newCrawling checks a job and prepares its crawl.
func (a *app) newCrawling(job *config.Job, w watch) (*crawling, error) {
	c := &crawling{app: a, job: job, summary: &crawlSummary{app: a, job: job.Name, limits: job.Options.Limits, failOnDrift: job.FailOnDrift}, watch: w}
	options := job.Options
	options.OnVisit = c.visited
	var err error
	if c.crawler, err = crawl.New(options); err != nil {
		return nil, &usageError{"magpie crawl", err.Error()}
	}
	return c, nil
}

func (c *crawling) visited(v *crawl.Visit) {
	c.summary.note(v)
	logVisit(c.log.log, v)
	c.pipe.visited(v)
}

// work is the run that is crawled; how says whether one is resumed, continued
// or started.
func (c *crawling) work(db *store.DB, how crawl.Job) *runner.Run {
	return &runner.Run{DB: db, Job: c.job, Crawler: c.crawler, How: how, Software: software(), OnTrimmed: c.trimmed, OnExported: c.exported}
}

// run crawls with its progress shown, and prints the summary.
func (c *crawling) run(ctx context.Context, work *runner.Run) (*crawlSummary, error) {
	c.log = startProgress(c.stderr, c.logs, c.json, func() []stat { return crawlStats(c.crawler.Progress()) })
	defer c.log.stop()
	if c.logs.lines() {
		c.errors = c.log.log
	}
	if c.metrics != "" {
		url, closeServer, err := serveMetrics(c.metrics, c.crawler, readVersion().Version)
		if err != nil {
			return nil, err
		}
		defer closeServer()
		c.log.tell("Metrics are at " + url)
	}
	stop := onSignals(ctx, c.log.tell)
	defer stop.stop()
	defer context.AfterFunc(stop.Soft, c.crawler.Stop)()
	err := work.Crawl(stop.Hard)
	crawled := work.Outcome.Crawled
	c.log.stop()
	if err != nil && stop.interrupted() && errors.Is(err, context.Canceled) && crawled != nil {
		err = work.Review(ctx)
	}
	if err != nil {
		if crawled != nil && !errors.Is(err, store.ErrDamaged) {
			err = fmt.Errorf("%w; what was stored before is safe: once there is a remedy, the same command goes on from here", err)
		}
		return nil, err
	}
	c.summary.crawled, c.summary.problems, c.summary.drifts = crawled, work.Outcome.Problems, work.Outcome.Drifts
	logEnd(c.log.log, c.job.Name, crawled)
	return c.summary, c.summary.print()
}

// crawlStats are the figures that are shown while a crawl goes on.
func crawlStats(p crawl.Progress) []stat {
	c := p.Run.Counters
	perSecond := math.Round(10*p.Rate) / 10
	return []stat{
		{"pages", c.Pages, fmt.Sprintf("%d pages", c.Pages)},
		{"rate", perSecond, fmt.Sprintf("%.1f/s", perSecond)},
		{"queue", p.Queue, fmt.Sprintf("%d queued", p.Queue)},
		waitStat(p, time.Now()),
		{"in_flight", p.InFlight, fmt.Sprintf("%d in flight", p.InFlight)},
		{"records", c.New + c.Changed + c.Unchanged, fmt.Sprintf("%d records", c.New+c.Changed+c.Unchanged)},
		{"failed", c.Failed, fmt.Sprintf("%d failed", c.Failed)},
		{"bytes", c.Bytes, words.Bytes(c.Bytes)},
		{"elapsed", p.Elapsed.Round(time.Second).String(), p.Elapsed.Round(time.Second).String()},
	}
}

// waitStat says what a crawl waits for that has nothing in flight.
func waitStat(p crawl.Progress, now time.Time) stat {
	wait := p.NextAt.Sub(now)
	if p.InFlight > 0 || p.NextAt.IsZero() || wait < time.Second {
		return stat{}
	}
	text := fmt.Sprintf("%s for %s", wait.Round(time.Second), p.NextHost)
	return stat{"waiting", text, "waiting " + text}
}

// exported says which file was written.
func (c *crawling) exported(e runner.Exported) {
	if !c.json {
		fmt.Fprintf(c.stdout, "Wrote %s to %s.\n", words.Counted(e.Records, exportedNoun(e.Format)), harmless.Text(e.Path))
	}
}

// trimmed says what was dropped of the bodies that the job keeps no longer.
func (c *crawling) trimmed(t store.Trimmed) {
	if c.json {
		return
	}
	for _, text := range trimTexts(&t) {
		fmt.Fprintln(c.stdout, harmless.Text(text))
	}
}

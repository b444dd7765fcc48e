package crawl

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/magpie-crawl/magpie/crawl/fetch"
	"github.com/magpie-crawl/magpie/extract"
	"github.com/magpie-crawl/magpie/weburl"
)

// Crawler crawls as its Options say. It may be used for one Crawl at a time.
type Crawler struct {
	opts    Options
	named   []weburl.URL // by the job: where it starts, and its sitemaps
	seeds   []Link
	scope   *scope
	saved   *extract.Extractor // Options.Items; nil: none
	strip   stripper
	ranks   priorities
	login   *login // nil: none
	secrets secretHeaders
	proxies fetch.Proxies
	watch   *trapWatch          // of the run that is crawled
	follow  []*extract.Selector // nil: every link

	parsers sync.Pool // of *htmlparse.Parser

	stop     chan struct{}
	stopOnce sync.Once
	session  atomic.Pointer[session] // for Progress
}

// New checks opts and prepares a crawl. Every mistake is in the error.
func New(opts Options) (*Crawler, error) {
	c := &Crawler{opts: opts.withDefaults(), stop: make(chan struct{})}
	var errs []error
	if len(opts.Start) == 0 && len(opts.Sitemaps.URLs) == 0 {
		errs = append(errs, errors.New("nowhere to start: give at least one URL"))
	}
	start, err := parseURLs(opts.Start, "start at")
	if err != nil {
		errs = append(errs, err)
	}
	sitemaps, err := parseURLs(opts.Sitemaps.URLs, "read sitemap")
	if err != nil {
		errs = append(errs, err)
	}
	c.named = append(start, sitemaps...)
	if c.scope, err = newScope(opts.Scope, c.named); err != nil {
		errs = append(errs, err)
	}
	if c.strip, err = newStripper(opts.Scope.Strip); err != nil {
		errs = append(errs, err)
	}
	if c.secrets, err = newSecretHeaders(opts.Requests, start); err != nil {
		errs = append(errs, err)
	}
	if c.proxies, err = opts.Requests.proxies(); err != nil {
		errs = append(errs, err)
	}
	if c.login, err = newLogin(opts.Login); err != nil {
		errs = append(errs, err)
	}
	if c.ranks, err = newPriorities(opts.Priorities); err != nil {
		errs = append(errs, err)
	}
	if _, err := newBudgets(opts.Limits); err != nil {
		errs = append(errs, err)
	}
	for i, u := range c.named {
		kind := PageKind
		if i >= len(start) {
			kind = SitemapKind
		}
		c.seeds = append(c.seeds, c.link(u, kind, 0))
	}
	for _, css := range opts.Follow {
		sel, err := extract.ParseSelector(css)
		if err != nil {
			errs = append(errs, fmt.Errorf("selector of links to follow %q: %w", css, err))
			continue
		}
		c.follow = append(c.follow, sel)
	}
	if err := c.declareItems(); err != nil {
		errs = append(errs, err)
	}
	if r := c.opts.Recrawl; r.Min > r.Max {
		errs = append(errs, fmt.Errorf("recrawl: the shortest interval %v is longer than the longest %v", r.Min, r.Max))
	}
	return c, errors.Join(errs...)
}

// declareItems checks the types of the records that OnPage saves.
func (c *Crawler) declareItems() error {
	if len(c.opts.Items) == 0 {
		return nil
	}
	var err error
	if c.saved, err = extract.Compile(extract.Spec{Items: c.opts.Items}); err != nil {
		return fmt.Errorf("items: %w", err)
	}
	names := map[string]bool{}
	for _, it := range c.items().Items {
		if names[it.Name] {
			return fmt.Errorf("items: the extractor has an item %s too", it.Name)
		}
		names[it.Name] = true
	}
	return nil
}

// items are the types of all records of the crawl.
func (c *Crawler) items() extract.Spec {
	var all extract.Spec
	if c.opts.Extractor != nil {
		all.Items = append(all.Items, c.opts.Extractor.Spec().Items...)
	}
	all.Items = append(all.Items, c.opts.Items...)
	return all
}

// parseURLs reads the URLs of a job; what says what they are there for.
func parseURLs(raw []string, what string) ([]weburl.URL, error) {
	var urls []weburl.URL
	var errs []error
	for _, text := range raw {
		u, err := weburl.Parse(text)
		if err != nil {
			errs = append(errs, fmt.Errorf("%s %q: %w", what, text, err))
			continue
		}
		urls = append(urls, u)
	}
	return urls, errors.Join(errs...)
}

// withDefaults fills in what was left out.
func (o Options) withDefaults() Options {
	o.Limits.Memory = cmp.Or(o.Limits.Memory, DefaultMemory)
	o.Limits.Links = cmp.Or(o.Limits.Links, DefaultLinks)
	o.Traps = o.Traps.withDefaults()
	o.Limits.Body = cmp.Or(o.Limits.Body, DefaultBody)
	o.Politeness.Concurrency = cmp.Or(o.Politeness.Concurrency, DefaultConcurrency)
	o.Politeness.PerHost = cmp.Or(o.Politeness.PerHost, DefaultPerHost)
	o.Politeness.UserAgent = cmp.Or(o.Politeness.UserAgent, DefaultUserAgent)
	o.Retry.Times = max(0, cmp.Or(o.Retry.Times, DefaultRetries))
	o.Retry.Delay = cmp.Or(o.Retry.Delay, DefaultRetryDelay)
	o.Politeness.MaxDelay = cmp.Or(o.Politeness.MaxDelay, DefaultMaxDelay)
	o.Health = o.Health.WithDefaults()
	o.Recrawl.Min = cmp.Or(o.Recrawl.Min, min(DefaultRecrawlMin, cmp.Or(o.Recrawl.Max, DefaultRecrawlMax)))
	o.Recrawl.Max = cmp.Or(o.Recrawl.Max, max(DefaultRecrawlMax, o.Recrawl.Min))
	return o
}

// Summary is how a crawl went.
type Summary struct {
	Run      RunInfo
	Finished bool   // false: it was stopped, and goes on where it is when the job is crawled again
	Reason   string // of a finished run: the limit that ended it, one of the Limit constants; "": everything was visited
	Left     int64  // URLs known and not visited
	Elapsed  time.Duration
}

// Crawl works on job's run in store until nothing is left to fetch, a limit is
// reached, Stop is called or ctx is done; it fills in the job's Items,
// Seeds, Plan, Keep and Health. It resumes the job's unfinished run where there is one.
//
// What a page brought is in the store whole or not at all, whenever Crawl
// ends. The error is ctx's when ctx ended the crawl, and the store's when that
// failed; the run can then be resumed. Faults of pages are not errors: the
// store has them.
func (c *Crawler) Crawl(ctx context.Context, store Store, job Job) (*Summary, error) {
	job.Seeds, job.Items, job.Plan, job.Keep, job.Health = c.seeds, c.items(), c.plan(), c.opts.Keep, c.opts.Health
	began := time.Now()
	run, err := store.Begin(ctx, job)
	if err != nil {
		return nil, fmt.Errorf("begin a run of %s: %w", job.Name, err)
	}
	s, err := newSession(ctx, c, run, began)
	if err != nil {
		return nil, errors.Join(fmt.Errorf("go on with a run of %s: %w", job.Name, err), run.Close())
	}
	if job.Continue {
		s.base = run.Info().Counters
	}
	c.session.Store(s)
	finished, reason, err := s.crawl(ctx)
	if err == nil && finished {
		err = run.Finish(ctx, reason)
	}
	sum := &Summary{Run: run.Info(), Finished: finished && err == nil, Reason: reason, Left: s.queue.Load(), Elapsed: time.Since(began)}
	return sum, errors.Join(err, run.Close())
}

// Stop ends a crawl softly: requests in flight are finished and stored,
// nothing further is sent. It may be called from any goroutine, more than once.
func (c *Crawler) Stop() { c.stopOnce.Do(func() { close(c.stop) }) }

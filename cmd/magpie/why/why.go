// Package why tells why a crawl fetched a URL or not: the rule, the way it came
// there, what became of it run by run.
package why

import (
	"context"
	"fmt"
	"strings"

	"github.com/magpie-crawl/magpie/cmd/magpie/words"
	"github.com/magpie-crawl/magpie/config"
	"github.com/magpie-crawl/magpie/crawl"
	"github.com/magpie-crawl/magpie/store"
)

// Page is all that is known of a URL.
type Page struct {
	*store.Page
	Rule    string       // of the job, that kept it out
	Trail   []string     // how the crawl came to it, the nearest page first
	History []store.Page // what became of it in each run, the oldest first
	Known   *store.Memory
}

// Read reads all that is known of a page of the database.
func Read(ctx context.Context, db *store.DB, p *store.Page) (*Page, error) {
	w := &Page{Page: p}
	var err error
	if w.Trail, err = db.Trail(ctx, p.Job, p.URL); err != nil {
		return nil, err
	}
	if w.History, err = db.History(ctx, p.Job, p.URL); err != nil {
		return nil, err
	}
	if w.Known, err = db.Memory(ctx, p.Job, p.URL); err != nil {
		return nil, err
	}
	if p.Reason == crawl.ReasonScope {
		if x, err := Explain(ctx, db, p.Job, p.URL); err == nil {
			w.Rule = x.Rule
		}
	}
	return w, nil
}

// Not says what can have kept a crawl from meeting a URL.
func Not(x crawl.Explanation, run *store.Run) []string {
	if x.Reason != "" {
		return []string{fmt.Sprintf("a link to it would be skipped for %s: %s", x.Reason, x.Rule)}
	}
	why := []string{"it is in scope, but no page that was visited links to it"}
	c := run.Counters
	switch {
	case run.Reason != "":
		why = append(why, fmt.Sprintf("the run ended at the limit of %s with %s left: one of them may lead there", run.Reason, words.Counted(run.Pending, "URL")))
	case run.Pending > 0:
		why = append(why, fmt.Sprintf("%s still to be visited: one of them may lead there", words.Counted(run.Pending, "URL")))
	}
	if job, err := config.ParseOffline(run.Job, []byte(run.Source)); err == nil && job.Options.Follow != nil {
		why = append(why, "only the links that follow selects are taken: "+strings.Join(job.Options.Follow, ", "))
	}
	if n := c.Skipped[crawl.ReasonDepth]; n > 0 {
		why = append(why, fmt.Sprintf("%s left out for limits.depth: one of them may lead there", words.Counted(n, "page")))
	}
	if n := c.Skipped[crawl.ReasonRobots]; n > 0 {
		why = append(why, fmt.Sprintf("%s left out for robots.txt: one of them may lead there", words.Counted(n, "page")))
	}
	if c.Failed > 0 {
		why = append(why, fmt.Sprintf("%s failed: one of them may lead there", words.Counted(c.Failed, "page")))
	}
	return why
}

// Explain asks a job, as its last crawl had it, what it makes of a URL.
func Explain(ctx context.Context, db *store.DB, name, url string) (crawl.Explanation, error) {
	run, err := db.LastCrawl(ctx, name)
	if err != nil {
		return crawl.Explanation{}, err
	}
	var options crawl.Options
	if run.Source != "" {
		job, err := config.ParseOffline(name, []byte(run.Source))
		if err != nil {
			return crawl.Explanation{}, fmt.Errorf("its job file can't be read by this version: %w", err)
		}
		options = job.Options
	} else if options.Start, err = db.Starts(ctx, name, 100); err != nil { // a URL was crawled
		return crawl.Explanation{}, err
	}
	crawler, err := crawl.New(options)
	if err != nil {
		return crawl.Explanation{}, err
	}
	return crawler.Explain(url)
}

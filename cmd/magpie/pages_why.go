package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/magpie-crawl/magpie/cmd/magpie/machine"
	"github.com/magpie-crawl/magpie/cmd/magpie/words"
	"github.com/magpie-crawl/magpie/config"
	"github.com/magpie-crawl/magpie/crawl"
	"github.com/magpie-crawl/magpie/internal/harmless"
	"github.com/magpie-crawl/magpie/store"
)

// whyPage is all that is known of a URL.
type whyPage struct {
	*store.Page
	rule    string       // of the job, that kept it out
	trail   []string     // how the crawl came to it, the nearest page first
	history []store.Page // what became of it in each run
	known   *store.Memory
}

// tellWhy writes all that is known of one URL, or why it is not known.
func (c *pagesCommand) tellWhy(cmd *cobra.Command, db *store.DB) error {
	p, err := c.find(cmd, db, c.why)
	if unknown, ok := errors.AsType[*notMetError](err); ok {
		return c.tellWhyNot(cmd.Context(), db, unknown)
	}
	if err != nil {
		return err
	}
	why := whyPage{Page: p}
	if why.trail, err = db.Trail(cmd.Context(), p.Job, p.URL); err != nil {
		return err
	}
	if why.history, err = db.History(cmd.Context(), p.Job, p.URL); err != nil {
		return err
	}
	if why.known, err = db.Memory(cmd.Context(), p.Job, p.URL); err != nil {
		return err
	}
	if p.Reason == crawl.ReasonScope {
		if x, err := explain(cmd.Context(), db, p.Job, p.URL); err == nil {
			why.rule = x.Rule
		}
	}
	if c.json {
		return c.writeJSON(machineWhyOf(&why))
	}
	_, err = io.WriteString(c.stdout, why.text(time.Now()))
	return err
}

// text is what is known of a page, one fact a line.
func (w *whyPage) text(now time.Time) string {
	var b strings.Builder
	line := func(name, value string) {
		if value != "" {
			fmt.Fprintf(&b, "%-12s %s\n", name, harmless.Text(value))
		}
	}
	p := w.Page
	line("URL", p.URL)
	line("job", fmt.Sprintf("%s, run %d", p.Job, p.Run))
	line("state", pageReason(p))
	line("rule", w.rule)
	if p.Attempts > 0 {
		line("failed tries", fmt.Sprint(p.Attempts))
	}
	if p.State == crawl.Pending {
		line("next try", nextTry(p, now))
	}
	line("depth", fmt.Sprint(p.Depth))
	for i, from := range w.trail {
		line([]string{"found on", "from"}[min(i, 1)], from)
	}
	if len(w.trail) == 0 {
		line("found on", "nothing: the job, its robots.txt or its sitemap names it")
	}
	if p.Redirects > 0 {
		line("redirects", fmt.Sprintf("%d led here", p.Redirects))
	}
	if r := p.Response; r != nil {
		responseLines(r, line)
	}
	tellMemory(w.known, line)
	if len(w.history) > 1 {
		for i := range w.history {
			line(fmt.Sprintf("in run %d", w.history[i].Run), historyText(&w.history[i]))
		}
	}
	return b.String()
}

func responseLines(r *store.Response, line func(name, value string)) {
	line("fetched", fmt.Sprintf("%s, in %s", localTime(r.FetchedAt), r.Duration.Round(time.Millisecond)))
	line("status", fmt.Sprint(r.Status))
	line("redirect to", r.Location)
	line("canonical", r.Canonical)
	line("body", fmt.Sprintf("%d bytes, SHA-256 %x", r.Size, r.SHA256))
	if r.Truncated {
		line("truncated", "the body was longer than limits.body")
	}
	line("encoding", encodingText(r))
	for _, w := range r.Warnings {
		line("warning", w)
	}
	for _, name := range slices.Sorted(maps.Keys(r.Header)) {
		line("header", name+": "+strings.Join(r.Header[name], ", "))
	}
}

// nextTry says when a pending URL is requested.
func nextTry(p *store.Page, now time.Time) string {
	if p.RetryAt.IsZero() || !p.RetryAt.After(now) {
		return "when it is its turn, while the job is being crawled"
	}
	return fmt.Sprintf("%s, %s", localTime(p.RetryAt), until(p.RetryAt, now))
}

// historyText says what became of a URL in a run.
func historyText(p *store.Page) string {
	text := pageReason(p)
	if r := p.Response; r != nil {
		text += fmt.Sprintf(", %s, status %d, %s", localTime(r.FetchedAt), r.Status, words.Bytes(r.Size))
	}
	return text
}

// tellWhyNot says of each job why it did not come to a URL.
func (c *pagesCommand) tellWhyNot(ctx context.Context, db *store.DB, unknown *notMetError) error {
	var text strings.Builder
	fmt.Fprintf(&text, "%s.\n", harmless.Text(capitalized(unknown.message)))
	machine := machineNotMet{URL: c.why, Jobs: []machineNotMetJob{}}
	for _, job := range unknown.jobs {
		run, err := db.LastCrawl(ctx, job)
		if err != nil {
			return err
		}
		x, err := explain(ctx, db, job, c.why)
		if err != nil {
			fmt.Fprintf(&text, "%s: %s.\n", harmless.Text(job), harmless.Text(err.Error()))
			machine.Jobs = append(machine.Jobs, machineNotMetJob{Job: job, Why: []string{err.Error()}})
			continue
		}
		reasons := whyNot(x, run)
		for _, why := range reasons {
			fmt.Fprintf(&text, "%s: %s.\n", harmless.Text(job), harmless.Text(why))
		}
		machine.Jobs = append(machine.Jobs, machineNotMetJob{job, x.Reason, reasons})
	}
	if c.json {
		return cmp.Or(c.writeJSON(machine), errFailed)
	}
	_, err := io.WriteString(c.stdout, text.String())
	return cmp.Or(err, errFailed)
}

func capitalized(s string) string { return strings.ToUpper(s[:1]) + s[1:] }

// whyNot says what can have kept a crawl from meeting a URL.
func whyNot(x crawl.Explanation, run *store.Run) []string {
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
	if job, err := config.Parse(run.Job, []byte(run.Source)); err == nil && job.Options.Follow != nil {
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

// explain asks a job, as its last crawl had it, what it makes of a URL.
func explain(ctx context.Context, db *store.DB, name, url string) (crawl.Explanation, error) {
	run, err := db.LastCrawl(ctx, name)
	if err != nil {
		return crawl.Explanation{}, err
	}
	var options crawl.Options
	if run.Source != "" {
		job, err := config.Parse(name, []byte(run.Source))
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

// machineWhy is all that is known of a URL, for programs.
type machineWhy struct {
	machine.Page
	Rule    string         `json:"rule,omitempty"`
	Trail   []string       `json:"trail"`
	History []machine.Page `json:"history"`
	Known   machineMemory  `json:"known"`
}

func machineWhyOf(w *whyPage) machineWhy {
	m := machineWhy{Page: machine.PageOf(w.Page), Rule: w.rule, Trail: append([]string{}, w.trail...), History: []machine.Page{}, Known: machineMemoryOf(w.known)}
	for i := range w.history {
		m.History = append(m.History, machine.PageOf(&w.history[i]))
	}
	return m
}

// machineNotMet says why no job met a URL.
type machineNotMet struct {
	URL  string             `json:"url"`
	Met  bool               `json:"met"` // false
	Jobs []machineNotMetJob `json:"jobs"`
}

type machineNotMetJob struct {
	Job    string       `json:"job"`
	Reason crawl.Reason `json:"reason,omitempty"`
	Why    []string     `json:"why"`
}

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
	"github.com/magpie-crawl/magpie/cmd/magpie/why"
	"github.com/magpie-crawl/magpie/cmd/magpie/words"
	"github.com/magpie-crawl/magpie/crawl"
	"github.com/magpie-crawl/magpie/internal/harmless"
	"github.com/magpie-crawl/magpie/store"
)

// whyPage is all that is known of a URL.
type whyPage struct{ *why.Page }

// tellWhy writes all that is known of one URL, or why it is not known.
func (c *pagesCommand) tellWhy(cmd *cobra.Command, db *store.DB) error {
	p, err := c.find(cmd, db, c.why)
	if unknown, ok := errors.AsType[*notMetError](err); ok {
		return c.tellWhyNot(cmd.Context(), db, unknown)
	}
	if err != nil {
		return err
	}
	all, err := why.Read(cmd.Context(), db, p)
	if err != nil {
		return err
	}
	w := whyPage{all}
	if c.json {
		return c.writeJSON(machineWhyOf(&w))
	}
	_, err = io.WriteString(c.stdout, w.text(time.Now()))
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
	p := w.Page.Page
	line("URL", p.URL)
	line("job", fmt.Sprintf("%s, run %d", p.Job, p.Run))
	line("state", pageReason(p))
	line("rule", w.Rule)
	if p.Attempts > 0 {
		line("failed tries", fmt.Sprint(p.Attempts))
	}
	if p.State == crawl.Pending {
		line("next try", nextTry(p, now))
	}
	line("depth", fmt.Sprint(p.Depth))
	for i, from := range w.Trail {
		line([]string{"found on", "from"}[min(i, 1)], from)
	}
	if len(w.Trail) == 0 {
		line("found on", "nothing: the job, its robots.txt or its sitemap names it")
	}
	if p.Redirects > 0 {
		line("redirects", fmt.Sprintf("%d led here", p.Redirects))
	}
	if r := p.Response; r != nil {
		responseLines(r, line)
	}
	tellMemory(w.Known, line)
	if len(w.History) > 1 {
		for i := range w.History {
			line(fmt.Sprintf("in run %d", w.History[i].Run), historyText(&w.History[i]))
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
		line("truncated", "the body is not whole: where no warning says why, it was longer than limits.body")
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
		x, err := why.Explain(ctx, db, job, c.why)
		if err != nil {
			fmt.Fprintf(&text, "%s: %s.\n", harmless.Text(job), harmless.Text(err.Error()))
			machine.Jobs = append(machine.Jobs, machineNotMetJob{Job: job, Why: []string{err.Error()}})
			continue
		}
		reasons := why.Not(x, run)
		for _, reason := range reasons {
			fmt.Fprintf(&text, "%s: %s.\n", harmless.Text(job), harmless.Text(reason))
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

// machineWhy is all that is known of a URL, for programs.
type machineWhy struct {
	machine.Page
	Rule    string         `json:"rule,omitempty"`
	Trail   []string       `json:"trail"`
	History []machine.Page `json:"history"`
	Known   machineMemory  `json:"known"`
}

func machineWhyOf(w *whyPage) machineWhy {
	m := machineWhy{Page: machine.PageOf(w.Page.Page), Rule: w.Rule, Trail: append([]string{}, w.Trail...), History: []machine.Page{}, Known: machineMemoryOf(w.Known)}
	for i := range w.History {
		m.History = append(m.History, machine.PageOf(&w.History[i]))
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

package main

import (
	"cmp"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/magpie-crawl/magpie/cmd/magpie/machine"
	"github.com/magpie-crawl/magpie/cmd/magpie/values"
	"github.com/magpie-crawl/magpie/cmd/magpie/words"
	"github.com/magpie-crawl/magpie/crawl"
	"github.com/magpie-crawl/magpie/internal/harmless"
	"github.com/magpie-crawl/magpie/store"
)

// crawlSummary tells how a crawl went.
type crawlSummary struct {
	*app
	job     string
	limits  crawl.Limits
	crawled *crawl.Summary

	problems []store.ProblemCount // of the run, the most frequent first

	failOnDrift bool
	drifts      []machine.Drift // of a finished run

	seed string // what became of the first start URL, when no page came of it
}

// note looks at a visit for what explains a crawl that brings no page.
func (s *crawlSummary) note(v *crawl.Visit) {
	if v.Request.Depth > 0 || s.seed != "" {
		return
	}
	switch {
	case v.State == crawl.Failed, v.State == crawl.Skipped:
		s.seed = fmt.Sprintf("%s: %s", v.Request.URL, cmp.Or(v.Detail, string(v.Reason)))
	case v.Page != nil && v.Page.Location != "" && len(v.Links) > 0 && v.Links[len(v.Links)-1].Skip == crawl.ReasonScope:
		s.seed = fmt.Sprintf("%s redirects to %s, which is out of scope: start there, or write scope: {within: domain}", v.Request.URL, v.Page.Location)
	}
}

// verdict is the error that stands for how the crawl ended, nil if all is well.
func (s *crawlSummary) verdict() error {
	c := s.crawled.Run.Counters
	switch {
	case !s.crawled.Finished:
		return errInterrupted
	case c.Pages == 0 && s.seed != "":
		return fmt.Errorf("nothing was fetched: %s", s.seed)
	case c.Failed > 0 || c.Rejects > 0:
		return errIncomplete
	case s.failOnDrift && len(s.drifts) > 0:
		return errIncomplete
	}
	return nil
}

// print writes the summary to standard output.
func (s *crawlSummary) print() error {
	if s.json {
		return s.writeJSON(s.machine())
	}
	var b strings.Builder
	c := s.crawled.Run.Counters
	fmt.Fprintf(&b, "%s, run %d: %s in %s\n", harmless.Text(s.job), s.crawled.Run.Number, s.state(), s.crawled.Elapsed.Round(10*time.Millisecond))
	line := func(name string, n int64, rest string) {
		if n > 0 || rest != "" {
			fmt.Fprintf(&b, "  %-9s %d%s\n", name, n, rest)
		}
	}
	counted := func(name string, n int64, noun, rest string) {
		if n > 0 {
			fmt.Fprintf(&b, "  %-9s %s %s\n", name, words.Counted(n, noun), rest)
		}
	}
	unmodified := ""
	if c.NotModified > 0 {
		unmodified = fmt.Sprintf(", %d not modified", c.NotModified)
	}
	line("pages", c.Pages, fmt.Sprintf(" (%s%s)", words.Bytes(c.Bytes), unmodified))
	line("gone", c.Gone, listed(" that were there before", c.Gone))
	line("records", c.New+c.Changed+c.Unchanged, fmt.Sprintf(": %d new, %d changed, %d unchanged%s", c.New, c.Changed, c.Unchanged, goneText(c.RecordsGone)))
	line("rejects", c.Rejects, listed(" without a required value", c.Rejects))
	counted("problems", c.Problems, "value", "that could not be had")
	s.fields(&b)
	s.drifted(&b)
	line("redirects", c.Redirects, "")
	line("sitemaps", c.Sitemaps, "")
	line("skipped", total(c.Skipped), reasons(c.Skipped))
	line("retries", c.Retries, "")
	line("failed", c.Failed, reasons(c.Failures))
	counted("left", s.crawled.Left, "URL", "not visited yet")
	b.WriteString(s.hint())
	_, err := s.stdout.Write([]byte(b.String()))
	return err
}

// maxFields is how many fields with problems are told of.
const maxFields = 5

// fields tells which fields the problems are of, with an example of each.
func (s *crawlSummary) fields(b *strings.Builder) {
	for i, p := range s.problems {
		if i == maxFields {
			fmt.Fprintf(b, "    … and %s more\n", count(len(s.problems)-i, "kind"))
			break
		}
		rejected := ""
		if p.Rejected > 0 {
			rejected = fmt.Sprintf(", %d in rejects", p.Rejected)
		}
		name := strings.TrimSuffix(p.Item+"."+p.Field, ".")
		fmt.Fprintf(b, "    %s: %s %d%s, such as: %s\n", harmless.Text(name), p.Code, p.Count, rejected, harmless.Text(values.Short(p.Example.Detail)))
	}
}

// goneText tells how many records are gone, where there are any.
func goneText(n int64) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprintf(", %d gone", n)
}

// drifted tells which figures were worse than usual.
func (s *crawlSummary) drifted(b *strings.Builder) {
	if len(s.drifts) > 0 {
		fmt.Fprintf(b, "  %-9s %s worse than usual\n", "drift", words.Counted(int64(len(s.drifts)), "figure"))
	}
	for i, d := range s.drifts {
		if i == maxFields {
			fmt.Fprintf(b, "    … and %s more\n", words.Counted(int64(len(s.drifts)-i), "figure"))
			break
		}
		fmt.Fprintf(b, "    %s\n", harmless.Text(values.Short(d.Text())))
	}
}

// listed is text where there is anything to tell.
func listed(text string, n int64) string {
	if n == 0 {
		return ""
	}
	return text
}

// state says how the run stands.
func (s *crawlSummary) state() string {
	switch {
	case !s.crawled.Finished:
		return "interrupted"
	case s.crawled.Reason != "":
		return fmt.Sprintf("finished at the limit of %s (%s)", s.crawled.Reason, limitText(s.limits, s.crawled.Reason))
	default:
		return "finished"
	}
}

// hint says what to do next.
func (s *crawlSummary) hint() string {
	c := s.crawled.Run.Counters
	db := s.dbFlag()
	switch {
	case !s.crawled.Finished:
		return "All that was fetched is saved. The same command goes on from here.\n"
	case s.crawled.Left > 0:
		return "The same command with --more goes on beyond the limit; without, it starts a new run.\n"
	case c.Failed > 0:
		return fmt.Sprintf("See why with: %s pages --state failed%s\n", program(), db)
	case len(s.drifts) > 0:
		return fmt.Sprintf("See how full the fields were with: %s health --job %s%s\n", program(), harmless.Text(shellWord(s.job)), db)
	case c.Rejects > 0 || c.Problems > 0:
		return fmt.Sprintf("See which with: %s records --problems%s\n", program(), db)
	}
	return ""
}

// limitText is the limit that a run ended at.
func limitText(l crawl.Limits, reason string) string {
	switch reason {
	case crawl.LimitPages:
		return fmt.Sprint(l.Pages)
	case crawl.LimitBytes:
		return words.Bytes(l.Bytes)
	case crawl.LimitRecords:
		return fmt.Sprint(l.Records)
	}
	return l.Duration.String()
}

// program is what a user types for this program: it may be run from its source.
func program() string {
	if path, err := os.Executable(); err == nil && strings.Contains(filepath.ToSlash(path), "/go-build") {
		return "go run ./cmd/magpie"
	}
	return "magpie"
}

// dbFlag is the --db flag that commands need to find the same database.
func (a *app) dbFlag() string {
	if a.db == defaultDB {
		return ""
	}
	return " --db " + shellWord(a.db)
}

// shellWord quotes a word for a shell where it has to be.
func shellWord(s string) string {
	safe := func(r rune) bool {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("-_./,:@%+=", r)
	}
	if s != "" && !strings.ContainsFunc(s, func(r rune) bool { return !safe(r) }) {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}

// machineSummary is the summary for programs.
type machineSummary struct {
	Job     string  `json:"job"`
	Run     int     `json:"run"`
	State   string  `json:"state"` // finished or interrupted
	Limit   string  `json:"limit,omitempty"`
	Left    int64   `json:"left"`
	Seconds float64 `json:"seconds"`
	machine.Counters
	Fields []machine.Problem `json:"fields,omitempty"` // with problems, the most frequent first
	Drift  []machine.Drift   `json:"drift,omitempty"`  // figures that were worse than usual
}

func (s *crawlSummary) machine() machineSummary {
	m := machineSummary{
		Job: s.job, Run: s.crawled.Run.Number, State: string(store.RunFinished), Limit: s.crawled.Reason, Left: s.crawled.Left,
		Seconds: s.crawled.Elapsed.Seconds(), Counters: machine.CountersOf(s.crawled.Run.Counters),
	}
	for _, p := range s.problems {
		m.Fields = append(m.Fields, machine.ProblemOf(p))
	}
	m.Drift = s.drifts
	if !s.crawled.Finished {
		m.State = string(store.RunInterrupted)
	}
	return m
}

func total(counts map[crawl.Reason]int64) int64 {
	var n int64
	for _, c := range counts {
		n += c
	}
	return n
}

// reasons lists counts by reason, the most frequent first.
func reasons(counts map[crawl.Reason]int64) string {
	if total(counts) == 0 {
		return ""
	}
	names := slices.SortedFunc(maps.Keys(counts), func(x, y crawl.Reason) int {
		return cmp.Or(cmp.Compare(counts[y], counts[x]), cmp.Compare(x, y))
	})
	parts := make([]string, len(names))
	for i, name := range names {
		parts[i] = fmt.Sprintf("%s %d", name, counts[name])
	}
	return ": " + strings.Join(parts, ", ")
}

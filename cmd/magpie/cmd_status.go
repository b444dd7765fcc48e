package main

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/magpie-crawl/magpie/cmd/magpie/machine"
	"github.com/magpie-crawl/magpie/cmd/magpie/words"
	"github.com/magpie-crawl/magpie/internal/harmless"
	"github.com/magpie-crawl/magpie/store"
)

func newStatusCommand(a *app) *cobra.Command {
	var hosts int
	var server serverFlags
	cmd := &cobra.Command{
		Use:   "status [JOB]",
		Short: "Tell how jobs stand: what is running, what is left, what waits and why",
		Long: `Status tells how each job in the database stands, or one job: who works on it,
how far it is and how fast, which hosts have URLs left and which of them wait,
and how the last run ended. It only reads: it works while a crawl is running,
and after one was killed.

With --server it asks a running magpie serve, which may be on another machine,
and says on the error output what is wrong with its serve.yaml.`,
		Example: `  magpie status
  magpie status books
  magpie status --json
  MAGPIE_TOKEN=… magpie status --server https://magpie.example.com`,
		Args:              atMostOne("a job"),
		ValidArgsFunction: a.completion(completeJobs),
		RunE: func(cmd *cobra.Command, args []string) error {
			if hosts < 0 || hosts > store.HostLimit {
				return usagef(cmd, "--hosts must be 0 to %d", store.HostLimit)
			}
			job := ""
			if len(args) > 0 {
				job = args[0]
			}
			if server.wanted() {
				return a.serverStatus(cmd, &server, job, hosts)
			}
			db, err := a.openReadOnly()
			if err != nil {
				return err
			}
			defer db.Close()
			if err := a.checkNames(cmd.Context(), db, job, ""); err != nil {
				return err
			}
			all, err := db.Status(cmd.Context(), job)
			if err != nil {
				return err
			}
			scheduled, err := db.Schedules(cmd.Context(), job)
			if err != nil {
				return err
			}
			if err := a.writeStatus(all, hosts, len(scheduled) == 0); err != nil || a.json {
				return err
			}
			return a.writeNotRun(all, scheduled)
		},
	}
	cmd.Flags().IntVar(&hosts, "hosts", 10, fmt.Sprintf("list this many hosts with URLs left, at most %d", store.HostLimit))
	server.define(cmd, "default: the database is read")
	return cmd
}

// serverStatus tells how the jobs of a running magpie serve stand.
func (a *app) serverStatus(cmd *cobra.Command, server *serverFlags, job string, hosts int) error {
	c, err := server.client(cmd)
	if err != nil {
		return err
	}
	settings, err := c.Settings(cmd.Context())
	if err != nil {
		return err
	}
	a.writeSettings(settings)
	jobs, err := c.Jobs(cmd.Context())
	if err != nil {
		return err
	}
	var scheduled []store.Schedule
	ran, known := job == "", false
	for _, j := range jobs {
		if job != "" && j.Job != job {
			continue
		}
		known = true
		ran = ran || j.LastRun != nil
		s := store.Schedule{Job: j.Job, Schedule: j.Schedule, Paused: j.Paused}
		if j.Next != nil {
			s.Next = *j.Next
		}
		scheduled = append(scheduled, s)
	}
	if !known && job != "" {
		return fmt.Errorf("the server has no job %q: magpie status --server without a name lists those there are", job)
	}
	var all []store.JobStatus
	if ran {
		list, err := c.Status(cmd.Context(), job, hosts)
		if err != nil {
			return err
		}
		for _, s := range list {
			all = append(all, s.Store())
		}
	}
	if err := a.writeStatus(all, hosts, false); err != nil || a.json {
		return err
	}
	return a.writeNotRun(all, scheduled)
}

// writeSettings says what is wrong with the settings of a server, or not yet in
// use. It is said beside what was asked for.
func (a *app) writeSettings(s machine.Settings) {
	if s.Fault != "" {
		fmt.Fprintf(a.stderr, "%s has mistakes and is not used: the settings are as they were before.\n", harmless.Text(s.File))
		for line := range strings.Lines(s.Fault) {
			fmt.Fprintf(a.stderr, "  %s\n", harmless.Text(strings.TrimSpace(line)))
		}
	}
	if len(s.Restart) > 0 {
		fmt.Fprintf(a.stderr, "What %s says of %s by now is used when magpie serve is started again.\n", harmless.Text(s.File), harmless.Text(strings.Join(s.Restart, ", ")))
	}
}

// writeNotRun tells of jobs that have a schedule and have not run yet.
func (a *app) writeNotRun(all []store.JobStatus, scheduled []store.Schedule) error {
	now := time.Now()
	for i := range scheduled {
		s := &scheduled[i]
		ran := slices.ContainsFunc(all, func(j store.JobStatus) bool { return j.Name == s.Job })
		if text := scheduleText(s, now); !ran && text != "" {
			if _, err := fmt.Fprintf(a.stdout, "%s: has not run yet\n  %-9s %s\n", harmless.Text(s.Job), "next", text); err != nil {
				return err
			}
		}
	}
	return nil
}

// writeStatus writes how jobs stand; none says that it is told if there are none.
func (a *app) writeStatus(all []store.JobStatus, hosts int, none bool) error {
	if len(all) == 0 && none && !a.json {
		fmt.Fprintf(a.stderr, "No jobs in %s.\n", a.db)
	}
	for i := range all {
		s := &all[i]
		s.Hosts = s.Hosts[:min(hosts, len(s.Hosts))]
		if a.json {
			if err := a.writeJSON(machine.StatusOf(s)); err != nil {
				return err
			}
			continue
		}
		if i > 0 {
			fmt.Fprintln(a.stdout)
		}
		if err := a.writeJobStatus(s, time.Now()); err != nil {
			return err
		}
	}
	return nil
}

// writeJobStatus writes how one job stands.
func (a *app) writeJobStatus(s *store.JobStatus, now time.Time) error {
	var b strings.Builder
	t := terminalOf(a.stdout)
	fmt.Fprintf(&b, "%s: %s\n", t.style(bold, harmless.Text(s.Name)), harmless.Text(stateText(s, now)))
	c := s.Latest.Counters
	line := func(name, text string) {
		if text != "" {
			fmt.Fprintf(&b, "  %-9s %s\n", name, harmless.Text(text))
		}
	}
	line("run", runText(s, now))
	line("pages", pagesText(s))
	line("records", fmt.Sprintf("%d: %d new, %d changed, %d unchanged%s%s", c.Records(), c.New, c.Changed, c.Unchanged, goneText(c.RecordsGone), more(", %d rejects", c.Rejects)))
	if n := total(c.Skipped); n > 0 {
		line("skipped", fmt.Sprintf("%d%s", n, reasons(c.Skipped)))
	}
	if c.Failed > 0 {
		line("failed", fmt.Sprintf("%d%s", c.Failed, reasons(c.Failures)))
	}
	if n := s.Latest.Drifts; n > 0 {
		line("drift", words.Counted(int64(n), "figure")+" worse than usual: magpie health shows them")
	}
	line("left", leftText(s))
	if n := s.Messages; n > 0 {
		line("webhook", words.Counted(int64(n), "message")+" to be sent with the next crawl"+inBrackets(s.MessageError))
	}
	line("next", scheduleText(s.Schedule, now))
	line("not run", skippedText(s.LastDue))
	if p := s.Previous; p != nil {
		line("before", fmt.Sprintf("run %d, %s, with %s, %d failed, %s",
			p.Number, endText(p), words.Counted(p.Counters.Pages, "page"), p.Counters.Failed, words.Counted(p.Counters.Records(), "record")))
	}
	if _, err := io.WriteString(a.stdout, b.String()); err != nil || len(s.Hosts) == 0 {
		return err
	}
	tb := &table{header: []string{"HOST", "READY", "WAITING", "NEXT TRY", "WHY"}, right: []bool{false, true, true}}
	for _, h := range s.Hosts {
		row := []string{h.Host, fmt.Sprint(h.Ready), fmt.Sprint(h.Waiting), "", ""}
		if h.Waiting > 0 {
			row[3], row[4] = until(h.Next, now), string(h.Reason)
			if h.Detail != "" {
				row[4] += " (" + h.Detail + ")"
			}
		}
		if text := hostText(h.State); text != "" {
			row[4] = strings.TrimPrefix(row[4]+"; "+text, "; ")
		}
		tb.rows = append(tb.rows, row)
	}
	if err := tb.write(a.stdout, t); err != nil {
		return err
	}
	if n := s.AllHosts - len(s.Hosts); n > 0 {
		_, err := fmt.Fprintf(a.stdout, "and %s more\n", words.Counted(int64(n), "host"))
		return err
	}
	return nil
}

// stateText says who works on a job, or what its last run came to.
func stateText(s *store.JobStatus, now time.Time) string {
	switch h := s.Holder; {
	case h != nil:
		return fmt.Sprintf("running, by process %d on %s since %s, last sign of life %s ago",
			h.PID, h.Host, localTime(h.Since), now.Sub(h.Heartbeat).Round(time.Second))
	case s.Latest.State == store.RunInterrupted:
		return "interrupted: the next magpie crawl of it goes on where it was"
	}
	return endText(&s.Latest)
}

// endText says how a run ended.
func endText(r *store.Run) string {
	switch {
	case r.Reason != "":
		return "finished at the limit of " + r.Reason
	case r.State == store.RunFinished && r.Counters.Pages == 0 && r.Counters.Failed > 0:
		return "finished, but nothing was fetched"
	case r.State == store.RunFinished:
		return "finished: everything was visited"
	}
	return string(r.State)
}

func runText(s *store.JobStatus, now time.Time) string {
	r := &s.Latest
	text := fmt.Sprintf("%d, started %s", r.Number, localTime(r.Started))
	if !r.Ended.IsZero() {
		return fmt.Sprintf("%s, ended %s (%s ago)", text, localTime(r.Ended), now.Sub(r.Ended).Round(time.Second))
	}
	return text
}

func pagesText(s *store.JobStatus) string {
	c := s.Latest.Counters
	text := fmt.Sprintf("%d (%s)", c.Pages, words.Bytes(c.Bytes))
	if s.Holder != nil {
		text += fmt.Sprintf(", %.1f a second lately", s.Rate)
	}
	return text
}

// leftText says what is left of a run, and how long that takes at the present
// rate.
func leftText(s *store.JobStatus) string {
	n := s.Latest.Pending
	if n == 0 {
		return ""
	}
	text := words.Counted(n, "URL") + " on " + words.Counted(int64(s.AllHosts), "host")
	if s.Rate > 0 {
		text += fmt.Sprintf(", %s at this rate", time.Duration(float64(n)/s.Rate*float64(time.Second)).Round(time.Second))
	}
	if s.Latest.State == store.RunFinished {
		text += "; magpie crawl --more goes on with them"
	}
	return text
}

// inBrackets is a text in brackets, if there is any.
func inBrackets(s string) string {
	if s == "" {
		return ""
	}
	return " (" + s + ")"
}

// more is a text with a number, where there is one.
func more(format string, n int64) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprintf(format, n)
}

// until says when a time is, from now.
func until(t, now time.Time) string {
	if !t.After(now) {
		return "due"
	}
	return "in " + max(time.Second, t.Sub(now).Round(time.Second)).String()
}

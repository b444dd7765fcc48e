package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/magpie-crawl/magpie/cmd/magpie/words"
	"github.com/magpie-crawl/magpie/config"
	"github.com/magpie-crawl/magpie/config/schedule"
	"github.com/magpie-crawl/magpie/internal/clock"
	"github.com/magpie-crawl/magpie/internal/harmless"
)

func newCheckCommand(a *app) *cobra.Command {
	g := &against{app: a}
	cmd := &cobra.Command{
		Use:   "check JOB.yaml...",
		Short: "Find the mistakes in job files, and test them on saved pages",
		Long: `Check reads job files and tells each mistake with its file, line and column,
with what is wrong and what to write instead. Nothing is fetched. Of a job with a
schedule it tells the next three times that it is due, by the schedule's zone. A
file of the name serve.yaml is read as the settings of magpie serve.

With --against a job is run on the saved pages of a folder, and what it takes from
each NAME.html is compared with NAME.json beside it. --update writes what comes
out as what is to be expected; --add fetches a page into the folder.

The exit code is 0 when all files are valid jobs, else 2; 1 when a saved page
gives other records than expected.`,
		Example: `  magpie check books.yaml
  magpie check jobs/*.yaml
  magpie check --json books.yaml | jq -r '.mistakes[] | "\(.line): \(.message)"'
  magpie check books.yaml --against pages --update --add https://books.toscrape.com/catalogue/a-light-in-the-attic_1000/index.html
  magpie check books.yaml --against pages      # in the tests of your project`,
		Args:              atLeastOne("a job file"),
		ValidArgsFunction: jobFiles,
		RunE: func(cmd *cobra.Command, args []string) error {
			if g.folder == "" && (g.update || len(g.add) > 0) {
				return usagef(cmd, "--update and --add are of saved pages: name their folder with --against")
			}
			if g.folder != "" {
				return g.check(cmd, args)
			}
			valid := true
			for _, file := range args {
				c := checkJob(file)
				valid = valid && c.OK
				if err := a.writeChecked(c); err != nil {
					return err
				}
			}
			if !valid {
				return errUsage
			}
			return nil
		},
	}
	f := cmd.Flags()
	f.StringVar(&g.folder, "against", "", "run the job on the saved pages of this `folder`")
	f.BoolVar(&g.update, "update", false, "write what comes out as what is to be expected")
	f.StringArrayVar(&g.add, "add", nil, "save the page at this `URL` in the folder first")
	return cmd
}

// checked is what check has to say of one file.
type checked struct {
	File     string          `json:"file"`
	OK       bool            `json:"ok"`
	Name     string          `json:"name,omitempty"`
	Items    []string        `json:"items,omitempty"`
	Starts   int             `json:"starts,omitempty"`
	Exports  int             `json:"exports,omitempty"`
	Schedule string          `json:"schedule,omitempty"`
	Zone     string          `json:"zone,omitempty"`     // of the schedule; none: the machine's
	Due      []dueTime       `json:"due,omitempty"`      // the next times, where there is a schedule
	Settings bool            `json:"settings,omitempty"` // of magpie serve: no job
	Notify   int             `json:"notify,omitempty"`   // ways that messages go
	Error    string          `json:"error,omitempty"`    // the file could not be read
	Mistakes config.Mistakes `json:"mistakes,omitempty"`

	words string // of the schedule
}

func checkJob(file string) checked {
	c := checked{File: file}
	if isSettings(file) {
		return c.checkSettings()
	}
	job, err := config.Load(file)
	switch {
	case errors.As(err, &c.Mistakes):
	case err != nil:
		c.Error = err.Error()
	default:
		c.OK, c.Name = true, job.Name
		c.Starts, c.Exports, c.Notify = len(job.Options.Start), len(job.Exports), len(job.Notify)
		for _, item := range job.Items.Items {
			c.Items = append(c.Items, item.Name)
		}
		c.schedule(job, clock.System.Now())
	}
	return c
}

// checkSettings is checkJob for serve.yaml.
func (c checked) checkSettings() checked {
	c.Settings = true
	s, err := config.LoadServe(c.File)
	switch {
	case errors.As(err, &c.Mistakes):
	case err != nil:
		c.Error = err.Error()
	default:
		c.OK, c.Notify = true, len(s.Notify)
	}
	return c
}

// dueTime is one of a schedule: when the job is due, and when it starts with
// jitter.
type dueTime struct {
	Nominal time.Time `json:"nominal"`
	At      time.Time `json:"at"`
}

// shownDue is how many due times check tells.
const shownDue = 3

// schedule fills in what is to be told of the job's schedule.
func (c *checked) schedule(job *config.Job, now time.Time) {
	if job.Schedule.Cron == "" {
		return
	}
	c.Schedule = job.Schedule.Cron
	if job.Schedule.Zone != nil {
		c.Zone = job.Schedule.Zone.String()
	}
	s, err := schedule.New(job.Schedule, job.Name)
	if err != nil {
		return // config has found it right
	}
	c.words = s.String()
	for range shownDue {
		due, ok := s.Next(now)
		if !ok {
			break
		}
		c.Due = append(c.Due, dueTime(due))
		now = due.Nominal
	}
}

// writeChecked tells valid files on the standard output, others on the error
// output; as JSON all go to the standard output.
func (a *app) writeChecked(c checked) error {
	switch {
	case a.json:
		return a.writeJSON(c)
	case c.OK:
		_, err := fmt.Fprintln(a.stdout, harmless.Text(c.summary())+c.dueLines())
		return err
	case c.Error != "":
		fmt.Fprintf(a.stderr, "magpie: %s\n", harmless.Text(c.Error))
	default:
		writeMistakes(a.stderr, c.Mistakes, sourceOf(c.File))
	}
	return nil
}

// sourceOf is the text of a job file that has mistakes, for their lines. What
// can be read but once, such as a pipe, or has no end is told without: "".
func sourceOf(file string) string {
	if info, err := os.Stat(file); err != nil || !info.Mode().IsRegular() {
		return ""
	}
	f, err := os.Open(file)
	if err != nil {
		return ""
	}
	defer f.Close()
	src, _ := io.ReadAll(io.LimitReader(f, config.MaxSource)) // a longer file is no job
	return string(src)
}

// summary is a line such as "books.yaml: ok: 2 items, 1 start URL".
func (c checked) summary() string {
	if c.Settings {
		return c.File + ": ok: settings of magpie serve, " + count(c.Notify, "way") + " to tell of jobs"
	}
	parts := []string{count(len(c.Items), "item"), count(c.Starts, "start URL")}
	if c.Exports > 0 {
		parts = append(parts, count(c.Exports, "export"))
	}
	if c.Schedule != "" {
		parts = append(parts, "runs "+c.words)
	}
	return c.File + ": ok: " + strings.Join(parts, ", ")
}

// dueLines tells the next due times, each on a line of its own.
func (c checked) dueLines() string {
	if c.Schedule == "" {
		return ""
	}
	if len(c.Due) == 0 {
		return "\n  due no more: the schedule has ended"
	}
	var b strings.Builder
	for _, due := range c.Due {
		fmt.Fprintf(&b, "\n  due %s", due.Nominal.Format("Mon 2006-01-02 15:04:05 MST"))
		if !due.At.Equal(due.Nominal) {
			fmt.Fprintf(&b, ", starts %s", due.At.Format(time.TimeOnly))
		}
	}
	return b.String()
}

// count writes "1 item" or "2 items".
func count(n int, what string) string {
	return words.Counted(int64(n), what)
}

// writeMistakes tells each mistake of a job file, whose text is src, with its
// line and a mark below its column.
func writeMistakes(w io.Writer, mistakes config.Mistakes, src string) {
	t := terminalOf(w)
	lines := strings.Split(strings.TrimPrefix(src, "\uFEFF"), "\n")
	for _, m := range mistakes {
		place, _ := strings.CutSuffix(m.Error(), m.Message)
		fmt.Fprintln(w, t.style(bold, harmless.Text(place))+harmless.Text(m.Message))
		writeSourceLine(w, t, lines, m.Line, m.Column)
	}
}

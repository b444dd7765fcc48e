package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/magpie-crawl/magpie/cmd/magpie/alert"
	"github.com/magpie-crawl/magpie/cmd/magpie/daemon"
	"github.com/magpie-crawl/magpie/cmd/magpie/machine"
	"github.com/magpie-crawl/magpie/config"
	"github.com/magpie-crawl/magpie/internal/harmless"
)

func newNotifyCommand(a *app) *cobra.Command {
	var job string
	var server serverFlags
	cmd := &cobra.Command{
		Use:   "notify",
		Short: "List what is wrong with jobs, and the messages about it",
		Long: `Notify lists the open problems of the jobs that magpie serve runs, and the
messages about them that are still to be sent, or were given up after a week.

Who is told is said by notify, in a job file or for all other jobs in serve.yaml:

  notify:
    - webhook: "https://example.com/hook"    # JSON, or what template makes
      secret: "${HOOK_SECRET}"               # signs it, as standardwebhooks.com says
    - email: [ops@example.com]               # needs smtp in serve.yaml
      subject: "{{.Job}}: {{.Kind}}"         # left out: what happened; its text is made by template
    - command: [./page-me.sh, "{{.Job}}"]    # the message as JSON on its input
      on: [failure, silence]                 # also: drift, changes

What happens within ten minutes is one message (group), and an open problem is
told again after a day (repeat). That it is over is told, too.`,
		Example: `  magpie notify
  magpie notify --job books --json
  magpie notify --server http://127.0.0.1:8490
  magpie notify test jobs       # a trial message to all who would be told
  magpie notify test books.yaml`,
		Args: unknownCommand,
		RunE: func(cmd *cobra.Command, _ []string) error {
			problems, messages, err := a.readAlerts(cmd, &server, job)
			if err != nil {
				return err
			}
			return a.writeAlerts(problems, messages)
		},

		SuggestionsMinimumDistance: 2,
	}
	cmd.Flags().StringVar(&job, "job", "", "of this job alone")
	a.completeNames(cmd)
	server.define(cmd, "default: the database is read")
	cmd.AddCommand(newNotifyTestCommand(a))
	return cmd
}

// readAlerts reads open problems, and messages that are not sent, of a server
// or of the database.
func (a *app) readAlerts(cmd *cobra.Command, server *serverFlags, job string) (problems []machine.Alert, messages []machine.AlertMessage, err error) {
	ctx := cmd.Context()
	if server.wanted() {
		c, err := server.client(cmd)
		if err != nil {
			return nil, nil, err
		}
		if problems, err = c.Alerts(ctx, job); err != nil {
			return nil, nil, err
		}
		messages, err = c.AlertMessages(ctx, job)
		return problems, messages, err
	}
	db, err := a.openReadOnly()
	if err != nil {
		return nil, nil, err
	}
	defer db.Close()
	scheduled, err := db.Schedules(ctx, job)
	if err != nil {
		return nil, nil, err
	}
	if len(scheduled) == 0 { // one that is may not have run yet
		if err := a.checkNames(ctx, db, job, ""); err != nil {
			return nil, nil, err
		}
	}
	open, err := alert.Problems(ctx, db, job)
	if err != nil {
		return nil, nil, err
	}
	for _, p := range open {
		problems = append(problems, machine.AlertOf(p))
	}
	pending, err := alert.Messages(ctx, db, "", job, 1000)
	for _, m := range pending {
		messages = append(messages, machine.AlertMessageOf(m))
	}
	return problems, messages, err
}

// writeAlerts lists open problems, and messages that are not sent.
func (a *app) writeAlerts(problems []machine.Alert, messages []machine.AlertMessage) error {
	if a.json {
		return a.writeAlertsJSON(problems, messages)
	}
	if len(problems)+len(messages) == 0 {
		_, err := fmt.Fprintln(a.stdout, "Nothing is wrong, and no message is to be sent.")
		return err
	}
	now, t := time.Now(), terminalOf(a.stdout)
	if len(problems) > 0 {
		tb := &table{header: []string{"JOB", "PROBLEM", "SINCE", "COUNT", "TOLD", "WHAT"}, right: []bool{false, false, false, true}}
		for _, m := range problems {
			tb.rows = append(tb.rows, []string{m.Job, m.Kind, timeOr(m.Since, "ever"), fmt.Sprint(m.Count), timeOr(m.Told, "not yet"), m.Detail})
		}
		if err := tb.write(a.stdout, t); err != nil {
			return err
		}
	}
	if len(messages) == 0 {
		return nil
	}
	if len(problems) > 0 {
		fmt.Fprintln(a.stdout)
	}
	tb := &table{header: []string{"MESSAGE TO", "STATE", "TRIES", "NEXT", "JOBS", "ERROR"}, right: []bool{false, false, true}}
	for _, m := range messages {
		next := ""
		if m.Due != nil {
			next = until(*m.Due, now)
		}
		tb.rows = append(tb.rows, []string{m.To, m.State, fmt.Sprint(m.Tries), next, strings.Join(m.Jobs, ", "), m.Error})
	}
	return tb.write(a.stdout, t)
}

func timeOr(t *time.Time, none string) string {
	if t == nil {
		return none
	}
	return localTime(*t)
}

// writeAlertsJSON writes a line for each problem, then for each message.
func (a *app) writeAlertsJSON(problems []machine.Alert, messages []machine.AlertMessage) error {
	for _, p := range problems {
		if err := a.writeJSON(struct {
			Problem machine.Alert `json:"problem"`
		}{p}); err != nil {
			return err
		}
	}
	for _, m := range messages {
		if err := a.writeJSON(struct {
			Message machine.AlertMessage `json:"message"`
		}{m}); err != nil {
			return err
		}
	}
	return nil
}

func newNotifyTestCommand(a *app) *cobra.Command {
	var server serverFlags
	cmd := &cobra.Command{
		Use:   "test JOB.yaml|DIR, or test --server URL [JOB]",
		Short: "Send a trial message to all who would be told of jobs",
		Long: `Test sends a trial message, once and at once, each way that messages about a job
go, or about all jobs of a folder and by its serve.yaml, and tells what came of
it. The exit code is 1 when one did not arrive.

With --server a running magpie serve sends them: from its machine and with its
secrets, as it would when something is wrong. Without the name of a job it sends
one each way that it has. It takes such a request every few seconds.`,
		Example: `  magpie notify test jobs
  magpie notify test jobs/books.yaml
  magpie notify test jobs --json | jq 'select(.ok | not)'
  magpie notify test --server http://127.0.0.1:8490
  magpie notify test --server https://magpie.example.com books`,
		Args: func(cmd *cobra.Command, args []string) error {
			if server.wanted() && len(args) == 0 {
				return nil
			}
			return oneArgument("a job file or a folder of them")(cmd, args)
		},
		ValidArgsFunction: jobFiles,
		RunE: func(cmd *cobra.Command, args []string) error {
			if server.wanted() {
				return a.notifyServerTest(cmd, &server, args)
			}
			return a.notifyTest(cmd, args[0])
		},
	}
	server.define(cmd, "default: this command sends them")
	return cmd
}

// notifyServerTest has a server send trial messages.
func (a *app) notifyServerTest(cmd *cobra.Command, server *serverFlags, args []string) error {
	c, err := server.client(cmd)
	if err != nil {
		return err
	}
	list, err := c.TestNotify(cmd.Context(), strings.Join(args, ""))
	if err != nil {
		return err
	}
	failed := false
	for _, one := range list {
		failed = failed || !one.OK
		if err := a.writeTried(one); err != nil {
			return err
		}
	}
	if failed {
		return errFailed
	}
	return nil
}

func (a *app) notifyTest(cmd *cobra.Command, path string) error {
	settings, ways, err := waysToTell(path)
	if err != nil {
		return err
	}
	if len(ways) == 0 {
		return usagef(cmd, "nobody is told of anything: write notify into a job file or into %s, see %s notify --help", config.ServeFile, program())
	}
	alerter, err := alert.New(alert.Options{Settings: settings})
	if err != nil {
		return err
	}
	failed := false
	for _, way := range ways {
		one := machine.Tried{To: way.Channel.Name, Jobs: way.Jobs, OK: true}
		if err := alerter.Trial(cmd.Context(), way.Channel); err != nil {
			one.OK, one.Error, failed = false, err.Error(), true
		}
		if cmd.Context().Err() != nil {
			return cmd.Context().Err()
		}
		if err := a.writeTried(one); err != nil {
			return err
		}
	}
	if failed {
		return errFailed
	}
	return nil
}

func (a *app) writeTried(one machine.Tried) error {
	if a.json {
		return a.writeJSON(one)
	}
	result := "sent"
	if !one.OK {
		result = "failed: " + one.Error
	}
	_, err := fmt.Fprintln(a.stdout, harmless.Text(fmt.Sprintf("%s (%s): %s", one.To, strings.Join(one.Jobs, ", "), result)))
	return err
}

// waysToTell are all ways that messages about the jobs of a file or a folder
// go, each with the files that tell it.
func waysToTell(path string) (settings *config.Serve, ways []alert.Way, err error) {
	dir, files, err := filesThatTell(path)
	if err != nil {
		return nil, nil, err
	}
	if settings, err = loadSettings(dir); err != nil {
		return nil, nil, err
	}
	// A job that says who is told is not told of as the settings say.
	shared := settings
	var jobs []alert.Job
	var mistakes config.Mistakes
	for _, file := range files {
		job, err := loadJob(file)
		var wrong config.Mistakes
		switch {
		case errors.As(err, &wrong):
			mistakes = append(mistakes, wrong...)
		case err != nil:
			return nil, nil, err
		default:
			jobs = append(jobs, alert.Job{Name: filepath.Base(file), Notify: job.Notify})
			if file == path && job.Notify != nil {
				shared = nil
			}
		}
	}
	if len(mistakes) > 0 {
		return nil, nil, mistakes
	}
	return settings, alert.Ways(shared, jobs), nil
}

// filesThatTell are the job files of a folder, or the one that path is, and
// where their settings are. With the file of settings there are none.
func filesThatTell(path string) (dir string, files []string, err error) {
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "", nil, &usageError{"magpie notify test", fmt.Sprintf("there is no %s: give a job file, or the folder of jobs that magpie serve runs", path)}
	case err != nil:
		return "", nil, &usageError{"magpie notify test", err.Error()}
	case isSettings(path) && !info.IsDir():
		return filepath.Dir(path), nil, nil
	case !info.IsDir():
		return filepath.Dir(path), []string{path}, nil
	}
	entries, err := os.ReadDir(path)
	if err != nil {
		return "", nil, err
	}
	for _, e := range entries {
		if daemon.IsJobFile(e.Name()) && e.Type().IsRegular() {
			files = append(files, filepath.Join(path, e.Name()))
		}
	}
	return path, files, nil
}

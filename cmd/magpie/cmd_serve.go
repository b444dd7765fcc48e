package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"github.com/magpie-crawl/magpie/cmd/magpie/daemon"
	"github.com/magpie-crawl/magpie/cmd/magpie/words"
	"github.com/magpie-crawl/magpie/internal/harmless"
	"github.com/magpie-crawl/magpie/store"
)

func newServeCommand(a *app) *cobra.Command {
	c := &serveCommand{app: a}
	cmd := &cobra.Command{
		Use:   "serve DIR",
		Short: "Run the jobs of a folder by their schedules",
		Long: `Serve runs each job file of a folder that has a schedule whenever it is due,
until it is stopped. All jobs are kept in one database.

The folder is watched: a job file that is changed, added or removed is taken up
at once. One with mistakes is refused, and told of in the log; the job stays as
it was before. The same is true of serve.yaml, which is never a job but has
settings; what it says of listen, token, hosts and url is used from the next
start on.

Times that came while serve did not run, or while the machine slept, are caught
up by one run, or skipped where the job says missed: skip. The same is true of
clocks that are set. What was due and did not run is listed with its reason:
magpie runs --due.

When a job fails, is silent or has drifted, those are told whom notify names, in
the job file or for all jobs in serve.yaml: see magpie notify --help.

Ctrl-C or SIGTERM finishes the requests in flight and ends with exit code 0;
runs go on when serve is started again. A second signal ends at once, with exit
code 130: nothing is lost then either. SIGHUP looks for changes of the folder.

While it runs it listens at --listen: people find a dashboard there, programs
the API, described at /api/v1/, monitoring /metrics, /healthz and /readyz. Who
can reach that address and knows the token, if there is one, can do what you
can do with magpie's jobs. Beyond this machine a token is needed, best set in
the environment variable MAGPIE_TOKEN.

One serve at a time works on a database. magpie crawl and all other commands
can be used on it meanwhile.`,
		Example: `  mkdir jobs && magpie init https://books.toscrape.com/ -o jobs/books.yaml   # then add: schedule: {cron: "@daily"}
  magpie serve jobs
  magpie serve jobs --db crawls.db --concurrency 8 --log json
  MAGPIE_TOKEN=$(openssl rand -hex 32) magpie serve jobs --listen 0.0.0.0:8490 --host magpie.example.com`,
		Args: oneArgument("a folder of job files"),
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return nil, cobra.ShellCompDirectiveFilterDirs
		},
		RunE: func(cmd *cobra.Command, args []string) error { return c.run(cmd, args[0]) },
	}
	f := cmd.Flags()
	f.IntVar(&c.concurrency, "concurrency", daemon.DefaultConcurrency, "runs at a time, over all jobs")
	f.DurationVar(&c.stopWithin, "stop-within", daemon.DefaultStopWithin, "after a signal, give runs this long to finish what is in flight")
	c.web.define(cmd)
	c.logs.define(cmd)
	return cmd
}

// serveCommand is one call of magpie serve.
type serveCommand struct {
	*app
	concurrency int
	stopWithin  time.Duration
	logs        logOptions
	web         webServer
}

func (c *serveCommand) run(cmd *cobra.Command, dir string) error {
	if c.concurrency < 1 {
		return usagef(cmd, "--concurrency must be at least 1")
	}
	if c.stopWithin <= 0 {
		return usagef(cmd, "--stop-within must be above 0, such as 30s")
	}
	if err := checkJobFolder(cmd, dir); err != nil {
		return err
	}
	settings, err := loadSettings(dir)
	if err != nil {
		return err
	}
	db, err := store.Open(c.db, store.Options{BusyTimeout: serveBusyTimeout})
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%w: make the folder that it is to be in, or name another file with --db", err)
	}
	if err != nil {
		return err
	}
	defer db.Close()
	// From the first sign of life on, who starts it may also stop it.
	stop := onSignals(cmd.Context(), func(text string) { fmt.Fprintln(c.stderr, text) })
	defer stop.stop()
	hangup := make(chan os.Signal, 1)
	signal.Notify(hangup, syscall.SIGHUP)
	defer signal.Stop(hangup)
	log := c.logs.newLogger(c.stderr, c.json, false)
	take := c.takeUp(cmd, settings)
	if err := c.web.open(cmd, webSettings{Listen: settings.Listen, Token: settings.Token, URL: settings.URL, Hosts: settings.Hosts}, log); err != nil {
		return err
	}
	defer c.web.close()
	alerts, err := newServeAlerts(db, take.used(settings), log)
	if err != nil {
		return err
	}
	concurrency, stopWithin := take.limits(settings)
	d, err := daemon.New(daemon.Options{
		Dir: dir, DB: db, Concurrency: concurrency, StopWithin: stopWithin, Log: log, Software: software(), Ended: alerts.ended, Strangers: c.web.strangers(),
		Settings: settings, TakeUp: take.up,
	})
	if err != nil {
		return err
	}
	take.daemon, take.alerter = d, alerts.alerter
	if err := c.begin(stop.Soft, d); err != nil {
		if stop.interrupted() && errors.Is(err, context.Canceled) {
			return nil
		}
		return err
	}
	if err := c.list(d, dir); err != nil {
		return err
	}
	if text := c.web.address(); text != "" && !c.json {
		fmt.Fprintf(c.stdout, "Listening at %s\n", harmless.Text(text))
	}
	defer c.web.start(d, db, dir, alerts, log)()
	defer alerts.start(d)()
	return c.serve(d, stop, hangup)
}

// serveBusyTimeout is how long the database may be in use by another program,
// such as one that copies it, before runs fail for it.
const serveBusyTimeout = 30 * time.Second

// Patience with a daemon that may have been killed: it gives a sign of life
// every 20 seconds, and counts as gone after a minute without one.
const (
	beginPatience = 70 * time.Second
	beginPause    = 2 * time.Second
)

// begin takes the database's schedules. Where a daemon holds them that cannot
// be seen from here, such as one in a container that was killed, it waits
// whether that gives a sign of life.
func (c *serveCommand) begin(ctx context.Context, d *daemon.Daemon) error {
	for began, told := time.Now(), false; ; told = true {
		err := d.Begin(ctx)
		held, is := errors.AsType[*store.DaemonHeldError](err)
		if !is {
			return err
		}
		if !held.Unseen || time.Since(began) > beginPatience {
			return fmt.Errorf("%w: stop that one first, or give these jobs a database of their own with --db", held)
		}
		if !told {
			fmt.Fprintf(c.stderr, "%s. Waiting whether it is still there.\n", harmless.Text(err.Error()))
		}
		select {
		case <-time.After(beginPause):
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// serve runs the jobs until it is to stop, and looks at the job files again
// when something comes from hangup.
func (c *serveCommand) serve(d *daemon.Daemon, stop *stopper, hangup <-chan os.Signal) error {
	defer context.AfterFunc(stop.Hard, d.Abort)()
	ended := make(chan struct{})
	defer close(ended)
	go func() {
		for {
			select {
			case <-hangup:
				d.Rescan()
			case <-ended:
				return
			}
		}
	}()
	err := d.Run(stop.Soft)
	if err == nil && stop.Hard.Err() != nil {
		return errInterrupted
	}
	return err
}

// checkJobFolder says what to do where there are no job files.
func checkJobFolder(cmd *cobra.Command, dir string) error {
	entries, err := os.ReadDir(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return usagef(cmd, "there is no folder %s: make one with a job file in it, such as by: mkdir %[2]s && %[3]s init https://example.com/ -o %[2]s/example.yaml",
			dir, shellWord(dir), program())
	case err != nil:
		if info, e := os.Stat(dir); e == nil && !info.IsDir() {
			return usagef(cmd, "%s is no folder: give the folder that it is in, or crawl it once with: %s crawl %s", dir, program(), shellWord(dir))
		}
		return usagef(cmd, "%s", err)
	}
	for _, e := range entries {
		if daemon.IsJobFile(e.Name()) {
			return nil
		}
	}
	// A folder may be filled later: by a checkout, or in the dashboard.
	fmt.Fprintf(cmd.ErrOrStderr(), "There are no job files in %s yet. Make one with: %s init https://example.com/ -o %s/example.yaml\n",
		harmless.Text(dir), program(), harmless.Text(shellWord(dir)))
	return nil
}

// list tells which jobs there are, and when they are due.
func (c *serveCommand) list(d *daemon.Daemon, dir string) error {
	jobs := d.Jobs()
	if c.json || len(jobs) == 0 {
		return nil
	}
	fmt.Fprintf(c.stdout, "Serving %s of %s with the database %s.\n", words.Counted(int64(len(jobs)), "job"), harmless.Text(dir), harmless.Text(c.db))
	now := time.Now()
	t := &table{header: []string{"JOB", "FILE", "NEXT", "NOTE"}}
	for _, j := range jobs {
		t.rows = append(t.rows, []string{j.Name, j.File, nextText(j.Next, now), noteText(&j)})
	}
	return t.write(c.stdout, terminalOf(c.stdout))
}

// nextText says when a job is due next.
func nextText(next, now time.Time) string {
	if next.IsZero() {
		return "–"
	}
	return localTime(next) + ", " + until(next, now)
}

// noteText says why a job does not run by itself, or what it does already.
func noteText(j *daemon.Job) string {
	switch {
	case j.Fault != "":
		first, _, _ := strings.Cut(j.Fault, "\n")
		return "refused: " + first
	case j.Paused:
		return "paused"
	case j.State != daemon.Idle:
		return string(j.State)
	case j.Next.IsZero() && j.Config.Schedule.Cron == "":
		return "no schedule"
	case j.Next.IsZero():
		return "its schedule is over"
	}
	return ""
}

package main

import (
	"context"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"github.com/magpie-crawl/magpie/cmd/magpie/machine"
	"github.com/magpie-crawl/magpie/cmd/magpie/web/api"
	"github.com/magpie-crawl/magpie/cmd/magpie/web/client"
	"github.com/magpie-crawl/magpie/internal/harmless"
)

func newStartCommand(a *app) *cobra.Command {
	var how api.Start
	cmd := a.newServerCommand("start", "Have magpie serve start a run of a job now",
		`Start has a running magpie serve begin a run of a job, or go on with its
unfinished one, as soon as there is room for it. It does not wait for its end.`,
		func(ctx context.Context, c *client.Client, job string) (machine.Job, error) {
			return c.Start(ctx, job, how)
		})
	cmd.Flags().BoolVar(&how.Fresh, "fresh", false, "start a new run even if one is unfinished")
	cmd.Flags().BoolVar(&how.Continue, "more", false, "go on with the last run if a limit ended it")
	cmd.PreRunE = func(cmd *cobra.Command, _ []string) error { return apart(cmd, "fresh", "more") }
	return cmd
}

func newStopCommand(a *app) *cobra.Command {
	return a.newServerCommand("stop", "Have magpie serve stop the run of a job",
		`Stop has a running magpie serve finish what has begun of a job's run, and
fetch nothing further. The next start goes on with the run.`,
		func(ctx context.Context, c *client.Client, job string) (machine.Job, error) { return c.Stop(ctx, job) })
}

func newPauseCommand(a *app) *cobra.Command {
	return a.newServerCommand("pause", "Have magpie serve leave out the due times of a job",
		`Pause turns the schedule of a job off, until magpie resume. A run that is going
on goes on, and magpie start still starts one.`,
		func(ctx context.Context, c *client.Client, job string) (machine.Job, error) {
			return c.Pause(ctx, job, true)
		})
}

func newResumeCommand(a *app) *cobra.Command {
	return a.newServerCommand("resume", "Have magpie serve follow the schedule of a job again",
		`Resume turns the schedule of a job on that magpie pause has turned off.`,
		func(ctx context.Context, c *client.Client, job string) (machine.Job, error) {
			return c.Pause(ctx, job, false)
		})
}

// newServerCommand returns a command that has a running magpie serve do
// something with a job.
func (a *app) newServerCommand(name, short, long string, do func(context.Context, *client.Client, string) (machine.Job, error)) *cobra.Command {
	var server serverFlags
	cmd := &cobra.Command{
		Use:   name + " JOB",
		Short: short,
		Long:  long,
		Example: fmt.Sprintf(`  magpie %[1]s books
  MAGPIE_TOKEN=… magpie %[1]s books --server https://magpie.example.com`, name),
		Args:              oneArgument("the name of a job"),
		ValidArgsFunction: a.completion(completeJobs),
		RunE: func(cmd *cobra.Command, args []string) error {
			c, err := server.client(cmd)
			if err != nil {
				return err
			}
			j, err := do(cmd.Context(), c, args[0])
			if err != nil {
				return err
			}
			if a.json {
				return a.writeJSON(j)
			}
			_, err = fmt.Fprintln(a.stdout, harmless.Text(jobText(&j, time.Now())))
			return err
		},
	}
	server.define(cmd, "default: "+serverVariable+", else http://"+defaultListen)
	return cmd
}

// jobText says how a job of a server stands.
func jobText(j *machine.Job, now time.Time) string {
	text := j.Job + ": " + j.State
	if j.Run > 0 {
		text += fmt.Sprintf(", run %d", j.Run)
	}
	switch {
	case j.Paused:
		text += "; its schedule is off"
	case j.Next != nil:
		text += fmt.Sprintf("; next due %s, %s", localTime(*j.Next), until(*j.Next, now))
	}
	return text
}

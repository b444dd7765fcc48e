package dashboard

import (
	"context"
	"errors"
	"net/http"

	"github.com/magpie-crawl/magpie/cmd/magpie/daemon"
	"github.com/magpie-crawl/magpie/store"
)

// readJob reads a job: what the daemon knows of it, nil if it is not in the
// folder, and what the database does, which is empty before its first run. The
// error is a 404 where neither knows it.
func (d *dashboard) readJob(ctx context.Context, name string) (*daemon.Job, *jobFigures, error) {
	var known *daemon.Job
	if j, ok := d.jobs.Job(name); ok {
		known = &j
	}
	f := &jobFigures{}
	runs, err := d.db.RunsPage(ctx, name, 0, sparkRuns)
	switch {
	case errors.Is(err, store.ErrNotFound) && known != nil:
		return known, f, nil
	case errors.Is(err, store.ErrNotFound):
		return nil, nil, &refusal{Status: http.StatusNotFound, Text: "There is no job of this name.", Hint: "Its file may have been removed or renamed. The list of jobs has all there are."}
	case err != nil:
		return nil, nil, err
	}
	f.runs = runs
	return known, f, d.readSuccess(ctx, name, f)
}

// readSuccess reads when a job last succeeded, and what it has had since.
func (d *dashboard) readSuccess(ctx context.Context, name string, f *jobFigures) error {
	if run, err := d.db.RunBefore(ctx, name, 0); err == nil && run.Counters.Pages > 0 {
		f.success, f.successStart = run.Ended, run.Started
	} else if err != nil && !errors.Is(err, store.ErrNotFound) {
		return err
	}
	messages, err := d.db.DueMessages(ctx, name)
	f.messages = len(messages)
	return err
}

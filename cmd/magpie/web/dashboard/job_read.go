package dashboard

import (
	"context"
	"errors"
	"net/http"
	"slices"

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
	runs, err := d.db.RunsPage(ctx, name, 0, sparkRuns)
	switch {
	case errors.Is(err, store.ErrNotFound) && known != nil:
		return known, &jobFigures{}, nil
	case errors.Is(err, store.ErrNotFound):
		return nil, nil, &refusal{Status: http.StatusNotFound, Text: "There is no job of this name.", Hint: "Its file may have been removed or renamed. The list of jobs has all there are."}
	case err != nil:
		return nil, nil, err
	}
	// The overview is made for all jobs at once, and is quick at that: the
	// figures here are those that it shows.
	all, err := d.db.Overview(ctx, store.OverviewOptions{Runs: sparkRuns, Now: d.now()})
	if err != nil {
		return nil, nil, err
	}
	f := &jobFigures{}
	if i := slices.IndexFunc(all, func(o store.JobOverview) bool { return o.Name == name }); i >= 0 {
		f = figuresIn(&all[i])
	}
	f.runs = runs // which tell more
	return known, f, nil
}

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
	for run, err := range d.db.Runs(ctx, name) {
		if errors.Is(err, store.ErrNotFound) {
			break
		}
		if err != nil {
			return nil, nil, err
		}
		f.take(run)
	}
	if known == nil && len(f.runs) == 0 {
		return nil, nil, &refusal{Status: http.StatusNotFound, Text: "There is no job of this name.", Hint: "Its file may have been removed or renamed. The list of jobs has all there are."}
	}
	return known, f, nil
}

package dashboard

import (
	"context"
	"time"

	"github.com/magpie-crawl/magpie/cmd/magpie/daemon"
	"github.com/magpie-crawl/magpie/store"
)

// jobFigures is what the database says of a job.
type jobFigures struct {
	runs         []store.Run // the last ones, the newest first
	success      time.Time   // when the last run that succeeded ended; zero: none did
	successStart time.Time
	first        time.Time // when the oldest run that is known began
	records      int64     // there are now
	messages     int       // that are to be sent
}

// ended is the last run that is not going on; nil: there is none.
func (f *jobFigures) ended() *store.Run {
	for i := range f.runs {
		if f.runs[i].State != store.RunRunning {
			return &f.runs[i]
		}
	}
	return nil
}

// readRows reads all jobs, those of the folder and those of the database.
func (d *dashboard) readRows(ctx context.Context) ([]*jobRow, error) {
	figures, names, err := d.readFigures(ctx)
	if err != nil {
		return nil, err
	}
	now := d.now()
	var rows []*jobRow
	listed := map[string]bool{}
	for _, j := range d.jobs.Jobs() {
		listed[j.Name] = true
		rows = append(rows, d.rowOf(j.Name, &j, figures[j.Name], now))
	}
	for _, name := range names {
		if !listed[name] {
			rows = append(rows, d.rowOf(name, nil, figures[name], now))
		}
	}
	return rows, nil
}

// readFigures reads what the database says of all jobs, and their names in its
// order.
func (d *dashboard) readFigures(ctx context.Context) (map[string]*jobFigures, []string, error) {
	all, err := d.db.Jobs(ctx)
	if err != nil {
		return nil, nil, err
	}
	figures := map[string]*jobFigures{}
	var names []string
	for _, j := range all {
		names = append(names, j.Name)
		f := &jobFigures{}
		figures[j.Name] = f
		for run, err := range d.db.Runs(ctx, j.Name) {
			if err != nil {
				return nil, nil, err
			}
			f.take(run)
		}
	}
	return figures, names, nil
}

// take adds a run that is newer than those before.
func (f *jobFigures) take(run store.Run) {
	if f.first.IsZero() {
		f.first = run.Started
	}
	f.runs = append([]store.Run{run}, f.runs[:min(len(f.runs), sparkRuns-1)]...)
	if run.State == store.RunFinished && run.Kind == store.CrawlRun && run.Counters.Pages > 0 {
		f.success, f.successStart, f.records = run.Ended, run.Started, run.Counters.Records()
	}
}

var _ jobs = (*daemon.Daemon)(nil)

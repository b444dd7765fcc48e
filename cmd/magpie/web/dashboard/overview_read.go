package dashboard

import (
	"context"
	"slices"
	"time"

	"github.com/magpie-crawl/magpie/crawl"
	"github.com/magpie-crawl/magpie/store"
)

// jobFigures is what the database says of a job.
type jobFigures struct {
	runs         []store.Run // the last ones, the newest first; in the overview, without what is not counted in all runs
	success      time.Time   // when the last run that succeeded ended; zero: none did
	successStart time.Time
	records      int64 // there are now
	messages     int   // that are to be sent
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

// first is when the oldest run that is known began.
func (f *jobFigures) first() time.Time {
	if len(f.runs) == 0 {
		return time.Time{}
	}
	return f.runs[len(f.runs)-1].Started
}

// readRows reads all jobs, those of the folder and those of the database.
func (d *dashboard) readRows(ctx context.Context) ([]*jobRow, error) {
	now := d.now()
	all, err := d.db.Overview(ctx, store.OverviewOptions{Runs: sparkRuns, Now: now})
	if err != nil {
		return nil, err
	}
	figures := make(map[string]*jobFigures, len(all))
	for i := range all {
		figures[all[i].Name] = figuresIn(&all[i])
	}
	alerts, err := d.readAlerts(ctx, "")
	if err != nil {
		return nil, err
	}
	jobs := d.jobs.Jobs()
	rows := make([]*jobRow, 0, max(len(jobs), len(all)))
	listed := make(map[string]bool, len(jobs))
	for i := range jobs {
		j := &jobs[i]
		listed[j.Name] = true
		rows = append(rows, d.rowOf(j.Name, j, figures[j.Name], alerts[j.Name], now))
	}
	for i := range all {
		if name := all[i].Name; !listed[name] {
			rows = append(rows, d.rowOf(name, nil, figures[name], alerts[name], now))
		}
	}
	return rows, nil
}

// figuresIn takes what the overview has of a job.
func figuresIn(o *store.JobOverview) *jobFigures {
	f := &jobFigures{records: o.Records, messages: o.Messages, runs: make([]store.Run, 0, len(o.Recent))}
	for _, r := range slices.Backward(o.Recent) {
		f.runs = append(f.runs, store.Run{Job: o.Name, Number: r.Number, Kind: r.Kind, State: r.State, Started: r.Started, Ended: r.Ended,
			Counters: crawl.Counters{Pages: r.Pages, Failed: r.Failed, New: r.New, Changed: r.Changed, Unchanged: r.Records - r.New - r.Changed, RecordsGone: r.Gone}})
	}
	if len(f.runs) > 0 {
		f.runs[0].Drifts = o.Drifts
	}
	if s := o.Succeeded; s != nil && s.Pages > 0 {
		f.success, f.successStart = s.Ended, s.Started
		if run := f.ended(); run != nil && run.Number == s.Number {
			for _, i := range o.Items {
				run.Counters.Rejects += i.Rejects
			}
		}
	}
	return f
}

package runner

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"github.com/magpie-crawl/magpie/cmd/magpie/courier"
	"github.com/magpie-crawl/magpie/cmd/magpie/machine"
	"github.com/magpie-crawl/magpie/config"
	"github.com/magpie-crawl/magpie/crawl"
	"github.com/magpie-crawl/magpie/store"
)

// Run is one run of a job. Its steps are Before, Crawl and After, in this
// order; Do takes all of them.
type Run struct {
	DB       *store.DB
	Job      *config.Job
	Crawler  *crawl.Crawler
	How      crawl.Job // Fresh, Continue and Due; the rest is filled in
	Software string    // name and version that manifests of exports have

	// How the job's messages are delivered. Default: by a courier of its own.
	Deliver func(ctx context.Context, tries int) (sent int, err error)

	// Called as soon as there is something to tell. Default: not at all.
	OnFinished func() // the crawl is, and After begins
	OnTrimmed  func(store.Trimmed)
	OnExported func(Exported)

	Outcome Outcome
}

// Do takes all steps and returns what came of them. ctx ends the run at once;
// it can be resumed.
func (r *Run) Do(ctx context.Context) *Outcome {
	err := r.Before(ctx)
	if err == nil {
		err = r.Crawl(ctx)
	}
	if err == nil && r.Outcome.State == Finished {
		if r.OnFinished != nil {
			r.OnFinished()
		}
		err = r.After(ctx)
	}
	if err != nil && r.Outcome.State != Finished {
		r.Outcome.State = Failed
		if ctx.Err() != nil && errors.Is(err, ctx.Err()) {
			r.Outcome.State = Interrupted
		}
	}
	r.Outcome.Err = err
	return &r.Outcome
}

// Before sends what an earlier process left, one try each. What a webhook
// still does not take is told by After.
func (r *Run) Before(ctx context.Context) error {
	if _, err := r.deliver(ctx, 1); err != nil && !courier.IsUndelivered(err) {
		return err
	}
	return nil
}

// Crawl crawls until the run is finished or was stopped, and reads what there
// is to tell of it. The error is the store's or ctx's; the run can be resumed
// then, and Outcome.Crawled says how far it came if it was begun.
func (r *Run) Crawl(ctx context.Context) error {
	how := r.How
	how.Name, how.Source, how.Notify = r.Job.Name, r.Job.Source, courier.Notices(r.Job)
	crawled, err := r.Crawler.Crawl(ctx, r.DB, how)
	r.Outcome.Crawled = crawled
	if err != nil {
		return err
	}
	r.Outcome.State = Interrupted
	if crawled.Finished {
		r.Outcome.State = Finished
	}
	return r.Review(ctx)
}

// Review reads the problems and drifts of the run that Outcome.Crawled is
// about. It does so though ctx has ended: what went wrong is told all the same.
func (r *Run) Review(ctx context.Context) (err error) {
	ctx = context.WithoutCancel(ctx)
	o, run := &r.Outcome, r.Outcome.Crawled.Run
	if run.Counters.Problems > 0 {
		filter := store.ProblemFilter{Job: r.Job.Name, Run: run.Number}
		if o.Problems, err = r.DB.ProblemCounts(ctx, filter); err != nil {
			return err
		}
	}
	if o.Crawled.Finished {
		filter := store.HealthFilter{Job: r.Job.Name, Run: run.Number}
		o.Drifts, err = machine.Drifts(ctx, r.DB, filter)
	}
	return err
}

// After does what is to be done once a run is finished: it drops bodies,
// writes exports and sends messages. Doing it again does no harm. What fails
// keeps nothing else from being done. What webhooks did not take is no error:
// see Outcome.Undelivered.
func (r *Run) After(ctx context.Context) error {
	errs := []error{r.trim(ctx)}
	for _, e := range r.Job.Exports {
		if ctx.Err() == nil {
			errs = append(errs, r.export(ctx, e))
		}
	}
	sent, err := r.deliver(ctx, courier.Tries)
	r.Outcome.Sent = sent
	if courier.IsUndelivered(err) {
		r.Outcome.Undelivered, err = err, nil
	}
	return errors.Join(append(errs, err)...)
}

func (r *Run) deliver(ctx context.Context, tries int) (int, error) {
	if r.Deliver != nil {
		return r.Deliver(ctx, tries)
	}
	return courier.New(r.DB, r.Job).Deliver(ctx, tries)
}

func (r *Run) trim(ctx context.Context) error {
	list, err := r.DB.Trim(ctx, r.Job.Name)
	r.Outcome.Trimmed = list
	if r.OnTrimmed != nil {
		for _, t := range list {
			r.OnTrimmed(t)
		}
	}
	return err
}

func (r *Run) export(ctx context.Context, e config.Export) error {
	o := e.Options(r.Job)
	o.Software = r.Software
	done, err := r.DB.ExportFiles(ctx, e.Path, o)
	if err != nil {
		return fmt.Errorf("export %s: %w", cmp.Or(e.Item, string(e.Format)), err)
	}
	exported := Exported{e, done.Records}
	r.Outcome.Exports = append(r.Outcome.Exports, exported)
	if r.OnExported != nil {
		r.OnExported(exported)
	}
	return nil
}

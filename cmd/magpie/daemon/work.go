package daemon

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"slices"
	"time"

	"github.com/magpie-crawl/magpie/cmd/magpie/courier"
	"github.com/magpie-crawl/magpie/cmd/magpie/runner"
	"github.com/magpie-crawl/magpie/config"
	"github.com/magpie-crawl/magpie/crawl"
	"github.com/magpie-crawl/magpie/store"
)

// Ended is how a run ended.
type Ended struct {
	Job     string
	Config  *config.Job // as it was when the run began
	Due     store.DueRun
	Run     int             // number of the run; 0: none was begun
	Stopped string          // why it was stopped: hand, overlap, removed or shutdown; "": it was not
	Outcome *runner.Outcome // never nil; its Err wraps crawl.ErrHeld where another process was crawling the job
}

// dispatch begins runs while there is room: those that somebody asked for
// first, then by the times they were due at. change must be held.
func (d *Daemon) dispatch() {
	for d.open && d.going < d.o.Concurrency {
		w := d.first()
		if w == nil {
			return
		}
		d.update(func() {
			w.config = w.job.config
			w.job.queue = slices.DeleteFunc(w.job.queue, func(o *work) bool { return o == w })
			w.job.current = w
			d.going++
		})
		d.runs.Go(func() { d.work(w) })
	}
}

// first is the run whose turn it is.
func (d *Daemon) first() (first *work) {
	for _, j := range d.jobs {
		if j.current != nil || len(j.queue) == 0 {
			continue
		}
		w := j.queue[0]
		if first == nil || w.before(first) {
			first = w
		}
	}
	return first
}

func (w *work) before(o *work) bool {
	if w.hand != o.hand {
		return w.hand
	}
	if !w.due.At.Equal(o.due.At) {
		return w.due.At.Before(o.due.At)
	}
	return w.due.ID < o.due.ID
}

// work does a run, from its beginning to its last message.
func (d *Daemon) work(w *work) {
	began := time.Now()
	log := d.log.With("job", w.job.name)
	message := "run begins"
	if w.resume {
		message = "run is resumed"
	}
	log.Info(message, "why", string(w.due.Kind), "due", w.due.At.UTC())
	o := d.perform(w)
	e := Ended{Job: w.job.name, Config: w.config, Due: w.due, Run: w.due.Run, Outcome: o}
	if o.Crawled != nil {
		e.Run = o.Crawled.Run.Number
	}
	d.mu.Lock()
	e.Stopped = string(w.stop)
	d.mu.Unlock()
	attrs := []any{"run", e.Run, "state", string(o.State), "seconds", time.Since(began).Round(time.Millisecond).Seconds()}
	if e.Stopped != "" {
		attrs = append(attrs, "stopped", e.Stopped)
	}
	if s := o.Crawled; s != nil {
		c := s.Run.Counters
		attrs = append(attrs, "pages", c.Pages, "failed", c.Failed, "records", c.Records(), "drifts", len(o.Drifts))
	}
	if err := o.Trouble(); err != nil {
		log.Error("run ended", append(attrs, "error", err)...)
	} else {
		log.Info("run ended", attrs...)
	}
	d.tell(e)
	d.ended(w, o)
}

// tell calls Options.Ended. What goes wrong in it costs nothing else.
func (d *Daemon) tell(e Ended) {
	if d.o.Ended == nil {
		return
	}
	defer func() {
		if p := recover(); p != nil {
			d.log.Error("telling of a run failed", "job", e.Job, "error", fmt.Sprint(p))
		}
	}()
	d.o.Ended(d.hard, e)
}

// perform does a run. A panic costs this run alone.
func (d *Daemon) perform(w *work) (o *runner.Outcome) {
	r := &runner.Run{DB: d.o.DB, Job: w.config, Software: d.o.Software}
	defer func() {
		if p := recover(); p != nil {
			d.log.Error("run failed by a fault of the program", "job", w.job.name, "error", fmt.Sprint(p), "stack", string(debug.Stack()))
			r.Outcome.State, r.Outcome.Err = runner.Failed, fmt.Errorf("a fault of the program: %v", p)
			o = &r.Outcome
		}
	}()
	r.Deliver = func(ctx context.Context, tries int) (int, error) { return d.deliver(ctx, w.job, w.config, tries) }
	r.OnFinished = func() { d.updateLater(func() { w.finished = true }) }
	r.How = crawl.Job{Due: w.due.ID, Fresh: w.due.Fresh && !w.resume, Continue: w.due.Continue && !w.resume}
	if w.resume && w.due.RunState == store.RunFinished {
		// The process was killed between the crawl's end and what follows it.
		r.OnFinished()
		r.Outcome.Err = d.finish(r, w.due.Run)
		return &r.Outcome
	}
	for {
		err := d.prepare(r, w)
		if err != nil {
			r.Outcome.State, r.Outcome.Err = runner.Failed, err
			return &r.Outcome
		}
		o := r.Do(d.hard)
		if errors.Is(o.Err, store.ErrNotDue) && d.stopping(w) {
			// It was stopped at the very moment in which it was to begin.
			o.State, o.Err = runner.Interrupted, nil
			return o
		}
		if !w.resume || !errors.Is(o.Err, crawl.ErrHeld) || !d.holdFades(w) {
			return o
		}
	}
}

// finish does what is to be done after a finished crawl of an earlier process.
func (d *Daemon) finish(r *runner.Run, number int) error {
	run, err := d.o.DB.Run(d.hard, r.Job.Name, number)
	if err != nil {
		return err
	}
	info := crawl.RunInfo{Number: run.Number, Resumed: true, Started: run.Started, Counters: run.Counters}
	r.Outcome.State = runner.Finished
	r.Outcome.Crawled = &crawl.Summary{Run: info, Finished: true, Reason: run.Reason, Left: run.Pending}
	if err := r.Review(d.hard); err != nil {
		return err
	}
	return r.After(d.hard)
}

// prepare makes the run's crawler.
func (d *Daemon) prepare(r *runner.Run, w *work) (err error) {
	options := w.config.Options
	options.Hosts = &d.hosts
	if d.o.Prepare != nil {
		d.o.Prepare(w.config.Name, &options)
	}
	if r.Crawler, err = crawl.New(options); err != nil {
		return err
	}
	d.updateLater(func() {
		w.crawler = r.Crawler
		if w.stop != "" {
			w.crawler.Stop()
		}
	})
	return nil
}

// stopping tells whether a run is being stopped.
func (d *Daemon) stopping(w *work) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return w.stop != ""
}

// fading is how long a hold lasts that nobody renews, and a bit.
const fading = 90 * time.Second

// holdFades waits a moment for the hold of a process that was killed where
// this one cannot see it, such as in a container. It returns false once it has
// waited long enough.
func (d *Daemon) holdFades(w *work) bool {
	if w.since.IsZero() {
		w.since = time.Now()
	}
	if d.stopping(w) || time.Since(w.since) > fading {
		return false
	}
	select {
	case <-time.After(2 * time.Second):
		return true
	case <-d.hard.Done():
		return false
	}
}

// deliver sends messages of a job, one delivery at a time.
func (d *Daemon) deliver(ctx context.Context, j *job, c *config.Job, tries int) (int, error) {
	j.posting.Lock()
	defer j.posting.Unlock()
	return courier.New(d.o.DB, c).Deliver(ctx, tries)
}

// ended settles what a run was begun for, and makes room for others.
func (d *Daemon) ended(w *work, o *runner.Outcome) {
	d.change.Lock()
	defer d.change.Unlock()
	later := o.State == runner.Interrupted && (w.stop == stoppedRemoved || w.stop == stoppedShutdown) || d.cutShort(o)
	settle := store.Settle{ID: w.due.ID, Finished: w.stop == stoppedByHand && o.State == runner.Finished}
	trouble := o.Trouble()
	if later {
		trouble = nil
	}
	switch held, is := errors.AsType[*store.HeldError](trouble); {
	case is:
		trouble = held
		settle.Reason = "overlap: " + held.Error()
	case trouble != nil:
		settle.Reason = "failed: " + trouble.Error()
	}
	if !later {
		if err := d.decide(context.Background(), []store.Decision{{Job: w.job.name, Settle: []store.Settle{settle}}}); err != nil {
			d.log.Error("the end of a run could not be written down", "job", w.job.name, "error", err)
		}
	}
	d.update(func() {
		j := w.job
		j.current, j.err = nil, ""
		if trouble != nil {
			j.err = trouble.Error()
		}
		d.going--
		switch {
		case j.gone:
			delete(d.jobs, j.name)
		case w.stop == stoppedRemoved && o.State == runner.Interrupted:
			// The file has come back meanwhile.
			due := w.due
			due.Outcome = store.DueStarted
			j.queue = slices.Insert(j.queue, 0, &work{job: j, due: due, resume: true, hand: w.hand})
		}
	})
	d.dispatch()
}

// cutShort tells whether a run, or what follows it, was ended at once with the
// daemon.
func (d *Daemon) cutShort(o *runner.Outcome) bool {
	return d.hard.Err() != nil && (o.State == runner.Interrupted || errors.Is(o.Err, context.Canceled))
}

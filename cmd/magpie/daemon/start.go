package daemon

import (
	"context"
	"fmt"
	"slices"

	"github.com/magpie-crawl/magpie/store"
)

// Start begins a run of a job, or goes on with its unfinished one, as soon as
// there is room. It returns ErrUnknown, ErrRunning, ErrFault or ErrStopping. A
// run that waits for its turn already goes first then.
func (d *Daemon) Start(name string, how Start) error {
	d.change.Lock()
	defer d.change.Unlock()
	j := d.jobs[name]
	switch {
	case j == nil || j.gone:
		return ErrUnknown
	case j.config == nil:
		return ErrFault
	case j.current != nil:
		return ErrRunning
	case d.ending.Load():
		return ErrStopping
	}
	if err := d.take(context.Background()); err != nil {
		return err
	}
	if len(j.queue) == 0 || how.Fresh {
		if err := d.add(j, how); err != nil {
			return err
		}
	} else {
		d.update(func() { j.queue[0].hand = true })
	}
	d.dispatch()
	return nil
}

// add queues a run that somebody asked for. It takes the place of what waits.
func (d *Daemon) add(j *job, how Start) error {
	now := d.clock.Now()
	due := store.DueRun{Job: j.name, Kind: store.DueHand, Nominal: now, Until: now, At: now, Decided: now, Count: 1,
		Outcome: store.DueWaiting, Fresh: how.Fresh, Continue: how.Continue && !how.Fresh}
	decisions := []store.Decision{{Job: j.name, Add: []store.DueRun{due}}}
	for _, w := range j.queue {
		decisions[0].Settle = append(decisions[0].Settle, store.Settle{ID: w.due.ID, Reason: "overlap: somebody began a new run in its place"})
	}
	if err := d.decide(context.Background(), decisions); err != nil {
		return fmt.Errorf("start %s: %w", j.name, err)
	}
	d.update(func() { j.queue = []*work{{job: j, due: decisions[0].Add[0], hand: true}} })
	return nil
}

// Stop ends a job's run softly; the next start, or the next due time, goes on
// with it. What waits for its turn is taken back. It returns ErrUnknown or
// ErrNotRunning.
func (d *Daemon) Stop(name string) error {
	d.change.Lock()
	defer d.change.Unlock()
	j := d.jobs[name]
	if j == nil {
		return ErrUnknown
	}
	decision := store.Decision{Job: name}
	works := slices.Clone(j.queue)
	if j.current != nil {
		works = append(works, j.current)
	}
	for _, w := range works {
		decision.Settle = append(decision.Settle, store.Settle{ID: w.due.ID, Reason: store.StoppedByHand})
	}
	if len(works) == 0 {
		return ErrNotRunning
	}
	// Written down before the run has ended, so that a restart does not take
	// it up again.
	if err := d.decide(context.Background(), []store.Decision{decision}); err != nil {
		return fmt.Errorf("stop %s: %w", name, err)
	}
	d.update(func() {
		j.queue = nil
		if j.current != nil {
			j.current.halt(stoppedByHand)
		}
	})
	return nil
}

// Pause turns a job's schedule off or on, also for later processes. A run that
// goes on is not stopped. It returns ErrUnknown, ErrFault where the job was
// never loaded, or ErrNoSchedule.
func (d *Daemon) Pause(name string, paused bool) error {
	d.change.Lock()
	defer d.change.Unlock()
	j := d.jobs[name]
	switch {
	case j == nil:
		return ErrUnknown
	case j.config == nil:
		return ErrFault
	case j.schedule == nil:
		return ErrNoSchedule
	}
	if err := d.take(context.Background()); err != nil {
		return err
	}
	d.follow(context.Background())
	standing := j.standing(j.considered)
	standing.Paused = paused
	if err := d.decide(context.Background(), []store.Decision{{Job: name, Schedule: standing}}); err != nil {
		return fmt.Errorf("pause %s: %w", name, err)
	}
	d.update(func() { j.paused = paused })
	d.log.Info("schedule of job switched", "job", name, "paused", paused)
	return nil
}

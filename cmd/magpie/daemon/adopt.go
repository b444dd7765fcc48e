package daemon

import (
	"context"
	"slices"
	"time"

	"github.com/magpie-crawl/magpie/config/schedule"
	"github.com/magpie-crawl/magpie/store"
)

// unadopted are the jobs whose schedule the database does not know.
func (d *Daemon) unadopted(fresh []*job) []*job {
	list := slices.Clone(fresh)
	for _, j := range d.jobs {
		if !j.adopted && !slices.Contains(list, j) {
			list = append(list, j)
		}
	}
	return list
}

// adopt makes jobs go on where the database has them: at the due time up to
// which their schedule was followed, with the runs that are still to be done.
// change must be held.
func (d *Daemon) adopt(ctx context.Context, jobs []*job) error {
	jobs = slices.DeleteFunc(jobs, func(j *job) bool { return j.config == nil })
	if len(jobs) == 0 {
		return nil
	}
	stored, err := d.o.DB.Schedules(ctx, "")
	if err != nil {
		return err
	}
	open, err := d.o.DB.OpenDue(ctx)
	if err != nil {
		return err
	}
	standing := map[string]*store.Schedule{}
	for i := range stored {
		standing[stored[i].Job] = &stored[i]
	}
	owed := map[string][]store.DueRun{}
	for _, due := range open {
		owed[due.Job] = append(owed[due.Job], due)
	}
	var decisions []store.Decision
	d.update(func() {
		now := d.clock.Now()
		for _, j := range jobs {
			if !j.met {
				d.meet(j, standing[j.name], now)
			}
			decision := store.Decision{Job: j.name, Schedule: j.standing(j.considered)}
			if !j.met {
				open, missed := j.missed(owed[j.name], d.hold.Followed(), now)
				decision.Settle = append(missed, j.owe(open)...)
			}
			j.met = true
			decisions = append(decisions, decision)
		}
	})
	if err := d.decide(ctx, decisions); err != nil {
		return err
	}
	for _, j := range jobs {
		j.adopted = true
	}
	d.dispatch()
	d.lookAgain()
	return nil
}

// meet sets where a job's schedule goes on that this process has just come to
// know: where it was left, if it is the same schedule and its file was there
// all the time. One that was changed while no daemon ran counts from when one
// last did; one that is new counts from now on.
func (d *Daemon) meet(j *job, was *store.Schedule, now time.Time) {
	if was == nil {
		return
	}
	j.paused = was.Paused
	if was.Considered.IsZero() {
		return
	}
	from := was.Considered
	switch followed := d.hold.Followed(); {
	case was.Schedule == j.written:
	case was.Schedule == "" || d.open:
		from = now
	case followed.After(from):
		from = followed
	}
	j.follow(from)
}

// missed finds, of the runs that were to begin when the process before this
// one ended, those that missed: skip leaves out: where no daemon was there for
// more than missedAfter, they would begin long after their time. What somebody
// asked for has no time to miss. followed is when a daemon was last there.
func (j *job) missed(open []store.DueRun, followed, now time.Time) (rest []store.DueRun, settle []store.Settle) {
	if j.config.Schedule.Missed != schedule.SkipMissed {
		return open, nil
	}
	for _, due := range open {
		there := followed
		if due.Decided.After(there) {
			there = due.Decided
		}
		if due.Outcome == store.DueWaiting && due.Kind == store.DueSchedule && now.Sub(there) > missedAfter {
			settle = append(settle, store.Settle{ID: due.ID, Reason: missedReason})
			continue
		}
		rest = append(rest, due)
	}
	return rest, settle
}

// owe queues the runs that a process before this one had begun, or was to
// begin, and returns what is left to do nothing about. Of several that began,
// the last stands for all: a job has one unfinished run at most.
func (j *job) owe(open []store.DueRun) (settle []store.Settle) {
	var resume, wait *work
	for _, due := range open {
		switch w := (&work{job: j, due: due, hand: due.Kind == store.DueHand}); {
		case j.current != nil && j.current.due.ID == due.ID:
		case due.Outcome == store.DueWaiting:
			if wait != nil {
				settle = append(settle, store.Settle{ID: wait.due.ID, Reason: "overlap: a later run waits for its turn"})
			}
			wait = w
		case due.RunState == store.RunAbandoned:
			settle = append(settle, store.Settle{ID: due.ID})
		default:
			if resume != nil {
				settle = append(settle, store.Settle{ID: resume.due.ID})
			}
			w.resume = true
			resume = w
		}
	}
	for _, w := range []*work{resume, wait} {
		if w != nil {
			j.queue = append(j.queue, w)
		}
	}
	return settle
}

// remove takes a job away whose file is gone: it is due no more, and its run
// is stopped and goes on when the file comes back.
func (d *Daemon) remove(j *job) store.Decision {
	decision := store.Decision{Job: j.name}
	d.update(func() {
		for _, w := range j.queue {
			if !w.resume {
				decision.Settle = append(decision.Settle, store.Settle{ID: w.due.ID, Reason: "removed: the job's file was taken away"})
			}
		}
		j.queue, j.schedule, j.written = nil, nil, ""
		j.follow(time.Time{})
		j.adopted, j.met = false, false
		decision.Schedule = j.standing(j.considered)
		if j.current == nil {
			delete(d.jobs, j.name)
			return
		}
		if !j.gone {
			j.current.halt(stoppedRemoved)
		}
		j.gone = true
	})
	d.log.Info("job removed", "job", j.name, "file", j.file)
	return decision
}

// halt stops a run softly, unless it is being stopped.
func (w *work) halt(cause stopCause) {
	if w.stop != "" {
		return
	}
	w.stop = cause
	if w.crawler != nil {
		w.crawler.Stop()
	}
}

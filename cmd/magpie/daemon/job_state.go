package daemon

import (
	"fmt"
	"sync"
	"time"

	"github.com/magpie-crawl/magpie/config"
	"github.com/magpie-crawl/magpie/config/schedule"
	"github.com/magpie-crawl/magpie/crawl"
	"github.com/magpie-crawl/magpie/store"
)

// job is a job of the folder. Daemon.change and Daemon.mu guard it.
type job struct {
	name    string
	file    string
	fault   string
	config  *config.Job // in use; nil: never loaded
	gone    bool        // its file was taken away, and its run is being stopped
	met     bool        // what the database has of it was looked up
	adopted bool        // the database has its schedule as it is

	schedule   *schedule.Schedule // nil: none
	written    string             // the schedule, as the database knows it
	considered time.Time          // it is decided what becomes of due times up to this
	next       schedule.Due       // zero: never again
	paused     bool
	skipped    string // why its last due time was skipped; "": it was not

	current *work
	queue   []*work // a run that is to be resumed comes first
	since   time.Time
	err     string

	posting sync.Mutex // held while its messages are delivered
}

// work is a run that is to begin, or goes on.
type work struct {
	job    *job
	due    store.DueRun
	resume bool // a process before this one began it
	hand   bool // somebody asked for it: it goes first

	config   *config.Job    // as it was when the run began
	crawler  *crawl.Crawler // nil: not crawling yet
	stop     stopCause      // "": it is not being stopped
	finished bool           // the crawl is; files are written
	since    time.Time      // when it found the job held by another process
}

// stopCause is why a run is stopped before its end.
type stopCause string

// Causes to stop a run.
const (
	stoppedByHand   stopCause = "hand"     // Daemon.Stop
	stoppedByNext   stopCause = "overlap"  // its schedule has the next run cancel it
	stoppedRemoved  stopCause = "removed"  // its file was taken away
	stoppedShutdown stopCause = "shutdown" // the daemon ends
)

func (j *job) state() State {
	switch {
	case j.current != nil && (j.current.stop != "" || j.current.finished):
		return Stopping
	case j.current != nil:
		return Running
	case len(j.queue) > 0:
		return Queued
	}
	return Idle
}

func (j *job) snapshot() Job {
	s := Job{Name: j.name, File: j.file, Fault: j.fault, Config: j.config, State: j.state(), Since: j.since,
		Paused: j.paused && j.schedule != nil, Next: j.next.At, Past: j.considered, Err: j.err}
	if w := j.current; w != nil {
		s.Run = w.number()
	}
	return s
}

// number is the run's; 0: not begun.
func (w *work) number() int {
	if w.crawler != nil {
		if n := w.crawler.Progress().Run.Number; n > 0 {
			return n
		}
	}
	return w.due.Run
}

// busy says which run of the job goes on or waits; "": none.
func (j *job) busy() (why string) {
	switch {
	case j.current != nil && j.current.number() == 0:
		why = "a run is just beginning"
	case j.current != nil:
		why = fmt.Sprintf("run %d is still going on", j.current.number())
	case len(j.queue) == 0:
		return ""
	case j.queue[0].resume && j.queue[0].due.Run > 0:
		why = fmt.Sprintf("run %d waits to be resumed", j.queue[0].due.Run)
	default:
		return "a run waits for its turn"
	}
	if j.waiting() != nil {
		why += ", and another waits for it"
	}
	return why
}

// waiting is the run that waits to begin anew; nil: none does.
func (j *job) waiting() *work {
	for _, w := range j.queue {
		if !w.resume {
			return w
		}
	}
	return nil
}

// standing is how the schedule stands, for the database, once due times up to
// considered are decided.
func (j *job) standing(considered time.Time) *store.Schedule {
	s := &store.Schedule{Job: j.name, Schedule: j.written, Considered: considered, Paused: j.paused}
	if j.schedule != nil {
		next, _ := j.schedule.Next(considered)
		s.Next = next.At
	}
	return s
}

// follow sets the job's place in its schedule: due times up to considered are
// decided.
func (j *job) follow(considered time.Time) {
	j.considered, j.next = considered, schedule.Due{}
	if j.schedule != nil {
		j.next, _ = j.schedule.Next(considered)
	}
}

// writtenSchedule tells schedules apart that have different due times.
func writtenSchedule(o schedule.Options) string {
	if o.Cron == "" {
		return ""
	}
	text := o.Cron
	if o.Zone != nil {
		text += " zone " + o.Zone.String()
	}
	if o.Jitter > 0 {
		text += " jitter " + o.Jitter.String()
	}
	for _, bound := range []struct {
		word string
		t    time.Time
	}{{"start", o.Start}, {"end", o.End}} {
		if !bound.t.IsZero() {
			text += " " + bound.word + " " + bound.t.Format(time.RFC3339)
		}
	}
	return text
}

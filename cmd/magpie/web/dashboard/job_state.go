package dashboard

import (
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/magpie-crawl/magpie/cmd/magpie/daemon"
	"github.com/magpie-crawl/magpie/config"
	"github.com/magpie-crawl/magpie/config/schedule"
	"github.com/magpie-crawl/magpie/internal/harmless"
	"github.com/magpie-crawl/magpie/store"
)

// stateOf says what a job is at.
func (d *dashboard) stateOf(j *daemon.Job, f *jobFigures) state {
	if j == nil {
		if f != nil && len(f.runs) > 0 && f.runs[0].State == store.RunRunning {
			return state{"running", "Running", "by another process"}
		}
		return state{"idle", "Not in the folder", ""}
	}
	switch j.State {
	case daemon.Running:
		return state{"running", "Running", d.runningText(j)}
	case daemon.Stopping:
		return state{"running", "Stopping", ""}
	case daemon.Queued:
		return state{"queued", "Queued", "waits for its turn"}
	}
	switch {
	case j.Fault != "" && j.Config == nil:
		return state{"bad", "Fault", firstLine(j.Fault)}
	case j.Fault != "":
		return state{"warn", "Fault", "runs as before: " + firstLine(j.Fault)}
	case j.Paused:
		return state{"paused", "Paused", ""}
	case !scheduled(j):
		return state{"idle", "Idle", "no schedule"}
	}
	return state{"idle", "Idle", ""}
}

// runningText are the live figures of a run.
func (d *dashboard) runningText(j *daemon.Job) string {
	c, ok := d.jobs.Crawler(j.Name)
	if !ok {
		return ""
	}
	p := c.Progress()
	pages, _ := plural(p.Run.Counters.Pages, "page")
	queue, _ := count(p.Queue)
	return fmt.Sprintf("%s, %s in the queue", pages, queue)
}

// firstLine is a text up to its first line break.
func firstLine(s string) string {
	line, _, _ := strings.Cut(s, "\n")
	return harmless.Text(line)
}

// grace is how much later than due a run may succeed before its job is stale,
// beside twice as long as the last one took.
const grace = 15 * time.Minute

// dueAfter is when a job is due first after a time.
type dueAfter struct {
	config *config.Job // that the schedule is of
	last   time.Time
	due    schedule.Due
	ok     bool
}

// dues remembers, by job, when it is due after its last success: reading
// schedules of a thousand jobs takes longer than drawing them.
type dues struct {
	mu    sync.Mutex
	known map[string]dueAfter
}

// after is when a job is due first after last; false: never.
func (ds *dues) after(j *daemon.Job, last time.Time) (schedule.Due, bool) {
	ds.mu.Lock()
	defer ds.mu.Unlock()
	if k, ok := ds.known[j.Name]; ok && k.config == j.Config && k.last.Equal(last) {
		return k.due, k.ok
	}
	k := dueAfter{config: j.Config, last: last}
	if s, err := scheduleOf(j); err == nil {
		k.due, k.ok = s.Next(last)
	}
	if ds.known == nil {
		ds.known = map[string]dueAfter{}
	}
	ds.known[j.Name] = k
	return k.due, k.ok
}

// stale says that a job has not succeeded for longer than its schedule allows:
// a time has passed at which it was due, and it has not succeeded since.
func (d *dashboard) stale(j *daemon.Job, f *jobFigures, now time.Time) bool {
	if j == nil || !scheduled(j) {
		return false
	}
	last := f.successStart
	if last.IsZero() {
		last = f.first()
	}
	if last.IsZero() {
		return false
	}
	due, ok := d.dues.after(j, last)
	return ok && now.After(due.At.Add(grace+2*f.success.Sub(f.successStart)))
}

// scheduleOf reads a job's schedule.
func scheduleOf(j *daemon.Job) (*schedule.Schedule, error) {
	return schedule.New(j.Config.Schedule, j.Name)
}

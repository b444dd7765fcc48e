package api

import (
	"cmp"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/magpie-crawl/magpie/cmd/magpie/daemon"
	"github.com/magpie-crawl/magpie/cmd/magpie/machine"
	"github.com/magpie-crawl/magpie/cmd/magpie/web/problem"
	"github.com/magpie-crawl/magpie/crawl"
	"github.com/magpie-crawl/magpie/store"
)

// Start says how a run begins.
type Start struct {
	Fresh    bool `json:"fresh,omitempty"`    // a new run even if one is unfinished
	Continue bool `json:"continue,omitempty"` // go on with the last run if a limit ended it
}

func (c *call) listJobs() (any, error) {
	overview, err := c.overview()
	if err != nil {
		return nil, err
	}
	list := []machine.Job{}
	for _, j := range c.Daemon.Jobs() {
		list = append(list, jobOf(j, overview[j.Name]))
		delete(overview, j.Name)
	}
	for name, o := range overview {
		list = append(list, jobOf(daemon.Job{Name: name}, o))
	}
	slices.SortStableFunc(list, func(a, b machine.Job) int { return strings.Compare(a.Job, b.Job) })
	return whole(list), nil
}

// overview is what the database has of jobs, by name.
func (c *call) overview() (map[string]*store.JobOverview, error) {
	all, err := c.DB.Overview(c.ctx, store.OverviewOptions{Runs: 1})
	if err != nil {
		return nil, err
	}
	jobs := make(map[string]*store.JobOverview, len(all))
	for i := range all {
		jobs[all[i].Name] = &all[i]
	}
	return jobs, nil
}

func (c *call) getJob() (any, error) {
	overview, err := c.overview()
	if err != nil {
		return nil, err
	}
	name := c.job()
	j, known := c.Daemon.Job(name)
	o := overview[name]
	if !known && o == nil {
		return nil, fmt.Errorf("%q: %w", name, daemon.ErrUnknown)
	}
	j.Name = name
	return jobOf(j, o), nil
}

// jobOf returns for programs what the daemon and the database know of a job; o
// may be nil.
func jobOf(j daemon.Job, o *store.JobOverview) machine.Job {
	m := machine.Job{
		Job: j.Name, File: j.File, Fault: j.Fault, State: string(cmp.Or(j.State, daemon.Idle)), Since: moment(j.Since), Paused: j.Paused,
		Next: moment(j.Next), Run: j.Run, Error: j.Err,
	}
	if j.Config != nil {
		m.Schedule = j.Config.Schedule.Cron
	}
	if o == nil {
		return m
	}
	m.Records, m.Messages = o.Records, o.Messages
	if o.Succeeded != nil {
		m.LastSuccess = moment(o.Succeeded.Ended)
	}
	if o.Last != nil {
		last := machine.RunFiguresOf(*o.Last)
		m.LastRun, m.Drifts = &last, o.Drifts
	}
	return m
}

// moment is a time, nil where there is none.
func moment(t time.Time) *time.Time {
	if t.IsZero() {
		return nil
	}
	return &t
}

func (c *call) startJob() (any, error) {
	var how Start
	if err := c.readJSON(&how); err != nil {
		return nil, err
	}
	if how.Fresh && how.Continue {
		return nil, refuse("send one of them", "a run cannot be fresh and go on with another")
	}
	return c.act(func(name string) error { return c.Daemon.Start(name, daemon.Start(how)) })
}

func (c *call) stopJob() (any, error)  { return c.act(c.Daemon.Stop) }
func (c *call) pauseJob() (any, error) { return c.pause(true) }

func (c *call) resumeJob() (any, error) { return c.pause(false) }

func (c *call) pause(paused bool) (any, error) {
	return c.act(func(name string) error { return c.Daemon.Pause(name, paused) })
}

// act has the daemon do something with a job, and tells how the job stands then.
func (c *call) act(do func(name string) error) (any, error) {
	name := c.job()
	if err := do(name); errors.Is(err, daemon.ErrUnknown) {
		advice := "see " + Base + "/jobs, or magpie status, for the jobs there are"
		if _, err := c.DB.Run(c.ctx, name, 0); err == nil {
			advice = "its file is not in the folder that magpie serve runs"
		}
		return nil, problem.New(http.StatusNotFound, advice, "there is no job %q", name)
	} else if err != nil {
		return nil, err
	}
	return c.getJob()
}

func (c *call) getStatus() (any, error) {
	all, err := c.DB.Status(c.ctx, c.text("job"))
	if err != nil {
		return nil, err
	}
	list := []machine.Status{}
	for i := range all {
		all[i].Hosts = all[i].Hosts[:min(c.int("hosts"), len(all[i].Hosts))]
		list = append(list, machine.StatusOf(&all[i]))
	}
	return whole(list), nil
}

func (c *call) getProgress() (any, error) {
	crawler, err := c.crawler()
	if err != nil {
		return nil, err
	}
	return machine.ProgressOf(c.job(), crawler, c.int("hosts")), nil
}

// crawler is what crawls the job now.
func (c *call) crawler() (*crawl.Crawler, error) {
	name := c.job()
	crawler, ok := c.Daemon.Crawler(name)
	if ok {
		return crawler, nil
	}
	if _, known := c.Daemon.Job(name); !known {
		return nil, fmt.Errorf("%q: %w", name, daemon.ErrUnknown)
	}
	return nil, fmt.Errorf("%q: %w", name, daemon.ErrNotRunning)
}

// known returns an error unless there is a job of the call's name.
func (c *call) known() error {
	if _, ok := c.Daemon.Job(c.job()); ok {
		return nil
	}
	_, err := c.DB.Run(c.ctx, c.job(), 0)
	return err
}

// notYet tells whether an error says no more than that a job of the folder has
// not run.
func (c *call) notYet(err error) bool {
	_, known := c.Daemon.Job(c.job())
	return known && errors.Is(err, store.ErrNotFound)
}

func (c *call) listDue() (any, error) {
	var after int64
	if err := errors.Join(c.after(&after), c.known()); err != nil {
		return nil, err
	}
	list := List[machine.Due]{Items: []machine.Due{}}
	last := int64(0)
	for d, err := range c.DB.Due(c.ctx, c.job()) {
		switch {
		case err != nil:
			return nil, err
		case after != 0 && d.ID >= after:
			continue
		case len(list.Items) == c.int("limit"):
			list.Next = c.cursor(last)
			return list, nil
		}
		list.Items = append(list.Items, machine.DueOf(d))
		last = d.ID
	}
	return list, nil
}

func (c *call) listMessages() (any, error) {
	messages, err := c.DB.DueMessages(c.ctx, c.text("job"))
	if err != nil {
		return nil, err
	}
	list := []machine.Message{}
	for _, m := range messages {
		list = append(list, machine.Message{Job: m.Job, Run: m.Run, Event: m.Event, Created: m.Created, Tries: m.Tries, Due: moment(m.Due), Error: m.Error})
	}
	return whole(list), nil
}

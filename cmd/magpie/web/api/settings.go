package api

import (
	"fmt"
	"net/http"

	"github.com/magpie-crawl/magpie/cmd/magpie/alert"
	"github.com/magpie-crawl/magpie/cmd/magpie/daemon"
	"github.com/magpie-crawl/magpie/cmd/magpie/machine"
	"github.com/magpie-crawl/magpie/cmd/magpie/web/problem"
	"github.com/magpie-crawl/magpie/config/notify"
)

var settingsRoutes = []route{
	{id: "getSettings", method: http.MethodGet, path: "/settings", summary: "Tell how the settings stand: whether serve.yaml is in use as it is now",
		answer: machine.Settings{}, handle: (*call).getSettings},
	{id: "testNotify", method: http.MethodPost, path: "/notify/test", summary: "Send a trial message each way that messages about jobs go",
		doc: "Each is sent once and at once; the answer tells what came of it. One request is answered at a time, with a pause after it: " +
			"status 429 says when to ask again.",
		body: NotifyTest{}, answer: List[machine.Tried]{}, faults: []int{404, 429}, within: alert.TrialsWithin + readWithin, handle: (*call).testNotify},
}

// NotifyTest says where trial messages go.
type NotifyTest struct {
	Job string `json:"job,omitempty"` // the ways of this job alone; left out: all there are
}

func (c *call) getSettings() (any, error) {
	s := c.Daemon.Settings()
	m := machine.Settings{File: s.File, Fault: s.Fault, Since: moment(s.Since), Restart: s.Restart}
	for _, way := range s.InUse.Notify {
		m.Notify = append(m.Notify, way.Name)
	}
	return m, nil
}

func (c *call) testNotify() (any, error) {
	var which NotifyTest
	if err := c.readJSON(&which); err != nil {
		return nil, err
	}
	ways, err := c.ways(which.Job)
	if err != nil {
		return nil, err
	}
	channels := make([]notify.Channel, len(ways))
	for i, w := range ways {
		channels[i] = w.Channel
	}
	came, err := c.Trials.Send(c.ctx, channels)
	if err != nil {
		return nil, err
	}
	list := make([]machine.Tried, len(ways))
	for i, w := range ways {
		list[i] = machine.Tried{To: w.Channel.Name, Jobs: w.Jobs, OK: came[i] == nil}
		if came[i] != nil {
			list[i].Error = came[i].Error()
		}
	}
	return whole(list), nil
}

// ways are the ways that messages about a job go, or with "" about any.
func (c *call) ways(name string) ([]alert.Way, error) {
	settings := c.Daemon.Settings().InUse
	var jobs []alert.Job
	if name == "" {
		for _, j := range c.Daemon.Jobs() {
			if j.Config != nil {
				jobs = append(jobs, alert.JobOf(j.Config, nil))
			}
		}
	} else {
		j, known := c.Daemon.Job(name)
		switch {
		case !known:
			return nil, fmt.Errorf("%q: %w", name, daemon.ErrUnknown)
		case j.Config == nil:
			return nil, daemon.ErrFault
		case j.Config.Notify != nil:
			settings, jobs = nil, []alert.Job{alert.JobOf(j.Config, nil)}
		}
	}
	ways := alert.Ways(settings, jobs)
	if len(ways) == 0 {
		return nil, problem.New(http.StatusNotFound, "write notify into a job file, or into serve.yaml for all jobs", "nobody is told of anything")
	}
	return ways, nil
}

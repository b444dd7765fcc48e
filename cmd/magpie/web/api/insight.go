package api

import (
	"net/http"
	"strconv"

	"github.com/magpie-crawl/magpie/cmd/magpie/alert"
	"github.com/magpie-crawl/magpie/cmd/magpie/machine"
	"github.com/magpie-crawl/magpie/store"
)

var insightRoutes = []route{
	{id: "getOverview", method: http.MethodGet, path: "/overview", summary: "Tell of all jobs in the database at a glance, with the figures of their last runs",
		params: []param{{name: "runs", kind: "integer", doc: "Of so many of the last runs.", least: 1, most: 200, usual: 20}},
		answer: List[machine.Overview]{}, handle: (*call).getOverview},
	{id: "getFigures", method: http.MethodGet, path: "/jobs/{job}/figures", summary: "Tell the figures of a job's last runs, and how full its fields were in each",
		params: []param{{name: "runs", kind: "integer", doc: "Of so many of the last runs.", least: 1, most: 500, usual: 20}},
		answer: machine.Figures{}, faults: []int{404}, handle: (*call).getFigures},
	{id: "getRunDetail", method: http.MethodGet, path: "/jobs/{job}/runs/{run}/detail", summary: "Tell all about a run: reasons, failures, its course, the slowest hosts, statuses, fields, problems",
		doc:    "As run, last stands for the last one.",
		answer: machine.RunDetail{}, faults: []int{404}, handle: (*call).getRunDetail},
	{id: "getMeasured", method: http.MethodGet, path: "/jobs/{job}/measured", summary: "Tell what was measured of the run that is going on since this process works on it",
		answer: machine.Measured{}, faults: []int{404, 409}, handle: (*call).getMeasured},
	{id: "listAlerts", method: http.MethodGet, path: "/alerts", summary: "List the open problems of jobs: failure, silence and drift",
		params: []param{text("job", "Of this job alone.")},
		answer: List[machine.Alert]{}, handle: (*call).listAlerts},
	{id: "listAlertMessages", method: http.MethodGet, path: "/alerts/messages", summary: "List the messages about open problems and changes",
		doc: "Those that were sent or dropped are kept for 30 days.",
		params: []param{choice("state", "Only these. Left out: those that are to be sent, and those that were dropped.", "due", "sent", "dropped"),
			text("job", "About this job alone."), limit(100, 1000)},
		answer: List[machine.AlertMessage]{}, handle: (*call).listAlertMessages},
}

func (c *call) getOverview() (any, error) {
	all, err := c.DB.Overview(c.ctx, store.OverviewOptions{Runs: c.int("runs")})
	if err != nil {
		return nil, err
	}
	list := []machine.Overview{}
	for i := range all {
		list = append(list, machine.OverviewOf(&all[i]))
	}
	return whole(list), nil
}

func (c *call) getFigures() (any, error) {
	if err := c.known(); err != nil {
		return nil, err
	}
	f, err := c.DB.Figures(c.ctx, c.job(), c.int("runs"))
	if c.notYet(err) {
		f = &store.JobFigures{}
	} else if err != nil {
		return nil, err
	}
	return machine.FiguresOf(f), nil
}

// runNumber is the run of the path; 0 is the last.
func (c *call) runNumber() (int, error) {
	text := c.r.PathValue("run")
	number, err := strconv.Atoi(text)
	if text == "last" {
		return 0, nil
	} else if err != nil || number < 1 {
		return 0, refuse("write a number from 1, or last", "%q is no run", text)
	}
	return number, nil
}

func (c *call) getRunDetail() (any, error) {
	number, err := c.runNumber()
	if err != nil {
		return nil, err
	}
	d, err := c.DB.RunDetail(c.ctx, c.job(), number)
	if err != nil {
		return nil, err
	}
	return machine.RunDetailOf(d), nil
}

func (c *call) getMeasured() (any, error) {
	crawler, err := c.crawler()
	if err != nil {
		return nil, err
	}
	return machine.MeasuredOf(crawler.Figures()), nil
}

func (c *call) listAlerts() (any, error) {
	problems, err := alert.Problems(c.ctx, c.DB, c.text("job"))
	if err != nil {
		return nil, err
	}
	list := []machine.Alert{}
	for _, p := range problems {
		list = append(list, machine.AlertOf(p))
	}
	return whole(list), nil
}

func (c *call) listAlertMessages() (any, error) {
	messages, err := alert.Messages(c.ctx, c.DB, store.AlertMessageState(c.text("state")), c.text("job"), c.int("limit"))
	if err != nil {
		return nil, err
	}
	list := []machine.AlertMessage{}
	for _, m := range messages {
		list = append(list, machine.AlertMessageOf(m))
	}
	return whole(list), nil
}

package api

import (
	"errors"
	"net/http"

	"github.com/magpie-crawl/magpie/cmd/magpie/machine"
	"github.com/magpie-crawl/magpie/store"
)

var listRoutes = []route{
	{id: "listRuns", method: http.MethodGet, path: "/jobs/{job}/runs", summary: "List the runs of a job, the last first",
		params: []param{limit(100, 200), cursorParam},
		answer: List[machine.Run]{}, faults: []int{404}, handle: (*call).listRuns},
	{id: "listPages", method: http.MethodGet, path: "/jobs/{job}/pages", summary: "List the URLs that a job met, and what became of them",
		doc: "A list may be short of limit, or empty, and yet go on: where few URLs are what is asked for, next goes on with the search.",
		params: []param{number("run", "As this run left them. Left out: the last that met them."),
			choice("state", "Only these.", "pending", "done", "failed", "skipped"), text("reason", "Only those skipped or failed for this reason, such as robots or http-404."),
			{name: "status", kind: "integer", doc: "Only those with this HTTP status; 4 stands for all of 400 to 499.", most: 999},
			text("host", "Of this host alone."), text("prefix", "Only those that begin so."), text("contains", "Only those that hold this."), limit(100, 500), cursorParam},
		answer: List[machine.Page]{}, faults: []int{404}, handle: (*call).listPages},
	{id: "getRecord", method: http.MethodGet, path: "/jobs/{job}/record", summary: "Tell all that is known of a record, with its versions",
		params: []param{needed("item", "The item type."), needed("key", "The record's key.")},
		answer: machine.RecordDetail{}, faults: []int{404}, handle: (*call).getRecord},
}

func (c *call) listRuns() (any, error) {
	before := 0
	if err := errors.Join(c.after(&before), c.known()); err != nil {
		return nil, err
	}
	runs, err := c.DB.RunsPage(c.ctx, c.job(), before, c.int("limit")+1)
	if err != nil && !c.notYet(err) {
		return nil, err
	}
	list := List[machine.Run]{Items: []machine.Run{}}
	for i, r := range runs {
		if i == c.int("limit") {
			list.Next = c.cursor(runs[i-1].Number)
			break
		}
		list.Items = append(list.Items, machine.RunOf(r))
	}
	return list, nil
}

func (c *call) listPages() (any, error) {
	q := store.PagesQuery{Job: c.job(), Run: c.int("run"), State: c.text("state"), Reason: c.text("reason"), Status: c.int("status"), Host: c.text("host"),
		Prefix: c.text("prefix"), Contains: c.text("contains"), Limit: c.int("limit")}
	if err := c.after(&q.After); err != nil {
		return nil, err
	}
	list := List[machine.Page]{Items: []machine.Page{}}
	page, err := c.DB.PagesPage(c.ctx, q)
	if q.Run == 0 && c.notYet(err) {
		return list, nil
	} else if err != nil {
		return nil, err
	}
	for i := range page.Pages {
		list.Items = append(list.Items, machine.PageOf(&page.Pages[i]))
	}
	if page.Next != "" {
		list.Next = c.cursor(page.Next)
	}
	return list, nil
}

func (c *call) getRecord() (any, error) {
	d, err := c.DB.RecordDetail(c.ctx, c.job(), c.text("item"), c.text("key"))
	if err != nil {
		return nil, err
	}
	return machine.RecordDetailOf(d), nil
}

package api

import (
	"errors"
	"net/http"
	"strings"

	"github.com/magpie-crawl/magpie/cmd/magpie/machine"
	"github.com/magpie-crawl/magpie/store"
)

// RecordList is a part of an item's records.
type RecordList struct {
	List[machine.Record]
	Previous string   `json:"previous,omitempty"` // send it as before for the part before this one
	Total    int64    `json:"total"`              // of all parts
	Exact    bool     `json:"exact"`              // else there are at least total
	Sort     string   `json:"sort"`               // what they are in the order of
	Indexed  []string `json:"indexed"`            // fields by which filters and sorting are fast
}

func (c *call) listItems() (any, error) {
	if err := c.known(); err != nil {
		return nil, err
	}
	items, err := c.DB.Items(c.ctx, c.job())
	if err != nil {
		return nil, err
	}
	list := []machine.Item{}
	for _, i := range items {
		list = append(list, machine.Item{Job: i.Job, Item: i.Name, Fields: i.Fields, Records: i.Records})
	}
	return whole(list), nil
}

func (c *call) listRecords() (any, error) {
	q := store.RecordsQuery{Job: c.job(), Item: c.text("item"), Sort: c.text("sort"), Desc: c.flag("desc"), Before: c.text("before"), Page: c.int("page"),
		Limit: c.int("limit"), Within: readWithin}
	if err := c.after(&q.After); err != nil {
		return nil, err
	}
	for _, text := range c.lists["filter"] {
		f, err := filterOf(text)
		if err != nil {
			return nil, err
		}
		q.Filters = append(q.Filters, f)
	}
	page, err := c.DB.RecordsPage(c.ctx, q)
	if err != nil {
		return nil, err
	}
	list := RecordList{List: whole[machine.Record](nil), Total: page.Total, Exact: page.Exact, Sort: page.Sort, Previous: page.Previous, Indexed: append([]string{}, page.Indexed...)}
	for i := range page.Records {
		list.Items = append(list.Items, machine.RecordOf(&page.Records[i]))
	}
	if page.Next != "" {
		list.Next = c.cursor(page.Next)
	}
	return list, nil
}

// filterOf reads a condition such as price:<:20.
func filterOf(text string) (f store.FieldFilter, err error) {
	parts := strings.SplitN(text, ":", 3)
	f.Field = parts[0]
	if len(parts) > 1 {
		f.Op = store.FilterOp(parts[1])
	}
	if len(parts) > 2 {
		f.Value = parts[2]
	}
	if f.Field == "" || len(parts) < 2 || len(parts) < 3 && f.Op != store.Empty && f.Op != store.Present {
		return f, refuse("write one such as price:<:20, title:contains:lamp or image:empty", "%q is no filter", text)
	}
	return f, nil
}

// queryProblem tells of queries of records and pages that cannot be answered.
func queryProblem(err error) (status int, advice string, ok bool) {
	if fault, ok := errors.AsType[*store.QueryFault](err); ok {
		switch fault.Where {
		case "cursor", "page":
			return http.StatusBadRequest, "", true
		}
		return http.StatusBadRequest, "see " + Base + "/jobs/{job}/items for the fields there are", true
	}
	if errors.Is(err, store.ErrTooSlow) {
		return http.StatusServiceUnavailable, "filter by an indexed field, or ask for fewer", true
	}
	return 0, "", false
}

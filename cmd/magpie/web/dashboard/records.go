package dashboard

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"

	"github.com/magpie-crawl/magpie/cmd/magpie/values"
	"github.com/magpie-crawl/magpie/cmd/magpie/words"
	"github.com/magpie-crawl/magpie/extract"
	"github.com/magpie-crawl/magpie/store"
)

// recordsPage is a page of an item's current records.
type recordsPage struct {
	Path    string // of the job
	Words   string // of the search box
	Item    string
	Items   []itemTab
	Fields  []string // all that can be shown
	Names   []string // all that can be filtered by
	Ops     []filterOp
	Filters []store.FieldFilter // and one that is empty, for another
	Asked   []store.FieldFilter
	Columns []recordColumn
	Rows    []recordRow
	Total   string
	Sort    string // what they are in the order of
	By      string // what was asked for; "": nothing
	Desc    bool
	Pages   int // 0: not known
	Number  int
	First   string
	Last    string
	Clear   string // without filters; "": there are none
	Pager   pager
	Slow    *slowRecords
	Fault   string // what is wrong with what was asked
	Exports []link
}

// itemTab leads to the records of an item.
type itemTab struct {
	Name    string
	Link    string
	Current bool
}

type filterOp struct{ Op, Name string }

// recordColumn is a column of the table.
type recordColumn struct {
	Name    string
	Shown   bool
	Right   bool
	Sort    string // where it is sorted by; "": it can't be
	Order   string // ascending, descending or ""
	Indexed bool
}

// recordRow is a record.
type recordRow struct {
	Key   string
	Link  string
	Cells []value
	URL   string
	Page  string // what is known of the URL
	First int
}

// slowRecords says what to do where a list took too long.
type slowRecords struct {
	Item   string
	Fields []string
}

// How many records a page has, and how many columns unless others are chosen.
const recordsShown, columnsShown = 50, 8

var filterOps = []filterOp{{string(store.Equal), "is"}, {string(store.Contains), "contains"}, {string(store.Less), "below"}, {string(store.AtMost), "at most"},
	{string(store.Greater), "above"}, {string(store.AtLeast), "at least"}, {string(store.Empty), "is empty"}, {string(store.Present), "has a value"}}

// records is the page of an item's current records.
func (d *dashboard) records(r *http.Request) (*view, error) {
	ctx, job := r.Context(), r.PathValue("job")
	if err := d.known(ctx, job); err != nil {
		return nil, err
	}
	items, err := d.db.ItemTypes(ctx, job)
	if err != nil {
		return nil, err
	}
	v := &view{Template: "records", Title: "Records", Job: job, Tab: "records", Styles: []string{"data.css"}, Crumbs: []link{{Name: "Records"}}}
	a := readRecordsAsked(job, r.URL.Query())
	p := &recordsPage{Path: jobPath(job), Ops: filterOps, Asked: a.Filters, By: a.Sort, Desc: a.Desc}
	v.Data = p
	if len(items) == 0 {
		return v, nil
	}
	at := max(0, slices.IndexFunc(items, func(i store.ItemSummary) bool { return i.Name == a.Item }))
	if a.Item != "" && items[at].Name != a.Item {
		return nil, &refusal{Status: http.StatusNotFound, Text: "This job has no such item.", Hint: "Its job file may have been changed."}
	}
	a.Item, p.Item, p.Fields = items[at].Name, items[at].Name, items[at].Fields
	for _, i := range items {
		p.Items = append(p.Items, itemTab{i.Name, p.Path + "/records?" + url.Values{"item": {i.Name}}.Encode(), i.Name == p.Item})
	}
	p.Names = append(slices.Clone(p.Fields), store.KeyField, store.URLField, store.FirstRunField, store.LastRunField)
	p.Filters = append(slices.Clone(a.Filters), store.FieldFilter{Op: store.Contains})
	if len(a.Filters) > 0 {
		p.Clear = a.with("f", "", "op", "", "v", "", "sort", "", "desc", "")
	}
	for _, f := range []store.Format{store.CSV, store.JSONL, store.Parquet, store.SQLite} {
		p.Exports = append(p.Exports, link{string(f), a.export(f)})
	}
	v.Status, err = d.readRecordsPage(ctx, p, a)
	return v, err
}

// readRecordsPage fills the page in. Mistakes and slow questions are told on
// it, beside the form in which they can be put right.
func (d *dashboard) readRecordsPage(ctx context.Context, p *recordsPage, a *recordsAsked) (status int, err error) {
	types, err := d.fieldTypes(ctx, a.Job, a.Item)
	if err != nil {
		return 0, err
	}
	page, err := d.db.RecordsPage(ctx, a.RecordsQuery)
	if slow, ok := errors.AsType[*store.TooSlowError](err); ok {
		p.Slow = &slowRecords{slow.Item, slow.Fields}
		p.columns(a, types, nil)
		return http.StatusServiceUnavailable, nil
	}
	if fault, ok := errors.AsType[*store.QueryFault](err); ok {
		p.Fault = words.Sentence(fault.Error())
		p.columns(a, types, nil)
		return http.StatusBadRequest, nil
	}
	if err != nil {
		return 0, err
	}
	p.Sort = page.Sort
	p.columns(a, types, page.Indexed)
	for _, r := range page.Records {
		row, err := p.row(&r, types)
		if err != nil {
			return 0, err
		}
		p.Rows = append(p.Rows, row)
	}
	for i := range p.Columns {
		p.Columns[i].Right = p.rightAligned(i)
	}
	p.paging(a, page)
	return 0, nil
}

// columns settles on the columns: those chosen, else the first that fit.
func (p *recordsPage) columns(a *recordsAsked, types map[string]extract.Field, indexed []string) {
	for i, name := range p.Fields {
		c := recordColumn{Name: name, Shown: i < columnsShown, Indexed: slices.Contains(indexed, name)}
		if len(a.Columns) > 0 {
			c.Shown = slices.Contains(a.Columns, name)
		}
		if f := types[name]; !f.All && len(f.Fields) == 0 {
			desc := ""
			if p.Sort == name {
				c.Order = "ascending"
				if a.Desc {
					c.Order = "descending"
				} else {
					desc = "1"
				}
			}
			c.Sort = a.with("sort", name, "desc", desc)
		}
		p.Columns = append(p.Columns, c)
	}
}

// rightAligned tells of a column whether all its values are numbers.
func (p *recordsPage) rightAligned(column int) bool {
	right := false
	for _, row := range p.Rows {
		v := row.Cells[column]
		if !v.Right() && v.Kind != "none" {
			return false
		}
		right = right || v.Right()
	}
	return right
}

func (p *recordsPage) row(r *store.Record, types map[string]extract.Field) (recordRow, error) {
	row := recordRow{Key: values.Key(r.Key), URL: r.URL, First: r.FirstRun, Link: recordPath(r.Job, r.Item, r.Key), Page: pagePath(r.Job, r.URL, 0)}
	var o extract.Object
	if err := json.Unmarshal(r.Data, &o); err != nil {
		return row, fmt.Errorf("read record %q: %w", r.Key, err)
	}
	for _, name := range p.Fields {
		row.Cells = append(row.Cells, valueOf(values.Member(o, name), types[name]))
	}
	return row, nil
}

// paging says where the pages before and behind are.
func (p *recordsPage) paging(a *recordsAsked, page *store.RecordsPage) {
	total, _ := count(page.Total)
	p.Total, p.Number = total, a.Number
	pg := pager{Name: "Pages of records", NewerName: "Previous", OlderName: "Next"}
	if page.Exact {
		p.Pages = int((page.Total + recordsShown - 1) / recordsShown)
	} else {
		p.Total = "more than " + total
	}
	if len(page.Records) == 0 && a.Number > 1 {
		p.First = a.with()
	}
	if page.Previous != "" {
		pg.Newer = a.with("before", page.Previous, "page", strconv.Itoa(max(a.Number-1, 1)))
		p.First = a.with()
	}
	if page.Next != "" {
		pg.Older = a.with("after", page.Next, "page", strconv.Itoa(a.Number+1))
		if p.Pages > 1 {
			p.Last = a.with("page", strconv.Itoa(p.Pages))
		}
	}
	n, _ := plural(page.Total, "record")
	if !page.Exact {
		n = "More than " + n
	}
	pg.Count = n
	p.Pager = pg
}

// maxAddress is how long an address may be, in bytes: servers and proxies
// refuse longer ones. https://www.rfc-editor.org/rfc/rfc9110#section-4.1-5
const maxAddress = 8000

// recordPath is the page of a record; "": its key is too long for an address.
func recordPath(job, item, key string) string {
	path := jobPath(job) + "/record?" + url.Values{"item": {item}, "key": {key}}.Encode()
	if len(path) > maxAddress {
		return ""
	}
	return path
}

// pagePath is the page of a URL that a job met; run 0: as the last run left it.
func pagePath(job, address string, run int) string {
	q := url.Values{"url": {address}}
	if run > 0 {
		q.Set("run", strconv.Itoa(run))
	}
	return jobPath(job) + "/page?" + q.Encode()
}

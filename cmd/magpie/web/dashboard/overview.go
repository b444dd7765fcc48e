package dashboard

import (
	"cmp"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
)

// overviewPage is what the overview shows.
type overviewPage struct {
	Rows     []*jobRow
	All      int // jobs, shown or not
	Tiles    []tile
	Query    string // filter on names
	Show     string // which jobs: a key of shown
	Sort     string
	Desc     bool
	Columns  []column
	Shows    []option
	Events   string // where the stream is
	Pager    pager
	Settings *settingsNote // nil: there is nothing to say
	Whole    string        // where all rows are on one page; "": they are
	Example  string        // a job file, where there is no job yet

	page  int // from 1
	whole bool
}

// tile is a figure that leads to the jobs it counts.
type tile struct {
	Name, Link string
	Mark       string // shape beside the figure; "": none
	Figure     int64
	Current    bool
}

// column is a head of the table.
type column struct {
	Name, Link string
	Sort       string // ascending or descending, where the table is sorted by it
	Class      string
}

// option is one choice of a select.
type option struct {
	Value, Name string
	Chosen      bool
}

// shown are the choices of which jobs to show.
var shown = []struct {
	value, name string
	has         func(*jobRow) bool
}{
	{"", "All jobs", func(*jobRow) bool { return true }},
	{"problems", "With problems", (*jobRow).problem},
	{"stale", "Stale", func(j *jobRow) bool { return j.Stale }},
	{"running", "Running or queued", (*jobRow).active},
	{"paused", "Paused", func(j *jobRow) bool { return j.Paused }},
	{"unscheduled", "Without a schedule", func(j *jobRow) bool { return !j.Scheduled }},
}

// overview is the page of all jobs.
func (d *dashboard) overview(r *http.Request) (*view, error) {
	rows, err := d.readRows(r.Context())
	if err != nil {
		return nil, err
	}
	p := overviewAsked(r)
	p.All = len(rows)
	p.Tiles = p.tiles(rows)
	for _, s := range shown {
		p.Shows = append(p.Shows, option{s.value, s.name, s.value == p.Show})
	}
	p.Rows = p.chosen(rows)
	p.sort()
	p.cut()
	p.Columns = p.columns()
	p.Settings = d.settingsNote()
	if p.All == 0 {
		p.Example = exampleJob
	}
	return &view{Template: "overview", Title: "Jobs", Tab: "jobs", Data: p}, nil
}

// overviewAsked is an overview as a request wants it.
func overviewAsked(r *http.Request) *overviewPage {
	q := r.URL.Query()
	p := &overviewPage{Query: q.Get("q"), Show: q.Get("show"), Sort: q.Get("sort"), Desc: q.Get("desc") == "1"}
	p.page, _ = strconv.Atoi(q.Get("page"))
	p.whole = q.Get("page") == "all"
	p.Events = "/events" + strings.TrimPrefix(p.link(), "/")
	return p
}

// exampleJob is a job that can be run as it is.
const exampleJob = `name: books
start: https://books.toscrape.com/
follow: ["li.next a", "h3 a"]
limits: {pages: 100}
schedule: {cron: "@daily"}
items:
  book:
    each: article.product_page
    key: [upc]
    fields:
      title: h1
      price: {css: .price_color, as: price}
      upc: "table.table tr:first-child td"
`

// chosen are the rows that the filter lets through.
func (p *overviewPage) chosen(rows []*jobRow) []*jobRow {
	has := shown[0].has
	for _, s := range shown {
		if s.value == p.Show {
			has = s.has
		}
	}
	words := strings.Fields(strings.ToLower(p.Query))
	return slices.DeleteFunc(rows, func(j *jobRow) bool {
		if !has(j) {
			return true
		}
		name := strings.ToLower(j.Name + " " + j.File)
		return slices.ContainsFunc(words, func(w string) bool { return !strings.Contains(name, w) })
	})
}

// tiles counts the jobs at a glance.
func (p *overviewPage) tiles(rows []*jobRow) []tile {
	var problems, stale, active, records int64
	for _, j := range rows {
		problems += one(j.problem())
		stale += one(j.Stale)
		active += one(j.active())
		records += j.Records
	}
	mark := func(kind string, n int64) string {
		if n == 0 {
			return ""
		}
		return kind
	}
	return []tile{
		{Name: "Jobs", Link: p.link("show", ""), Figure: int64(len(rows)), Current: p.Show == ""},
		{Name: "Problems", Link: p.link("show", "problems"), Figure: problems, Mark: mark("warn", problems), Current: p.Show == "problems"},
		{Name: "Stale", Link: p.link("show", "stale"), Figure: stale, Mark: mark("warn", stale), Current: p.Show == "stale"},
		{Name: "Active", Link: p.link("show", "running"), Figure: active, Mark: mark("running", active), Current: p.Show == "running"},
		{Name: "Records now", Figure: records},
	}
}

func one(is bool) int64 {
	if is {
		return 1
	}
	return 0
}

// link is the overview with parameters changed: pairs of name and value.
func (p *overviewPage) link(pairs ...string) string {
	q := url.Values{"q": {p.Query}, "show": {p.Show}, "sort": {p.Sort}}
	if p.Desc {
		q.Set("desc", "1")
	}
	for i := 0; i < len(pairs); i += 2 {
		q.Set(pairs[i], pairs[i+1])
	}
	for name, v := range q {
		if v[0] == "" {
			q.Del(name)
		}
	}
	if len(q) == 0 {
		return "/"
	}
	return "/?" + q.Encode()
}

// orders are the columns that the table can be sorted by.
var orders = []struct {
	value, name, class string
	desc               bool // the first click sorts the largest first
	compare            func(a, b *jobRow) int
}{
	{"name", "Job", "", false, func(a, b *jobRow) int { return 0 }},
	{"state", "State", "", false, func(a, b *jobRow) int { return cmp.Compare(a.stateRank(), b.stateRank()) }},
	{"result", "Last result", "", false, func(a, b *jobRow) int { return cmp.Compare(a.rank, b.rank) }},
	{"success", "Last success", "", false, func(a, b *jobRow) int { return a.Success.Compare(b.Success) }},
	{"next", "Next run", "", false, compareNext},
	{"records", "Records", "num", true, func(a, b *jobRow) int { return cmp.Compare(a.Records, b.Records) }},
	{"errors", "Errors", "num", true, func(a, b *jobRow) int { return cmp.Compare(a.Errors, b.Errors) }},
}

// rowsShown is how many jobs a page has, unless all are asked for.
const rowsShown = 100

// cut leaves the rows of one page.
func (p *overviewPage) cut() {
	n := len(p.Rows)
	if p.whole || n <= rowsShown {
		return
	}
	last := (n + rowsShown - 1) / rowsShown
	p.page = min(max(p.page, 1), last)
	first := (p.page - 1) * rowsShown
	p.Rows = p.Rows[first:min(n, first+rowsShown)]
	p.Pager = pager{Name: "Jobs", NewerName: "Previous", OlderName: "Next", Count: fmt.Sprintf("%d to %d of %d", first+1, first+len(p.Rows), n)}
	if p.page > 1 {
		p.Pager.Newer = p.link("page", strconv.Itoa(p.page-1))
	}
	if p.page < last {
		p.Pager.Older = p.link("page", strconv.Itoa(p.page+1))
	}
	p.Whole = p.link("page", "all")
}

// compareNext puts jobs that are never due behind the others.
func compareNext(a, b *jobRow) int {
	if a.Next.IsZero() || b.Next.IsZero() {
		return cmp.Compare(one(a.Next.IsZero()), one(b.Next.IsZero()))
	}
	return a.Next.Compare(b.Next)
}

// sort orders the rows: as asked for, else those with problems first.
func (p *overviewPage) sort() {
	compare := func(a, b *jobRow) int { return cmp.Compare(a.rank, b.rank) }
	known := false
	for _, o := range orders {
		if o.value == p.Sort {
			compare, known = o.compare, true
		}
	}
	if !known {
		p.Sort, p.Desc = "", false
	}
	if p.Sort == "name" {
		compare = func(a, b *jobRow) int { return compareNames(a.Name, b.Name) }
	}
	slices.SortStableFunc(p.Rows, func(a, b *jobRow) int {
		n := compare(a, b)
		if p.Desc {
			n = -n
		}
		if n == 0 {
			n = compareNames(a.Name, b.Name)
		}
		return n
	})
}

func compareNames(a, b string) int {
	return cmp.Or(cmp.Compare(strings.ToLower(a), strings.ToLower(b)), cmp.Compare(a, b))
}

// columns are the heads of the table, each a link that sorts by it.
func (p *overviewPage) columns() []column {
	var all []column
	for _, o := range orders {
		c := column{Name: o.name, Class: o.class}
		desc := o.desc
		if p.Sort == o.value {
			desc = !p.Desc
			c.Sort = "ascending"
			if p.Desc {
				c.Sort = "descending"
			}
		}
		c.Link = p.link("sort", o.value, "desc", map[bool]string{true: "1"}[desc])
		all = append(all, c)
	}
	return all
}

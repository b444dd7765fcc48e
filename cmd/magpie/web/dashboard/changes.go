package dashboard

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"

	"github.com/magpie-crawl/magpie/cmd/magpie/values"
	"github.com/magpie-crawl/magpie/store"
)

// changesPage is what a run changed, record by record.
type changesPage struct {
	Run    store.Run
	From   int // number of the run that it is compared with; 0: with nothing
	Item   string
	Kind   store.ChangeKind
	Kinds  []kindTab
	Counts []changeRow
	Rows   []recordChange
	Pager  pager
	TooFar bool // there are more, but not on a page
	Path   string
}

// kindTab leads to the changes of a kind.
type kindTab struct {
	Name    string
	Link    string
	Count   int64
	Current bool
}

// recordChange is a record that differs.
type recordChange struct {
	Key    string
	URL    string
	Record string // its page
	Fields []fieldChange
}

// fieldChange is a field that differs, as text; "" with Had or Has false is no
// value.
type fieldChange struct {
	Field    string
	Old, New string
	Had, Has bool
}

// How many changes a page has, and how many can be gone through by pages.
const changesShown, changesPages = 50, 200

// changes is the page of what a run changed.
func (d *dashboard) changes(r *http.Request) (*view, error) {
	ctx, name, q := r.Context(), r.PathValue("job"), r.URL.Query()
	n, err := runNumber(r)
	if err != nil {
		return nil, err
	}
	run, err := d.db.Run(ctx, name, n)
	if err != nil {
		return nil, err
	}
	rp := &runPage{RunDetail: &store.RunDetail{Run: *run}}
	if err := d.readChanges(ctx, rp); err != nil {
		return nil, err
	}
	p := &changesPage{Run: *run, From: rp.From, Counts: rp.Changes, Item: q.Get("item"), Kind: store.ChangeKind(q.Get("kind")), Path: jobPath(name)}
	number, _ := strconv.Atoi(q.Get("page"))
	if last := (p.choose() + changesShown - 1) / changesShown; last > 0 {
		if err := d.readRecords(r, p, int(min(max(int64(number), 1), last, changesPages))); err != nil {
			return nil, err
		}
	}
	title := fmt.Sprintf("What run %d changed", n)
	return &view{Template: "changes", Title: title, Job: name, Tab: "run", Data: p,
		Crumbs: []link{{fmt.Sprintf("Run %d", n), runPath(name, n)}, {Name: "Changes"}}}, nil
}

// choose settles on an item and a kind of which there are changes, unless
// others are asked for, and returns how many changes there are of them.
func (p *changesPage) choose() int64 {
	at := slices.IndexFunc(p.Counts, func(c changeRow) bool { return c.Item == p.Item })
	if at < 0 {
		at = max(0, slices.IndexFunc(p.Counts, func(c changeRow) bool { return c.Added+c.Changed+c.Gone > 0 }))
	}
	if len(p.Counts) == 0 {
		return 0
	}
	c := p.Counts[at]
	p.Item = c.Item
	counts := map[store.ChangeKind]int64{store.Added: c.Added, store.Changed: c.Changed, store.Gone: c.Gone}
	if _, known := counts[p.Kind]; !known {
		p.Kind = store.Changed
		for _, kind := range []store.ChangeKind{store.Changed, store.Added, store.Gone} {
			if counts[kind] > 0 {
				p.Kind = kind
				break
			}
		}
	}
	names := map[store.ChangeKind]string{store.Added: "Added", store.Changed: "Changed", store.Gone: "Gone"}
	for _, kind := range store.ChangeKinds {
		p.Kinds = append(p.Kinds, kindTab{names[kind], p.link(kind, 1), counts[kind], kind == p.Kind})
	}
	return counts[p.Kind]
}

// link is the page of a kind of the item's changes.
func (p *changesPage) link(kind store.ChangeKind, page int) string {
	q := url.Values{"item": {p.Item}, "kind": {string(kind)}}
	if page > 1 {
		q.Set("page", strconv.Itoa(page))
	}
	return runPath(p.Run.Job, p.Run.Number) + "/changes?" + q.Encode()
}

// readRecords reads a page of the changes. The store counts changes from the
// first, so that pages far back are not offered.
func (d *dashboard) readRecords(r *http.Request, p *changesPage, page int) error {
	skip, seen := (page-1)*changesShown, 0
	o := store.DiffOptions{Job: p.Run.Job, From: p.From, To: p.Run.Number, Item: p.Item, Kind: p.Kind, Limit: page*changesShown + 1}
	for c, err := range d.db.Diff(r.Context(), o) {
		if err != nil {
			return err
		}
		if seen++; seen > skip && len(p.Rows) < changesShown {
			p.Rows = append(p.Rows, p.recordChange(&c))
		}
	}
	p.Pager.Name, p.Pager.NewerName, p.Pager.OlderName = "Changes", "Previous", "Next"
	if page > 1 {
		p.Pager.Newer = p.link(p.Kind, page-1)
	}
	if seen > page*changesShown {
		p.TooFar = page == changesPages
		if !p.TooFar {
			p.Pager.Older = p.link(p.Kind, page+1)
		}
	}
	if len(p.Rows) > 0 {
		p.Pager.Count = fmt.Sprintf("%d to %d", skip+1, skip+len(p.Rows))
	}
	return nil
}

// recordChange tells a change field by field: of a record that is new or gone,
// all of its fields.
func (p *changesPage) recordChange(c *store.Change) recordChange {
	row := recordChange{Key: values.Key(c.Key), URL: c.URL, Record: recordPath(p.Run.Job, c.Item, c.Key)}
	for _, f := range c.Fields() {
		row.Fields = append(row.Fields, fieldChange{f.Field, valueText(f.Old), valueText(f.New), f.Old != nil, f.New != nil})
	}
	return row
}

// valueText is a stored value as text; "" where there is none.
func valueText(v json.RawMessage) string {
	if len(v) == 0 {
		return ""
	}
	return values.Stored(v)
}

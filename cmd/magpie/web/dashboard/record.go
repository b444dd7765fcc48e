package dashboard

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"time"

	"github.com/magpie-crawl/magpie/cmd/magpie/explain"
	"github.com/magpie-crawl/magpie/cmd/magpie/values"
	"github.com/magpie-crawl/magpie/cmd/magpie/words"
	"github.com/magpie-crawl/magpie/extract"
	"github.com/magpie-crawl/magpie/store"
)

// recordPage is all about a record.
type recordPage struct {
	*store.RecordDetail
	Name     string // its key, for people
	Last     *store.RecordVersion
	Path     string // of the job
	Page     string // what is known of the page that showed it
	List     string // the records of its item
	Fields   []recordField
	Versions []recordVersion
	Source   recordSource
}

// recordField is a value with its name.
type recordField struct {
	Name  string
	Value value
}

// recordVersion is what a record read like for some time.
type recordVersion struct {
	*store.RecordVersion
	FirstLink, LastLink, UntilLink string
	Fields                         []fieldChange
}

// recordSource says where values came from.
type recordSource struct {
	Missing string // why it can't be said
	Run     int    // whose body and job file it is
	Page    string
	Fetched time.Time
	Values  []explainedValue
	Differs bool // the page does not hold the record at its place any more
}

// explainedValue is how a value came about.
type explainedValue struct {
	Field string
	Value value
	Tried []triedPlace
}

// triedPlace is a place that was looked at.
type triedPlace struct {
	explain.Looked
	Excerpt *excerpt
	Line    string // the line in the source; "": none
	Outcome string
}

// record is the page of a record.
func (d *dashboard) record(r *http.Request) (*view, error) {
	ctx, job, q := r.Context(), r.PathValue("job"), r.URL.Query()
	detail, err := d.db.RecordDetail(ctx, job, q.Get("item"), q.Get("key"))
	if err != nil {
		return nil, err
	}
	types, err := d.fieldTypes(ctx, job, detail.Item)
	if err != nil {
		return nil, err
	}
	last := &detail.Versions[0]
	p := &recordPage{RecordDetail: detail, Name: values.Key(detail.Key), Last: last, Path: jobPath(job), Page: pagePath(job, last.URL, last.LastRun)}
	p.List = p.Path + "/records?" + url.Values{"item": {detail.Item}}.Encode()
	if err := p.fill(types); err != nil {
		return nil, err
	}
	if p.Source, err = d.recordSource(ctx, detail, types); err != nil {
		return nil, err
	}
	return &view{Template: "record", Title: "Record", Job: job, Tab: "records", Data: p, Styles: []string{"data.css"},
		Crumbs: []link{{"Records", p.List}, {Name: p.Name}}}, nil
}

// fill makes values and versions ready.
func (p *recordPage) fill(types map[string]extract.Field) error {
	var o extract.Object
	if err := json.Unmarshal(p.Last.Data, &o); err != nil {
		return fmt.Errorf("read record %q: %w", p.Key, err)
	}
	for _, m := range o {
		f := recordField{Name: m.Name, Value: valueOf(m.Value, types[m.Name])}
		p.Fields = append(p.Fields, f)
	}
	for i := range p.RecordDetail.Versions {
		v := &p.RecordDetail.Versions[i]
		row := recordVersion{RecordVersion: v, FirstLink: runPath(p.Job, v.FirstRun), LastLink: runPath(p.Job, v.LastRun)}
		if v.Until > 0 {
			row.UntilLink = runPath(p.Job, v.Until)
		}
		for _, f := range v.Changes {
			row.Fields = append(row.Fields, fieldChange{f.Field, storedText(f.Old), storedText(f.New), f.Old != nil, f.New != nil})
		}
		p.Versions = append(p.Versions, row)
	}
	return nil
}

// storedText is a stored value as people read it.
func storedText(raw json.RawMessage) string {
	var o extract.Object
	if len(raw) == 0 || json.Unmarshal([]byte(`{"v":`+string(raw)+`}`), &o) != nil {
		return valueText(raw)
	}
	return valueOf(values.Member(o, "v"), extract.Field{}).Full()
}

// recordSource runs the stored page that showed a record last through the job
// file that made it.
func (d *dashboard) recordSource(ctx context.Context, detail *store.RecordDetail, types map[string]extract.Field) (recordSource, error) {
	last := &detail.Versions[0]
	s := recordSource{Run: max(last.FirstRun, last.LastRun)}
	page, err := d.fetched(ctx, detail.Job, last.URL, last.LastRun)
	if unreadable(err) {
		s.Missing = words.Sentence(err.Error())
		return s, nil
	} else if err != nil {
		return s, err
	}
	s.Page, s.Fetched = pagePath(detail.Job, page.URL, page.Run), page.Response.FetchedAt
	spec, err := d.specOf(ctx, detail.Job, s.Run)
	switch {
	case ctx.Err() != nil:
		return s, ctx.Err()
	case err != nil:
		s.Missing = words.Sentence("the job file of the run can't be read: " + err.Error())
		return s, nil
	case spec.Options.Extractor == nil:
		s.Missing = "The job file of the run has no items."
		return s, nil
	}
	done, err := rereadTurn(ctx)
	if err != nil {
		return s, err
	}
	defer done()
	stored, err := d.reread(ctx, page)
	switch {
	case unreadable(err):
		s.Missing = words.Sentence(err.Error())
	case errors.Is(err, context.DeadlineExceeded), errors.Is(err, context.Canceled):
		return s, err
	case err != nil:
		s.Missing = words.Sentence(err.Error())
	default:
		_, list := stored.explain(spec.Options.Extractor)
		s.take(stored, list, types, func(v *explain.Value) bool { return v.Item == detail.Item && v.Position == last.Position })
		s.Differs = len(s.Values) == 0
	}
	return s, nil
}

// maxExplained bounds how many values are told of: nested ones are many.
const maxExplained = 300

// take keeps the explanations that are wanted.
func (s *recordSource) take(page *storedPage, list []explain.Value, types map[string]extract.Field, want func(*explain.Value) bool) {
	for i := range list {
		x := &list[i]
		if !want(x) || len(s.Values) == maxExplained {
			continue
		}
		s.Values = append(s.Values, explainedOf(page, x, types[x.Field], s.Page))
	}
}

// explainedOf makes an explanation ready for being shown. source is the page
// that has the source in full; "": none has.
func explainedOf(page *storedPage, x *explain.Value, f extract.Field, source string) explainedValue {
	e := explainedValue{Field: x.Field, Value: valueOf(x.Value, f)}
	for _, l := range x.Tried {
		t := triedPlace{Looked: l, Excerpt: excerptOf(page.Text, l.Span), Outcome: "became " + values.Short(values.Display(l.Value))}
		switch text, isText := l.Value.(string); {
		case l.Failed != "":
			t.Outcome = l.Failed
		case isText && values.Short(text) == l.Text:
			t.Outcome = ""
		}
		if line, _ := page.Doc.LineColumn(l.Span.Start); source != "" && l.Place != "" {
			t.Line = fmt.Sprintf("%s&show=source#L%d", source, line)
		}
		e.Tried = append(e.Tried, t)
	}
	return e
}

package dashboard

import (
	"context"
	"errors"
	"fmt"
	"html/template"
	"net/http"
	"net/url"
	"strconv"
	"time"

	"github.com/magpie-crawl/magpie/cmd/magpie/web/chart"
	"github.com/magpie-crawl/magpie/cmd/magpie/words"
	"github.com/magpie-crawl/magpie/store"
)

// runPage is what the page of a run shows.
type runPage struct {
	*store.RunDetail
	Row      runRow
	Live     string // the live page, of a run that is going on
	Timeline template.HTML
	Bytes    template.HTML
	Reasons  []reasonRow // why URLs were not fetched
	Failed   []reasonRow
	Codes    []statusRow
	Fields   []fieldRow
	Drifts   []driftRow
	Problems []store.ProblemCount
	Changes  []changeRow
	From     int // the run that changes are counted from; 0: none was before
	Older    string
	Newer    string
	Path     string // of the job
	ByRun    string // query of pages and records of this run
}

// reasonRow is a reason with where its URLs are listed.
type reasonRow struct {
	store.ReasonCount
	Share float64
	Link  string
}

type statusRow struct {
	store.StatusCount
	Kind string
	Link string
}

// fieldRow is how a field fared.
type fieldRow struct {
	store.FieldHealth
	Fill  float64
	Bar   template.HTML
	Worse bool
}

// driftRow is a figure that is worse than usual.
type driftRow struct {
	store.Drift
	What string
	Bar  template.HTML // of kinds that are shares
}

// changeRow counts what changed of an item.
type changeRow struct {
	store.DiffCount
	Link string
}

// run is the page of a run.
func (d *dashboard) run(r *http.Request) (*view, error) {
	ctx, name := r.Context(), r.PathValue("job")
	n, err := runNumber(r)
	if err != nil {
		return nil, err
	}
	detail, err := d.db.RunDetail(ctx, name, n)
	if err != nil {
		return nil, err
	}
	p := &runPage{RunDetail: detail, Row: d.runRow(detail.Run), Path: jobPath(name), ByRun: "run=" + strconv.Itoa(n)}
	p.fill()
	if detail.Run.State == store.RunRunning {
		p.Live = p.Path + "/live"
	}
	if err := d.readChanges(ctx, p); err != nil {
		return nil, err
	}
	if err := d.readNeighbours(ctx, p); err != nil {
		return nil, err
	}
	title := fmt.Sprintf("Run %d", n)
	return &view{Template: "run", Title: title, Job: name, Tab: "run", Crumbs: []link{{Name: title}}, Data: p}, nil
}

// fill makes rows and charts of what was read.
func (p *runPage) fill() {
	run := &p.Run
	var total, failed int64
	for _, x := range p.NotFetched {
		total += x.Count
	}
	for _, x := range p.Failures {
		failed += x.Count
	}
	for _, x := range p.NotFetched {
		p.Reasons = append(p.Reasons, reasonRow{x, share(x.Count, total), p.pages("state", "skipped", "reason", string(x.Reason))})
	}
	for _, x := range p.Failures {
		p.Failed = append(p.Failed, reasonRow{x, share(x.Count, failed), p.pages("state", "failed", "reason", string(x.Reason))})
	}
	for _, x := range p.Statuses {
		p.Codes = append(p.Codes, statusRow{x, statusKind(x.Status), p.pages("status", strconv.Itoa(x.Status))})
	}
	worse := map[[2]string]bool{}
	for _, x := range p.RunDetail.Drifts {
		p.Drifts = append(p.Drifts, driftRow{x, driftName(x), driftBar(x)})
		worse[[2]string{x.Item, x.Field}] = true
	}
	for _, x := range p.RunDetail.Fields {
		p.Fields = append(p.Fields, fieldRowOf(x, worse[[2]string{x.Item, x.Field}]))
	}
	p.Problems = p.RunDetail.Problems[:min(len(p.RunDetail.Problems), 50)]
	p.Timeline, p.Bytes = timelineOf(run, &p.RunDetail.Timeline)
}

func share(part, whole int64) float64 {
	if whole == 0 {
		return 0
	}
	return float64(part) / float64(whole)
}

// pages is the list of the run's pages with a filter: pairs of name and value.
func (p *runPage) pages(pairs ...string) string {
	q := url.Values{"run": {strconv.Itoa(p.Run.Number)}}
	for i := 0; i < len(pairs); i += 2 {
		q.Set(pairs[i], pairs[i+1])
	}
	return p.Path + "/pages?" + q.Encode()
}

// driftName is what a drift is about.
func driftName(x store.Drift) string {
	switch {
	case x.Field != "":
		return x.Item + "." + x.Field
	case x.Pattern != "":
		return x.Pattern
	case x.Item != "":
		return x.Item
	}
	return "The crawl"
}

// driftBar draws a share against the usual one; "" where it is a number.
func driftBar(x store.Drift) template.HTML {
	switch x.Kind {
	case store.DriftFill, store.DriftFailures, store.DriftRejects:
		return chart.Share(fmt.Sprintf("%s, usually %s", percent(x.Now), percent(x.Usual)), x.Now, x.Usual, true)
	}
	return ""
}

// driftKinds say what of a thing is worse.
var driftKinds = map[store.DriftKind]string{
	store.DriftFill:     "records that have it",
	store.DriftFailures: "values that failed",
	store.DriftDistinct: "distinct values",
	store.DriftRecords:  "number of records",
	store.DriftRejects:  "records set aside",
	store.DriftPages:    "number of pages",
	store.DriftTemplate: "how the pages are built",
}

func fieldRowOf(x store.FieldHealth, worse bool) fieldRow {
	row := fieldRow{FieldHealth: x, Fill: share(x.Filled, x.Records), Worse: worse}
	usual, before := -1.0, ""
	if x.UsualRecords > 0 {
		usual = share(x.Usual, x.UsualRecords)
		before = ", before " + percent(usual)
	}
	title := fmt.Sprintf("%s.%s: %s of records have it%s", harmlessText(x.Item), harmlessText(x.Field), percent(row.Fill), before)
	row.Bar = chart.Share(title, row.Fill, nanBelow(usual), worse)
	return row
}

// timelineOf draws what a run did over time: answers and failures, and bytes.
func timelineOf(run *store.Run, t *store.Timeline) (counts, volume template.HTML) {
	n := len(t.Spans)
	good, failed, retries, size := make([]float64, n), make([]float64, n), make([]float64, n), make([]float64, n)
	var all, bad int64
	for i, s := range t.Spans {
		good[i], failed[i], retries[i] = float64(s.Responses), float64(s.Failed), float64(s.Retries)
		size[i] = float64(s.Bytes)
		all, bad = all+s.Responses, bad+s.Failed
	}
	at := func(i int) string { return "after " + span(time.Duration(i)*t.Span) }
	stack := chart.Stack{
		Title:  fmt.Sprintf("Run %d over time: %d responses, %d pages failed, in %s", run.Number, all, bad, span(time.Duration(n)*t.Span)),
		Series: []chart.Series{{Name: "responses", Class: "tl-ok", Values: good}, {Name: "failed", Class: "tl-bad", Values: failed}, {Name: "tried again", Class: "tl-warn", Values: retries}},
		From:   "begin", To: span(time.Duration(n) * t.Span), Unit: "in each " + span(t.Span), Bucket: at,
	}
	counts = chart.Timeline(stack)
	stack.Title = fmt.Sprintf("Bytes of run %d over time: %s", run.Number, words.Bytes(run.Counters.Bytes))
	stack.Series = []chart.Series{{Name: "bytes", Class: "tl-other", Values: size}}
	stack.Unit = "bytes " + stack.Unit
	return counts, chart.Timeline(stack)
}

// readChanges counts what the run changed.
func (d *dashboard) readChanges(ctx context.Context, p *runPage) error {
	run := &p.Run
	if run.State != store.RunFinished {
		return nil
	}
	from, err := d.db.RunBefore(ctx, run.Job, run.Number)
	switch {
	case errors.Is(err, store.ErrNotFound) || run.Number == 1: // 0 would ask RunBefore for the last run
	case err != nil:
		return err
	default:
		p.From = from.Number
	}
	counts, err := d.db.DiffCounts(ctx, store.DiffOptions{Job: run.Job, From: p.From, To: run.Number})
	if err != nil {
		return err
	}
	for _, c := range counts {
		p.Changes = append(p.Changes, changeRow{c, runPath(run.Job, run.Number) + "/changes?item=" + url.QueryEscape(c.Item)})
	}
	return nil
}

// readNeighbours finds the runs before and after.
func (d *dashboard) readNeighbours(ctx context.Context, p *runPage) error {
	n := p.Run.Number
	runs, err := d.db.RunsPage(ctx, p.Run.Job, n+2, 3)
	for _, x := range runs {
		switch link := runPath(x.Job, x.Number); {
		case x.Number == n+1:
			p.Newer = link
		case x.Number < n && p.Older == "":
			p.Older = link
		}
	}
	return err
}

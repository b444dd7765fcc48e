package dashboard

import (
	"context"
	"fmt"
	"html/template"
	"math"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/magpie-crawl/magpie/cmd/magpie/daemon"
	"github.com/magpie-crawl/magpie/cmd/magpie/web/chart"
	"github.com/magpie-crawl/magpie/config/schedule"
	"github.com/magpie-crawl/magpie/store"
)

// jobPage is what a job's first page shows.
type jobPage struct {
	Row      *jobRow
	Job      *daemon.Job // nil: it is not in the folder
	Last     *store.Run  // nil: it never ran
	CanGoOn  bool        // a limit ended the last run, and there is more
	Faults   []string    // lines
	Schedule *scheduleCard
	Runs     []runRow
	Pager    pager
	Fills    []fillRow
	Ways     []way  // that messages about it go
	Path     string // where the job's pages begin
}

// runRow is a run in a list.
type runRow struct {
	store.Run
	Link    string
	Outcome outcome
	Took    time.Duration // so far, of a run that is going on
}

// fillRow is how full a field was over the last runs.
type fillRow struct {
	Item, Field string
	Cells       template.HTML
	Now         float64
}

// pager are the links to the parts of a list before and after.
type pager struct {
	Name                 string
	Count                string
	Newer, Older         string
	NewerName, OlderName string
}

// runsShown is how many runs a job's page lists at a time.
const runsShown = 25

// job is the first page of a job.
func (d *dashboard) job(r *http.Request) (*view, error) {
	ctx, name := r.Context(), r.PathValue("job")
	j, f, err := d.readJob(ctx, name)
	if err != nil {
		return nil, err
	}
	alerts, err := d.readAlerts(ctx, name)
	if err != nil {
		return nil, err
	}
	before, _ := strconv.Atoi(r.URL.Query().Get("before"))
	p := &jobPage{Job: j, Row: d.rowOf(name, j, f, alerts[name], d.now()), Path: jobPath(name)}
	if len(f.runs) > 0 {
		p.Last = &f.runs[0]
		p.CanGoOn = p.Row.CanStart && p.Last.State == store.RunFinished && p.Last.Reason != "" && p.Last.Pending > 0
		if err := d.readRuns(ctx, p, name, max(0, before)); err != nil {
			return nil, err
		}
	}
	if j != nil {
		if j.Fault != "" {
			p.Faults = strings.Split(strings.TrimSpace(j.Fault), "\n")
		}
		p.Ways = d.waysOf(j)
		if p.Schedule, err = d.readSchedule(ctx, j); err != nil {
			return nil, err
		}
	}
	return &view{Template: "job", Title: harmlessText(name), Job: name, Tab: "job", Data: p}, nil
}

// readRuns reads a page of the runs, and the figures over the last ones.
func (d *dashboard) readRuns(ctx context.Context, p *jobPage, name string, before int) error {
	runs, err := d.db.RunsPage(ctx, name, before, runsShown+1)
	if err == nil && len(runs) == 0 && before > 0 { // there are none so old
		return d.readRuns(ctx, p, name, 0)
	}
	if err != nil {
		return err
	}
	if len(runs) > runsShown {
		runs = runs[:runsShown]
		p.Pager.Older = p.Path + "?before=" + strconv.Itoa(runs[runsShown-1].Number)
	}
	if before > 0 {
		p.Pager.Newer, p.Pager.NewerName = p.Path, "Newest"
	}
	p.Pager.Name, p.Pager.OlderName = "Runs", "Older"
	for _, run := range runs {
		p.Runs = append(p.Runs, d.runRow(run))
	}
	figures, err := d.db.Figures(ctx, name, sparkRuns)
	if err != nil {
		return err
	}
	for _, x := range figures.Fields {
		p.Fills = append(p.Fills, fillRowOf(x))
	}
	return nil
}

func (d *dashboard) runRow(run store.Run) runRow {
	row := runRow{Run: run, Link: runPath(run.Job, run.Number), Outcome: outcomeOf(&run)}
	switch {
	case !run.Ended.IsZero():
		row.Took = run.Ended.Sub(run.Started)
	case run.State == store.RunRunning:
		row.Took = d.now().Sub(run.Started)
	}
	return row
}

func fillRowOf(x store.FieldFigures) fillRow {
	row := fillRow{Item: x.Item, Field: x.Field, Now: math.NaN()}
	shares := make([]float64, len(x.Fill))
	known := 0
	for i, share := range x.Fill {
		shares[i] = share
		if share < 0 {
			shares[i] = math.NaN()
			continue
		}
		known++
		row.Now = share
	}
	title := fmt.Sprintf("How many records had %s.%s in the last %d runs: last %s", harmlessText(x.Item), harmlessText(x.Field), known, percent(row.Now))
	row.Cells = chart.Cells(title, shares)
	return row
}

// scheduleCard is what a page tells of a schedule.
type scheduleCard struct {
	Words   string
	Cron    string
	Jitter  time.Duration
	Overlap string
	Missed  string
	Next    []schedule.Due // the next due times that count
	Recent  []dueRow
}

// dueRow is a due time of the past.
type dueRow struct {
	store.DueRun
	State state
	Link  string // of its run
}

// duesShown is how many due times are shown of the past, nextShown of the
// future.
const duesShown, nextShown = 15, 5

var (
	overlapTexts = map[schedule.Overlap]string{
		schedule.Skip:   "is skipped",
		schedule.Queue:  "waits for it to end",
		schedule.Cancel: "takes its place",
	}
	missedTexts = map[schedule.Missed]string{
		schedule.RunOnce:    "are caught up by one run",
		schedule.SkipMissed: "are skipped",
	}
)

// readSchedule reads how a job's schedule stands; nil: there is nothing to
// tell.
func (d *dashboard) readSchedule(ctx context.Context, j *daemon.Job) (*scheduleCard, error) {
	c := &scheduleCard{}
	for due, err := range d.db.Due(ctx, j.Name) {
		if err != nil {
			return nil, err
		}
		c.Recent = append(c.Recent, dueRowOf(due))
		if len(c.Recent) == duesShown {
			break
		}
	}
	if !scheduled(j) {
		if len(c.Recent) == 0 {
			return nil, nil
		}
		return c, nil
	}
	s, err := scheduleOf(j)
	if err != nil {
		return nil, err
	}
	o := j.Config.Schedule
	c.Words, c.Cron, c.Jitter, c.Overlap, c.Missed = s.String(), o.Cron, o.Jitter, overlapTexts[o.Overlap], missedTexts[o.Missed]
	after := d.now()
	if j.Past.After(after) {
		after = j.Past
	}
	for range nextShown {
		due, ok := s.Next(after)
		if !ok {
			break
		}
		c.Next = append(c.Next, due)
		after = due.Nominal
	}
	return c, nil
}

// dueRowOf says what became of a due time.
func dueRowOf(due store.DueRun) dueRow {
	row := dueRow{DueRun: due}
	if due.Run > 0 {
		row.Link = runPath(due.Job, due.Run)
	}
	switch {
	case due.Outcome == store.DueSkipped:
		row.State = state{"stopped", "Skipped", due.Reason}
	case due.Run == 0:
		row.State = state{"queued", "Waits", due.Reason}
	case due.RunState == store.RunRunning:
		row.State = state{"running", "Runs", due.Reason}
	case due.RunState == store.RunInterrupted:
		row.State = state{"warn", "Interrupted", due.Reason}
	default:
		row.State = state{"ok", "Ran", due.Reason}
	}
	return row
}

// runNumber is the run that a page is about.
func runNumber(r *http.Request) (int, error) {
	n, err := strconv.Atoi(r.PathValue("n"))
	if err != nil || n < 1 {
		return 0, &refusal{Status: http.StatusNotFound, Text: "Runs have numbers from 1 on."}
	}
	return n, nil
}

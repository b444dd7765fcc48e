package dashboard

import (
	"fmt"
	"hash/fnv"
	"html/template"
	"math"
	"time"

	"github.com/magpie-crawl/magpie/cmd/magpie/daemon"
	"github.com/magpie-crawl/magpie/cmd/magpie/web/chart"
	"github.com/magpie-crawl/magpie/store"
)

// jobRow is a job in the overview.
type jobRow struct {
	Name      string
	ID        string // of its row, in letters and digits
	Link      string
	File      string // "": it is not in the folder
	Fault     string
	State     state
	Paused    bool
	Scheduled bool
	CanStart  bool
	CanStop   bool

	Result     outcome
	ResultLink string
	ResultTime time.Time
	Drifts     int
	Messages   int
	Alerts     []openAlert // what is wrong with it, and was told

	Success time.Time // when the last run that succeeded ended
	Stale   bool
	Next    time.Time
	Records int64
	Errors  int64

	runs []store.Run // the newest first
	rank int         // what needs to be looked at has the lowest
}

// state is what something is at: a shape, and a word with what there is to
// tell.
type state struct {
	Kind   string // ok, warn, bad, running, queued, paused, stopped, idle
	Word   string
	Detail string
}

// sparkRuns is how many runs sparklines look back.
const sparkRuns = 20

// rowOf puts together what the daemon and the database know of a job; either
// may not know it.
func (d *dashboard) rowOf(name string, j *daemon.Job, f *jobFigures, alerts []openAlert, now time.Time) *jobRow {
	row := &jobRow{Name: name, ID: rowID(name), Link: jobPath(name), Alerts: alerts}
	if j != nil {
		row.File, row.Fault, row.Paused, row.Next = j.File, j.Fault, j.Paused, j.Next
		row.Scheduled = scheduled(j)
		row.CanStop = j.State == daemon.Running || j.State == daemon.Queued
		row.CanStart = j.State == daemon.Idle && j.Config != nil
	}
	row.State = d.stateOf(j, f)
	row.Result = lastOutcome(j, f)
	if f != nil {
		row.figures(f)
		row.Stale = d.stale(j, f, now)
	}
	row.rank = row.attention()
	return row
}

// figures takes over what the database says.
func (row *jobRow) figures(f *jobFigures) {
	if run := f.ended(); run != nil {
		row.ResultLink = runPath(run.Job, run.Number)
		row.ResultTime, row.Drifts, row.Errors = run.Ended, run.Drifts, run.Counters.Failed
		if row.ResultTime.IsZero() {
			row.ResultTime = run.Started
		}
	}
	row.Messages, row.Records, row.Success = f.messages, f.records, f.success
	row.runs = f.runs
}

// RecordsLine draws the records of the last runs.
func (row *jobRow) RecordsLine() template.HTML {
	values := row.over(func(run *store.Run) float64 {
		if run.Kind == store.ReextractRun {
			return math.NaN()
		}
		return float64(run.Counters.Records())
	})
	return chart.Sparkline(sparkTitle("Records", values), values)
}

// ErrorsBars draws the failed pages of the last runs.
func (row *jobRow) ErrorsBars() template.HTML {
	values := row.over(func(run *store.Run) float64 { return float64(run.Counters.Failed) })
	return chart.SparkBars(sparkTitle("Failed pages", values), values)
}

// over are the values of the last runs, the oldest first.
func (row *jobRow) over(value func(*store.Run) float64) []float64 {
	values := make([]float64, len(row.runs))
	for i := range row.runs {
		values[len(values)-1-i] = value(&row.runs[i])
	}
	return values
}

// sparkTitle says what a sparkline shows.
func sparkTitle(what string, values []float64) string {
	if len(values) == 0 {
		return what + ": no runs yet"
	}
	least, most, last := math.Inf(1), math.Inf(-1), 0.0
	for _, v := range values {
		if v == v {
			least, most, last = min(least, v), max(most, v), v
		}
	}
	if least > most {
		return what + ": none"
	}
	return fmt.Sprintf("%s in the last %d runs: %.0f to %.0f, last %.0f", what, len(values), least, most, last)
}

// rowID names a row in a page.
func rowID(name string) string {
	h := fnv.New64a()
	h.Write([]byte(name))
	return fmt.Sprintf("job-%016x", h.Sum64())
}

func scheduled(j *daemon.Job) bool {
	return j.Config != nil && j.Config.Schedule.Cron != ""
}

// problem tells jobs that somebody should look at.
func (row *jobRow) problem() bool {
	return row.Fault != "" || row.Stale || row.Drifts > 0 || len(row.Alerts) > 0 || row.Messages > 0 || row.Result.Kind == "warn" || row.Result.Kind == "bad"
}

// active tells jobs that are being crawled or wait for their turn.
func (row *jobRow) active() bool {
	return row.State.Kind == "running" || row.State.Kind == "queued"
}

// attention is how urgently a job is to be looked at: 0 most of all.
func (row *jobRow) attention() int {
	switch {
	case row.Fault != "":
		return 0
	case row.Result.Kind == "bad":
		return 1
	case row.Stale || len(row.Alerts) > 0:
		return 2
	case row.Drifts > 0:
		return 3
	case row.Messages > 0:
		return 4
	case row.Result.Kind == "warn":
		return 5
	case row.active():
		return 6
	case row.Paused:
		return 8
	}
	return 7
}

// stateRank orders states: what runs comes first.
func (row *jobRow) stateRank() int {
	for i, kind := range []string{"running", "queued", "bad", "warn", "ok", "idle", "paused"} {
		if row.State.Kind == kind {
			return i
		}
	}
	return 9
}

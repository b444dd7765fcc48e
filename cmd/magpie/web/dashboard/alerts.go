package dashboard

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/magpie-crawl/magpie/cmd/magpie/alert"
	"github.com/magpie-crawl/magpie/cmd/magpie/daemon"
	"github.com/magpie-crawl/magpie/cmd/magpie/words"
	"github.com/magpie-crawl/magpie/config/notify"
	"github.com/magpie-crawl/magpie/internal/harmless"
	"github.com/magpie-crawl/magpie/store"
)

// openAlert is an open problem of a job.
type openAlert struct {
	store.Alert
	State state
	Times string    // how often it showed
	Told  time.Time // when somebody was last told; zero: nobody was yet
}

// alertStates say what kinds of alerts are.
var alertStates = map[notify.Kind]state{
	notify.Failure: {Kind: "bad", Word: "Fails"},
	notify.Silence: {Kind: "warn", Word: "Silent"},
	notify.Drift:   {Kind: "warn", Word: "Drifted"},
}

// readAlerts reads the open problems of a job, or with "" of all jobs, by job.
func (d *dashboard) readAlerts(ctx context.Context, job string) (map[string][]openAlert, error) {
	list, err := d.db.Alerts(ctx, job)
	if err != nil {
		return nil, err
	}
	alerts := map[string][]openAlert{}
	for _, a := range list {
		alerts[a.Job] = append(alerts[a.Job], openAlertOf(a))
	}
	return alerts, nil
}

func openAlertOf(a store.Alert) openAlert {
	o := openAlert{Alert: a, State: alertStates[notify.Kind(a.Kind)]}
	unit := "run"
	if notify.Kind(a.Kind) == notify.Silence {
		unit = "interval"
	}
	if o.Times = fmt.Sprintf("%d %ss", a.Count, unit); a.Count == 1 {
		o.Times = "1 " + unit
	}
	for _, at := range a.Told {
		if at.After(o.Told) {
			o.Told = at
		}
	}
	return o
}

// way is a way that messages about a job go.
type way struct {
	ID, Name string
	On       string // kinds of events, for people
	Shared   bool   // the settings say it, for all jobs that say nothing
	CanTry   bool
}

// channelsOf are the ways that messages about a job go.
func (d *dashboard) channelsOf(j *daemon.Job) (channels []notify.Channel, shared bool) {
	switch {
	case j.Config == nil:
		return nil, false
	case j.Config.Notify == nil:
		return d.jobs.Settings().InUse.Notify, true
	}
	return j.Config.Notify, false
}

func (d *dashboard) waysOf(j *daemon.Job) (ways []way) {
	channels, shared := d.channelsOf(j)
	for _, c := range channels {
		var on []string
		for _, kind := range c.On {
			on = append(on, string(kind))
		}
		ways = append(ways, way{ID: c.ID, Name: c.Name, On: strings.Join(on, ", "), Shared: shared, CanTry: d.Trial != nil})
	}
	return ways
}

// trial sends a trial message one of the ways that messages about a job go.
func (d *dashboard) trial(w http.ResponseWriter, r *http.Request) {
	err := readForm(w, r)
	if err == nil {
		err = d.tryWay(r.Context(), r.PathValue("job"), r.PostForm.Get("way"))
	}
	if err != nil {
		d.fail(w, r, err)
		return
	}
	http.Redirect(w, r, said(backOf(r), "trial"), http.StatusSeeOther)
}

func (d *dashboard) tryWay(ctx context.Context, job, id string) error {
	j, ok := d.jobs.Job(job)
	if !ok {
		return daemon.ErrUnknown
	}
	channels, _ := d.channelsOf(&j)
	i := slices.IndexFunc(channels, func(c notify.Channel) bool { return c.ID == id })
	if i < 0 || d.Trial == nil {
		return &refusal{Status: http.StatusNotFound, Text: "Messages about this job don’t go this way.", Hint: "Its job file may have changed. The job’s page has the ways there are."}
	}
	return d.sendTrials(ctx, channels[i:i+1])
}

// sendTrials sends trial messages; the error says which of them were not sent.
func (d *dashboard) sendTrials(ctx context.Context, channels []notify.Channel) error {
	came, err := d.Trial(ctx, channels)
	if soon, ok := errors.AsType[*alert.TooSoonError](err); ok {
		return &refusal{Status: http.StatusTooManyRequests, Text: "Trial messages were sent just now, by you or by somebody else.",
			Hint: fmt.Sprintf("Try again in %s.", words.Counted(int64(soon.Wait.Round(time.Second)/time.Second), "second"))}
	} else if err != nil {
		return err
	}
	var failed []string
	for i, err := range came {
		if err != nil {
			failed = append(failed, harmless.Text(channels[i].Name+": "+err.Error()))
		}
	}
	if len(failed) == 0 {
		return nil
	}
	text := "the trial message was not sent to " + strings.Join(failed, "; ")
	if n := len(channels) - len(failed); n > 0 {
		text += fmt.Sprintf("; to %d of %d it was", n, len(channels))
	}
	return &refusal{Status: http.StatusBadGateway, Text: words.Sentence(text), Hint: "Messages that cannot be sent are tried again for a week."}
}

package dashboard

import (
	"net/http"

	"github.com/magpie-crawl/magpie/cmd/magpie/alert"
	"github.com/magpie-crawl/magpie/config/notify"
	"github.com/magpie-crawl/magpie/store"
)

// messagesPage shows what is wrong, and who is told of it.
type messagesPage struct {
	Alerts   []openAlert
	Due      []store.AlertMessage
	Hooks    []store.Message // to webhooks of jobs
	Dropped  []store.AlertMessage
	Sent     []store.AlertMessage
	Ways     int           // that messages go, about any job
	CanTry   bool          // they can be tried
	Settings *settingsNote // nil: there is nothing to say
	More     bool          // there may be more than is listed of one of them
}

// messagesShown is how many messages of a state are listed.
const messagesShown = 100

// messages is the page of what is told.
func (d *dashboard) messages(r *http.Request) (*view, error) {
	ctx, p := r.Context(), &messagesPage{}
	alerts, err := d.db.Alerts(ctx, "")
	if err != nil {
		return nil, err
	}
	for _, a := range alerts {
		p.Alerts = append(p.Alerts, openAlertOf(a))
	}
	if p.Due, err = d.db.DueAlertMessages(ctx); err != nil {
		return nil, err
	}
	if p.Hooks, err = d.db.OldestDueMessages(ctx, messagesShown+1); err != nil {
		return nil, err
	}
	if p.Dropped, err = d.db.AlertMessages(ctx, store.AlertDropped, "", messagesShown); err != nil {
		return nil, err
	}
	if p.Sent, err = d.db.AlertMessages(ctx, store.AlertSent, "", messagesShown); err != nil {
		return nil, err
	}
	p.Ways, p.CanTry = len(d.ways()), d.Trial != nil
	p.Settings = d.settingsNote()
	p.More = max(len(p.Dropped), len(p.Sent)) == messagesShown || max(len(p.Due), len(p.Hooks)) > messagesShown
	p.Due, p.Hooks = p.Due[:min(messagesShown, len(p.Due))], p.Hooks[:min(messagesShown, len(p.Hooks))]
	return &view{Template: "messages", Title: "Messages", Tab: "messages", Data: p}, nil
}

// ways are all ways that messages about jobs go.
func (d *dashboard) ways() []alert.Way {
	var jobs []alert.Job
	for _, j := range d.jobs.Jobs() {
		if j.Config != nil {
			jobs = append(jobs, alert.JobOf(j.Config, nil))
		}
	}
	return alert.Ways(d.jobs.Settings().InUse, jobs)
}

// trials sends a trial message all ways that messages go.
func (d *dashboard) trials(w http.ResponseWriter, r *http.Request) {
	var channels []notify.Channel
	for _, way := range d.ways() {
		channels = append(channels, way.Channel)
	}
	err := error(&refusal{Status: http.StatusNotFound, Text: "Nobody is told of anything.", Hint: "Write notify into a job file, or into serve.yaml for all jobs."})
	if len(channels) > 0 && d.Trial != nil {
		err = d.sendTrials(r.Context(), channels)
	}
	if err != nil {
		d.fail(w, r, err)
		return
	}
	http.Redirect(w, r, said("/messages", "trials"), http.StatusSeeOther)
}

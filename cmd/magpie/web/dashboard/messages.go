package dashboard

import (
	"net/http"

	"github.com/magpie-crawl/magpie/store"
)

// messagesPage shows what is wrong, and who is told of it.
type messagesPage struct {
	Alerts  []openAlert
	Due     []store.AlertMessage
	Hooks   []store.Message // to webhooks of jobs
	Dropped []store.AlertMessage
	Sent    []store.AlertMessage
	More    bool // there may be more than is listed of one of them
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
	if p.Hooks, err = d.db.DueMessages(ctx, ""); err != nil {
		return nil, err
	}
	if p.Dropped, err = d.db.AlertMessages(ctx, store.AlertDropped, "", messagesShown); err != nil {
		return nil, err
	}
	if p.Sent, err = d.db.AlertMessages(ctx, store.AlertSent, "", messagesShown); err != nil {
		return nil, err
	}
	p.More = max(len(p.Dropped), len(p.Sent)) == messagesShown || max(len(p.Due), len(p.Hooks)) > messagesShown
	p.Due, p.Hooks = p.Due[:min(messagesShown, len(p.Due))], p.Hooks[:min(messagesShown, len(p.Hooks))]
	return &view{Template: "messages", Title: "Messages", Tab: "messages", Data: p}, nil
}

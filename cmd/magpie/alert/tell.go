package alert

import (
	"encoding/json"
	"slices"
	"time"

	"github.com/magpie-crawl/magpie/config/notify"
	"github.com/magpie-crawl/magpie/store"
)

// tell puts an event into the messages to a channel.
func tell(c *store.AlertChange, channel notify.Channel, e notify.Event) error {
	e.Time = c.At
	data, err := json.Marshal(e)
	if err != nil {
		return err
	}
	c.Events = append(c.Events, store.AlertEvent{
		Channel: channel.ID, Name: channel.Name, Due: c.At.Add(channel.Group), Job: e.Job, Kind: string(e.Kind), Data: data,
	})
	return nil
}

// tellProblem tells the channels that ask for it of an open problem: those who
// do not know of it, those for whom it is time again, and with news all.
// Channels of knowing are left out, unless they do not know of it at all.
func tellProblem(c *store.AlertChange, channels []notify.Channel, alert *store.Alert, e notify.Event, news bool, knowing map[string]time.Time) error {
	for _, channel := range channels {
		if !slices.Contains(channel.On, e.Kind) {
			continue
		}
		last, told := alert.Told[channel.ID]
		_, knows := knowing[channel.ID]
		switch {
		case !told, news:
		case last.After(c.At): // the clock was set back: count from here
			alert.Told[channel.ID] = c.At
			continue
		case knows || c.At.Sub(last) < channel.Repeat:
			continue
		}
		if err := tell(c, channel, e); err != nil {
			return err
		}
		alert.Told[channel.ID] = c.At
	}
	return nil
}

// find is the open problem of a kind; nil: there is none.
func find(open []store.Alert, kind notify.Kind) *store.Alert {
	for i := range open {
		if open[i].Kind == string(kind) {
			return &open[i]
		}
	}
	return nil
}

package alert

import (
	"encoding/json"
	"net/http"
	"testing"
	"time"

	"github.com/magpie-crawl/magpie/config/notify"
	"github.com/magpie-crawl/magpie/internal/steadytest"
	"github.com/magpie-crawl/magpie/store"
)

// TestCrowdedChannel holds that a channel for which more messages wait than
// anybody lists keeps none from another.
func TestCrowdedChannel(t *testing.T) {
	slow, hook := newReceiver(t), newReceiver(t)
	release := make(chan bool)
	slow.Answer(func(int, http.ResponseWriter) { <-release })
	t.Cleanup(func() { close(release) })
	d := newDesk(t, `notify: [{webhook: "`+slow.URL+`", secret: "${HOOK_SECRET}", group: 0s}, {webhook: "`+hook.URL+`", secret: "${HOOK_SECRET}", group: 0s}]`)
	crowd(t, d, d.settings.Load().Notify[0], 1001)
	d.clock.Advance(time.Minute)
	d.ends(d.job("books", "", ""), "no", 0)
	running(t, d)
	steadytest.Await(t, "the message to the other", func() bool { return hook.Count() == 1 })
}

// crowd has so many messages wait for a channel, each on its way once already.
func crowd(t *testing.T, d *desk, channel notify.Channel, n int) {
	data, err := json.Marshal(notify.Event{Kind: notify.Failure, Job: "lamps", Time: start})
	if err != nil {
		t.Fatal(err)
	}
	for id := range n {
		event := store.AlertEvent{Channel: channel.ID, Name: channel.Name, Due: start, Job: "lamps", Kind: string(notify.Failure), Data: data}
		if err := d.db.ChangeAlerts(t.Context(), store.AlertChange{At: start, Events: []store.AlertEvent{event}}); err != nil {
			t.Fatal(err)
		}
		if _, _, _, err := d.db.SealAlertMessage(t.Context(), int64(id+1), start, 1); err != nil {
			t.Fatal(err)
		}
	}
}

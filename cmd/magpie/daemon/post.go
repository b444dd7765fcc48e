package daemon

import (
	"context"

	"github.com/magpie-crawl/magpie/cmd/magpie/courier"
	"github.com/magpie-crawl/magpie/config"
)

// post tries again to send the messages that webhooks did not take.
func (d *Daemon) post(ctx context.Context) {
	var trouble failure
	for wait(ctx, postEvery) {
		if err := d.postDue(ctx); err != nil && ctx.Err() == nil {
			trouble.log(d.log, "messages could not be looked at", err)
		} else {
			trouble.over()
		}
	}
}

// postDue makes one try for each job that has messages and is not running: a
// run sends its own.
func (d *Daemon) postDue(ctx context.Context) error {
	due, err := d.o.DB.DueMessages(ctx, "")
	if err != nil {
		return err
	}
	seen := map[string]bool{}
	for _, m := range due {
		if seen[m.Job] {
			continue
		}
		seen[m.Job] = true
		d.mu.Lock()
		j := d.jobs[m.Job]
		var idle *config.Job
		if j != nil && j.current == nil {
			idle = j.config
		}
		d.mu.Unlock()
		if idle == nil {
			continue
		}
		sent, err := d.deliver(ctx, j, idle, 1)
		if err != nil && !courier.IsUndelivered(err) {
			return err
		}
		if sent > 0 {
			d.log.Info("messages sent", "job", m.Job, "messages", sent)
		}
	}
	return nil
}

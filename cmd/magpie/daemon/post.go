package daemon

import (
	"context"

	"golang.org/x/sync/errgroup"

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

// postAtOnce is for how many jobs messages are sent at a time: a webhook that
// hangs is not to hold up the others.
const postAtOnce = 8

// postDue makes one try for each job that has messages and is not running: a
// run sends its own.
func (d *Daemon) postDue(ctx context.Context) error {
	jobs, err := d.o.DB.MessageJobs(ctx)
	if err != nil {
		return err
	}
	var group errgroup.Group
	group.SetLimit(postAtOnce)
	for _, job := range jobs {
		group.Go(func() error { return d.postOf(ctx, job) })
	}
	return group.Wait()
}

// postOf makes one try for a job.
func (d *Daemon) postOf(ctx context.Context, name string) error {
	d.mu.Lock()
	j := d.jobs[name]
	var idle *config.Job
	if j != nil && j.current == nil {
		idle = j.config
	}
	d.mu.Unlock()
	if idle == nil {
		return nil
	}
	sent, err := d.deliver(ctx, j, idle, 1)
	if sent > 0 {
		d.log.Info("messages sent", "job", name, "messages", sent)
	}
	if courier.IsUndelivered(err) {
		return nil
	}
	return err
}

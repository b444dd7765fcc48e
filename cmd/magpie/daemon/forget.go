package daemon

import (
	"context"
	"time"

	"github.com/magpie-crawl/magpie/store"
)

// How much of the past is kept: of each job the last keepDue due times with
// what became of them, none for longer than keepFor, and as long the messages
// to its webhooks that were sent. Runs stay.
const (
	keepDue = 1000
	keepFor = 400 * 24 * time.Hour
)

// Old due times are looked for soon after the start, then now and then.
const (
	forgetAfter = time.Minute
	forgetEvery = time.Hour
)

// forget deletes what is older than anybody looks back.
func (d *Daemon) forget(ctx context.Context) {
	var trouble failure
	for pause := forgetAfter; wait(ctx, pause); pause = forgetEvery {
		if err := d.forgetOld(ctx); err != nil && ctx.Err() == nil {
			trouble.log(d.log, "old due times could not be deleted", err)
		} else {
			trouble.over()
		}
	}
}

func (d *Daemon) forgetOld(ctx context.Context) error {
	d.change.Lock()
	hold := d.hold
	d.change.Unlock()
	n, err := hold.Forget(ctx, store.Forget{Due: keepDue, Before: d.clock.Now().Add(-keepFor)})
	if n > 0 {
		d.log.Debug("old due times and messages deleted", "number", n)
	}
	return err
}

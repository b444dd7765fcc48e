package runner

import (
	"errors"

	"github.com/magpie-crawl/magpie/cmd/magpie/machine"
	"github.com/magpie-crawl/magpie/config"
	"github.com/magpie-crawl/magpie/crawl"
	"github.com/magpie-crawl/magpie/store"
)

// State is how a run came out.
type State string

// What a run can come to.
const (
	Finished    State = "finished"    // everything was visited, or a limit ended it
	Interrupted State = "interrupted" // it was stopped, and goes on with the next start
	Failed      State = "failed"      // it could not begin or go on; what was stored is safe
)

// Outcome is what came of a run.
type Outcome struct {
	State       State
	Err         error                // why it failed, or what of the work after a finished crawl did
	Crawled     *crawl.Summary       // nil: no run was begun by this
	Problems    []store.ProblemCount // of the run, the most frequent first
	Drifts      []machine.Drift      // figures of a finished run that were worse than usual
	Trimmed     []store.Trimmed      // bodies that were dropped
	Exports     []Exported           // files that were written
	Sent        int                  // messages that webhooks took
	Undelivered error                // messages that they did not, see courier.IsUndelivered; they are kept
}

// Exported is an export that was written.
type Exported struct {
	config.Export
	Records int64
}

// Complete tells whether all went well: nothing failed, no record was set
// aside, and where the job counts drift nothing drifted.
func (o *Outcome) Complete(job *config.Job) bool {
	if o.State != Finished || o.Err != nil || o.Undelivered != nil || o.Crawled == nil {
		return false
	}
	c := o.Crawled.Run.Counters
	return c.Failed == 0 && c.Rejects == 0 && !(job.FailOnDrift && len(o.Drifts) > 0)
}

// Trouble is what went wrong that a job's owner should look at; nil: nothing.
// Failed pages, rejects and drift are none: they are in the figures.
func (o *Outcome) Trouble() error {
	if o.State == Interrupted {
		return nil
	}
	return errors.Join(o.Err, o.Undelivered)
}

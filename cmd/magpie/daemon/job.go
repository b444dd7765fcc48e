package daemon

import (
	"time"

	"github.com/magpie-crawl/magpie/config"
)

// State is what a job is at.
type State string

// The states of a job.
const (
	Idle     State = "idle"
	Queued   State = "queued"   // due, and waiting for its turn
	Running  State = "running"  // being crawled
	Stopping State = "stopping" // requests in flight are finished, or files are written
)

// Job is a job of the folder as it stands at a moment.
type Job struct {
	Name   string      // of the job; of a file that was never loaded, the file's, and if a job has that name, with " (file)" after it
	File   string      // name within the folder
	Fault  string      // why the file as it is now is refused: the job as it was before, if any, stays; "": it is in use
	Config *config.Job // nil: never loaded
	State  State
	Since  time.Time // of State
	Paused bool      // its schedule is off; false: it has none
	Next   time.Time // when it is due; zero: it has no schedule, or never again
	Past   time.Time // due times up to this one count no more; after now where the clock was ahead
	Run    int       // number of the run that is going on; 0: none
	Err    string    // why its last run since the daemon began went wrong; "": it did not
}

// Start says how a run that somebody asks for begins.
type Start struct {
	Fresh    bool // a new run even if one is unfinished
	Continue bool // go on with the last run if a limit ended it
}

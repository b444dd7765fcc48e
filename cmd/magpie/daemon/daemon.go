package daemon

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"github.com/magpie-crawl/magpie/crawl"
	"github.com/magpie-crawl/magpie/store"
)

// Options set what a daemon works on.
type Options struct {
	Dir         string // of the job files
	DB          *store.DB
	Concurrency int           // runs at a time; default 4
	StopWithin  time.Duration // how long runs may take to stop softly; default 30s
	Log         *slog.Logger
}

// Daemon runs jobs. Its methods are safe for concurrent use.
type Daemon struct{}

// What asking a daemon for something can come to.
var (
	ErrUnknown    = errors.New("there is no such job")
	ErrRunning    = errors.New("the job is running")
	ErrNotRunning = errors.New("the job is not running")
	ErrFault      = errors.New("the job's file has mistakes")
)

// New returns a daemon for the job files of a folder. Nothing runs before Run.
func New(o Options) (*Daemon, error) { return &Daemon{}, nil }

// Run runs jobs as they are due until ctx is done, and then stops softly.
func (d *Daemon) Run(ctx context.Context) error { <-ctx.Done(); return nil }

// Jobs returns the folder's jobs by name.
func (d *Daemon) Jobs() []Job { return nil }

// Job returns a job by its name.
func (d *Daemon) Job(name string) (Job, bool) { return Job{}, false }

// Start begins a run of a job, or goes on with its unfinished one, as soon as
// there is room. It returns ErrUnknown, ErrRunning or ErrFault.
func (d *Daemon) Start(name string, how Start) error { return ErrUnknown }

// Stop ends a job's run softly; the next start goes on with it. It returns
// ErrUnknown or ErrNotRunning.
func (d *Daemon) Stop(name string) error { return ErrUnknown }

// Pause turns a job's schedule off or on, also for later processes.
func (d *Daemon) Pause(name string, paused bool) error { return ErrUnknown }

// Crawler returns what crawls a job now.
func (d *Daemon) Crawler(name string) (*crawl.Crawler, bool) { return nil, false }

// Changed returns a channel that is closed at the next change of a job.
func (d *Daemon) Changed() <-chan struct{} { return nil }

// Save checks a job file and puts it into the folder; file is a bare name that
// ends in .yaml or .yml. Mistakes are of type config.Mistakes.
func (d *Daemon) Save(file string, source []byte) error { return nil }

// Delete takes a job file out of the folder. What the job stored stays.
func (d *Daemon) Delete(file string) error { return nil }

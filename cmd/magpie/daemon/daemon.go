package daemon

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"maps"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/magpie-crawl/magpie/config"
	"github.com/magpie-crawl/magpie/crawl"
	"github.com/magpie-crawl/magpie/internal/clock"
	"github.com/magpie-crawl/magpie/store"
)

// Options set what a daemon works on.
type Options struct {
	Dir         string // of the job files
	DB          *store.DB
	Clock       clock.Clock   // what schedules go by; default clock.System
	Concurrency int           // runs at a time; default 4
	StopWithin  time.Duration // how long runs may take to stop softly; default 30s
	Log         *slog.Logger  // default: nothing is logged
	Software    string        // name and version that manifests of exports have

	// Settings are what serve.yaml said before New; nil: nothing. TakeUp is
	// called in Run with what it says, once and whenever it has changed. It
	// returns the keys that are used as they were until the daemon is started
	// again, and may call the daemon's methods.
	Settings *config.Serve
	TakeUp   func(*config.Serve) (restart []string)

	// Strangers says that whoever reaches this machine may save job files and
	// try them, as where no token is asked for: see StrangerError.
	Strangers bool

	// Prepare may change the options of a run before it begins, such as to
	// have all runs share something. It is called from any goroutine.
	Prepare func(job string, o *crawl.Options)

	// Ended is called after each run, also one that could not begin, before
	// the next of the job: what takes long belongs into a goroutine of its
	// own. A run that ended just before the process was killed may be told of
	// again by the next.
	Ended func(context.Context, Ended)
}

// Defaults of Options.
const (
	DefaultConcurrency = 4
	DefaultStopWithin  = 30 * time.Second
)

// Daemon runs jobs. Its methods are safe for concurrent use.
type Daemon struct {
	o     Options
	clock clock.Clock
	log   *slog.Logger
	hard  context.Context // done: runs end at once
	abort context.CancelFunc
	wake  chan struct{} // the loop is to look again
	runs  sync.WaitGroup
	hosts crawl.Hosts // all runs are polite together

	// reading is held while the job files are read or written. It comes before
	// change, so that schedules go on where the disk that they are on hangs.
	reading sync.Mutex
	folder  folder

	// change is held while something is decided and written down, one
	// decision at a time. It comes before mu.
	change   sync.Mutex
	hold     *store.DaemonHold // nil: not taken yet
	open     bool              // Run goes on: runs may begin
	ending   atomic.Bool       // Run has begun to stop; set with change held
	lost     error             // why the daemon can decide nothing any more
	followed failure
	seen     time.Time // what the clock showed when schedules were last followed
	settings settings

	mu      sync.Mutex // guards what follows, for moments; written with change held too
	jobs    map[string]*job
	going   int // runs
	changed chan struct{}
}

// What asking a daemon for something can come to.
var (
	ErrUnknown    = errors.New("there is no such job")
	ErrRunning    = errors.New("the job is running")
	ErrNotRunning = errors.New("the job is not running")
	ErrFault      = errors.New("the job's file has mistakes")
	ErrNoSchedule = errors.New("the job has no schedule")
	ErrStopping   = errors.New("magpie serve is being stopped: it begins no run")
)

// New returns a daemon for the job files of a folder. Nothing runs before Run.
func New(o Options) (*Daemon, error) {
	if o.Clock == nil {
		o.Clock = clock.System
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	o.Concurrency = cmp.Or(max(0, o.Concurrency), DefaultConcurrency)
	o.StopWithin = cmp.Or(max(0, o.StopWithin), DefaultStopWithin)
	d := &Daemon{o: o, clock: o.Clock, log: o.Log, wake: make(chan struct{}, 1), jobs: map[string]*job{}, changed: make(chan struct{})}
	d.hard, d.abort = context.WithCancel(context.Background())
	d.folder = folder{dir: o.Dir, files: map[string]*file{}}
	d.settings.state.InUse = cmp.Or(o.Settings, &config.Serve{})
	d.reading.Lock()
	defer d.reading.Unlock()
	return d, d.scan(nil)
}

// Jobs returns the folder's jobs by name.
func (d *Daemon) Jobs() []Job {
	d.mu.Lock()
	defer d.mu.Unlock()
	list := make([]Job, 0, len(d.jobs))
	for _, j := range d.jobs {
		list = append(list, j.snapshot())
	}
	slices.SortFunc(list, func(a, b Job) int { return strings.Compare(a.Name, b.Name) })
	return list
}

// Job returns a job by its name.
func (d *Daemon) Job(name string) (Job, bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if j := d.jobs[name]; j != nil {
		return j.snapshot(), true
	}
	return Job{}, false
}

// Crawler returns what crawls a job now.
func (d *Daemon) Crawler(name string) (*crawl.Crawler, bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if j := d.jobs[name]; j != nil && j.current != nil && j.current.crawler != nil {
		return j.current.crawler, true
	}
	return nil, false
}

// Changed returns a channel that is closed at the next change of a job.
func (d *Daemon) Changed() <-chan struct{} {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.changed
}

// update changes what jobs are like, and tells those who wait for it. change
// must be held.
func (d *Daemon) update(f func()) {
	d.mu.Lock()
	defer d.mu.Unlock()
	before := make(map[*job]State, len(d.jobs))
	for _, j := range d.jobs {
		before[j] = j.state()
	}
	f()
	now := d.clock.Now()
	for _, j := range d.jobs {
		if state, known := before[j]; !known || state != j.state() {
			j.since = now
		}
	}
	close(d.changed)
	d.changed = make(chan struct{})
}

// updateLater is update for those who don't hold change.
func (d *Daemon) updateLater(f func()) {
	d.change.Lock()
	defer d.change.Unlock()
	d.update(f)
}

// lookAgain makes the loop look at the jobs at once.
func (d *Daemon) lookAgain() {
	select {
	case d.wake <- struct{}{}:
	default:
	}
}

// byName lists the jobs; change must be held.
func (d *Daemon) byName() []*job {
	return slices.SortedFunc(maps.Values(d.jobs), func(a, b *job) int { return strings.Compare(a.name, b.name) })
}

// take takes hold of the database; change must be held. The first time, what
// the database has of the jobs that are known already is looked up.
func (d *Daemon) take(ctx context.Context) error {
	if d.lost != nil || d.hold != nil {
		return d.lost
	}
	dir := absolute(d.o.Dir)
	hold, err := d.o.DB.HoldDaemon(ctx, dir)
	if err != nil {
		return err
	}
	d.hold = hold
	return d.adopt(ctx, d.byName())
}

// decide writes decisions down; change must be held.
func (d *Daemon) decide(ctx context.Context, decisions []store.Decision) error {
	if d.hold == nil {
		return cmp.Or(d.lost, errStopped)
	}
	return d.lose(d.hold.Decide(context.WithoutCancel(ctx), decisions))
}

// lose keeps in mind what says that nothing which is decided from now on would
// be kept, and has the loop end for it; change must be held.
func (d *Daemon) lose(err error) error {
	switch {
	case errors.Is(err, crawl.ErrLost):
		d.lost = errors.New("another daemon has taken over the jobs of " + d.o.DB.Path())
	case errors.Is(err, store.ErrMoved):
		d.lost = err
	default:
		return err
	}
	d.lookAgain()
	return d.lost
}

package alert

import (
	"context"
	"crypto/x509"
	"fmt"
	"log/slog"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/magpie-crawl/magpie/cmd/magpie/courier"
	"github.com/magpie-crawl/magpie/config"
	"github.com/magpie-crawl/magpie/config/notify"
	"github.com/magpie-crawl/magpie/config/schedule"
	"github.com/magpie-crawl/magpie/internal/clock"
	"github.com/magpie-crawl/magpie/store"
)

// Options set what alerts work on.
type Options struct {
	DB       *store.DB     // nil: for Trial alone
	Clock    clock.Clock   // default clock.System
	Settings *config.Serve // SMTP, URL and Notify of it are used; nil: none
	Log      *slog.Logger  // default: nothing is logged

	roots *x509.CertPool // that mail servers are trusted by; nil: the machine's
}

// Job is a job that is watched.
type Job struct {
	Name     string
	Notify   []notify.Channel   // nil: those of the settings; empty: nobody is told
	Schedule *schedule.Schedule // nil: it does not run by itself, and is never silent
	Silence  int                // intervals after which it is; 0: notify.DefaultSilence, below 0: never
	Paused   bool               // its schedule is off
	Began    time.Time          // when the run began that is going on; zero: none is
}

// JobOf is the job of a job file, without Paused and Began. s is its schedule,
// compiled; nil: it has none.
func JobOf(c *config.Job, s *schedule.Schedule) Job {
	return Job{Name: c.Name, Notify: c.Notify, Schedule: s, Silence: c.Silence}
}

// Outcome is how a run of a job ended.
type Outcome struct {
	Due         int64 // store.DueRun.ID of what began it: an outcome that is told of twice counts once; 0: unknown
	Run         int   // number of the run; 0: none was begun
	Err         error // why it failed; nil: it did not
	Interrupted bool  // it was stopped: neither a success nor a failure
}

// ended is the end of a run.
type ended struct {
	job     Job
	outcome Outcome
}

// Alerter watches jobs and tells of them. Its methods are safe for concurrent
// use.
type Alerter struct {
	db       *store.DB
	clock    clock.Clock
	log      *slog.Logger
	settings atomic.Pointer[config.Serve] // never nil
	sender   *courier.Sender
	roots    *x509.CertPool
	wake     chan struct{} // there may be something to send

	change sync.Mutex // held while it is decided what to tell
	watch  watch
	late   map[string]ended // of each job the last run whose end could not be stored

	mu       sync.Mutex                // guards what follows
	channels map[string]notify.Channel // by ID
	busy     map[string]bool           // channels that a message is being sent to
}

// New returns an alerter of the jobs in a database. It tells nothing before
// Run.
func New(o Options) (*Alerter, error) {
	a := &Alerter{
		db: o.DB, clock: o.Clock, log: o.Log, roots: o.roots, sender: courier.NewSender(),
		wake: make(chan struct{}, 1), late: map[string]ended{}, channels: map[string]notify.Channel{}, busy: map[string]bool{},
	}
	if a.clock == nil {
		a.clock = clock.System
	}
	if a.log == nil {
		a.log = slog.New(slog.DiscardHandler)
	}
	a.Use(o.Settings)
	if a.db == nil {
		return a, nil
	}
	return a, a.remember(context.Background())
}

// remember reads which jobs are watched, unless that is known.
func (a *Alerter) remember(ctx context.Context) error {
	if a.watch.jobs != nil {
		return nil
	}
	jobs, err := a.db.AlertJobs(ctx)
	if err != nil {
		return fmt.Errorf("read who is watched: %w", err)
	}
	a.watch.jobs = map[string]*watched{}
	for _, j := range jobs {
		a.watch.jobs[j.Job] = &watched{AlertJob: j}
	}
	return nil
}

// decide has f decide and store what is to be told; change must be held. Where
// that fails, what f remembers is not so: it is read again.
func (a *Alerter) decide(ctx context.Context, f func() error) error {
	err := a.remember(ctx)
	if err == nil {
		err = f()
	}
	if err != nil {
		a.watch.jobs = nil
	}
	return err
}

// Use has other settings used from now on, also for what waits to be sent;
// nil: none.
func (a *Alerter) Use(s *config.Serve) {
	if s == nil {
		s = &config.Serve{}
	}
	a.settings.Store(s)
	a.learn(s.Notify)
	a.lookAgain()
}

// RunEnded is told of each run when it has ended, also of one that could not
// begin. If that cannot be stored, Tick tries it again.
func (a *Alerter) RunEnded(ctx context.Context, job Job, o Outcome) error {
	if o.Interrupted {
		return nil
	}
	a.change.Lock()
	defer a.change.Unlock()
	a.late[job.Name] = ended{job, o}
	return a.judgeLate(ctx, job.Name)
}

// judgeLate judges the last run of a job whose end is not stored.
func (a *Alerter) judgeLate(ctx context.Context, job string) error {
	e := a.late[job]
	err := a.decide(ctx, func() error {
		c := store.AlertChange{At: a.clock.Now()}
		if err := a.judge(ctx, e.job, a.channelsOf(e.job), e.outcome, &c); err != nil {
			return err
		}
		return a.commit(ctx, c)
	})
	if err != nil {
		return fmt.Errorf("judge a run of %s: %w", job, err)
	}
	delete(a.late, job)
	return nil
}

// Tick is called every minute with all jobs there are. It finds those that are
// silent, and forgets those that are not in the list.
func (a *Alerter) Tick(ctx context.Context, jobs []Job) error {
	a.change.Lock()
	defer a.change.Unlock()
	for job := range a.late {
		if err := a.judgeLate(ctx, job); err != nil {
			return err
		}
	}
	return a.decide(ctx, func() error { return a.lookForSilence(ctx, jobs) })
}

func (a *Alerter) lookForSilence(ctx context.Context, jobs []Job) error {
	now := a.clock.Now()
	a.watch.tick(now)
	c := store.AlertChange{At: now}
	there := map[string]bool{}
	for _, job := range jobs {
		there[job.Name] = true
		if err := a.checkSilence(ctx, job, a.channelsOf(job), now, &c); err != nil {
			return fmt.Errorf("look whether %s is silent: %w", job.Name, err)
		}
	}
	for name := range a.watch.jobs {
		if !there[name] {
			c.Gone = append(c.Gone, name)
		}
	}
	if err := a.commit(ctx, c); err != nil {
		return err
	}
	if a.watch.forgetAt(now) {
		return a.db.ForgetAlertMessages(ctx, now.Add(-keepMessages))
	}
	return nil
}

// keepMessages is how long messages that were sent or dropped are listed.
const keepMessages = 30 * 24 * time.Hour

// commit stores a change and remembers it.
func (a *Alerter) commit(ctx context.Context, c store.AlertChange) error {
	if c.Empty() {
		return nil
	}
	// A change that was decided is stored though the daemon is being stopped.
	if err := a.db.ChangeAlerts(context.WithoutCancel(ctx), c); err != nil {
		return err
	}
	for _, j := range c.Jobs {
		a.watch.job(j.Job).AlertJob = j
	}
	for _, name := range c.Gone {
		delete(a.watch.jobs, name)
	}
	if len(c.Events) > 0 {
		a.lookAgain()
	}
	return nil
}

// channelsOf are the ways that messages about a job go.
func (a *Alerter) channelsOf(job Job) []notify.Channel {
	channels := job.Notify
	if channels == nil {
		channels = a.settings.Load().Notify
	}
	a.learn(channels)
	return channels
}

// learn remembers channels, for messages in the database have only their IDs.
func (a *Alerter) learn(channels []notify.Channel) {
	a.mu.Lock()
	defer a.mu.Unlock()
	for _, c := range channels {
		a.channels[c.ID] = c
	}
}

func (a *Alerter) lookAgain() {
	select {
	case a.wake <- struct{}{}:
	default:
	}
}

// Problems lists the open problems of a job, or with "" of all jobs.
func Problems(ctx context.Context, db *store.DB, job string) ([]store.Alert, error) {
	return db.Alerts(ctx, job)
}

// Messages lists messages in a state, or with "" those that are to be sent and
// those that were given up lately, up to limit of each; about a job, or with ""
// about any. Those that are to be sent come in the order in which they are due,
// others the last first.
func Messages(ctx context.Context, db *store.DB, state store.AlertMessageState, job string, limit int) (list []store.AlertMessage, err error) {
	states := []store.AlertMessageState{state}
	if state == "" {
		states = []store.AlertMessageState{store.AlertDue, store.AlertDropped}
	}
	for _, state := range states {
		part, err := db.AlertMessages(ctx, state, job, limit)
		if err != nil {
			return nil, err
		}
		if state == store.AlertDue {
			slices.SortStableFunc(part, func(a, b store.AlertMessage) int { return a.Due.Compare(b.Due) })
		}
		list = append(list, part...)
	}
	return list, nil
}

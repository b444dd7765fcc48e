package main

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"time"

	"github.com/magpie-crawl/magpie/cmd/magpie/alert"
	"github.com/magpie-crawl/magpie/cmd/magpie/daemon"
	"github.com/magpie-crawl/magpie/cmd/magpie/runner"
	"github.com/magpie-crawl/magpie/config"
	"github.com/magpie-crawl/magpie/config/schedule"
	"github.com/magpie-crawl/magpie/store"
)

// serveAlerts tell of a daemon's jobs.
type serveAlerts struct {
	alerter *alert.Alerter
	trials  *alert.Trials
	log     *slog.Logger

	mu        sync.Mutex
	schedules map[*config.Job]*schedule.Schedule // compiled
}

func newServeAlerts(db *store.DB, settings *config.Serve, log *slog.Logger) (*serveAlerts, error) {
	a, err := alert.New(alert.Options{DB: db, Settings: settings, Log: log})
	return &serveAlerts{alerter: a, trials: alert.NewTrials(a), log: log, schedules: map[*config.Job]*schedule.Schedule{}}, err
}

// ended is daemon.Options.Ended.
func (s *serveAlerts) ended(ctx context.Context, e daemon.Ended) {
	o := alert.Outcome{Due: e.Due.ID, Run: e.Run, Err: e.Outcome.Err, Interrupted: interrupted(e)}
	if err := s.alerter.RunEnded(ctx, s.job(e.Config), o); err != nil {
		s.log.Error("the end of a run cannot be told", "job", e.Job, "error", err)
	}
}

// interrupted tells runs that go on later, or that nobody wants, from those
// that came to an end: a run that was finished when it was stopped is one of
// these, unless what follows it was ended at once with the daemon, which the
// next process does again.
func interrupted(e daemon.Ended) bool {
	switch e.Outcome.State {
	case runner.Interrupted:
		return true
	case runner.Finished:
		return e.Stopped != "" && errors.Is(e.Outcome.Err, context.Canceled)
	}
	return e.Stopped != ""
}

// job is a job as it is watched.
func (s *serveAlerts) job(c *config.Job) alert.Job {
	s.mu.Lock()
	defer s.mu.Unlock()
	times, known := s.schedules[c]
	if !known && c.Schedule.Cron != "" {
		times, _ = schedule.New(c.Schedule, c.Name) // it was checked with the file
		s.schedules[c] = times
	}
	return alert.JobOf(c, times)
}

// jobs are the jobs of the daemon as they are watched.
func (s *serveAlerts) jobs(d *daemon.Daemon) []alert.Job {
	var list []alert.Job
	there := map[*config.Job]bool{}
	for _, j := range d.Jobs() {
		if j.Config == nil {
			list = append(list, alert.Job{Name: j.Name})
			continue
		}
		there[j.Config] = true
		job := s.job(j.Config)
		job.Paused = j.Paused
		if j.State == daemon.Running || j.State == daemon.Stopping {
			job.Began = j.Since
		}
		list = append(list, job)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for c := range s.schedules {
		if !there[c] {
			delete(s.schedules, c)
		}
	}
	return list
}

// start watches the jobs and sends messages until stop is called, which
// returns when nothing is on its way any more.
func (s *serveAlerts) start(d *daemon.Daemon) (stop func()) {
	ctx, cancel := context.WithCancel(context.Background())
	var going sync.WaitGroup
	going.Go(func() { s.alerter.Run(ctx) })
	going.Go(func() {
		for {
			if err := s.alerter.Tick(ctx, s.jobs(d)); err != nil && ctx.Err() == nil {
				s.log.Error("it cannot be seen which jobs are silent", "error", err)
			}
			select {
			case <-ctx.Done():
				return
			case <-time.After(time.Minute):
			}
		}
	})
	return func() {
		cancel()
		going.Wait()
	}
}

package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"
)

// stopper ends a command's work in two steps, each a signal: Soft is done
// when what has begun should be finished and nothing more started, Hard when
// everything should end at once. After that signals do what they do without
// a stopper: they end the process.
type stopper struct {
	Soft, Hard context.Context
	release    func()
}

// onSignals returns a stopper for SIGINT (Ctrl-C) and SIGTERM, which tells
// what it does. The caller must call stop.
func onSignals(ctx context.Context, tell func(string)) *stopper {
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	return stopOn(ctx, signals, tell, func() { signal.Stop(signals) })
}

// stopOn returns a stopper that takes its signals from a channel; ignore is
// called once it listens no more.
func stopOn(ctx context.Context, signals <-chan os.Signal, tell func(string), ignore func()) *stopper {
	hard, cancelHard := context.WithCancel(ctx)
	soft, cancelSoft := context.WithCancel(hard)
	finished := make(chan struct{})
	go func() {
		defer close(finished)
		defer ignore()
		for _, step := range []struct {
			cancel func()
			word   string
		}{
			{cancelSoft, "Stopping: what has begun is finished. Once more stops at once."},
			{cancelHard, "Stopping at once."},
		} {
			select {
			case <-signals:
				tell(step.word)
				step.cancel()
			case <-hard.Done():
				return
			}
		}
	}()
	return &stopper{soft, hard, func() { cancelHard(); cancelSoft(); <-finished }}
}

// untilSignal returns a context that the first SIGINT or SIGTERM ends, for work
// that has files to clear away. The second signal ends the process. The caller
// must call stop.
func untilSignal(ctx context.Context) (until context.Context, stop func()) {
	until, release := signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(until, release)
	return until, release
}

// stop ends both contexts and listens to no more signals.
func (s *stopper) stop() { s.release() }

// interrupted tells whether a signal has come.
func (s *stopper) interrupted() bool { return s.Soft.Err() != nil }

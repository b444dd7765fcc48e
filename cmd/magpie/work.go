package main

import (
	"context"
	"sync"
)

// work is something that takes long, is shown as it goes on, and ends at the
// first signal.
type work struct {
	ctx      context.Context
	progress *progress
	signals  *stopper
	once     sync.Once
}

// startWork shows what snapshot returns on standard error until stop is
// called: on a terminal in a live line, otherwise in log lines every now and
// then.
func (a *app) startWork(ctx context.Context, snapshot func() []stat) *work {
	w := &work{progress: startProgress(a.stderr, logOptions{}, a.json, snapshot)}
	w.signals = onSignals(ctx, func(string) {})
	w.ctx = w.signals.Soft
	return w
}

func (w *work) interrupted() bool { return w.signals.interrupted() }

// stop takes the live line away. It may be called more than once.
func (w *work) stop() {
	w.once.Do(w.progress.stop)
}

package main

import "context"

// work is something that takes long, is shown as it goes on, and ends at the
// first signal.
type work struct {
	ctx         context.Context
	interrupted bool // by a signal, known once it was stopped
	progress    *progress
	signals     *stopper
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

// stop takes the live line away. Signals then end the process again. It may be
// called more than once.
func (w *work) stop() {
	if w.signals == nil {
		return
	}
	w.progress.stop()
	w.interrupted = w.signals.interrupted()
	w.signals.stop()
	w.signals = nil
}

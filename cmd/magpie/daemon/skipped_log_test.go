package daemon

import (
	"bytes"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"time"
)

// TestSkippedIsLoggedOnce holds that a job that is paused for months, or whose
// run takes long, does not fill the log.
func TestSkippedIsLoggedOnce(t *testing.T) {
	w := newWorld(t)
	w.job("a", everyMinute)
	var log logged
	w.start(func(o *Options) { o.Log = slog.New(slog.NewTextHandler(&log, nil)) })
	w.pauseJob("a", true)
	for n := range 60 {
		w.at(minute(n + 1))
	}
	if n := log.count("reason=paused"); n != 1 {
		t.Errorf("%d lines of 60 due times", n)
	}
	w.wantDue("a", "12:01 skipped ×60: paused")

	w.pauseJob("a", false)
	w.at(minute(61))
	w.until(func() bool { return len(w.runs("a")) == 1 }, func() string { return "no run" })
	w.state("a", Idle)
	w.pauseJob("a", true)
	w.at(minute(62).Add(time.Second))
	if n := log.count("reason=paused"); n != 2 {
		t.Errorf("%d lines after it ran in between", n)
	}
}

// logged keeps what is logged.
type logged struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (l *logged) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(p)
}

func (l *logged) count(what string) int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return strings.Count(l.text.String(), what)
}

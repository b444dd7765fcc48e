package main

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"strings"
	"sync"
	"time"

	"github.com/magpie-crawl/magpie/internal/harmless"
)

// stat is one figure of a work's progress.
type stat struct {
	name  string // as a log line calls it; "": there is nothing to show
	value any    // as a log line shows it
	text  string // as the live line shows it, with its unit; "": only in logs
}

// progress shows how a work goes on: on a terminal in a live line that is
// written over, otherwise in log lines.
type progress struct {
	out      io.Writer
	term     terminal
	log      *slog.Logger
	snapshot func() []stat

	mu   sync.Mutex
	live bool // the live line is on the screen
	end  context.CancelFunc
	done chan struct{}
}

// How often progress is shown.
const (
	liveInterval = 200 * time.Millisecond
	logInterval  = 10 * time.Second
)

// startProgress shows what snapshot returns until stop is called. snapshot
// is called from another goroutine, one call at a time. Log lines are JSON
// when json is set, on a terminal too.
func startProgress(out io.Writer, logs logOptions, json bool, snapshot func() []stat) *progress {
	p := &progress{out: out, term: terminalOf(out), snapshot: snapshot, done: make(chan struct{})}
	interval := logInterval
	if json || logs.lines() {
		p.term = terminal{}
	}
	p.log = logs.newLogger(p, json, p.term.people)
	if p.term.people {
		interval = liveInterval
	}
	ctx, cancel := context.WithCancel(context.Background())
	p.end = cancel
	go p.run(ctx, interval)
	return p
}

func (p *progress) run(ctx context.Context, interval time.Duration) {
	defer close(p.done)
	tick := time.NewTicker(interval)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
			p.show(p.snapshot())
		case <-ctx.Done():
			return
		}
	}
}

// show writes the figures once.
func (p *progress) show(stats []stat) {
	if !p.term.people {
		var attrs []slog.Attr
		for _, s := range stats {
			if s.name != "" {
				attrs = append(attrs, slog.Any(s.name, s.value))
			}
		}
		p.log.LogAttrs(context.Background(), slog.LevelInfo, "progress", attrs...)
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	var texts []string
	for _, s := range stats {
		if s.text != "" {
			texts = append(texts, harmless.Text(s.text))
		}
	}
	line := columns.Truncate(strings.Join(texts, " · "), p.term.width()-1, "…")
	fmt.Fprintf(p.out, "\r%s\x1b[K", line)
	p.live = true
}

// Write writes whole lines so that they don't mix with the live line.
func (p *progress) Write(lines []byte) (int, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.clear()
	return p.out.Write(lines)
}

// tell tells people something: beside the live line, or as a log line.
func (p *progress) tell(text string) {
	if !p.term.people {
		p.log.Info(text)
		return
	}
	io.WriteString(p, harmless.Text(text)+"\n")
}

// stop takes the live line from the screen.
func (p *progress) stop() {
	p.end()
	<-p.done
	p.mu.Lock()
	defer p.mu.Unlock()
	p.clear()
}

func (p *progress) clear() {
	if p.live {
		io.WriteString(p.out, "\r\x1b[K")
		p.live = false
	}
}

package alert

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/magpie-crawl/magpie/config"
	"github.com/magpie-crawl/magpie/config/notify"
)

// Bounds of trial messages that a server is asked for.
const (
	trialPause   = 3 * time.Second  // from the end of one request to the next
	TrialsWithin = 20 * time.Second // whatever a channel's timeout says: somebody waits for what came of it
)

// Trials sends trial messages for those who ask a server: one request at a
// time and a pause after it, for each message goes to somebody, and runs a
// command where that is the way. Its methods are safe for concurrent use.
type Trials struct {
	alerter *Alerter

	mu    sync.Mutex
	busy  bool
	ended time.Time // when the last request was done
}

// NewTrials returns Trials of an alerter's settings.
func NewTrials(a *Alerter) *Trials { return &Trials{alerter: a} }

// TooSoonError says that trial messages were sent just now, or are.
type TooSoonError struct {
	Wait time.Duration // until it is worth asking again
}

func (e *TooSoonError) Error() string {
	return fmt.Sprintf("trial messages were sent just now: wait %s", e.Wait.Round(time.Second))
}

// Send sends a trial message to each channel, once and at once. The list has
// what came of each, nil where it was sent. The error is a *TooSoonError.
func (t *Trials) Send(ctx context.Context, channels []notify.Channel) ([]error, error) {
	if err := t.begin(); err != nil {
		return nil, err
	}
	defer t.end()
	ctx, cancel := context.WithTimeout(ctx, TrialsWithin)
	defer cancel()
	came := make([]error, len(channels))
	var sending sync.WaitGroup
	places := make(chan struct{}, maxAtOnce)
	for i, c := range channels {
		places <- struct{}{}
		sending.Go(func() {
			defer func() { <-places }()
			came[i] = t.alerter.Trial(ctx, c)
		})
	}
	sending.Wait()
	return came, nil
}

func (t *Trials) begin() error {
	t.mu.Lock()
	defer t.mu.Unlock()
	since := t.alerter.clock.Now().Sub(t.ended)
	switch {
	case t.busy:
		return &TooSoonError{trialPause}
	case !t.ended.IsZero() && since >= 0 && since < trialPause: // below 0: the clock was set back
		return &TooSoonError{max(time.Second, trialPause-since)}
	}
	t.busy = true
	return nil
}

func (t *Trials) end() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.busy, t.ended = false, t.alerter.clock.Now()
}

// Way is a way that messages go, with the jobs that tell it.
type Way struct {
	Channel notify.Channel
	Jobs    []string // names; of the settings' ways, which all jobs go that say nothing: that of their file, first
}

// Ways are all ways that messages about jobs go, each once: those of the
// settings, which may be nil, then those of the jobs.
func Ways(settings *config.Serve, jobs []Job) (list []Way) {
	add := func(name string, channels []notify.Channel) {
		for _, c := range channels {
			i := slices.IndexFunc(list, func(w Way) bool { return w.Channel.ID == c.ID })
			if i < 0 {
				i = len(list)
				list = append(list, Way{Channel: c})
			}
			list[i].Jobs = append(list[i].Jobs, name)
		}
	}
	if settings != nil {
		add(config.ServeFile, settings.Notify)
	}
	for _, j := range jobs {
		add(j.Name, j.Notify)
	}
	return list
}

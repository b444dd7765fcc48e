package alert

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/magpie-crawl/magpie/config/notify"
	"github.com/magpie-crawl/magpie/internal/clock"
	"github.com/magpie-crawl/magpie/internal/harmless"
	"github.com/magpie-crawl/magpie/store"
)

// Bounds of sending.
const (
	maxEvents    = 200                // that one message tells of; of the others it tells how many
	firstRetry   = 30 * time.Second   // after a failed try, doubled for each next
	longestRetry = time.Hour          // between two tries
	maxAge       = 7 * 24 * time.Hour // what could not be sent by then is dropped
	maxAtOnce    = 8                  // channels that are sent to
)

// errNever is the error of what no other try can change.
var errNever = errors.New("it will never be taken")

// Run sends messages when they are due, until ctx is done. What is on its way
// then is broken off, and sent again by the next process.
func (a *Alerter) Run(ctx context.Context) error {
	var sending sync.WaitGroup
	defer sending.Wait()
	for {
		next, err := a.round(ctx, &sending)
		if ctx.Err() != nil {
			return nil
		}
		if err != nil {
			a.log.Error("messages cannot be read", "error", err)
			next = a.clock.Now().Add(time.Minute)
		}
		a.sleep(ctx, next)
	}
}

// sleep waits for a time of day, until the clock is set back, or until there is
// something new. Zero: for something new alone.
func (a *Alerter) sleep(ctx context.Context, until time.Time) {
	for last := a.clock.Now(); ; {
		var nap <-chan time.Time
		if !until.IsZero() {
			now := a.clock.Now()
			left := until.Sub(now)
			if left <= 0 || now.Before(last) {
				return
			}
			last, nap = now, a.clock.After(min(left, clock.Nap))
		}
		select {
		case <-ctx.Done():
			return
		case <-a.wake:
			return
		case <-nap:
		}
	}
}

// round begins to send what is due, to each channel that is not busy its first
// message, and returns when it has to look again.
func (a *Alerter) round(ctx context.Context, sending *sync.WaitGroup) (next time.Time, err error) {
	// Read with the lock held, which a channel needs to be no longer busy: what
	// is due here was not sent in between.
	a.mu.Lock()
	defer a.mu.Unlock()
	first, err := a.db.FirstAlertMessages(ctx)
	if err != nil {
		return time.Time{}, err
	}
	now := a.clock.Now()
	for _, m := range first {
		switch {
		case a.busy[m.Channel]: // it looks again when it is done
		case !isDue(m, now):
			if next.IsZero() || m.Due.Before(next) {
				next = m.Due
			}
		case len(a.busy) >= maxAtOnce:
		default:
			a.busy[m.Channel] = true
			sending.Go(func() {
				a.send(ctx, m)
				a.mu.Lock()
				delete(a.busy, m.Channel)
				a.mu.Unlock()
				a.lookAgain()
			})
		}
	}
	return next, nil
}

// isDue tells whether a message is to be sent, also where the clock was set
// back, by who knows how much, since it was written down when.
func isDue(m store.AlertMessage, now time.Time) bool {
	wait := m.Due.Sub(now)
	if m.Tries > 0 {
		return wait <= 0 || wait > longestRetry
	}
	return wait <= 0 || now.Before(m.Created)
}

// send makes one try to send a message, and notes what came of it.
func (a *Alerter) send(ctx context.Context, m store.AlertMessage) {
	message, err := a.compose(ctx, m)
	if err == nil {
		err = a.sendTo(ctx, m.Channel, message)
	}
	now := a.clock.Now()
	if err == nil {
		a.log.Info("message sent", "to", m.Name, "subject", message.Subject)
		// Also when the process is being stopped: it is not to be sent twice.
		stored := context.WithoutCancel(ctx)
		a.note(ctx, func() error { return a.db.AlertMessageSent(stored, m.ID, now) })
		return
	}
	if ctx.Err() != nil {
		return // it was broken off
	}
	why := clean(err.Error())
	if errors.Is(err, errNever) || now.Sub(m.Created) > maxAge {
		a.log.Error("message dropped", "to", m.Name, "subject", message.Subject, "tries", m.Tries+1, "error", why)
		a.note(ctx, func() error { return a.db.AlertMessageFailed(ctx, m.ID, why, now, time.Time{}) })
		return
	}
	retry := now.Add(max(backoff(m.Tries), wanted(err)))
	a.log.Warn("message not sent", "to", m.Name, "subject", message.Subject, "tries", m.Tries+1, "again", retry.UTC(), "error", why)
	a.note(ctx, func() error { return a.db.AlertMessageFailed(ctx, m.ID, why, now, retry) })
}

// note stores what became of a message. While it can't be stored, such as when
// the disk is full, the channel gets no other message: not the same again and
// again.
func (a *Alerter) note(ctx context.Context, store func() error) {
	for {
		err := store()
		if err == nil || ctx.Err() != nil {
			return
		}
		a.log.Error("what became of a message cannot be stored", "error", err)
		select {
		case <-ctx.Done():
		case <-a.clock.After(time.Minute):
		}
	}
}

// backoff is how long to wait after so many tries and one more.
func backoff(tries int) time.Duration {
	return min(longestRetry, firstRetry<<min(tries, 10))
}

// askedToWait is an error with how long the receiver wants to be left alone.
type askedToWait struct {
	error
	wait time.Duration
}

func (e *askedToWait) Unwrap() error { return e.error }

// wanted is how long a receiver wants to be left alone, within reason.
func wanted(err error) time.Duration {
	if e, ok := errors.AsType[*askedToWait](err); ok {
		return min(longestRetry, e.wait)
	}
	return 0
}

// compose puts a message together. Each try makes the same.
func (a *Alerter) compose(ctx context.Context, m store.AlertMessage) (notify.Message, error) {
	list, more, sealed, err := a.db.SealAlertMessage(ctx, m.ID, a.clock.Now(), maxEvents)
	if err != nil {
		return notify.Message{}, err
	}
	events := make([]notify.Event, len(list))
	for i, data := range list {
		if err := json.Unmarshal(data, &events[i]); err != nil {
			return notify.Message{}, fmt.Errorf("%w: read an event: %w", errNever, err)
		}
	}
	return notify.Compose(messageID(m), sealed, a.settings.Load().URL, events, more), nil
}

// messageID is the same for each try, so that a receiver knows what it has
// already.
func messageID(m store.AlertMessage) string {
	sum := sha256.Sum256(fmt.Appendf(nil, "%q %d %d", m.Channel, m.ID, m.Created.UnixMilli()))
	return "msg_" + hex.EncodeToString(sum[:16])
}

// sendTo makes one try to send a message to a channel.
func (a *Alerter) sendTo(ctx context.Context, id string, m notify.Message) error {
	a.mu.Lock()
	channel, known := a.channels[id]
	a.mu.Unlock()
	if !known {
		// Its job may be read later, or have a mistake in its file just now.
		return errors.New("no job and no setting has this way to tell any more")
	}
	return a.deliver(ctx, channel, m)
}

// deliver makes one try.
func (a *Alerter) deliver(ctx context.Context, channel notify.Channel, m notify.Message) error {
	ctx, cancel := context.WithTimeout(ctx, channel.Timeout)
	defer cancel()
	switch {
	case channel.Webhook != "":
		return a.post(ctx, channel, m)
	case channel.Email != "":
		return a.mail(ctx, channel, m)
	default:
		return runCommand(ctx, channel, m)
	}
}

// Trial sends a trial message to a channel, at once and once.
func (a *Alerter) Trial(ctx context.Context, channel notify.Channel) error {
	now := a.clock.Now()
	id := messageID(store.AlertMessage{Channel: channel.ID, ID: -1, Created: now})
	err := a.deliver(ctx, channel, notify.Trial(id, now, a.settings.Load().URL))
	if err != nil {
		return errors.New(harmless.Text(err.Error()))
	}
	return nil
}

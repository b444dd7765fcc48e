// Package courier takes the messages of a database's outbox to the webhooks of
// jobs, signed as https://www.standardwebhooks.com says.
package courier

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/magpie-crawl/magpie/cmd/magpie/words"
	"github.com/magpie-crawl/magpie/config"
	"github.com/magpie-crawl/magpie/crawl"
	"github.com/magpie-crawl/magpie/store"
)

// Tries is how often a message is sent after a run before it is left for later.
const Tries = 5

const (
	hookMaxAge  = 7 * 24 * time.Hour // what could not be sent by then is dropped
	longestWait = time.Hour          // for the next try
)

// Courier sends the messages of a job's outbox to its webhooks.
type Courier struct {
	db     *store.DB
	job    string
	hooks  map[string]config.Webhook // by name
	now    func() time.Time
	Sender *Sender
}

// New returns a courier of the job's messages in db.
func New(db *store.DB, job *config.Job) *Courier {
	c := &Courier{db: db, job: job.Name, hooks: map[string]config.Webhook{}, now: time.Now, Sender: NewSender()}
	for _, h := range job.Webhooks {
		c.hooks[h.Name] = h
	}
	return c
}

// Notices are the messages that a job's webhooks want of each run.
func Notices(job *config.Job) (list []crawl.Notice) {
	for _, h := range job.Webhooks {
		for _, event := range h.On {
			list = append(list, crawl.Notice{Hook: h.Name, Event: event})
		}
	}
	return list
}

// Undelivered says what a webhook did not take. What is kept is sent later.
type Undelivered struct {
	hook          string
	why           error
	kept, dropped int // messages
}

func (u *Undelivered) Error() string {
	text := fmt.Sprintf("webhook %s: %v", u.hook, u.why)
	if u.dropped > 0 {
		text += fmt.Sprintf(": %s dropped", words.Counted(int64(u.dropped), "message"))
	}
	if u.kept > 0 {
		text += fmt.Sprintf(": %s kept, to be sent with the next crawl of the job", words.Counted(int64(u.kept), "message"))
	}
	return text
}

// IsUndelivered tells the errors of webhooks from those of the database.
func IsUndelivered(err error) bool {
	joined, ok := err.(interface{ Unwrap() []error })
	if !ok {
		_, is := err.(*Undelivered)
		return is
	}
	for _, e := range joined.Unwrap() {
		if !IsUndelivered(e) {
			return false
		}
	}
	return true
}

// Deliver sends what is due, to each webhook in the order in which it became
// so, and returns how many messages were taken. A webhook that does not take a
// message in so many tries is left alone; the error has an *Undelivered for
// each of those. With one try, messages whose next try is not due are left.
func (c *Courier) Deliver(ctx context.Context, tries int) (sent int, err error) {
	due, err := c.db.DueMessages(ctx, c.job)
	if err != nil {
		return 0, err
	}
	failed := map[string]*Undelivered{}
	var errs []error
	for _, m := range due {
		switch u := failed[m.Hook]; {
		case u == nil:
			u, err := c.try(ctx, m, tries)
			if err != nil {
				return sent, err
			}
			if u == nil {
				sent++
			} else {
				failed[m.Hook] = u
			}
		case c.hopeless(m, u.why):
			u.dropped++
			errs = append(errs, c.db.MessageFailed(ctx, m.ID, u.why.Error(), time.Time{}))
		default:
			u.kept++
		}
	}
	for _, u := range failed {
		errs = append(errs, u)
	}
	return sent, errors.Join(errs...)
}

// try sends a message, and notes why it was not taken; nil: it was. err is the
// database's.
func (c *Courier) try(ctx context.Context, m store.Message, tries int) (u *Undelivered, err error) {
	if tries == 1 && c.early(m) {
		return &Undelivered{hook: m.Hook, why: errors.New(m.Error), kept: 1}, nil
	}
	why, err := c.message(ctx, m, tries)
	switch {
	case why == nil:
		return nil, err
	case c.hopeless(m, why):
		return &Undelivered{hook: m.Hook, why: why, dropped: 1}, c.db.MessageFailed(ctx, m.ID, why.Error(), time.Time{})
	}
	return &Undelivered{hook: m.Hook, why: why, kept: 1}, c.db.MessageFailed(ctx, m.ID, why.Error(), c.now().Add(backoff(m.Tries+tries)))
}

// hopeless tells whether a message is to be dropped whose webhook took none,
// or not the one before it.
func (c *Courier) hopeless(m store.Message, why error) bool {
	return errors.Is(why, errNoHook) || errors.Is(why, ErrGone) || c.now().Sub(m.Created) > hookMaxAge
}

// early tells whether a message is not to be tried yet. One that would wait
// for longer than ever was failed by a clock that was wrong.
func (c *Courier) early(m store.Message) bool {
	wait := m.Due.Sub(c.now())
	return wait > 0 && wait <= longestWait
}

// backoff is how long a message is left alone after so many tries.
func backoff(tries int) time.Duration {
	return min(longestWait, hookPause<<min(tries, 20))
}

var errNoHook = errors.New("the job has no such webhook any more")

// ErrGone is the error of a webhook that wants no message any more.
var ErrGone = errors.New("it answered 410, which is: never again")

// message sends all parts of a message. why is the reason why one of them was
// not taken; err is the database's.
func (c *Courier) message(ctx context.Context, m store.Message, tries int) (why, err error) {
	hook, known := c.hooks[m.Hook]
	if !known {
		return errNoHook, nil
	}
	for {
		p, err := c.compose(ctx, m)
		if err != nil {
			return nil, err
		}
		if p.body != nil {
			if why := c.Sender.Send(ctx, messageID(m), p.body, hook, tries); why != nil {
				return why, nil
			}
		}
		// Also when the process is being stopped: it is not to be sent twice.
		if err := c.db.MessageTaken(context.WithoutCancel(ctx), m.ID, p.last, p.final); err != nil || p.final {
			return nil, err
		}
		m.Part, m.After = m.Part+1, p.last
	}
}

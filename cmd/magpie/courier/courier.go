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

const hookMaxAge = 7 * 24 * time.Hour // what could not be sent by then is dropped

// Courier sends the messages of a job's outbox to its webhooks.
type Courier struct {
	db     *store.DB
	job    string
	hooks  map[string]config.Webhook // by name
	Sender *Sender
}

// New returns a courier of the job's messages in db.
func New(db *store.DB, job *config.Job) *Courier {
	c := &Courier{db: db, job: job.Name, hooks: map[string]config.Webhook{}, Sender: NewSender()}
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

// Undelivered says what could not be sent. It is kept and sent later.
type Undelivered struct {
	hook  string
	why   error
	left  int  // messages that are kept
	never bool // they are dropped instead
}

func (u *Undelivered) Error() string {
	if u.never {
		return fmt.Sprintf("webhook %s: %v: %s dropped", u.hook, u.why, words.Counted(int64(u.left), "message"))
	}
	return fmt.Sprintf("webhook %s: %v: %s kept, to be sent with the next crawl of the job", u.hook, u.why, words.Counted(int64(u.left), "message"))
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
		hook, known := c.hooks[m.Hook]
		if u := failed[m.Hook]; u != nil {
			if u.left++; u.never {
				errs = append(errs, c.db.MessageFailed(ctx, m.ID, u.why.Error(), time.Time{}))
			}
			continue
		}
		if tries == 1 && m.Due.After(time.Now()) {
			failed[m.Hook] = &Undelivered{hook: m.Hook, why: errors.New(m.Error), left: 1}
			continue
		}
		why := errNoHook
		if known {
			why, err = c.message(ctx, m, hook, tries)
			if err != nil {
				return sent, err
			}
		}
		if why == nil {
			sent++
			continue
		}
		u := &Undelivered{hook: m.Hook, why: why, left: 1, never: errors.Is(why, errNoHook) || errors.Is(why, ErrGone) || time.Since(m.Created) > hookMaxAge}
		failed[m.Hook] = u
		retry := time.Now().Add(min(time.Hour, hookPause<<min(m.Tries+tries, 20)))
		if u.never {
			retry = time.Time{}
		}
		errs = append(errs, c.db.MessageFailed(ctx, m.ID, why.Error(), retry))
	}
	for _, u := range failed {
		errs = append(errs, u)
	}
	return sent, errors.Join(errs...)
}

var errNoHook = errors.New("the job has no such webhook any more")

// ErrGone is the error of a webhook that wants no message any more.
var ErrGone = errors.New("it answered 410, which is: never again")

// message sends all parts of a message. why is the reason why one of them was
// not taken; err is the database's.
func (c *Courier) message(ctx context.Context, m store.Message, hook config.Webhook, tries int) (why, err error) {
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
		if err := c.db.MessageTaken(ctx, m.ID, p.last, p.final); err != nil || p.final {
			return nil, err
		}
		m.Part, m.After = m.Part+1, p.last
	}
}

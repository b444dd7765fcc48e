package main

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/magpie-crawl/magpie/config"
	"github.com/magpie-crawl/magpie/crawl"
	"github.com/magpie-crawl/magpie/store"
)

// Bounds of sending.
const (
	hookTimeout  = 30 * time.Second   // of one request
	hookTries    = 5                  // of one message after a run
	hookPause    = time.Second        // before the second try, doubled for each next
	hookPatience = time.Minute        // the longest pause that a receiver may ask for
	hookMaxAge   = 7 * 24 * time.Hour // what could not be sent by then is dropped
	partRecords  = 500                // records in one message
	partBytes    = 1 << 20            // of those records, unless one alone has more
)

// courier sends the messages of a job's outbox to its webhooks.
type courier struct {
	db     *store.DB
	job    string
	hooks  map[string]config.Webhook // by name
	client *http.Client
	pause  func(context.Context, time.Duration) error
}

func newCourier(db *store.DB, job *config.Job) *courier {
	c := &courier{db: db, job: job.Name, hooks: map[string]config.Webhook{}, pause: pause}
	for _, h := range job.Webhooks {
		c.hooks[h.Name] = h
	}
	// What is signed for one address is not taken to another.
	c.client = &http.Client{Timeout: hookTimeout, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	return c
}

func pause(ctx context.Context, d time.Duration) error {
	select {
	case <-time.After(d):
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// notices are the messages that a job's webhooks want of each run.
func notices(job *config.Job) (list []crawl.Notice) {
	for _, h := range job.Webhooks {
		for _, event := range h.On {
			list = append(list, crawl.Notice{Hook: h.Name, Event: event})
		}
	}
	return list
}

// undelivered says what could not be sent. It is kept and sent later.
type undelivered struct {
	hook  string
	why   error
	left  int  // messages that are kept
	never bool // they are dropped instead
}

func (u *undelivered) Error() string {
	if u.never {
		return fmt.Sprintf("webhook %s: %v: %s dropped", u.hook, u.why, counted(int64(u.left), "message"))
	}
	return fmt.Sprintf("webhook %s: %v: %s kept, to be sent with the next crawl of the job", u.hook, u.why, counted(int64(u.left), "message"))
}

// isUndelivered tells the errors of webhooks from those of the database.
func isUndelivered(err error) bool {
	joined, ok := err.(interface{ Unwrap() []error })
	if !ok {
		_, is := err.(*undelivered)
		return is
	}
	for _, e := range joined.Unwrap() {
		if !isUndelivered(e) {
			return false
		}
	}
	return true
}

// deliver sends what is due, to each webhook in the order in which it became
// so, and returns how many messages were taken. A webhook that does not take a
// message in so many tries is left alone; the error has an *undelivered for
// each of those. With one try, messages whose next try is not due are left.
func (c *courier) deliver(ctx context.Context, tries int) (sent int, err error) {
	due, err := c.db.DueMessages(ctx, c.job)
	if err != nil {
		return 0, err
	}
	failed := map[string]*undelivered{}
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
			failed[m.Hook] = &undelivered{hook: m.Hook, why: errors.New(m.Error), left: 1}
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
		u := &undelivered{hook: m.Hook, why: why, left: 1, never: errors.Is(why, errNoHook) || errors.Is(why, errHookGone) || time.Since(m.Created) > hookMaxAge}
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

var (
	errNoHook   = errors.New("the job has no such webhook any more")
	errHookGone = errors.New("it answered 410, which is: never again")
)

// message sends all parts of a message. why is the reason why one of them was
// not taken; err is the database's.
func (c *courier) message(ctx context.Context, m store.Message, hook config.Webhook, tries int) (why, err error) {
	for {
		p, err := c.compose(ctx, m)
		if err != nil {
			return nil, err
		}
		if p.body != nil {
			if why := c.send(ctx, messageID(m), p.body, hook, tries); why != nil {
				return why, nil
			}
		}
		if err := c.db.MessageTaken(ctx, m.ID, p.last, p.final); err != nil || p.final {
			return nil, err
		}
		m.Part, m.After = m.Part+1, p.last
	}
}

// messageID is the same for each try of a part, so that a receiver knows what
// it has already.
func messageID(m store.Message) string {
	h := sha256.New()
	fmt.Fprintf(h, "%q %d %q %q %d", m.Job, m.Started.UnixMilli(), m.Hook, m.Event, m.Part)
	return "msg_" + hex.EncodeToString(h.Sum(nil)[:16])
}

// part is one request's worth of a message.
type part struct {
	body  []byte // nil: there is nothing to tell
	last  int64  // store.ChangedRecord.ID of the last record in it
	final bool
}

// hookMessage is what is sent.
type hookMessage struct {
	Type      string    `json:"type"`
	Timestamp time.Time `json:"timestamp"` // when the run ended
	Data      any       `json:"data"`
}

// hookRun is the data of "run.finished" and "run.drifted".
type hookRun struct {
	machineRun
	DriftList []machineDrift `json:"drift"`
}

// hookChanges is the data of "records.changed".
type hookChanges struct {
	Job     string                `json:"job"`
	Run     int                   `json:"run"`
	Part    int                   `json:"part"` // from 1
	Last    bool                  `json:"last"` // no other part follows
	Records []store.ChangedRecord `json:"records"`
}

func (c *courier) compose(ctx context.Context, m store.Message) (part, error) {
	run, err := c.db.Run(ctx, m.Job, m.Run)
	if err != nil {
		return part{}, err
	}
	p := part{final: true}
	message := hookMessage{Timestamp: run.Ended.UTC()}
	switch m.Event {
	case crawl.EventChanges:
		changes := hookChanges{Job: m.Job, Run: m.Run, Part: m.Part + 1}
		if changes.Records, p.final, err = c.changes(ctx, m); err != nil || len(changes.Records) == 0 {
			return p, err
		}
		changes.Last = p.final
		p.last = changes.Records[len(changes.Records)-1].ID
		message.Type, message.Data = "records.changed", changes
	default:
		data := hookRun{machineRun: machineRunOf(*run)}
		if data.DriftList, err = drifts(ctx, c.db, store.HealthFilter{Job: m.Job, Run: m.Run}); err != nil {
			return p, err
		}
		message.Type, message.Data = "run.finished", data
		if m.Event == crawl.EventDrift {
			message.Type = "run.drifted"
		}
	}
	p.body, err = json.Marshal(message)
	return p, err
}

// changes reads the records of the next part.
func (c *courier) changes(ctx context.Context, m store.Message) (list []store.ChangedRecord, final bool, err error) {
	size := 0
	for r, err := range c.db.MessageRecords(ctx, m) {
		if err != nil {
			return nil, false, err
		}
		if size += len(r.Fields); len(list) == partRecords || len(list) > 0 && size > partBytes {
			return list, false, nil
		}
		list = append(list, r)
	}
	return list, true, nil
}

// send posts a message until it is taken, in so many tries.
func (c *courier) send(ctx context.Context, id string, body []byte, hook config.Webhook, tries int) error {
	wait := hookPause
	for try := 1; ; try++ {
		again, err := c.post(ctx, id, body, hook)
		if err == nil || try == tries || again < 0 {
			return err
		}
		if c.pause(ctx, max(wait, min(again, hookPatience))) != nil {
			return err
		}
		wait *= 2
	}
}

// post makes one try. again is how long the receiver wants to be left alone;
// below zero, another try at once is of no use.
//
// The header's fields are those of https://www.standardwebhooks.com
func (c *courier) post(ctx context.Context, id string, body []byte, hook config.Webhook) (again time.Duration, err error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, hook.URL, bytes.NewReader(body))
	if err != nil {
		return -1, errors.New("its url is none")
	}
	stamp := strconv.FormatInt(time.Now().Unix(), 10)
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("User-Agent", crawl.DefaultUserAgent)
	r.Header.Set("Webhook-Id", id)
	r.Header.Set("Webhook-Timestamp", stamp)
	if hook.Secret != "" {
		r.Header.Set("Webhook-Signature", signature(hook.Secret, id, stamp, body))
	}
	answer, err := c.client.Do(r)
	if err != nil {
		// The error has the URL, which may have secrets of the environment.
		if e, ok := errors.AsType[*url.Error](err); ok {
			err = e.Err
		}
		return 0, err
	}
	defer answer.Body.Close()
	text, _ := io.ReadAll(io.LimitReader(answer.Body, 200))
	switch code := answer.StatusCode; {
	case code >= 200 && code < 300:
		return 0, nil
	case code == http.StatusGone:
		return -1, errHookGone
	case code == http.StatusTooManyRequests, code == http.StatusRequestTimeout, code >= 500:
		return retryAfter(answer.Header, time.Now()), answerError(code, text)
	default:
		return -1, answerError(code, text)
	}
}

func answerError(code int, text []byte) error {
	said := strings.TrimSpace(harmless(string(text)))
	if said != "" {
		said = ": " + said
	}
	return fmt.Errorf("it answered %d %s%s", code, http.StatusText(code), said)
}

// retryAfter reads https://www.rfc-editor.org/rfc/rfc9110#field.retry-after
func retryAfter(h http.Header, now time.Time) time.Duration {
	value := h.Get("Retry-After")
	if seconds, err := strconv.Atoi(value); err == nil {
		return time.Duration(min(max(seconds, 0), 3600)) * time.Second
	}
	if at, err := http.ParseTime(value); err == nil {
		return max(0, at.Sub(now))
	}
	return 0
}

// signature is a Webhook-Signature: HMAC-SHA256 of id, timestamp and body.
func signature(secret, id, stamp string, body []byte) string {
	key := []byte(secret)
	if text, has := strings.CutPrefix(secret, config.SecretPrefix); has {
		if decoded, err := base64.StdEncoding.DecodeString(text); err == nil {
			key = decoded
		}
	}
	mac := hmac.New(sha256.New, key)
	fmt.Fprintf(mac, "%s.%s.", id, stamp)
	mac.Write(body)
	return "v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil))
}

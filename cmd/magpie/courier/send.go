package courier

import (
	"bytes"
	"cmp"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
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
	"github.com/magpie-crawl/magpie/internal/harmless"
)

// Bounds of sending.
const (
	hookTimeout  = 30 * time.Second // of one request
	hookPause    = time.Second      // before the second try, doubled for each next
	hookPatience = time.Minute      // the longest pause that a receiver may ask for
)

// Sender posts messages to webhooks.
type Sender struct {
	client *http.Client
	Pause  func(context.Context, time.Duration) error // waits between tries, or returns the context's error
}

// NewSender returns a sender. It follows no redirects: what is signed for one
// address is not taken to another.
func NewSender() *Sender {
	stay := func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	return &Sender{client: &http.Client{Timeout: hookTimeout, CheckRedirect: stay}, Pause: pause}
}

func pause(ctx context.Context, d time.Duration) error {
	select {
	case <-time.After(d):
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Send posts a message until it is taken, in so many tries. id is the same for
// each try, so that a receiver knows what it has already.
func (s *Sender) Send(ctx context.Context, id string, body []byte, hook config.Webhook, tries int) error {
	wait := hookPause
	for try := 1; ; try++ {
		again, err := s.Post(ctx, id, body, Target{URL: hook.URL, Secret: hook.Secret})
		if err == nil || try == tries || again < 0 {
			return err
		}
		if s.Pause(ctx, max(wait, min(again, hookPatience))) != nil {
			return err
		}
		wait *= 2
	}
}

// Target is where a message is posted, and how.
type Target struct {
	URL         string
	Secret      string            // signs it; "": nothing does
	Header      map[string]string // fields besides those that are always there
	ContentType string            // default application/json
}

// Post makes one try. again is how long the receiver wants to be left alone;
// below zero, another try at once is of no use, as with one that did not answer
// in time: who waits for it would wait long. The error is ErrGone if no try
// ever is of use.
//
// The header's fields are those of https://www.standardwebhooks.com
func (s *Sender) Post(ctx context.Context, id string, body []byte, to Target) (again time.Duration, err error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, to.URL, bytes.NewReader(body))
	if err != nil {
		return -1, errors.New("its url is none")
	}
	stamp := strconv.FormatInt(time.Now().Unix(), 10)
	r.Header.Set("Content-Type", cmp.Or(to.ContentType, "application/json"))
	r.Header.Set("User-Agent", crawl.DefaultUserAgent)
	for name, value := range to.Header {
		r.Header.Set(name, value)
	}
	r.Header.Set("Webhook-Id", id)
	r.Header.Set("Webhook-Timestamp", stamp)
	if to.Secret != "" {
		r.Header.Set("Webhook-Signature", signature(to.Secret, id, stamp, body))
	}
	answer, err := s.client.Do(r)
	if err != nil {
		// The error has the URL, which may have secrets of the environment.
		if e, ok := errors.AsType[*url.Error](err); ok {
			if err = e.Err; e.Timeout() {
				again = -1
			}
		}
		return again, err
	}
	defer answer.Body.Close()
	text, _ := io.ReadAll(io.LimitReader(answer.Body, 200))
	switch code := answer.StatusCode; {
	case code >= 200 && code < 300:
		return 0, nil
	case code == http.StatusGone:
		return -1, ErrGone
	case code == http.StatusTooManyRequests, code == http.StatusRequestTimeout, code >= 500:
		return retryAfter(answer.Header, time.Now()), answerError(code, text)
	default:
		return -1, answerError(code, text)
	}
}

func answerError(code int, text []byte) error {
	said := strings.TrimSpace(harmless.Text(string(text)))
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

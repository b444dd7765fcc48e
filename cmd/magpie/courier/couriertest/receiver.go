// Package couriertest has a webhook for tests to send messages to.
package couriertest

import (
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"sync"
	"testing"

	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"
)

// Secret is what messages are to be signed with. The environment has it as
// HOOK_SECRET.
const Secret = "correct horse battery staple"

// Receiver is a server that takes messages, and checks the signature of each
// with the library of those who defined it: https://www.standardwebhooks.com.
type Receiver struct {
	*httptest.Server
	t      testing.TB
	verify *standardwebhooks.Webhook

	mu     sync.Mutex
	answer func(n int, w http.ResponseWriter)
	n      int
	all    []Message
}

// Message is one that came.
type Message struct {
	ID     string // Webhook-Id
	Header http.Header
	Body   []byte
}

// New starts a receiver that ends with the test.
func New(t testing.TB) *Receiver {
	t.Helper()
	verify, err := standardwebhooks.NewWebhookRaw([]byte(Secret))
	if err != nil {
		t.Fatal(err)
	}
	r := &Receiver{t: t, verify: verify}
	r.Server = httptest.NewServer(r)
	t.Cleanup(r.Close)
	t.Setenv("HOOK_SECRET", Secret)
	return r
}

// ServeHTTP takes a message.
func (r *Receiver) ServeHTTP(w http.ResponseWriter, q *http.Request) {
	body, err := io.ReadAll(q.Body)
	if err != nil {
		return // the sender was killed, or stopped
	}
	if err := r.verify.Verify(body, q.Header); err != nil || q.Method != http.MethodPost {
		r.t.Errorf("%s with the signature: %v", q.Method, err)
	}
	r.mu.Lock()
	r.n++
	r.all = append(r.all, Message{ID: q.Header.Get("Webhook-Id"), Header: q.Header, Body: body})
	n, answer := r.n, r.answer
	r.mu.Unlock()
	if answer == nil {
		w.WriteHeader(http.StatusNoContent)
		return
	}
	answer(n, w)
}

// Answer sets how messages are answered, the first of those that come from now
// on being number 1, and forgets those that came. With nil, all are taken.
func (r *Receiver) Answer(answer func(n int, w http.ResponseWriter)) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.answer, r.n, r.all = answer, 0, nil
}

// Count is how many messages came since Answer.
func (r *Receiver) Count() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.n
}

// All returns what came since Answer or Take.
func (r *Receiver) All() []Message {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Clone(r.all)
}

// Take is All, and forgets what it returns.
func (r *Receiver) Take() []Message {
	r.mu.Lock()
	defer r.mu.Unlock()
	all := r.all
	r.all = nil
	return all
}

package courier

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/magpie-crawl/magpie/cmd/magpie/courier/couriertest"
	"github.com/magpie-crawl/magpie/config"
	"github.com/magpie-crawl/magpie/crawl"
	"github.com/magpie-crawl/magpie/store"
)

// outbox is a database with the messages of some runs, and their webhook.
type outbox struct {
	*Courier
	t      *testing.T
	answer atomic.Value // func(http.ResponseWriter, *http.Request)
	asked  atomic.Int64
}

func newOutbox(t *testing.T, runs int) *outbox {
	t.Helper()
	o := &outbox{t: t}
	hook := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		o.asked.Add(1)
		o.answer.Load().(func(http.ResponseWriter, *http.Request))(w, r)
	}))
	t.Cleanup(hook.Close)
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { io.WriteString(w, "<p>") }))
	t.Cleanup(site.Close)
	t.Setenv("HOOK_SECRET", couriertest.Secret)
	job, err := config.Parse("job.yaml", fmt.Appendf(nil, "start: %s/\nwebhook: {url: %q, secret: \"${HOOK_SECRET}\", on: finish}\n", site.URL, hook.URL))
	if err != nil {
		t.Fatal(err)
	}
	db, err := store.Open(filepath.Join(t.TempDir(), "magpie.db"), store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	for range runs {
		time.Sleep(2 * time.Millisecond) // times are kept in milliseconds
		crawler, err := crawl.New(job.Options)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := crawler.Crawl(t.Context(), db, crawl.Job{Name: job.Name, Source: job.Source, Notify: Notices(job)}); err != nil {
			t.Fatal(err)
		}
	}
	o.Courier = New(db, job)
	return o
}

func (o *outbox) due() []store.Message {
	o.t.Helper()
	due, err := o.db.DueMessages(o.t.Context(), o.job)
	if err != nil {
		o.t.Fatal(err)
	}
	return due
}

// TestDeliver holds which messages are tried, kept and dropped.
func TestDeliver(t *testing.T) {
	refuse := func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusForbidden) }
	t.Run("a message that is too old costs no other", func(t *testing.T) {
		o := newOutbox(t, 2)
		o.answer.Store(refuse)
		created := o.due()[1].Created
		o.now = func() time.Time { return created.Add(hookMaxAge) }
		sent, err := o.Deliver(t.Context(), 1)
		if sent != 0 || !IsUndelivered(err) || !strings.HasSuffix(err.Error(), ": 1 message dropped: 1 message kept, to be sent with the next crawl of the job") {
			t.Errorf("%d sent, %v", sent, err)
		}
		if due := o.due(); len(due) != 1 || due[0].Run != 2 {
			t.Errorf("kept: %+v", due)
		}
	})
	t.Run("a next try that was set by a clock that was ahead", func(t *testing.T) {
		o := newOutbox(t, 1)
		o.answer.Store(refuse)
		o.now = func() time.Time { return time.Now().Add(5 * 24 * time.Hour) }
		o.Deliver(t.Context(), 1)
		o.now = time.Now
		o.answer.Store(func(http.ResponseWriter, *http.Request) {})
		if sent, err := o.Deliver(t.Context(), 1); sent != 1 || err != nil {
			t.Errorf("%d sent, %v", sent, err)
		}
	})
	t.Run("what is broken off is no failure", func(t *testing.T) {
		o := newOutbox(t, 1)
		ctx, stop := context.WithCancel(t.Context())
		o.answer.Store(func(_ http.ResponseWriter, r *http.Request) {
			io.Copy(io.Discard, r.Body)
			stop()
			<-r.Context().Done()
		})
		sent, err := o.Deliver(ctx, 2)
		if sent != 0 || !errors.Is(err, context.Canceled) || IsUndelivered(err) {
			t.Errorf("%d sent, %v", sent, err)
		}
		if due := o.due(); len(due) != 1 || due[0].Tries != 0 || due[0].Error != "" {
			t.Errorf("kept: %+v", due)
		}
	})
	t.Run("what was taken as the process was stopped is not sent again", func(t *testing.T) {
		o := newOutbox(t, 1)
		o.answer.Store(func(http.ResponseWriter, *http.Request) {})
		ctx, stop := context.WithCancel(t.Context())
		o.Sender.client.Transport = onAnswer(stop)
		if _, err := o.Deliver(ctx, 1); err != nil {
			t.Error(err)
		}
		if due := o.due(); len(due) != 0 || o.asked.Load() != 1 {
			t.Errorf("asked %d times, kept: %+v", o.asked.Load(), due)
		}
	})
	t.Run("one that hangs is asked once", func(t *testing.T) {
		o := newOutbox(t, 1)
		o.answer.Store(func(_ http.ResponseWriter, r *http.Request) {
			io.Copy(io.Discard, r.Body) // so that the server sees that the client has gone
			<-r.Context().Done()
		})
		o.Sender.client.Timeout = 50 * time.Millisecond
		sent, err := o.Deliver(t.Context(), Tries)
		if sent != 0 || !IsUndelivered(err) || o.asked.Load() > 1 {
			t.Errorf("%d sent, asked %d times, %v", sent, o.asked.Load(), err)
		}
		if due := o.due(); len(due) != 1 || due[0].Tries != 1 {
			t.Errorf("kept: %+v", due)
		}
	})
}

// onAnswer is called when an answer has come.
type onAnswer func()

func (f onAnswer) RoundTrip(r *http.Request) (*http.Response, error) {
	defer f()
	return http.DefaultTransport.RoundTrip(r)
}

package crawl

import (
	"context"
	"crypto/tls"
	"errors"
	"net/http"
	"net/http/httptrace"
	"sync/atomic"
	"time"

	"github.com/magpie-crawl/magpie/crawl/fetch"
)

// exchange is what is to be known of a fetcher's last request.
type exchange struct {
	delay time.Duration // that the host is owed after each
	sent  time.Time
	took  time.Duration
	size  int64 // bytes of the body
}

// getRobots is the getter of robots.txt.
func (f *fetcher) getRobots(ctx context.Context, url string, led bool) (*fetch.Response, error) {
	resp, err := f.send(ctx, f.rules, url, f.headerOf(Request{URL: url, Away: led}, nil))
	if err == nil && resp.Raw != nil {
		f.asides = append(f.asides, resp)
	}
	return resp, err
}

// send sends a request, and notes when that was and how long it took. Of
// several for one job, such as the redirects of a robots.txt, each waits for
// the delay after the one before.
func (f *fetcher) send(ctx context.Context, worker *fetch.Worker, url string, header http.Header) (*fetch.Response, error) {
	x := &f.last
	if !x.sent.IsZero() {
		if err := sleep(ctx, time.Until(x.sent.Add(spacing(x.delay, x.took)))); err != nil {
			return nil, err
		}
	}
	var wrote atomic.Pointer[time.Time]
	if x.delay > 0 {
		var cancel context.CancelCauseFunc
		ctx, cancel = context.WithCancelCause(ctx)
		defer cancel(nil)
		ctx = httptrace.WithClientTrace(ctx, once(&wrote, cancel))
	}
	x.sent = time.Now()
	resp, err := worker.Get(ctx, url, header)
	x.took, x.size = time.Since(x.sent), 0
	if at := wrote.Load(); at != nil {
		x.took, x.sent = x.took-at.Sub(x.sent), *at
	}
	if resp != nil {
		x.size = int64(len(resp.Body))
	}
	return resp, err
}

// once notes when a request is written: a connection may have to be made
// first, and then the next request needs none. Where a kept connection breaks,
// net/http would send the request again without any delay: it is given up, to
// be tried again in its turn.
func once(wrote *atomic.Pointer[time.Time], cancel context.CancelCauseFunc) *httptrace.ClientTrace {
	return &httptrace.ClientTrace{
		WroteHeaders: func() {
			now := time.Now()
			wrote.Store(&now)
		},
		GotConn: func(c httptrace.GotConnInfo) {
			if wrote.Load() == nil {
				return
			}
			cancel(&fetch.Error{Reason: fetch.ReasonReset, Temporary: true, Err: errors.New("the server closed the connection")})
			if t, ok := c.Conn.(*tls.Conn); !ok || t.ConnectionState().NegotiatedProtocol != "h2" {
				c.Conn.Close() // or it could be written before the end of ctx is seen
			}
		},
	}
}

// spacing is the time from one request that took so long to the next. When the
// host saw the first is not known to the point: somewhere between when it was
// sent and when its answer was there. A twentieth of the delay is added for
// that where it took so long.
func spacing(delay, took time.Duration) time.Duration {
	return delay + min(took, delay/20)
}

// sleep waits for d, or until ctx ends.
func sleep(ctx context.Context, d time.Duration) error {
	if d <= 0 {
		return nil
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

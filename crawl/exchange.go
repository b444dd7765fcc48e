package crawl

import (
	"context"
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

// get sends a request, and notes when that was and how long it took. Of
// several for one job, such as the redirects of a robots.txt, each waits for
// the delay after the one before.
func (f *fetcher) get(ctx context.Context, url string, header http.Header) (*fetch.Response, error) {
	x := &f.last
	if err := sleep(ctx, x.delay-time.Since(x.sent)); err != nil {
		return nil, err
	}
	var wrote atomic.Pointer[time.Time]
	if x.delay > 0 {
		// A connection may have to be made first, and then the next request
		// needs none.
		ctx = httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{WroteHeaders: func() {
			now := time.Now()
			wrote.Store(&now)
		}})
	}
	x.sent = time.Now()
	resp, err := f.worker.Get(ctx, url, header)
	x.took, x.size = time.Since(x.sent), 0
	if at := wrote.Load(); at != nil {
		x.took, x.sent = x.took-at.Sub(x.sent), *at
	}
	if resp != nil {
		x.size = int64(len(resp.Body))
	}
	return resp, err
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

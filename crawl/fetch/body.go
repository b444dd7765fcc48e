package fetch

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/klauspost/compress/gzip"
)

// readBody reads the body of resp into out, undoes its content-codings and
// keeps it under the limit. What a broken coding has brought is kept with a
// warning; what a broken transfer has brought is lost.
func (w *wire) readBody(ctx context.Context, cancel context.CancelCauseFunc, resp *http.Response, out *Response) *Error {
	m := &meter{r: resp.Body}
	dog := m.watch(cancel, w.opts.MinRate, w.opts.RateWindow)
	defer dog.stop()

	codings, unknown := contentCodings(resp.Header["Content-Encoding"])
	if unknown != "" {
		out.warn("unknown content-coding %.40q, the body is kept as sent", unknown)
		codings = nil
	}
	if len(codings) > maxCodings {
		return &Error{Reason: ReasonCoding, Err: fmt.Errorf("%d content-codings, one on the other", len(codings))}
	}
	r, release := decode(m, codings, w.opts.BodyLimit, out)
	defer release()
	body, err := w.buffer.read(r, w.opts.BodyLimit, w.place(ctx, dog, out))
	if err == nil {
		m.drain()
	}
	out.WireBytes = m.n.Load()
	switch {
	case m.err != nil && m.err != io.EOF:
		return classifyBody(ctx, m.err)
	case errors.Is(err, errNoPlace):
		return classifyBody(ctx, context.Cause(ctx))
	case err == nil:
	case errors.Is(err, errLimit):
		out.Truncated = true
	case len(body) == 0:
		return &Error{Reason: ReasonCoding, Temporary: true, Err: fmt.Errorf("content-coding %s: %w", strings.Join(codings, ", "), err)}
	default:
		// A header that is none stands behind the end of a gzip body.
		out.Broken = !errors.Is(err, gzip.ErrHeader)
		out.warn("content-coding %s: %v; the body is kept so far", strings.Join(codings, ", "), err)
	}
	out.Body = body
	return nil
}

// errNoPlace says that the request ended while its body waited for a place.
var errNoPlace = errors.New("no place for a large body")

// place returns what takes a place for out's body among Options.LargeBodies,
// during which the body need not come in.
func (w *wire) place(ctx context.Context, dog *watchdog, out *Response) func() error {
	if w.opts.LargeBodies == nil {
		return nil
	}
	return func() error {
		defer dog.pause()()
		select {
		case w.opts.LargeBodies <- struct{}{}:
			out.release = func() { <-w.opts.LargeBodies }
			return nil
		case <-ctx.Done():
			return errNoPlace
		}
	}
}

func (r *Response) warn(format string, args ...any) {
	r.Warnings = append(r.Warnings, fmt.Sprintf(format, args...))
}

// meter counts the bytes of a body as they come off the wire, and keeps the
// error that ended it apart from those of decoders.
type meter struct {
	r   io.Reader
	n   atomic.Int64
	err error
}

func (m *meter) Read(p []byte) (int, error) {
	n, err := m.r.Read(p)
	m.n.Add(int64(n))
	if err != nil {
		m.err = err
	}
	return n, err
}

// drain reads the few bytes that a decoder may leave behind, such as the end
// of a chunked body: without them the connection could not be used again.
func (m *meter) drain() {
	if m.err == nil {
		io.CopyN(io.Discard, m, 4<<10)
	}
}

// watchdog cancels the request when a body comes in too slowly.
type watchdog struct {
	meter  *meter
	cancel context.CancelCauseFunc
	need   int64 // bytes in each window
	window time.Duration

	mu      sync.Mutex
	timer   *time.Timer
	before  int64 // bytes up to the last window
	paused  bool
	stopped bool
}

// watch starts a watchdog for rate bytes a second, averaged over each window.
// A negative rate: none.
func (m *meter) watch(cancel context.CancelCauseFunc, rate int, window time.Duration) *watchdog {
	d := &watchdog{meter: m, cancel: cancel, need: int64(float64(rate) * window.Seconds()), window: window}
	if rate >= 0 {
		d.mu.Lock()
		d.timer = time.AfterFunc(window, d.check)
		d.mu.Unlock()
	}
	return d
}

func (d *watchdog) check() {
	d.mu.Lock()
	defer d.mu.Unlock()
	now := d.meter.n.Load()
	switch {
	case d.stopped, d.paused:
	case now-d.before < d.need:
		d.cancel(&Error{Reason: ReasonSlow, Temporary: true, Err: fmt.Errorf("%d bytes in %v", now-d.before, d.window)})
	default:
		d.before = now
		d.timer.Reset(d.window)
	}
}

// pause lets the body be until resume is called, from where on the next window
// counts.
func (d *watchdog) pause() (resume func()) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.paused = true
	return func() {
		d.mu.Lock()
		defer d.mu.Unlock()
		d.paused, d.before = false, d.meter.n.Load()
		if d.timer != nil {
			d.timer.Reset(d.window)
		}
	}
}

func (d *watchdog) stop() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.stopped = true
	if d.timer != nil {
		d.timer.Stop()
	}
}

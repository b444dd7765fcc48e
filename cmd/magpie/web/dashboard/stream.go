package dashboard

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"github.com/magpie-crawl/magpie/cmd/magpie/web"
)

// stream sends server-sent events to one reader.
// https://html.spec.whatwg.org/multipage/server-sent-events.html
type stream struct {
	w    http.ResponseWriter
	out  *http.ResponseController
	sent map[string]string // by fragment: what the reader has
	last time.Time         // when something was sent

	ctx   context.Context // done when the reader is gone, or the server ends
	close func()          // to be called at the end
}

// slowest is how long a reader may take to receive an event. One who takes
// longer is dropped; the browser asks again.
const slowest = 5 * time.Second

// quiet is how long nothing is sent before a comment shows whether the reader
// is still there.
const quiet = 15 * time.Second

// maxStreams is how many streams there are at a time. Each takes a connection,
// of which the server has 512.
const maxStreams = 256

var (
	streams    atomic.Int64 // of the process, as its connections are
	errStreams = errors.New("there are too many streams")
	errNoBody  = errors.New("the head alone was asked for")
)

const streamType = "text/event-stream; charset=utf-8"

// newStream begins to answer a request with events. It fails where there is
// nothing to send, having answered, and where the answer can't be sent piece by
// piece.
func newStream(w http.ResponseWriter, r *http.Request) (*stream, error) {
	w.Header().Set("Cache-Control", "no-store")
	if r.Method == http.MethodHead {
		w.Header().Set("Content-Type", streamType)
		return nil, errNoBody // an answer that went on would keep the connection from what is asked next
	}
	if streams.Add(1) > maxStreams {
		streams.Add(-1)
		w.Header().Set("Retry-After", "60")
		http.Error(w, "too many pages are being kept up to date: close some of them", http.StatusServiceUnavailable)
		return nil, errStreams
	}
	s := &stream{w: w, out: http.NewResponseController(w), sent: map[string]string{}}
	var cancel context.CancelFunc
	s.ctx, cancel = context.WithCancel(r.Context())
	s.close = sync.OnceFunc(func() { cancel(); streams.Add(-1) })
	go func() {
		select {
		case <-web.Ending(r.Context()):
			s.close()
		case <-s.ctx.Done():
		}
	}()
	w.Header().Set("Content-Type", streamType)
	w.Header().Set("X-Accel-Buffering", "no") // proxies that understand it pass events on at once
	if err := s.write([]byte("retry: 2000\n\n")); err != nil {
		s.close()
		return nil, err
	}
	return s, nil
}

func (s *stream) write(b []byte) error {
	if err := s.out.SetWriteDeadline(time.Now().Add(slowest)); err != nil && !errors.Is(err, http.ErrNotSupported) {
		return err
	}
	if _, err := s.w.Write(b); err != nil {
		return err
	}
	s.last = time.Now()
	return s.out.Flush()
}

// event sends an event; id is what the browser says it had last when it asks
// again, "" says nothing new about that.
func (s *stream) event(name, id, data string) error {
	var b bytes.Buffer
	fmt.Fprintf(&b, "event: %s\n", name)
	if id != "" {
		fmt.Fprintf(&b, "id: %s\n", id)
	}
	for line := range bytes.SplitSeq([]byte(data), []byte("\n")) {
		fmt.Fprintf(&b, "data: %s\n", bytes.ReplaceAll(line, []byte("\r"), nil))
	}
	b.WriteString("\n")
	return s.write(b.Bytes())
}

// fragment sends what stands in a place of the page, if it is not what stands
// there already.
func (s *stream) fragment(name, id, html string) error {
	if was, ok := s.sent[name]; ok && was == html {
		return nil
	}
	s.sent[name] = html
	return s.event("fragment", id, name+"\n"+html)
}

// beat tells after a while without events that the stream goes on, which finds
// readers that are gone.
func (s *stream) beat() error {
	if time.Since(s.last) < quiet {
		return nil
	}
	return s.write([]byte(":\n\n"))
}

// end closes a stream for good: the browser does not ask again.
func (s *stream) end(text string) error { return s.event("end", "", text) }

package guard

import (
	"log/slog"
	"net/http"
	"time"
)

// writeWithin is how long a client may take to make room for more. An answer
// may take longer than that as a whole: exports, and events, which have no end.
const writeWithin = time.Minute

// writer watches over an answer.
type writer struct {
	http.ResponseWriter
	control *http.ResponseController
	status  int // 0: nothing was written
	size    int64
	until   time.Time // deadline for writing
}

// Unwrap is for http.ResponseController.
func (w *writer) Unwrap() http.ResponseWriter { return w.ResponseWriter }

func (w *writer) WriteHeader(status int) {
	if w.status == 0 && status >= 200 {
		w.status = status
	}
	w.extend()
	w.ResponseWriter.WriteHeader(status)
}

func (w *writer) Write(p []byte) (int, error) {
	if w.status == 0 {
		w.status = http.StatusOK
	}
	w.extend()
	n, err := w.ResponseWriter.Write(p)
	w.size += int64(n)
	return n, err
}

// FlushError is for http.ResponseController: what is flushed is written.
func (w *writer) FlushError() error {
	if w.status == 0 {
		w.status = http.StatusOK
	}
	w.extend()
	return w.control.Flush()
}

// Flush is for those who do not use http.ResponseController.
func (w *writer) Flush() { w.FlushError() }

// extend gives the client time to take what is written next.
func (w *writer) extend() {
	if now := time.Now(); w.until.Sub(now) < writeWithin-time.Second {
		w.until = now.Add(writeWithin)
		w.control.SetWriteDeadline(w.until)
	}
}

// logRequest logs a request. The query is left out: it may hold what people
// look for.
func (g *Guard) logRequest(r *http.Request, w *writer, took time.Duration) {
	g.log.LogAttrs(r.Context(), slog.LevelDebug, "request", slog.String("method", r.Method), slog.String("path", r.URL.Path),
		slog.Int("status", w.status), slog.Int64("bytes", w.size), slog.Duration("took", took), slog.String("from", r.RemoteAddr))
}

package guard

import (
	"crypto/rand"
	"fmt"
	"log/slog"
	"net/http"
	"runtime/debug"

	"github.com/magpie-crawl/magpie/cmd/magpie/web/problem"
)

// recover answers a request whose handler panicked, and logs where. An answer
// that had begun is cut off, so that nobody takes it for a whole one.
func (g *Guard) recover(w *writer, r *http.Request) {
	fault := recover()
	if fault == nil {
		return
	}
	if fault == http.ErrAbortHandler {
		panic(fault)
	}
	id := rand.Text()[:12]
	g.log.LogAttrs(r.Context(), slog.LevelError, "a request failed by a fault of magpie's", slog.String("id", id),
		slog.String("method", r.Method), slog.String("path", r.URL.Path), slog.String("fault", fmt.Sprint(fault)), slog.String("stack", string(debug.Stack())))
	if w.status != 0 {
		panic(http.ErrAbortHandler)
	}
	w.Header().Del("Content-Disposition")
	p := problem.New(http.StatusInternalServerError, "tell the people of magpie what the log says beside the number", "magpie has a fault here")
	p.Instance = id
	problem.Write(w, r, p)
}

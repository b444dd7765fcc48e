package web

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"time"
)

// monitor answers what monitoring asks.
type monitor struct {
	Options
}

// alive says that the process answers.
func (m *monitor) alive(w http.ResponseWriter, _ *http.Request) { tell(w, http.StatusOK, "ok") }

const (
	readyWithin = 3 * time.Second // the database has to answer

	// stalledAfter is how long the store may take nothing before a crawl counts
	// as stalled. It takes something every ten seconds, if only that the crawl
	// is alive; a single write may wait for another process's.
	stalledAfter = time.Minute
)

// ready says whether jobs are run as they should be.
func (m *monitor) ready(w http.ResponseWriter, r *http.Request) {
	if why := m.fault(r.Context(), time.Now()); why != "" {
		tell(w, http.StatusServiceUnavailable, why)
		return
	}
	tell(w, http.StatusOK, "ok")
}

// fault says why jobs are not run as they should be. It names no job: whoever
// reaches the server may ask.
func (m *monitor) fault(ctx context.Context, now time.Time) string {
	if m.Daemon.Stopping() {
		return "magpie serve is being stopped"
	}
	ctx, cancel := context.WithTimeout(ctx, readyWithin)
	defer cancel()
	// The daemon writes every now and then that it is alive: that it does says
	// that the database can be written too.
	switch holder, _, err := m.DB.Daemon(ctx); {
	case err != nil:
		m.Log.Error("the database does not answer", "err", err)
		return "the database does not answer"
	case holder == nil || holder.PID != os.Getpid():
		return "the schedules are not followed"
	case now.Sub(holder.Heartbeat) > stalledAfter:
		return fmt.Sprintf("the database has taken nothing for %s", now.Sub(holder.Heartbeat).Round(time.Second))
	}
	for _, j := range m.Daemon.Jobs() {
		crawler, ok := m.Daemon.Crawler(j.Name)
		if !ok {
			continue
		}
		if p := crawler.Progress(); !p.Stored.IsZero() && now.Sub(p.Stored) > stalledAfter {
			return fmt.Sprintf("the database has taken nothing from a crawl for %s", now.Sub(p.Stored).Round(time.Second))
		}
	}
	return ""
}

func tell(w http.ResponseWriter, status int, text string) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.WriteHeader(status)
	fmt.Fprintln(w, text)
}

// Package web is the HTTP server of magpie serve: the dashboard, the API, and
// what monitoring asks for.
//
//	guard      what is let in, and what answers are allowed to do
//	api        the API below /api/v1/
//	dashboard  the pages
//	problem    how errors are told
//	download   how answers are marked as files
//
// Here they are put together: web.go has the routes, serve.go listens,
// metrics.go and health.go are for monitoring.
package web

import (
	"log/slog"
	"net/http"

	"github.com/magpie-crawl/magpie/cmd/magpie/alert"
	"github.com/magpie-crawl/magpie/cmd/magpie/daemon"
	"github.com/magpie-crawl/magpie/cmd/magpie/web/api"
	"github.com/magpie-crawl/magpie/cmd/magpie/web/guard"
	"github.com/magpie-crawl/magpie/cmd/magpie/web/problem"
	"github.com/magpie-crawl/magpie/store"
)

// Options say what is served.
type Options struct {
	DB        *store.DB
	Daemon    *daemon.Daemon
	Dir       string // of the job files
	Guard     *guard.Guard
	Trials    *alert.Trials
	Dashboard http.Handler // nil: the API alone
	Log       *slog.Logger // default: none
	Version   string       // of the program
}

// New returns the handler of all that is served, behind the guard.
func New(o Options) http.Handler {
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	mux := http.NewServeMux()
	mux.Handle("/api/", api.New(api.Options{DB: o.DB, Daemon: o.Daemon, Dir: o.Dir, Trials: o.Trials, Log: o.Log}))
	mux.HandleFunc("/api", func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, api.Base+"/", http.StatusSeeOther) })
	m := &monitor{Options: o}
	mux.HandleFunc("GET /metrics", m.metrics)
	mux.HandleFunc("GET /healthz", m.alive)
	mux.HandleFunc("GET /readyz", m.ready)
	if o.Dashboard != nil {
		mux.Handle("/", o.Dashboard)
	} else {
		mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
			problem.Write(w, r, problem.New(http.StatusNotFound, "see "+api.Base+"/ for the API", "there is no dashboard here"))
		})
	}
	return o.Guard.Wrap(mux)
}

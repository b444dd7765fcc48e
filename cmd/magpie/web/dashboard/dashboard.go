package dashboard

import (
	"context"
	"log/slog"
	"net/http"
	"time"

	"github.com/magpie-crawl/magpie/cmd/magpie/daemon"
	"github.com/magpie-crawl/magpie/config/notify"
	"github.com/magpie-crawl/magpie/crawl"
	"github.com/magpie-crawl/magpie/internal/clock"
	"github.com/magpie-crawl/magpie/store"
)

// Options say what a dashboard shows.
type Options struct {
	DB      *store.DB
	Daemon  *daemon.Daemon
	Clock   clock.Clock                // default the machine's
	Log     *slog.Logger               // of what goes wrong on the server; default none
	Token   func(*http.Request) string // what forms carry so that no other site can send them; default ""
	LogOut  bool                       // pages have a button that posts to /logout
	Version string                     // of the program, for the foot of each page

	// Trial sends a trial message to each channel and tells what came of each,
	// see alert.Trials; nil: none can be sent.
	Trial func(context.Context, []notify.Channel) ([]error, error)
}

// dashboard is the handler and what its views read.
type dashboard struct {
	Options
	db        *store.DB
	jobs      jobs
	templates *templates
	assets    *assets
	mux       *http.ServeMux
	watchers  watchers
	dues      dues
}

// jobs are what views need of a daemon.
type jobs interface {
	Jobs() []daemon.Job
	Job(name string) (daemon.Job, bool)
	Start(name string, how daemon.Start) error
	Stop(name string) error
	Pause(name string, paused bool) error
	Crawler(name string) (*crawl.Crawler, bool)
	Changed() <-chan struct{}
	Settings() daemon.SettingsState
}

// New returns the dashboard, to be served at the root of a host.
func New(o Options) http.Handler { return newDashboard(o) }

func newDashboard(o Options) *dashboard {
	if o.Clock == nil {
		o.Clock = clock.System
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if o.Token == nil {
		o.Token = func(*http.Request) string { return "" }
	}
	d := &dashboard{Options: o, db: o.DB, jobs: o.Daemon, assets: loadAssets(), mux: http.NewServeMux()}
	d.templates = d.loadTemplates()
	d.routes()
	return d
}

func (d *dashboard) ServeHTTP(w http.ResponseWriter, r *http.Request) { d.mux.ServeHTTP(w, r) }

func (d *dashboard) now() time.Time { return d.Clock.Now() }

// readWithin bounds what a page may take to read, so that a dashboard that
// nobody looks at any more holds up nobody.
const readWithin = 10 * time.Second

// bounded gives a request its deadline.
func bounded(r *http.Request) (*http.Request, context.CancelFunc) {
	ctx, cancel := context.WithTimeout(r.Context(), readWithin)
	return r.WithContext(ctx), cancel
}

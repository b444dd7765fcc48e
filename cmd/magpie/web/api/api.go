package api

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"math"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/magpie-crawl/magpie/cmd/magpie/alert"
	"github.com/magpie-crawl/magpie/cmd/magpie/daemon"
	"github.com/magpie-crawl/magpie/cmd/magpie/web/problem"
	"github.com/magpie-crawl/magpie/config"
	"github.com/magpie-crawl/magpie/store"
)

// Base is where the API begins.
const Base = "/api/v1"

// Options say what the API tells of.
type Options struct {
	DB     *store.DB
	Daemon *daemon.Daemon
	Dir    string        // of the job files
	Trials *alert.Trials // sends trial messages
	Log    *slog.Logger  // default: none
}

type api struct {
	Options
	exports   chan struct{} // filled by those that are being made
	searching chan struct{} // filled by who searches
}

// readWithin bounds what a request may ask of the database: a reader that
// takes long keeps the crawls' log from being cut.
const readWithin = 10 * time.Second

// maxExports is how many exports are made at a time; each reads much.
const maxExports = 2

// New returns the API, to be served at the root: paths begin with Base.
func New(o Options) http.Handler {
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	a := &api{Options: o, exports: make(chan struct{}, maxExports), searching: make(chan struct{}, 1)}
	mux := http.NewServeMux()
	for i := range routes {
		r := &routes[i]
		mux.HandleFunc(r.method+" "+Base+r.path, func(w http.ResponseWriter, req *http.Request) { a.serve(r, w, req) })
	}
	mux.HandleFunc("GET "+Base+"/openapi.json", serveDescription)
	mux.HandleFunc("GET "+Base+"/{$}", serveIndex)
	mux.HandleFunc("GET "+Base+"/index.css", serveIndexStyle)
	return fallback{mux}
}

// fallback tells of what there is not as the rest of the API does.
type fallback struct{ mux *http.ServeMux }

func (f fallback) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	_, pattern := f.mux.Handler(r)
	if pattern != "" {
		f.mux.ServeHTTP(w, r)
		return
	}
	var allowed []string
	for _, method := range []string{http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPut, http.MethodDelete} {
		other := r.Clone(r.Context())
		other.Method = method
		if _, pattern := f.mux.Handler(other); pattern != "" {
			allowed = append(allowed, method)
		}
	}
	if len(allowed) > 0 {
		w.Header().Set("Allow", strings.Join(allowed, ", "))
		problem.Write(w, r, problem.New(http.StatusMethodNotAllowed, "use "+strings.Join(allowed, " or "), "%s is not what this takes", r.Method))
		return
	}
	problem.Write(w, r, problem.New(http.StatusNotFound, "see "+Base+"/ for what there is", "there is nothing at %q", r.URL.Path))
}

// serve does one operation.
func (a *api) serve(route *route, w http.ResponseWriter, r *http.Request) {
	ctx := r.Context()
	if route.media == "" {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, cmp.Or(route.within, readWithin))
		defer cancel()
	}
	c := &call{api: a, route: route, w: w, r: r, ctx: ctx}
	answer, err := c.do()
	if err != nil {
		if soon, ok := errors.AsType[*alert.TooSoonError](err); ok {
			w.Header().Set("Retry-After", strconv.Itoa(int(math.Ceil(soon.Wait.Seconds()))))
		}
		if r.Context().Err() == nil {
			problem.Write(w, r, a.problemOf(ctx, r, err))
		}
		return
	}
	if route.media == "" {
		writeJSON(w, r, cmp.Or(c.status, route.success()), answer)
	}
}

// do reads what was asked for, and does it.
func (c *call) do() (any, error) {
	if err := c.readQuery(); err != nil {
		return nil, err
	}
	return c.route.handle(c)
}

// problemOf says what to tell about an error.
func (a *api) problemOf(ctx context.Context, r *http.Request, err error) *problem.Problem {
	var options *store.OptionError
	var mistakes config.Mistakes
	var soon *alert.TooSoonError
	var stranger *daemon.StrangerError
	var large *http.MaxBytesError
	if p, ok := errors.AsType[*problem.Problem](err); ok {
		return p
	}
	text := problem.Bare(err, a.DB)
	if status, advice, ok := queryProblem(err); ok {
		return problem.New(status, advice, "%s", text)
	}
	switch {
	case errors.Is(err, context.DeadlineExceeded), ctx.Err() == context.DeadlineExceeded:
		return problem.New(http.StatusServiceUnavailable, "ask for less: a smaller limit, or fewer conditions; or try again when the database has less to do",
			"the database took longer than %s", readWithin)
	case errors.Is(err, store.ErrNotFound), errors.Is(err, daemon.ErrUnknown):
		return problem.New(http.StatusNotFound, "see "+Base+"/jobs, or magpie status, for the jobs there are", "%s", text)
	case errors.Is(err, store.ErrNotKept):
		return problem.New(http.StatusGone, "with keep: all in the job file bodies of later runs are kept", "%s", text)
	case errors.Is(err, daemon.ErrRunning):
		return problem.New(http.StatusConflict, "stop it first, or wait until it has ended", "%s", text)
	case errors.Is(err, daemon.ErrNotRunning):
		return problem.New(http.StatusConflict, "", "%s", text)
	case errors.Is(err, daemon.ErrFault):
		return problem.New(http.StatusConflict, "mend the file first: fault says what is wrong with it", "%s", text)
	case errors.Is(err, daemon.ErrNoSchedule):
		return problem.New(http.StatusConflict, "write schedule into its file; runs begin by "+Base+"/jobs/{job}/start, or magpie start, alone", "%s", text)
	case errors.Is(err, daemon.ErrStopping):
		return problem.New(http.StatusServiceUnavailable, "try again when it is started again", "%s", text)
	case errors.As(err, &mistakes):
		p := problem.New(http.StatusUnprocessableEntity, "see mistakes for their places and what to write instead", "the job file has mistakes, the first of them: %s", mistakes[0].Message)
		p.Mistakes = bareMistakes(mistakes)
		return p
	case errors.As(err, &soon):
		return problem.New(http.StatusTooManyRequests, "Retry-After says when to ask again, in seconds", "%s", text)
	case errors.As(err, &stranger):
		return problem.New(http.StatusForbidden, daemon.StrangerAdvice, "%s", text)
	case errors.Is(err, daemon.ErrFileName):
		return problem.New(http.StatusBadRequest, "write a name such as books.yaml", "%s", text)
	case errors.As(err, &options):
		return problem.New(http.StatusBadRequest, "", "%s", text)
	case errors.As(err, &large):
		return problem.New(http.StatusRequestEntityTooLarge, "", "a body may have %d bytes", large.Limit)
	}
	id := rand.Text()[:12]
	a.Log.Error("a request failed", "id", id, "method", r.Method, "path", r.URL.Path, "err", err)
	p := problem.New(http.StatusInternalServerError, "", "%s", text)
	p.Instance = id
	return p
}

// refuse is a mistake of who asks.
func refuse(advice, format string, args ...any) error {
	return problem.New(http.StatusBadRequest, advice, "%s", fmt.Sprintf(format, args...))
}

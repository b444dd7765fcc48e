package dashboard

import (
	"bytes"
	"context"
	"errors"
	"net/http"

	"github.com/magpie-crawl/magpie/cmd/magpie/daemon"
	"github.com/magpie-crawl/magpie/cmd/magpie/web/problem"
	"github.com/magpie-crawl/magpie/cmd/magpie/words"
	"github.com/magpie-crawl/magpie/store"
)

// view is what a page shows.
type view struct {
	Template string // NAME of templates/NAME.html
	Title    string // what the page is about; without the job
	Job      string // whose page it is: its tabs are shown; "": of none
	Tab      string // which tab is this one, or "jobs" or "new"
	Crumbs   []link // between the job and this page
	Status   int    // default 200
	Styles   []string
	Scripts  []string
	Data     any
}

// link is an address with its name.
type link struct{ Name, Link string }

// refusal is an error that a page tells as it is.
type refusal struct {
	Status int
	Text   string // what is wrong
	Hint   string // what to do; "": nothing
}

func (r *refusal) Error() string { return r.Text }

// view serves a page.
func (d *dashboard) view(pattern string, show func(*http.Request) (*view, error)) {
	d.mux.HandleFunc(pattern, func(w http.ResponseWriter, r *http.Request) {
		r, cancel := bounded(r)
		defer cancel()
		v, err := show(r)
		if err != nil {
			d.fail(w, r, err)
			return
		}
		d.write(w, r, v)
	})
}

// maxForm is how large a form may be, in bytes: job files are the largest.
const maxForm = 4 << 20

// post serves a form: do finds it in r.PostForm, and says where to go then.
func (d *dashboard) post(pattern string, do func(http.ResponseWriter, *http.Request) (string, error)) {
	d.mux.HandleFunc(pattern, func(w http.ResponseWriter, r *http.Request) {
		r, cancel := bounded(r)
		defer cancel()
		err := readForm(w, r)
		to := ""
		if err == nil {
			to, err = do(w, r)
		}
		if err != nil {
			d.fail(w, r, err)
			return
		}
		http.Redirect(w, r, to, http.StatusSeeOther)
	})
}

// readForm reads the form that r sends, into r.PostForm.
func readForm(w http.ResponseWriter, r *http.Request) error {
	r.Body = http.MaxBytesReader(w, r.Body, maxForm)
	err := r.ParseForm()
	if _, large := errors.AsType[*http.MaxBytesError](err); large {
		return &refusal{Status: http.StatusRequestEntityTooLarge, Text: "The form is too large.", Hint: "A job file may have 1 MB here; larger ones are edited in the folder."}
	} else if err != nil {
		return &refusal{Status: http.StatusBadRequest, Text: "The form could not be read."}
	}
	return nil
}

// write sends a view. It is drawn whole before anything is sent, so that a
// fault in it is a page of its own.
func (d *dashboard) write(w http.ResponseWriter, r *http.Request, v *view) {
	var b bytes.Buffer
	if err := d.templates.page(&b, v.Template, d.frameOf(r, v)); err != nil {
		d.Log.Error("draw a page", "page", v.Template, "error", err)
		http.Error(w, "This page could not be drawn. The log of magpie serve says why.", http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(max(v.Status, http.StatusOK))
	w.Write(b.Bytes()) // whoever asked may be gone
}

// fail sends the page of an error.
func (d *dashboard) fail(w http.ResponseWriter, r *http.Request, err error) {
	what := d.told(err)
	switch {
	case r.Context().Err() == context.Canceled:
		return
	case what.Status >= 500:
		d.Log.Error("answer a request", "path", r.URL.Path, "error", err)
	}
	d.write(w, r, &view{Template: "error", Title: http.StatusText(what.Status), Status: what.Status, Data: struct {
		*refusal
		Back string
	}{what, backOf(r)}})
}

// told says of an error what a page says.
func (d *dashboard) told(err error) *refusal {
	if r, ok := errors.AsType[*refusal](err); ok {
		return r
	}
	r := &refusal{Status: http.StatusInternalServerError, Text: words.Sentence(problem.Bare(err, d.db))}
	switch {
	case errors.Is(err, store.ErrNotFound), errors.Is(err, daemon.ErrUnknown):
		r.Status = http.StatusNotFound
	case errors.Is(err, daemon.ErrRunning), errors.Is(err, daemon.ErrNotRunning), errors.Is(err, daemon.ErrFault), errors.Is(err, daemon.ErrNoSchedule):
		r.Status = http.StatusConflict
	case errors.Is(err, daemon.ErrStopping):
		r.Status, r.Hint = http.StatusServiceUnavailable, "Try again when it is started again."
	case errors.Is(err, context.DeadlineExceeded):
		r.Status, r.Text = http.StatusServiceUnavailable, "Reading this took too long and was given up."
		r.Hint = "Ask for less, such as by another filter, or try again when less is being crawled."
	}
	return r
}

package dashboard

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/magpie-crawl/magpie/cmd/magpie/web/download"
	"github.com/magpie-crawl/magpie/cmd/magpie/words"
	"github.com/magpie-crawl/magpie/store"
)

// maxExports is how many exports are made at a time: each reads the database
// from one end to the other.
const maxExports = 2

var exporting = make(chan struct{}, maxExports)

// maxTemporary bounds what an export may take of the disk, in bytes. Formats
// that go out as they are made take none.
const maxTemporary = 2 << 30

// exportNow sends the records of an item as a file. It is made while it is
// sent, as fast as the client takes it.
func (d *dashboard) exportNow(w http.ResponseWriter, r *http.Request) {
	q := r.URL.Query()
	o := store.ExportOptions{Job: r.PathValue("job"), Item: q.Get("item"), Format: store.Format(q.Get("format")),
		Filters: readFilters(q), Meta: q.Get("meta") != "", Software: "magpie " + d.Version}
	if err := d.checkExport(r.Context(), &o); err != nil {
		d.fail(w, r, err)
		return
	}
	select {
	case exporting <- struct{}{}:
		defer func() { <-exporting }()
	default:
		w.Header().Set("Retry-After", "30")
		d.fail(w, r, &refusal{Status: http.StatusServiceUnavailable, Text: fmt.Sprintf("%d exports are being made already.", maxExports), Hint: "Try again when they are done."})
		return
	}
	patient := newPatient(w)
	defer patient.done()
	name := fileName(o.Item) + "-" + d.now().Format("2006-01-02") + "." + string(o.Format)
	out := &exportAnswer{ResponseWriter: patient, name: name, mediaType: o.Format.MediaType()}
	var err error
	if o.Format.Streams() {
		_, err = d.db.Export(r.Context(), out, o)
	} else {
		err = d.exportByFile(r.Context(), out, name, o)
	}
	switch {
	case err == nil:
		out.begin() // of nothing
	case !out.begun:
		d.fail(w, r, exportError(err))
	case r.Context().Err() == nil:
		d.Log.Error("export", "job", o.Job, "item", o.Item, "error", err)
		fallthrough
	default:
		panic(http.ErrAbortHandler) // so that nobody takes the part for the whole
	}
}

// checkExport refuses what can't be exported.
func (d *dashboard) checkExport(ctx context.Context, o *store.ExportOptions) error {
	if err := d.known(ctx, o.Job); err != nil {
		return err
	}
	known := false
	for _, f := range exportFormats {
		known = known || f.Op == string(o.Format)
	}
	if !known || o.Item == "" {
		return &refusal{Status: http.StatusBadRequest, Text: "The address does not say which item is to be exported, and in which format."}
	}
	return nil
}

// exportError tells mistakes in what was asked for from failures.
func exportError(err error) error {
	wrong, ok := errors.AsType[*store.OptionError](err)
	if !ok || errors.Is(err, store.ErrNotFound) {
		return err
	}
	return &refusal{Status: http.StatusBadRequest, Text: words.Sentence(wrong.Error())}
}

// exportByFile makes a file that is deleted as soon as it is sent: some formats
// need a place on the disk.
func (d *dashboard) exportByFile(ctx context.Context, out *exportAnswer, name string, o store.ExportOptions) error {
	folder, err := os.MkdirTemp("", "magpie-export-")
	if err != nil {
		return fmt.Errorf("export: %w", err)
	}
	defer os.RemoveAll(folder)
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	path := filepath.Join(folder, name)
	o.Progress = func(int64) {
		if folderSize(folder) > maxTemporary {
			cancel(&refusal{Status: http.StatusInsufficientStorage, Text: "The file is too large to be made here.", Hint: "Use magpie export, or another format."})
		}
	}
	if _, err := d.db.ExportFiles(ctx, path, o); err != nil {
		if cause, ok := errors.AsType[*refusal](context.Cause(ctx)); ok {
			return cause
		}
		return err
	}
	f, err := os.Open(path)
	if err != nil {
		return fmt.Errorf("export: %w", err)
	}
	defer f.Close()
	_, err = io.Copy(struct{ io.Writer }{out}, f)
	return err
}

func folderSize(folder string) (size int64) {
	entries, err := os.ReadDir(folder)
	if err != nil {
		return 0
	}
	for _, e := range entries {
		if info, err := e.Info(); err == nil {
			size += info.Size()
		}
	}
	return size
}

// fileName is a name in letters that every system takes.
func fileName(name string) string {
	name = strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '-' || r == '_' {
			return r
		}
		return '_'
	}, name)
	return name[:min(len(name), 80)]
}

// exportAnswer is an answer whose headers are set once there is something to
// send: mistakes that show before are told on a page.
type exportAnswer struct {
	http.ResponseWriter
	name, mediaType string
	begun           bool
}

func (a *exportAnswer) begin() {
	if !a.begun {
		a.begun = true
		download.SetHeaders(a.Header(), a.name)
		a.Header().Set("Content-Type", a.mediaType)
		a.WriteHeader(http.StatusOK)
	}
}

func (a *exportAnswer) Write(p []byte) (int, error) {
	a.begin()
	return a.ResponseWriter.Write(p)
}

// patient is an answer that may take long, as long as the client goes on taking
// it: one that has stopped would hold up others.
type patient struct {
	http.ResponseWriter
	control *http.ResponseController
}

// takeWithin is how long a client may take for one write.
const takeWithin = time.Minute

func newPatient(w http.ResponseWriter) *patient { return &patient{w, http.NewResponseController(w)} }

func (p *patient) Write(b []byte) (int, error) {
	// Not every server has deadlines; the connection's own hold then.
	_ = p.control.SetWriteDeadline(time.Now().Add(takeWithin))
	return p.ResponseWriter.Write(b)
}

// done takes the deadline away: the connection may be used again.
func (p *patient) done() { _ = p.control.SetWriteDeadline(time.Time{}) }

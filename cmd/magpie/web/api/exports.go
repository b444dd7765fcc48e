package api

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/magpie-crawl/magpie/cmd/magpie/machine"
	"github.com/magpie-crawl/magpie/cmd/magpie/web/download"
	"github.com/magpie-crawl/magpie/cmd/magpie/web/exported"
	"github.com/magpie-crawl/magpie/cmd/magpie/web/problem"
	"github.com/magpie-crawl/magpie/store"
)

// written are the files that the exports of a job wrote.
func (c *call) written() ([]exported.File, error) {
	job, ok := c.Daemon.Job(c.job())
	if !ok || job.Config == nil {
		return nil, c.known()
	}
	return exported.Files(job.Config), nil
}

func (c *call) listExports() (any, error) {
	written, err := c.written()
	files := []machine.ExportFile{}
	for _, f := range written {
		files = append(files, machine.ExportFile{Export: f.Export, File: f.Name, Item: f.Item, Format: f.Format, Bytes: f.Bytes, Written: f.Written})
	}
	return whole(files), err
}

func (c *call) getExport() (any, error) {
	written, err := c.written()
	if err != nil {
		return nil, err
	}
	for _, f := range written {
		if strconv.Itoa(f.Export) != c.r.PathValue("export") || f.Name != c.r.PathValue("file") {
			continue
		}
		file, info, err := f.Open()
		if errors.Is(err, fs.ErrNotExist) {
			return nil, fmt.Errorf("%s is no file any more: %w", f.Name, store.ErrNotFound)
		} else if err != nil {
			return nil, err
		}
		defer file.Close()
		download.SetHeaders(c.w.Header(), f.Name)
		http.ServeContent(c.w, c.r, "", info.ModTime(), file)
		return nil, nil
	}
	return nil, problem.New(http.StatusNotFound, "see exports of the job for those there are", "no export of %q has written %q", c.job(), c.r.PathValue("file"))
}

// exportStalled is how long an export may look for the next records, or wait
// for its client: a condition can make SQLite count for ever, and two such would
// keep all others from exporting.
var exportStalled = 5 * time.Minute // tests are in a hurry

var errStalled = problem.New(http.StatusServiceUnavailable, "write a condition that takes less", "it took too long to find the next records")

// exportRecords exports to who asks.
func (c *call) exportRecords() (any, error) {
	select {
	case c.api.exports <- struct{}{}:
		defer func() { <-c.api.exports }()
	default:
		c.w.Header().Set("Retry-After", "30")
		return nil, problem.New(http.StatusServiceUnavailable, "try again when they are done", "%d exports are being made already", maxExports)
	}
	format := store.JSONL
	if f := c.text("format"); f != "" {
		format = store.Format(f)
	}
	o := store.ExportOptions{Job: c.job(), Item: c.text("item"), Format: format, Where: c.text("where"), Since: c.int("since"), Meta: c.flag("meta")}
	if fields := c.text("fields"); fields != "" {
		o.Fields = strings.Split(fields, ",")
	}
	if err := c.known(); err != nil {
		return nil, err
	}
	ctx, cancel := context.WithCancelCause(c.ctx)
	defer cancel(nil)
	stalled := time.AfterFunc(exportStalled, func() { cancel(errStalled) })
	defer stalled.Stop()
	o.Progress = func(int64) { stalled.Reset(exportStalled) }
	out := &lazyAttachment{call: c, stalled: stalled, name: fmt.Sprintf("%s-%s.%s", o.Item, time.Now().UTC().Format("20060102"), format)}
	if _, err := c.DB.Export(ctx, out, o); err != nil && !errors.Is(err, errHeadAlone) {
		if context.Cause(ctx) == error(errStalled) {
			err = errStalled
		}
		return nil, c.breakOff(out.begun, err)
	}
	out.begin() // of nothing
	return nil, nil
}

// lazyAttachment is an answer whose headers are set once there is something to
// send: mistakes that show before are told instead.
type lazyAttachment struct {
	call    *call
	name    string
	stalled *time.Timer
	begun   bool
}

func (l *lazyAttachment) begin() {
	if !l.begun {
		l.begun = true
		download.SetHeaders(l.call.w.Header(), l.name)
		l.call.w.WriteHeader(http.StatusOK)
	}
}

// errHeadAlone ends the making of an answer that has no body.
var errHeadAlone = errors.New("only the head was asked for")

func (l *lazyAttachment) Write(p []byte) (int, error) {
	l.begin()
	if l.call.r.Method == http.MethodHead {
		return 0, errHeadAlone
	}
	l.stalled.Reset(exportStalled)
	return l.call.w.Write(p)
}

package api

import (
	"fmt"
	"mime"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/magpie-crawl/magpie/cmd/magpie/machine"
	"github.com/magpie-crawl/magpie/cmd/magpie/web/problem"
	"github.com/magpie-crawl/magpie/config"
	"github.com/magpie-crawl/magpie/store"
	"github.com/magpie-crawl/magpie/store/dataset"
)

// contentDisposition says under which name an answer is to be saved.
// https://www.rfc-editor.org/rfc/rfc6266
func contentDisposition(name string) string {
	if value := mime.FormatMediaType("attachment", map[string]string{"filename": name}); value != "" {
		return value
	}
	return "attachment"
}

// exported are the files that the exports of a job may have written: only
// those that are there, and no links.
func (c *call) exported() ([]machine.ExportFile, []string, error) {
	job, ok := c.Daemon.Job(c.job())
	if !ok || job.Config == nil {
		return nil, nil, c.known()
	}
	files, paths := []machine.ExportFile{}, []string{}
	for i, e := range job.Config.Exports {
		for _, path := range exportPaths(e) {
			info, err := os.Lstat(path)
			if err != nil || !info.Mode().IsRegular() {
				continue
			}
			files = append(files, machine.ExportFile{Export: i + 1, File: filepath.Base(path), Item: e.Item, Format: string(e.Format), Bytes: info.Size(), Written: info.ModTime()})
			paths = append(paths, path)
		}
	}
	return files, paths, nil
}

// exportPaths are the files that an export writes.
func exportPaths(e config.Export) []string {
	var paths []string
	for _, s := range e.Split {
		paths = append(paths, dataset.SplitName(e.Path, s.Name))
	}
	if len(paths) == 0 {
		paths = append(paths, e.Path)
	}
	return append(paths, e.Path+".gone.jsonl", e.Path+".datapackage.json", e.Path+".croissant.json")
}

func (c *call) listExports() (any, error) {
	files, _, err := c.exported()
	return whole(files), err
}

func (c *call) getExport() (any, error) {
	files, paths, err := c.exported()
	if err != nil {
		return nil, err
	}
	for i, f := range files {
		if strconv.Itoa(f.Export) != c.r.PathValue("export") || f.File != c.r.PathValue("file") {
			continue
		}
		file, err := os.Open(paths[i])
		if err != nil {
			return nil, err
		}
		defer file.Close()
		info, err := file.Stat()
		if err != nil || !info.Mode().IsRegular() {
			return nil, fmt.Errorf("%s is no file any more: %w", f.File, store.ErrNotFound)
		}
		c.attach(f.File)
		http.ServeContent(c.w, c.r, "", info.ModTime(), file)
		return nil, nil
	}
	return nil, problem.New(http.StatusNotFound, "see exports of the job for those there are", "no export of %q has written %q", c.job(), c.r.PathValue("file"))
}

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
	out := &lazyAttachment{call: c, name: fmt.Sprintf("%s-%s.%s", o.Item, time.Now().UTC().Format("20060102"), format)}
	if c.r.Method == http.MethodHead {
		out.begin()
		return nil, nil
	}
	if _, err := c.DB.Export(c.ctx, out, o); err != nil {
		return nil, c.breakOff(out.begun, err)
	}
	out.begin() // of nothing
	return nil, nil
}

// lazyAttachment is an answer whose headers are set once there is something to
// send: mistakes that show before are told instead.
type lazyAttachment struct {
	call  *call
	name  string
	begun bool
}

func (l *lazyAttachment) begin() {
	if !l.begun {
		l.begun = true
		l.call.attach(l.name)
		l.call.w.WriteHeader(http.StatusOK)
	}
}

func (l *lazyAttachment) Write(p []byte) (int, error) {
	l.begin()
	return l.call.w.Write(p)
}

package dashboard

import (
	"errors"
	"io/fs"
	"net/http"
	"net/url"
	"strconv"

	"github.com/magpie-crawl/magpie/cmd/magpie/web/download"
	"github.com/magpie-crawl/magpie/cmd/magpie/web/exported"
	"github.com/magpie-crawl/magpie/store"
)

// exportsPage lists what a job exported, and exports anew.
type exportsPage struct {
	Path    string
	Files   []exportedFile
	Waiting []string // exports that have written nothing yet
	Items   []store.ItemSummary
	Item    string
	Formats []filterOp
	Names   []string
	Ops     []filterOp
	Known   bool // the job is in the folder
}

type exportedFile struct {
	exported.File
	Link string
}

// exportFormats are the formats of "export now": those that go over a wire.
var exportFormats = []filterOp{{string(store.CSV), "CSV, for spreadsheets"}, {string(store.JSONL), "JSONL, an object a line"},
	{string(store.Parquet), "Parquet, typed columns"}, {string(store.SQLite), "SQLite, a database"}}

// exports is the page of a job's exports.
func (d *dashboard) exports(r *http.Request) (*view, error) {
	ctx, job := r.Context(), r.PathValue("job")
	if err := d.known(ctx, job); err != nil {
		return nil, err
	}
	items, err := d.db.Items(ctx, job)
	if err != nil {
		return nil, err
	}
	p := &exportsPage{Path: jobPath(job), Items: items, Item: r.URL.Query().Get("item"), Formats: exportFormats, Ops: filterOps}
	seen := map[string]bool{}
	for _, i := range items {
		for _, name := range i.Fields {
			if !seen[name] {
				p.Names, seen[name] = append(p.Names, name), true
			}
		}
	}
	p.Names = append(p.Names, store.KeyField, store.URLField, store.FirstRunField, store.LastRunField)
	if j, ok := d.jobs.Job(job); ok && j.Config != nil {
		p.Known = true
		written := map[int]bool{}
		for _, f := range exported.Files(j.Config) {
			written[f.Export] = true
			p.Files = append(p.Files, exportedFile{f, p.Path + "/exports/" + strconv.Itoa(f.Export) + "/" + url.PathEscape(f.Name)})
		}
		for i, e := range j.Config.Exports {
			if !written[i+1] {
				p.Waiting = append(p.Waiting, e.Item+" as "+string(e.Format))
			}
		}
	}
	return &view{Template: "exports", Title: "Exports", Job: job, Tab: "exports", Styles: []string{"data.css"}, Crumbs: []link{{Name: "Exports"}}, Data: p}, nil
}

// exportFile sends a file that an export wrote.
func (d *dashboard) exportFile(w http.ResponseWriter, r *http.Request) {
	gone := &refusal{Status: http.StatusNotFound, Text: "No export of this job has written this file.", Hint: "It may have been removed, or the job file was changed."}
	j, ok := d.jobs.Job(r.PathValue("job"))
	if !ok || j.Config == nil {
		d.fail(w, r, gone)
		return
	}
	n, _ := strconv.Atoi(r.PathValue("export"))
	file, err := exported.Find(j.Config, n, r.PathValue("file"))
	if err != nil {
		d.fail(w, r, gone)
		return
	}
	open, info, err := file.Open()
	if errors.Is(err, fs.ErrNotExist) {
		err = gone
	}
	if err != nil {
		d.fail(w, r, err)
		return
	}
	defer open.Close()
	download.SetHeaders(w.Header(), file.Name)
	w.Header().Set("Content-Type", file.MediaType())
	out := newPatient(w)
	defer out.done()
	http.ServeContent(out, r, "", info.ModTime(), open)
}

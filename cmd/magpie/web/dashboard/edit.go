package dashboard

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"path/filepath"
	"strings"
	"time"

	"github.com/magpie-crawl/magpie/cmd/magpie/daemon"
	"github.com/magpie-crawl/magpie/cmd/magpie/words"
	"github.com/magpie-crawl/magpie/config"
)

// editPage is the editor of a job file.
type editPage struct {
	New      bool
	Action   string // where the form goes
	File     string
	Source   string
	Version  string // of the text that the edit began with; "": of a new file
	Page     string // the address to try
	Checked  *checked
	Tried    *tried
	Trouble  *trouble
	Drafts   []jobTemplate
	Path     string // of the job
	Examples bool   // there is nothing in the editor yet
}

// checked is what is to be said of a text.
type checked struct {
	OK    bool
	Name  string // of the job
	Items []string

	Next     []time.Time
	Mistakes []mistake
	Wrong    string // numbers of the lines with mistakes, for the script
}

// mistake is one with the line that it is on.
type mistake struct {
	Line, Column  int
	Message       string
	Before, After string // the line, before and behind the place
	Here          bool   // the line is shown
}

// trouble is why a text was not saved, beside mistakes in it.
type trouble struct {
	Text   string
	Theirs string // what the file says now
}

// edit is the page of a job's file.
func (d *dashboard) edit(r *http.Request) (*view, error) {
	p, v, err := d.editor(r)
	if err != nil {
		return nil, err
	}
	source, err := d.Daemon.Source(p.File)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, &refusal{Status: http.StatusNotFound, Text: "The job file was removed.", Hint: "What the job stored is kept."}
	} else if err != nil {
		return nil, err
	}
	p.Source, p.Version = string(source), daemon.Version(source)
	p.Checked = d.check(p.File, p.Source)
	return v, nil
}

// editor is the editor of a job without its text.
func (d *dashboard) editor(r *http.Request) (*editPage, *view, error) {
	name := r.PathValue("job")
	if err := d.known(r.Context(), name); err != nil {
		return nil, nil, err
	}
	j, ok := d.jobs.Job(name)
	if !ok || j.File == "" || d.Daemon == nil {
		return nil, nil, &refusal{Status: http.StatusNotFound, Text: "This job has no file in the folder.", Hint: "What it stored is kept. A new job file of this name goes on with it."}
	}
	path := jobPath(name)
	p := &editPage{Action: path + "/edit", File: j.File, Path: path}
	if j.Config != nil && len(j.Config.Options.Start) > 0 {
		p.Page = j.Config.Options.Start[0]
	}
	return p, &view{Template: "edit", Title: "Job file", Job: name, Tab: "edit", Data: p, Styles: []string{"data.css"}, Scripts: []string{"editor.js"},
		Crumbs: []link{{Name: "Job file"}}}, nil
}

// editForm answers the editor's form, whole or, for a script, with the part
// that is new.
func (d *dashboard) editForm(w http.ResponseWriter, r *http.Request) {
	d.answerForm(w, r, d.editor, jobPath(r.PathValue("job"))+"/edit")
}

// editWithin bounds what a form of the editor may take: trying fetches a page.
const editWithin = 45 * time.Second

func (d *dashboard) answerForm(w http.ResponseWriter, r *http.Request, begin func(*http.Request) (*editPage, *view, error), back string) {
	ctx, cancel := context.WithTimeout(r.Context(), editWithin)
	defer cancel()
	r = r.WithContext(ctx)
	if err := readForm(w, r); err != nil {
		d.fail(w, r, err)
		return
	}
	p, v, err := begin(r)
	if err != nil {
		d.fail(w, r, err)
		return
	}
	p.Source = strings.ReplaceAll(r.PostForm.Get("source"), "\r\n", "\n") // as forms send lines
	p.Page, p.Version = strings.TrimSpace(r.PostForm.Get("page")), r.PostForm.Get("version")
	if p.New {
		p.File = strings.TrimSpace(r.PostForm.Get("file"))
	}
	part := ""
	switch r.PostForm.Get("do") {
	case "save":
		if to, saved := d.save(p, v); saved {
			http.Redirect(w, r, to, http.StatusSeeOther)
			return
		}
	case "try":
		part = "tried"
		if p.Checked = d.check(p.File, p.Source); p.Checked.OK || onlyName(p) {
			p.Tried = d.try(ctx, p)
		}
	case "draft":
		d.draft(ctx, p)
	default:
		part = "checked"
		p.Checked = d.check(p.File, p.Source)
	}
	if r.Header.Get("X-Magpie-Fragment") == "" || part == "" {
		d.write(w, r, v)
		return
	}
	d.writePart(w, r, v, part)
}

// writePart sends a part of the editor's page.
func (d *dashboard) writePart(w http.ResponseWriter, r *http.Request, v *view, part string) {
	var b strings.Builder
	if err := d.templates.fragment(&b, "edit", part, v.Data); err != nil {
		d.fail(w, r, fmt.Errorf("draw a part of a page: %w", err))
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	fmt.Fprint(w, b.String())
}

// save puts the text into the folder. to is where the job is then.
func (d *dashboard) save(p *editPage, v *view) (to string, saved bool) {
	err := d.Daemon.Replace(p.File, p.Version, []byte(p.Source))
	if err == nil {
		job, err := d.Daemon.Check(p.File, []byte(p.Source))
		if err != nil {
			return "/", true
		}
		return said(jobPath(job.Name)+"/edit", "saved"), true
	}
	v.Status = http.StatusUnprocessableEntity
	var mistakes config.Mistakes
	var stranger *daemon.StrangerError
	switch {
	case errors.As(err, &mistakes):
		p.Checked = d.check(p.File, p.Source)
		if p.Checked.OK { // it is wrong beside others, such as by its name
			p.Checked = checkedOf(p.Source, mistakes)
		}
		p.Trouble = &trouble{Text: "It was not saved: there are mistakes in it."}
	case errors.Is(err, daemon.ErrChanged) && p.Version == "":
		v.Status = http.StatusConflict
		p.Trouble = &trouble{Text: "It was not saved: there is a job file of this name already. Choose another name."}
	case errors.Is(err, daemon.ErrChanged):
		v.Status = http.StatusConflict
		p.Trouble = &trouble{Text: "It was not saved: somebody has changed the file meanwhile. Below is what it says now: put the two together here and save again."}
		if now, err := d.Daemon.Source(p.File); err == nil {
			p.Trouble.Theirs, p.Version = string(now), daemon.Version(now)
		}
	case errors.As(err, &stranger):
		v.Status = http.StatusForbidden
		p.Trouble = &trouble{Text: "It was not saved: " + words.Sentence(err.Error()) + " " + words.Sentence(daemon.StrangerAdvice)}
	case errors.Is(err, daemon.ErrFileName):
		p.Trouble = &trouble{Text: "It was not saved: a job file’s name has letters and digits, ends in .yaml, and is not serve.yaml. Such as: shop.yaml"}
	default:
		v.Status = http.StatusInternalServerError
		d.Log.Error("save a job file", "file", p.File, "error", err)
		p.Trouble = &trouble{Text: "It was not saved: " + err.Error()}
	}
	if p.Checked == nil {
		p.Checked = d.check(p.File, p.Source)
	}
	return "", false
}

// checkName is the file that a text without a name is checked as.
const checkName = "job.yaml"

// onlyName tells whether nothing but the name of the file is wrong.
func onlyName(p *editPage) bool { return p.Checked == nil }

// check says what is to be said of a text.
func (d *dashboard) check(file, source string) *checked {
	job, err := d.Daemon.Check(file, []byte(source))
	if errors.Is(err, daemon.ErrFileName) { // it is told when the file is saved
		job, err = d.Daemon.Check(checkName, []byte(source))
	}
	if err != nil {
		var mistakes config.Mistakes
		if !errors.As(err, &mistakes) {
			mistakes = config.Mistakes{{Message: err.Error()}}
		}
		return checkedOf(source, mistakes)
	}
	c := &checked{OK: true, Name: job.Name}
	for _, item := range job.Items.Items {
		c.Items = append(c.Items, item.Name)
	}
	c.Next = nextTimes(job, d.now())
	return c
}

func checkedOf(source string, mistakes config.Mistakes) *checked {
	c := &checked{}
	lines := sourceLines(source)
	var wrong []string
	for _, m := range mistakes {
		x := mistake{Line: m.Line, Column: m.Column, Message: strings.ReplaceAll(m.Message, filepath.Dir(m.File)+string(filepath.Separator), "")}
		if m.Line >= 1 && m.Line <= len(lines) {
			line := []rune(lines[m.Line-1])
			at := min(max(m.Column-1, 0), len(line))
			x.Before, x.After, x.Here = string(line[max(0, at-60):at]), string(line[at:min(len(line), at+60)]), true
			wrong = append(wrong, fmt.Sprint(m.Line))
		}
		c.Mistakes = append(c.Mistakes, x)
	}
	c.Wrong = strings.Join(wrong, " ")
	return c
}

package api

import (
	"errors"
	"io"
	"io/fs"
	"net/http"
	"path/filepath"
	"strings"
	"time"

	"github.com/magpie-crawl/magpie/cmd/magpie/daemon"
	"github.com/magpie-crawl/magpie/cmd/magpie/machine"
	"github.com/magpie-crawl/magpie/cmd/magpie/web/problem"
	"github.com/magpie-crawl/magpie/config"
	"github.com/magpie-crawl/magpie/config/schedule"
)

// fileName checks the name of a job file: a bare one, so that it leads to no
// other folder, and none of the daemon's settings, which may hold secrets.
func fileName(name string) error {
	if name != filepath.Base(name) || !filepath.IsLocal(name) || strings.ContainsAny(name, `/\:`) || !daemon.IsJobFile(name) ||
		strings.ContainsFunc(name, func(r rune) bool { return r < ' ' || r == 0x7F }) || len(name) > 200 {
		return refuse("write a name such as books.yaml, without a folder", "%q is no name of a job file", name)
	}
	return nil
}

// entityTag names the text of a file as it is.
// https://www.rfc-editor.org/rfc/rfc9110#section-8.8.3
func entityTag(source []byte) string { return `"` + daemon.Version(source) + `"` }

func noFile(name string) error {
	return problem.New(http.StatusNotFound, "see "+Base+"/jobs for the files there are", "there is no file %q in the folder", name)
}

func (c *call) getFile() (any, error) {
	name := c.r.PathValue("file")
	if err := fileName(name); err != nil {
		return nil, err
	}
	source, err := c.Daemon.Source(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, noFile(name)
	case err != nil:
		return nil, err
	}
	h := c.w.Header()
	h.Set("Content-Type", mediaYAML)
	h.Set("ETag", entityTag(source))
	http.ServeContent(c.w, c.r, "", time.Time{}, strings.NewReader(string(source)))
	return nil, nil
}

func (c *call) putFile() (any, error) {
	name, source, err := c.givenFile()
	if err != nil {
		return nil, err
	}
	err = c.Daemon.SaveIf(name, source, func(former []byte) error {
		if former == nil { // https://www.rfc-editor.org/rfc/rfc9110#section-9.3.4
			c.status = http.StatusCreated
		}
		return c.mayReplace(former)
	})
	if err != nil {
		return nil, err
	}
	c.w.Header().Set("ETag", entityTag(source))
	return c.check(name, source), nil
}

// givenFile is the name of a job file and the text that is sent for it.
func (c *call) givenFile() (name string, source []byte, err error) {
	name = c.r.PathValue("file")
	if err := fileName(name); err != nil {
		return "", nil, err
	}
	source, err = io.ReadAll(c.r.Body)
	return name, source, err
}

// mayReplace keeps what somebody else has written from being lost.
// https://www.rfc-editor.org/rfc/rfc9110#section-13.1.1
func (c *call) mayReplace(former []byte) error {
	match, noneMatch := c.r.Header.Get("If-Match"), c.r.Header.Get("If-None-Match")
	const changed = "read it again, and make the change in what is there now"
	switch {
	case noneMatch == "*" && former != nil:
		return precondition("there is such a file already", "take another name, or send its ETag as If-Match", http.StatusPreconditionFailed)
	case former == nil && match != "":
		return precondition("the file is not there any more", "leave If-Match out to write it anew", http.StatusPreconditionFailed)
	case former == nil:
		return nil
	case match == "":
		return precondition("it is not said which version of the file is meant", "send its ETag as If-Match", http.StatusPreconditionRequired)
	case match != "*" && !tagIn(match, entityTag(former)):
		return precondition("the file was changed meanwhile", changed, http.StatusPreconditionFailed)
	}
	return nil
}

// tagIn tells whether a list of entity tags has one.
func tagIn(list, tag string) bool {
	for one := range strings.SplitSeq(list, ",") {
		if strings.TrimSpace(one) == tag {
			return true
		}
	}
	return false
}

func (c *call) deleteFile() (any, error) {
	name := c.r.PathValue("file")
	if err := fileName(name); err != nil {
		return nil, err
	}
	return nil, c.Daemon.DeleteIf(name, func(former []byte) error {
		if former == nil {
			return noFile(name)
		}
		return c.mayReplace(former)
	})
}

func (c *call) checkFile() (any, error) {
	name := c.text("file")
	if name == "" {
		name = "job.yaml"
	}
	if err := fileName(name); err != nil {
		return nil, err
	}
	source, err := io.ReadAll(c.r.Body)
	if err != nil {
		return nil, err
	}
	return c.check(name, source), nil
}

// nextTimes is how many due times are told.
const nextTimes = 3

// check says what is to be said of a job file's text.
func (c *call) check(name string, source []byte) machine.Checked {
	job, err := config.Parse(filepath.Join(c.Dir, name), source)
	if err != nil {
		m := machine.Checked{Mistakes: config.Mistakes{{File: name, Message: err.Error()}}}
		if mistakes, ok := errors.AsType[config.Mistakes](err); ok {
			m.Mistakes = bareMistakes(mistakes)
		}
		return m
	}
	m := machine.Checked{OK: true, Job: job.Name}
	for _, item := range job.Items.Items {
		m.Items = append(m.Items, item.Name)
	}
	if s, err := schedule.New(job.Schedule, job.Name); err == nil && job.Schedule.Cron != "" {
		at := time.Now()
		for range nextTimes {
			due, ok := s.Next(at)
			if !ok {
				break
			}
			m.Next = append(m.Next, due.At)
			at = due.Nominal
		}
	}
	return m
}

// bareMistakes are mistakes that don't tell where the folder is.
func bareMistakes(mistakes config.Mistakes) config.Mistakes {
	bare := make(config.Mistakes, len(mistakes))
	for i, m := range mistakes {
		m.File = filepath.Base(m.File)
		bare[i] = m
	}
	return bare
}

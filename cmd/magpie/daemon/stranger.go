package daemon

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"github.com/magpie-crawl/magpie/config"
	"github.com/magpie-crawl/magpie/config/notify"
	"github.com/magpie-crawl/magpie/internal/harmless"
	"github.com/magpie-crawl/magpie/store/dataset"
)

// StrangerError says what a job file may not do when nobody knows who writes
// it. Without a token every user of the machine can: a job file must not let
// them do as the user whom the daemon runs as, beyond crawling.
type StrangerError struct{ What string }

func (e *StrangerError) Error() string { return e.What }

// StrangerAdvice says what to do about a StrangerError.
const StrangerAdvice = "edit the file on the disk, or set a token with MAGPIE_TOKEN, so that it is known who writes job files"

// reaches looks whether the job does what nobody may have it do, or not
// everybody who may save it; reading must be held. What the file did before, it
// may go on doing, but for secrets: they would go wherever it says now.
func (d *Daemon) reaches(file string, job *config.Job) error {
	path := filepath.Join(d.o.Dir, file)
	for _, e := range job.Exports {
		if database := absolute(d.o.DB.Path()); absolute(e.Path) == database || strings.HasPrefix(absolute(e.Path), database+"-") {
			return config.Mistakes{{File: path, Message: "an export cannot take the place of the database: choose another path"}}
		}
	}
	if !d.o.Strangers {
		return nil
	}
	if err := d.MayTry(job); err != nil {
		return err
	}
	before := &config.Job{}
	source, err := d.Source(file)
	if err == nil {
		// One with mistakes did nothing.
		if job, err := config.ParseOffline(path, source); err == nil {
			before = job
		}
	} else if !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err := mayCommand(job, before); err != nil {
		return err
	}
	return d.mayWrite(job, before)
}

// MayTry looks whether whoever asks may have a page fetched as the job says,
// which may be saved nowhere.
func (d *Daemon) MayTry(job *config.Job) error {
	if d.o.Strangers && len(job.Variables) > 0 {
		return &StrangerError{fmt.Sprintf("without a token, a job file that is written here takes nothing from the environment: it names ${%s}", job.Variables[0])}
	}
	return nil
}

func mayCommand(job, before *config.Job) error {
	for _, c := range job.Notify {
		if c.Command != nil && !slices.ContainsFunc(before.Notify, func(b notify.Channel) bool { return slices.Equal(words(c), words(b)) }) {
			return &StrangerError{"without a token, no command is put into a job file here: " + harmless.Text(c.Name) + " was not in it before"}
		}
	}
	return nil
}

// words are a command as the file has it.
func words(c notify.Channel) (list []string) {
	for _, t := range c.Command {
		text, _ := t.MarshalText() // the source, which needs no making
		list = append(list, string(text))
	}
	return list
}

// mayWrite keeps files within the folder of the jobs, and by their names from
// taking the place of others, such as jobs and scripts.
func (d *Daemon) mayWrite(job, before *config.Job) error {
	if w := job.Options.WARC; w != "" && w != before.Options.WARC && !d.holds(w) {
		return outside(w)
	}
	for _, e := range job.Exports {
		if slices.ContainsFunc(before.Exports, func(b config.Export) bool { return b.Path == e.Path && b.Format == e.Format }) {
			continue
		}
		switch format, _ := dataset.FormatOf(e.Path); {
		case !d.holds(e.Path):
			return outside(e.Path)
		case format != e.Format && e.Format != dataset.Markdown: // which makes a folder
			return &StrangerError{fmt.Sprintf("without a token, an export that is written here has the ending of its format: %q has none of %s", filepath.Base(e.Path), e.Format)}
		}
	}
	return nil
}

// holds tells whether a path is below the folder of the jobs.
func (d *Daemon) holds(path string) bool {
	rest, err := filepath.Rel(absolute(d.o.Dir), absolute(path))
	return err == nil && rest != "." && filepath.IsLocal(rest)
}

func outside(path string) error {
	return &StrangerError{fmt.Sprintf("without a token, a job file that is written here makes files in the folder of the jobs alone, by relative paths without ..: %q", path)}
}

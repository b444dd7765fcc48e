package daemon

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/magpie-crawl/magpie/config"
	"github.com/magpie-crawl/magpie/config/notify"
	"github.com/magpie-crawl/magpie/store/dataset"
)

// StrangerError says what a job file may not do when nobody knows who writes
// it. Without a token every user of the machine can: a job file must not let
// them do as the user whom the daemon runs as, beyond crawling.
type StrangerError struct{ What string }

func (e *StrangerError) Error() string { return e.What }

// StrangerAdvice says what to do about a StrangerError.
const StrangerAdvice = "edit the file on the disk, or set a token with MAGPIE_TOKEN, so that it is known who writes job files"

// mayStranger looks whether the job may be saved by whoever asks; change must
// be held. What the file did before, it may go on doing, but for secrets: they
// would go wherever it says now.
func (d *Daemon) mayStranger(file string, job *config.Job) error {
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
		if job, err := config.ParseOffline(filepath.Join(d.o.Dir, file), source); err == nil {
			before = job
		}
	} else if !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return errors.Join(mayCommand(job, before), d.mayWrite(job, before))
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
			return &StrangerError{"without a token, no command is put into a job file here: " + c.Name + " was not in it before"}
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

// mayWrite keeps files within the folder of the jobs, from being taken for
// jobs, and from taking the place of others, such as scripts.
func (d *Daemon) mayWrite(job, before *config.Job) error {
	paths, known := written(job), written(before)
	if job.Options.WARC != "" && job.Options.WARC != before.Options.WARC {
		if _, within := d.within(job.Options.WARC); !within {
			return outside(job.Options.WARC)
		}
	}
	for _, path := range paths {
		if slices.Contains(known, path) {
			continue
		}
		rest, within := d.within(path)
		ext := strings.ToLower(filepath.Ext(path))
		switch _, err := os.Lstat(path); {
		case !within:
			return outside(path)
		case ext == ".yaml" || ext == ".yml":
			return &StrangerError{fmt.Sprintf("without a token, no export that is written here makes a YAML file, which might be taken for a job: %q", rest)}
		case !errors.Is(err, fs.ErrNotExist):
			return &StrangerError{fmt.Sprintf("without a token, an export that is written here takes the place of no file that is there already: %q", rest)}
		}
	}
	return nil
}

// written are the files that a job's exports make.
func written(job *config.Job) (paths []string) {
	for _, e := range job.Exports {
		paths = append(paths, e.Path)
		for _, s := range e.Split {
			paths = append(paths, dataset.SplitName(e.Path, s.Name))
		}
	}
	return paths
}

// within is a path as it is from the folder of the jobs.
func (d *Daemon) within(path string) (rest string, is bool) {
	rest, err := filepath.Rel(d.o.Dir, path)
	return rest, err == nil && filepath.IsLocal(rest)
}

func outside(path string) error {
	return &StrangerError{fmt.Sprintf("without a token, a job file that is written here makes files in the folder of the jobs alone, by relative paths without ..: %q", path)}
}

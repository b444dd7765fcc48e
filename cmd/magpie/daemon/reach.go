package daemon

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/magpie-crawl/magpie/config"
	"github.com/magpie-crawl/magpie/config/notify"
	"github.com/magpie-crawl/magpie/store/dataset"
)

// Whoever can save job files here, by the dashboard or the API, is not always
// somebody who may do whatever the daemon's user may: on a loopback address
// without a token it is each user of the machine. A job file could give them
// that: a command is run, and an export takes the place of any file, such as a
// shell's settings. So a file that is saved brings no command that the folder
// has not, and writes where the folder's jobs write already, or to files below
// it that are named as exports are. What is put into the folder by hand may
// bring all.

// reach is what the job files of the folder may have magpie do outside of it.
type reach struct {
	dir      string
	database string
	commands map[string]bool // by notify.Channel.ID
	folders  map[string]bool // that are written to
}

// reachOf is the reach of the folder as it is; change must be held.
func (d *Daemon) reachOf() *reach {
	r := &reach{dir: absolute(d.o.Dir), database: absolute(d.o.DB.Path()), commands: map[string]bool{}, folders: map[string]bool{}}
	for _, f := range d.folder.files {
		for _, job := range []*config.Job{f.read, f.good} {
			if job == nil {
				continue
			}
			for _, c := range job.Notify {
				r.commands[c.ID] = true
			}
			for _, e := range job.Exports {
				r.folders[filepath.Dir(absolute(e.Path))] = true
			}
			if job.Options.WARC != "" {
				r.folders[absolute(job.Options.WARC)] = true
			}
		}
	}
	return r
}

// check says what of a job goes beyond.
func (r *reach) check(file string, job *config.Job) error {
	var beyond config.Mistakes
	wrong := func(format string, args ...any) {
		beyond = append(beyond, config.Mistake{File: file, Message: fmt.Sprintf(format, args...) + ": write that into the file in the folder itself"})
	}
	for _, c := range job.Notify {
		if len(c.Command) > 0 && !r.commands[c.ID] {
			wrong("notify has a new command, %s, and commands cannot be brought in from here", commandText(c))
		}
	}
	for _, e := range job.Exports {
		path := absolute(e.Path)
		format, _ := dataset.FormatOf(path)
		switch {
		case path == r.database || strings.HasPrefix(path, r.database+"-"):
			beyond = append(beyond, config.Mistake{File: file, Message: "an export cannot take the place of the database: choose another path"})
		case r.folders[filepath.Dir(path)] && format == e.Format:
		case !r.holds(path):
			wrong("the export to %s leads out of the folder, and from here no export can be made to do so", e.Path)
		case format != e.Format && e.Format != dataset.Markdown:
			wrong("the name of the export %s is none of %s, and from here exports can be given no other", filepath.Base(path), e.Format)
		}
	}
	if w := job.Options.WARC; w != "" && !r.folders[absolute(w)] && !r.holds(absolute(w)) {
		wrong("the archive %s is not in the folder, and from here none can be put elsewhere", w)
	}
	if len(beyond) > 0 {
		return beyond
	}
	return nil
}

// holds tells whether a path is below the folder of the job files.
func (r *reach) holds(path string) bool {
	rest, err := filepath.Rel(r.dir, path)
	return err == nil && rest != "." && filepath.IsLocal(rest)
}

// commandText is a command as its file has it.
func commandText(c notify.Channel) string {
	var parts []string
	for _, t := range c.Command {
		text, _ := t.MarshalText()
		parts = append(parts, string(text))
	}
	return fmt.Sprintf("%.100q", strings.Join(parts, " "))
}

package daemon

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/magpie-crawl/magpie/config"
	"github.com/magpie-crawl/magpie/config/schedule"
	"github.com/magpie-crawl/magpie/store"
)

// folder is what was read of the job files.
type folder struct {
	dir     string
	files   map[string]*file
	failure failure
}

// file is a job file.
type file struct {
	name  string
	stamp stamp
	read  *config.Job // as the file is now; nil: it has mistakes
	fault string      // those
	good  *config.Job // that was used last; nil: never one
}

// stamp tells whether a file has changed.
type stamp struct {
	modified time.Time
	size     int64
	info     fs.FileInfo
}

func stampOf(i fs.FileInfo) stamp { return stamp{i.ModTime(), i.Size(), i} }

func (s stamp) same(o stamp) bool {
	return s.info != nil && s.modified.Equal(o.modified) && s.size == o.size && os.SameFile(s.info, o.info)
}

// Settings are the names of files that are never jobs: the daemon's own. Many
// file systems take SERVE.yaml for the same file.
var Settings = []string{"serve.yaml", "serve.yml"}

// IsJobFile tells whether a file of this name is taken for a job: it ends in
// .yaml or .yml, and is neither hidden, an editor's, nor the daemon's settings.
func IsJobFile(name string) bool {
	ext := filepath.Ext(name)
	return (ext == ".yaml" || ext == ".yml") && !strings.ContainsAny(name[:1], ".#~") && !slices.Contains(Settings, strings.ToLower(name))
}

// refresh reads the files that have changed, and those of the names that are
// dirty. A folder that cannot be read leaves everything as it was.
func (f *folder) refresh(dirty map[string]bool) error {
	entries, err := os.ReadDir(f.dir)
	if err != nil {
		return err
	}
	there := map[string]bool{}
	for _, e := range entries {
		if !IsJobFile(e.Name()) {
			continue
		}
		path := filepath.Join(f.dir, e.Name())
		info, err := os.Stat(path)
		if errors.Is(err, fs.ErrNotExist) || err == nil && !info.Mode().IsRegular() {
			continue
		}
		there[e.Name()] = true
		known := f.files[e.Name()]
		if known == nil {
			known = &file{name: e.Name()}
			f.files[e.Name()] = known
		}
		if err == nil {
			now := stampOf(info)
			if known.stamp.same(now) && !dirty[e.Name()] {
				continue
			}
			known.stamp = now
		}
		known.load(path)
	}
	maps.DeleteFunc(f.files, func(name string, _ *file) bool { return !there[name] })
	return nil
}

func (f *file) load(path string) {
	var job *config.Job
	source, err := readSource(path)
	if err == nil {
		job, err = config.Parse(path, source)
	}
	f.read, f.fault = job, ""
	if err != nil {
		f.fault = err.Error()
	}
	if source == nil {
		f.stamp = stamp{} // it may be readable the next time, and look the same
	}
}

// claim is what a file says which jobs there are.
type claim struct {
	file   *file
	name   string
	config *config.Job // nil: never loaded
	fault  string
}

// claims decides which file stands for which job: of two with one name, that
// which had it before stays, such as when somebody copies a file to write the
// next one; of two new ones, the second by file name is refused.
func (f *folder) claims() []claim {
	taken := map[string]string{}
	var list []claim
	names := slices.Sorted(maps.Keys(f.files))
	slices.SortStableFunc(names, func(a, b string) int {
		return cmp.Compare(f.files[a].newcomer(), f.files[b].newcomer())
	})
	for _, name := range names {
		file := f.files[name]
		c := claim{file: file, name: name, fault: file.fault}
		for _, job := range []*config.Job{file.read, file.good} {
			if job == nil || c.config != nil {
				continue
			}
			if other, is := taken[job.Name]; is {
				if c.fault == "" {
					c.fault = sameName(filepath.Join(f.dir, name), job.Name, other).Error()
				}
				continue
			}
			c.name, c.config = job.Name, job
		}
		if c.config != nil {
			file.good = c.config
			taken[c.name] = name
		}
		list = append(list, c)
	}
	slices.SortFunc(list, func(a, b claim) int { return strings.Compare(a.file.name, b.file.name) })
	return list
}

// newcomer is 0 for a file that goes on with the job it stood for, 1 for one
// that is new or has changed its job's name.
func (f *file) newcomer() int {
	if f.good != nil && (f.read == nil || f.read.Name == f.good.Name) {
		return 0
	}
	return 1
}

func sameName(path, job, other string) config.Mistake {
	return config.Mistake{File: path, Message: fmt.Sprintf("the job %q is in %s already: give one of them another name", job, other)}
}

// scan reads the folder and takes up what has changed; reading must be held.
func (d *Daemon) scan(dirty map[string]bool) error {
	if err := d.folder.refresh(dirty); err != nil {
		return fmt.Errorf("read the job files: %w", err)
	}
	d.change.Lock()
	defer d.change.Unlock()
	return d.takeUp()
}

// takeUp has the jobs be what was read; change must be held.
func (d *Daemon) takeUp() error {
	if d.hold != nil {
		d.follow(context.Background())
	}
	before := maps.Clone(d.jobs)
	var fresh []*job
	var notes []func()
	d.update(func() {
		claims := d.folder.claims()
		d.keepApart(claims)
		for _, c := range claims {
			j, note := d.claimed(c, before)
			if note != nil {
				notes = append(notes, note)
			}
			if before[c.name] == nil {
				fresh = append(fresh, j)
			}
			delete(before, c.name)
		}
	})
	for _, note := range notes {
		note()
	}
	d.update(func() {
		maps.DeleteFunc(before, func(name string, j *job) bool {
			unknown := j.config == nil || d.hold == nil // to the database
			if unknown {
				delete(d.jobs, name)
			}
			return unknown
		})
	})
	if d.hold == nil {
		return nil
	}
	ctx := context.Background()
	var decisions []store.Decision
	for _, j := range before {
		decisions = append(decisions, d.remove(j))
	}
	if len(decisions) > 0 {
		if err := d.decide(ctx, decisions); err != nil {
			return err
		}
	}
	return d.adopt(ctx, d.unadopted(fresh))
}

// keepApart sees to it that a file that was never loaded, which goes by its own
// name, does not go by that of a job.
func (d *Daemon) keepApart(claims []claim) {
	taken := map[string]bool{}
	for name, j := range d.jobs {
		taken[name] = j.config != nil
	}
	for _, c := range claims {
		taken[c.name] = taken[c.name] || c.config != nil
	}
	for i := range claims {
		for c := &claims[i]; c.config == nil && taken[c.name]; {
			c.name += " (file)"
		}
	}
}

// claimed takes up a file's job, or refuses it, and returns what is to be
// logged of that.
func (d *Daemon) claimed(c claim, before map[string]*job) (*job, func()) {
	j := d.jobs[c.name]
	if j == nil {
		j = &job{name: c.name}
		d.jobs[c.name] = j
	}
	known := before[c.name] != nil && !j.gone
	faulty, renewed := c.fault != "" && c.fault != j.fault, c.config != nil && (j.config == nil || j.config.Source != c.config.Source || j.file != c.file.name)
	repaired := c.fault == "" && j.fault != ""
	j.file, j.fault, j.gone = c.file.name, c.fault, false
	if c.config != nil && j.config != c.config {
		j.config = c.config
		j.reschedule(d.clock.Now())
	}
	switch {
	case faulty && j.config != nil:
		return j, func() {
			d.log.Error("job file refused: the job stays as it was", "job", j.name, "file", c.file.name, "mistakes", c.fault)
		}
	case faulty:
		return j, func() { d.log.Error("job file refused", "file", c.file.name, "mistakes", c.fault) }
	case !known && j.config != nil:
		return j, func() {
			d.log.Info("job taken up", j.told(c.file.name)...)
		}
	case (renewed || repaired) && j.config != nil:
		return j, func() {
			d.log.Info("job changed", j.told(c.file.name)...)
		}
	}
	return j, nil
}

// told is what is logged of a job: its file, and when it is due if it has a
// schedule.
func (j *job) told(file string) []any {
	list := []any{"job", j.name, "file", file}
	if j.written != "" {
		list = append(list, "schedule", j.written)
	}
	if !j.next.At.IsZero() {
		list = append(list, "next", j.next.At)
	}
	return list
}

// reschedule makes the job follow what its file says now. Another schedule
// counts from now on.
func (j *job) reschedule(now time.Time) {
	options := j.config.Schedule
	written := writtenSchedule(options)
	if written == j.written && (written == "") == (j.schedule == nil) {
		return
	}
	j.schedule, j.written = nil, written
	if written != "" {
		// The file was checked, so that there is no error.
		j.schedule, _ = schedule.New(options, j.name)
	}
	j.follow(now)
	j.adopted = false
}

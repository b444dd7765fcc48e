package daemon

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/magpie-crawl/magpie/config"
	"github.com/magpie-crawl/magpie/internal/harmless"
	"github.com/magpie-crawl/magpie/internal/temporary"
)

// ErrFileName says that a name cannot be that of a job file.
var ErrFileName = errors.New("a job file's name has no folder, ends in .yaml or .yml, and is not serve.yaml, hidden or an editor's")

// Save checks a job file and puts it into the folder; file is a bare name that
// ends in .yaml or .yml. Mistakes are of type config.Mistakes. When Save
// returns, the job is in use. The error is a *StrangerError where a stranger
// may not save it.
func (d *Daemon) Save(file string, source []byte) error {
	return d.SaveIf(file, source, func([]byte) error { return nil })
}

// SaveIf is Save if may returns no error. It is called with the file's text as
// it is, nil where there is none, and nobody else saves or deletes files until
// this one is saved.
func (d *Daemon) SaveIf(file string, source []byte, may func(former []byte) error) error {
	job, err := d.Check(file, source)
	if err != nil {
		return err
	}
	path := filepath.Join(d.o.Dir, file)
	d.reading.Lock()
	defer d.reading.Unlock()
	if err := d.allow(file, may); err != nil {
		return err
	}
	if other := d.fileOf(job.Name); other != "" && other != file {
		return config.Mistakes{sameName(path, job.Name, other)}
	}
	if err := d.reaches(file, job); err != nil {
		return err
	}
	if err := replace(path, source); err != nil {
		return fmt.Errorf("save %s: %w", file, err)
	}
	return d.scan(map[string]bool{file: true})
}

// Delete takes a job file out of the folder. What the job stored stays.
func (d *Daemon) Delete(file string) error {
	return d.DeleteIf(file, func([]byte) error { return nil })
}

// DeleteIf is Delete if may returns no error, see SaveIf.
func (d *Daemon) DeleteIf(file string, may func(former []byte) error) error {
	if err := checkFileName(file); err != nil {
		return err
	}
	d.reading.Lock()
	defer d.reading.Unlock()
	if err := d.allow(file, may); err != nil {
		return err
	}
	if err := os.Remove(filepath.Join(d.o.Dir, file)); err != nil {
		return fmt.Errorf("delete %s: %w", file, err)
	}
	return d.scan(nil)
}

// fileOf is the file that has a job; "": none does.
func (d *Daemon) fileOf(job string) string {
	d.mu.Lock()
	defer d.mu.Unlock()
	if j := d.jobs[job]; j != nil && j.config != nil && !j.gone {
		return j.file
	}
	return ""
}

// allow asks whether a file may be changed; reading must be held.
func (d *Daemon) allow(file string, may func(former []byte) error) error {
	former, err := d.Source(file)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		former = nil
	case err != nil:
		return err
	case former == nil:
		former = []byte{}
	}
	return may(former)
}

// maxFileName is how long the name of a job file may be, in bytes.
const maxFileName = 200

func checkFileName(file string) error {
	if file != filepath.Base(file) || !filepath.IsLocal(file) || len(file) > maxFileName || harmless.Text(file) != file || !IsJobFile(file) {
		return fmt.Errorf("%q: %w", file, ErrFileName)
	}
	return nil
}

// replace writes a file whole or not at all.
func replace(path string, source []byte) error {
	mode := fs.FileMode(0o644)
	if info, err := os.Stat(path); err == nil {
		mode = info.Mode().Perm()
	}
	var f *os.File
	temp, release, err := temporary.Make(func() (string, error) {
		if f != nil { // it was swept
			f.Close()
		}
		var err error
		// Hidden, so that it is not taken for a job.
		if f, err = os.CreateTemp(filepath.Dir(path), savePrefix+"*"+saveSuffix); err != nil {
			return "", err
		}
		return f.Name(), nil
	})
	if err != nil {
		return err
	}
	defer release()
	_, err = f.Write(source)
	err = errors.Join(err, f.Chmod(mode), f.Sync(), f.Close())
	if err == nil {
		err = os.Rename(temp, path)
	}
	if err != nil {
		os.Remove(temp)
	}
	return err
}

// Names of files that are to become job files have digits between these.
const savePrefix, saveSuffix = ".magpie-", ".tmp"

// sweepSaves deletes the files of saves that were cut short with their
// processes.
func sweepSaves(dir string) {
	temporary.Sweep(dir, func(name string) bool {
		rest, is := strings.CutPrefix(name, savePrefix)
		digits, ends := strings.CutSuffix(rest, saveSuffix)
		return is && ends && digits != "" && strings.Trim(digits, "0123456789") == ""
	})
}

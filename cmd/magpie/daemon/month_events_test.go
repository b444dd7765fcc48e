package daemon

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// job is the job of a name.
func (m *month) job(name string) *monthJob {
	return m.jobs[slices.IndexFunc(m.jobs, func(j *monthJob) bool { return j.name == name })]
}

// file writes the file of a job.
func (m *month) file(j *monthJob) {
	url := m.site.URL + "/" + strings.ReplaceAll(j.name, " ", "-")
	if j.overlap != "" {
		url = m.slow[j.overlap].URL + "/slow"
	}
	source := j.source(url)
	if j.overlap == "cancel" { // something is left when it is stopped
		source = strings.Replace(source, "pages: 1", "pages: 2", 1)
	}
	m.write(j.name+".yaml", source)
}

// pause pauses a job, or has it go on.
func (m *month) pause(j *monthJob, paused bool) {
	m.t.Helper()
	j.paused = paused
	m.pauseJob(j.name, paused)
}

// shutSlow has the slow sites answer no more.
func (m *month) shutSlow() {
	for _, s := range m.slow {
		s.shut()
	}
	m.shut = true
	for _, j := range m.jobs {
		j.shut = 0
	}
}

// openSlow has them answer again, once each of their jobs was due often enough.
func (m *month) openSlow() {
	m.t.Helper()
	for _, j := range m.jobs {
		if j.overlap != "" && j.shut < 3 {
			m.t.Fatalf("%s was due %d times while its site was shut", j.name, j.shut)
		}
	}
	m.shut = false
	for _, s := range m.slow {
		s.open()
	}
	m.settled()
}

// rewrite changes a job's file, or puts it back.
func (m *month) rewrite(j *monthJob) {
	m.t.Helper()
	j.considered, j.absent, j.apart = m.now, false, true
	m.file(j)
	m.d.Rescan()
	if got, ok := m.d.Job(j.name); !ok || got.Fault != "" || got.Config == nil {
		m.t.Fatalf("%+v", got)
	}
}

// remove deletes a job's file.
func (m *month) remove(j *monthJob) {
	m.t.Helper()
	j.absent = true
	if err := os.Remove(filepath.Join(m.dir, j.name+".yaml")); err != nil {
		m.t.Fatal(err)
	}
	m.d.Rescan()
	if got, ok := m.d.Job(j.name); ok {
		m.t.Fatalf("%+v", got)
	}
}

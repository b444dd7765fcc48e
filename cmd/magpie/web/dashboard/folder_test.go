package dashboard

import (
	"slices"

	"github.com/magpie-crawl/magpie/cmd/magpie/daemon"
	"github.com/magpie-crawl/magpie/crawl"
)

// folder stands for a daemon whose jobs are in states that a real one is in
// for moments only.
type folder struct {
	list     []daemon.Job
	crawlers map[string]*crawl.Crawler
	did      []string
	changed  chan struct{}
	stopping bool
	settings daemon.SettingsState
}

func (f *folder) Jobs() []daemon.Job { return f.list }

func (f *folder) Job(name string) (daemon.Job, bool) {
	i := slices.IndexFunc(f.list, func(j daemon.Job) bool { return j.Name == name })
	if i < 0 {
		return daemon.Job{}, false
	}
	return f.list[i], true
}

func (f *folder) do(what, name string) error {
	if _, ok := f.Job(name); !ok {
		return daemon.ErrUnknown
	}
	f.did = append(f.did, what+" "+name)
	return nil
}

func (f *folder) Start(name string, how daemon.Start) error {
	if j, _ := f.Job(name); j.State == daemon.Running {
		return daemon.ErrRunning
	}
	if f.stopping {
		return daemon.ErrStopping
	}
	return f.do("start", name)
}
func (f *folder) Stop(name string) error { return f.do("stop", name) }
func (f *folder) Pause(name string, paused bool) error {
	if j, ok := f.Job(name); ok && !scheduled(&j) {
		return daemon.ErrNoSchedule
	}
	if paused {
		return f.do("pause", name)
	}
	return f.do("resume", name)
}
func (f *folder) Crawler(name string) (*crawl.Crawler, bool) {
	c, ok := f.crawlers[name]
	return c, ok
}
func (f *folder) Changed() <-chan struct{} { return f.changed }

func (f *folder) Settings() daemon.SettingsState { return f.settings }

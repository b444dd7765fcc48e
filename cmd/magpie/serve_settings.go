package main

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"github.com/magpie-crawl/magpie/cmd/magpie/alert"
	"github.com/magpie-crawl/magpie/cmd/magpie/daemon"
	"github.com/magpie-crawl/magpie/config"
)

// isSettings tells files of settings from job files, by their names.
func isSettings(file string) bool { return slices.Contains(daemon.Settings, filepath.Base(file)) }

// loadSettings reads the settings of a folder of job files. Where there are
// none they set nothing.
func loadSettings(dir string) (*config.Serve, error) {
	for _, name := range daemon.Settings {
		s, err := config.LoadServe(filepath.Join(dir, name))
		var mistakes config.Mistakes
		switch {
		case errors.Is(err, fs.ErrNotExist):
			continue
		case err != nil && !errors.As(err, &mistakes):
			return nil, &usageError{"magpie check", err.Error()}
		}
		return s, err
	}
	return &config.Serve{}, nil
}

// takeUp has settings used that were changed while magpie serve runs.
type takeUp struct {
	began   *config.Serve // what it began with
	web     *webServer
	flags   func(name string) bool // tells which were given: they come before settings
	daemon  *daemon.Daemon
	alerter *alert.Alerter

	concurrency int // of the flags, or the defaults
	stopWithin  time.Duration
}

func (c *serveCommand) takeUp(cmd *cobra.Command, began *config.Serve) *takeUp {
	return &takeUp{began: began, web: &c.web, flags: cmd.Flags().Changed, concurrency: c.concurrency, stopWithin: c.stopWithin}
}

// limits are what the flags say, else the settings.
func (t *takeUp) limits(s *config.Serve) (concurrency int, stopWithin time.Duration) {
	concurrency, stopWithin = t.concurrency, t.stopWithin
	if s.Concurrency > 0 && !t.flags("concurrency") {
		concurrency = s.Concurrency
	}
	if s.StopWithin > 0 && !t.flags("stop-within") {
		stopWithin = s.StopWithin
	}
	return concurrency, stopWithin
}

// used are settings as messages go by them: links lead to where the server is
// seen since it was started.
func (t *takeUp) used(s *config.Serve) *config.Serve {
	used := *s
	used.URL = t.web.url
	return &used
}

// up is daemon.Options.TakeUp.
func (t *takeUp) up(s *config.Serve) (restart []string) {
	t.daemon.SetLimits(t.limits(s))
	t.alerter.Use(t.used(s))
	known := os.Getenv(tokenVariable) != "" || t.flags("token")
	for _, key := range []struct {
		name    string
		changed bool
	}{
		{"listen", s.Listen != t.began.Listen && !t.flags("listen") && !t.web.off},
		{"token", s.Token != t.began.Token && !known && !t.web.off},
		{"hosts", !slices.Equal(s.Hosts, t.began.Hosts) && !t.web.off},
		{"url", s.URL != t.began.URL && !t.flags("url")},
	} {
		if key.changed {
			restart = append(restart, key.name)
		}
	}
	return restart
}

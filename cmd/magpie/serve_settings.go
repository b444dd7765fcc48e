package main

import (
	"errors"
	"io/fs"
	"path/filepath"
	"slices"

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

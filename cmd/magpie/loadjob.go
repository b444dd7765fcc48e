package main

import (
	"errors"

	"github.com/magpie-crawl/magpie/config"
)

// loadJob reads a job file. A file that cannot be read is wrong usage too.
func loadJob(path string) (*config.Job, error) { return readJob(path, config.Load) }

// loadJobOffline is loadJob for commands that fetch nothing: secrets need not
// be set.
func loadJobOffline(path string) (*config.Job, error) { return readJob(path, config.LoadOffline) }

func readJob(path string, load func(string) (*config.Job, error)) (*config.Job, error) {
	job, err := load(path)
	var mistakes config.Mistakes
	if err != nil && !errors.As(err, &mistakes) {
		return nil, &usageError{"magpie check", err.Error()}
	}
	return job, err
}

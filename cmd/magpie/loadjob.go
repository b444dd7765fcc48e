package main

import (
	"errors"

	"github.com/magpie-crawl/magpie/config"
)

// loadJob reads a job file. A file that cannot be read is wrong usage too.
func loadJob(path string) (*config.Job, error) {
	job, err := config.Load(path)
	var mistakes config.Mistakes
	if err != nil && !errors.As(err, &mistakes) {
		return nil, &usageError{"magpie check", err.Error()}
	}
	return job, err
}

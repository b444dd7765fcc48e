package store

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"time"

	"github.com/magpie-crawl/magpie/store/dataset"
)

// about is what the manifests of an export of item types say of it, beside what
// was written; nil if none are wanted.
func (x *export) about(ctx context.Context, items []string) (*dataset.Manifest, error) {
	o := x.options
	if !o.Manifest {
		return nil, nil
	}
	runs, err := x.runs(ctx, items)
	return &dataset.Manifest{
		Description: o.Dataset, Created: time.Now(), Software: o.Software, Runs: runs,
		Since: o.Since, Where: o.Where, Dedup: o.Dedup, Duplicates: x.duplicates,
	}, err
}

// runs tells of each job that records came from its last run.
func (x *export) runs(ctx context.Context, items []string) ([]dataset.Run, error) {
	jobs, err := x.db.exportJobs(ctx, items, x.options.Job)
	if err != nil {
		return nil, err
	}
	runs := []dataset.Run{}
	for _, job := range jobs {
		r, err := x.db.Run(ctx, job, 0)
		if err != nil {
			return nil, err
		}
		run := dataset.Run{Job: job, Number: r.Number, State: string(r.State), Started: r.Started.UTC(), Ended: r.Ended}
		if !r.Ended.IsZero() {
			run.Ended = r.Ended.UTC()
		}
		if r.Source != "" {
			sum := sha256.Sum256([]byte(r.Source))
			run.SpecSHA256 = hex.EncodeToString(sum[:])
		}
		runs = append(runs, run)
	}
	return runs, nil
}

// exportJobs lists the jobs that have one of the item types; without any, all
// jobs.
func (db *DB) exportJobs(ctx context.Context, items []string, job string) ([]string, error) {
	if job != "" {
		return []string{job}, nil
	}
	var names []string
	if len(items) == 0 {
		jobs, err := db.Jobs(ctx)
		for _, j := range jobs {
			names = append(names, j.Name)
		}
		return names, err
	}
	for _, name := range items {
		found, err := db.exportItems(ctx, ExportOptions{Item: name})
		if err != nil {
			return nil, err
		}
		for _, item := range found {
			if !slices.Contains(names, item.job) {
				names = append(names, item.job)
			}
		}
	}
	return names, nil
}

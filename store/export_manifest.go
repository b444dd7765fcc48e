package store

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"path/filepath"
	"slices"
	"time"

	"github.com/magpie-crawl/magpie/store/dataset"
)

// describe makes the manifests of an export, whose files are complete.
func (x *export) describe(ctx context.Context) error {
	if !x.options.Manifest {
		return nil
	}
	o := x.options
	m := dataset.Manifest{
		Description: o.Dataset, Name: filepath.Base(x.path), Created: time.Now(), Software: o.Software,
		Since: o.Since, Where: o.Where, Dedup: o.Dedup, Duplicates: x.duplicates, Misfits: x.misfits,
	}
	for _, f := range x.files {
		m.Files = append(m.Files, f.about)
	}
	var err error
	if m.Runs, err = x.runs(ctx); err != nil {
		return err
	}
	for _, manner := range []struct {
		ending string
		text   func() ([]byte, error)
	}{{".datapackage.json", m.DataPackage}, {".croissant.json", m.Croissant}} {
		text, err := manner.text()
		if err != nil {
			return fmt.Errorf("describe the export: %w", err)
		}
		p, err := newPlace(x.path+manner.ending, false)
		if err != nil {
			return err
		}
		x.manifests = append(x.manifests, p)
		if _, err := p.file.Write(text); err != nil {
			return p.failed(err)
		}
	}
	return nil
}

// runs tells of each job that records came from its last run.
func (x *export) runs(ctx context.Context) ([]dataset.Run, error) {
	jobs, err := x.db.exportJobs(ctx, x.files[0].about.Tables, x.options.Job)
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
func (db *DB) exportJobs(ctx context.Context, tables []dataset.Table, job string) ([]string, error) {
	if job != "" {
		return []string{job}, nil
	}
	var names []string
	if len(tables) == 0 {
		jobs, err := db.Jobs(ctx)
		for _, j := range jobs {
			names = append(names, j.Name)
		}
		return names, err
	}
	for _, t := range tables {
		items, err := db.exportItems(ctx, ExportOptions{Item: t.Schema.Item})
		if err != nil {
			return nil, err
		}
		for _, item := range items {
			if !slices.Contains(names, item.job) {
				names = append(names, item.job)
			}
		}
	}
	return names, nil
}

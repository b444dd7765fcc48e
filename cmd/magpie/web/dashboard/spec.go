package dashboard

import (
	"context"
	"errors"

	"github.com/magpie-crawl/magpie/config"
	"github.com/magpie-crawl/magpie/extract"
	"github.com/magpie-crawl/magpie/store"
)

// specOf is what a job says: as a run of its had it, or with 0 as it is now in
// the folder, else as its last run had it. Nothing of it is fetched, so secrets
// need not be there.
func (d *dashboard) specOf(ctx context.Context, job string, run int) (*config.Job, error) {
	if run == 0 {
		if j, ok := d.jobs.Job(job); ok && j.Config != nil {
			return j.Config, nil
		}
	}
	r, err := d.db.Run(ctx, job, run)
	if err != nil {
		return nil, err
	}
	if r.Source == "" {
		return nil, &refusal{Status: 404, Text: "This run had no job file: a URL was crawled."}
	}
	return config.ParseOffline(job, []byte(r.Source))
}

// fieldTypes are the fields of an item by their names, as far as the job says;
// none where there is no job file that can be read.
func (d *dashboard) fieldTypes(ctx context.Context, job, item string) (map[string]extract.Field, error) {
	spec, err := d.specOf(ctx, job, 0)
	switch {
	case ctx.Err() != nil:
		return nil, err
	case err != nil: // of an earlier version, or there is none: values show what they are
		return nil, nil
	}
	fields := map[string]extract.Field{}
	for _, i := range spec.Items.Items {
		if i.Name != item {
			continue
		}
		for _, f := range i.Fields {
			fields[f.Name] = f
		}
	}
	return fields, nil
}

// known refuses a job that neither the folder nor the database knows.
func (d *dashboard) known(ctx context.Context, job string) error {
	if _, ok := d.jobs.Job(job); ok {
		return nil
	}
	_, err := d.db.RunsPage(ctx, job, 0, 1)
	if errors.Is(err, store.ErrNotFound) {
		return &refusal{Status: 404, Text: "There is no job of this name.", Hint: "Its file may have been removed or renamed. The list of jobs has all there are."}
	}
	return err
}

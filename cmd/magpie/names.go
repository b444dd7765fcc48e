package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/magpie-crawl/magpie/internal/spelling"
	"github.com/magpie-crawl/magpie/store"
)

// checkNames refuses a job, or an item type of it, that is not in the database,
// with what there is. "" stands for any.
func (a *app) checkNames(ctx context.Context, db *store.DB, job, item string) error {
	if job != "" {
		jobs, err := db.JobNames(ctx)
		if err != nil {
			return err
		}
		if err := a.known("job", job, jobs); err != nil {
			return err
		}
	}
	if item == "" {
		return nil
	}
	types, err := db.ItemTypes(ctx, job)
	if err != nil {
		return err
	}
	return a.known("item type", item, itemNames(types))
}

// checkRun refuses a run that neither the job, nor with "" any job, has. 0
// stands for any.
func (a *app) checkRun(ctx context.Context, db *store.DB, job string, number int) error {
	if number == 0 {
		return nil
	}
	jobs := []string{job}
	if job == "" {
		var err error
		if jobs, err = db.JobNames(ctx); err != nil {
			return err
		}
	}
	for _, job := range jobs {
		if _, err := db.Run(ctx, job, number); !errors.Is(err, store.ErrNotFound) {
			return err
		}
	}
	return fmt.Errorf("there is no run %d in %s: magpie runs lists them", number, a.db)
}

// runOf is a run of a job by its number.
func (a *app) runOf(ctx context.Context, db *store.DB, job string, number int) (*store.Run, error) {
	run, err := db.Run(ctx, job, number)
	if errors.Is(err, store.ErrNotFound) {
		return nil, fmt.Errorf("%w: magpie runs lists them", err)
	}
	return run, err
}

// itemNames are the names of item types, each once.
func itemNames(types []store.ItemSummary) []string {
	var names []string
	for _, t := range types {
		if !slices.Contains(names, t.Name) {
			names = append(names, t.Name)
		}
	}
	return names
}

// maxNames is how many names an error lists.
const maxNames = 10

// known refuses a name that is none of names.
func (a *app) known(what, name string, names []string) error {
	if slices.Contains(names, name) {
		return nil
	}
	said := fmt.Sprintf("no %s %q in %s", what, name, a.db)
	switch near := spelling.Nearest(name, names); {
	case near != "":
		return fmt.Errorf("%s: did you mean %q?", said, near)
	case len(names) > maxNames:
		return fmt.Errorf("%s: there are %s and %d more", said, strings.Join(names[:maxNames], ", "), len(names)-maxNames)
	case len(names) > 0:
		return fmt.Errorf("%s: there is %s", said, strings.Join(names, ", "))
	default:
		return errors.New(said)
	}
}

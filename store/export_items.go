package store

import (
	"context"
	"database/sql"
	"fmt"
	"slices"
	"strings"

	"github.com/magpie-crawl/magpie/store/dataset"
	"github.com/magpie-crawl/magpie/store/internal/itemtype"
)

// exportItem is an item type of a job.
type exportItem struct {
	id, jobID int64
	job, name string
}

// exportItems lists where records are taken from, by job.
func (db *DB) exportItems(ctx context.Context, o ExportOptions) ([]exportItem, error) {
	return collect(ctx, db, `SELECT items.id, jobs.id, jobs.name, items.name FROM items JOIN jobs ON jobs.id = items.job_id
		WHERE items.name = ?1 AND (?2 = '' OR jobs.name = ?2) ORDER BY jobs.name`, []any{o.Item, o.Job},
		func(rows *sql.Rows) (i exportItem, err error) { return i, rows.Scan(&i.id, &i.jobID, &i.job, &i.name) })
}

// itemNames lists the item types of a job, or of all.
func (db *DB) itemNames(ctx context.Context, job string) ([]string, error) {
	names, err := collect(ctx, db, `SELECT DISTINCT items.name FROM items JOIN jobs ON jobs.id = items.job_id
		WHERE ?1 = '' OR jobs.name = ?1 ORDER BY items.name`, []any{job},
		func(rows *sql.Rows) (name string, err error) { return name, rows.Scan(&name) })
	if err == nil && len(names) == 0 {
		err = fmt.Errorf("item types in %s: %w", db.path, ErrNotFound)
	}
	return names, err
}

// exportSchema is the schema of what is exported of an item type.
func (db *DB) exportSchema(ctx context.Context, o ExportOptions) (dataset.Schema, error) {
	jobs, err := db.exportFields(ctx, o)
	if err != nil {
		return dataset.Schema{}, err
	}
	var meta []string
	if o.Meta {
		meta = itemtype.Meta
	}
	s := itemtype.Schema(o.Item, jobs, meta)
	if len(s.Fields) == 0 && o.Format.Columns() {
		// An item that no job declared. There is no table without columns.
		s.Fields = append(s.Fields, dataset.MetaField("_key"))
	}
	if len(o.Fields) > 0 {
		names := o.Fields
		if o.Meta {
			for _, name := range itemtype.Meta {
				if !slices.Contains(names, name) {
					names = append(names[:len(names):len(names)], name)
				}
			}
		}
		if s, err = s.Choose(names); err != nil {
			return s, &OptionError{"fields", err}
		}
	}
	return s, nil
}

// exportFields returns the fields of the item in each job it is taken from.
func (db *DB) exportFields(ctx context.Context, o ExportOptions) ([][]itemtype.Field, error) {
	rows, err := db.read.QueryContext(ctx, `SELECT items.fields FROM items JOIN jobs ON jobs.id = items.job_id
		WHERE items.name = ?1 AND (?2 = '' OR jobs.name = ?2) ORDER BY jobs.id`, o.Item, o.Job)
	if err != nil {
		return nil, db.fileError("read", err)
	}
	fields, err := scanFields(rows)
	if err != nil {
		return nil, db.fileError("read", err)
	}
	if len(fields) > 0 {
		return fields, nil
	}
	return nil, db.noItem(ctx, o)
}

// noItem says that there is no such item, and which there are.
func (db *DB) noItem(ctx context.Context, o ExportOptions) error {
	what := fmt.Sprintf("item %q", o.Item)
	if o.Job != "" {
		what += fmt.Sprintf(" of job %q", o.Job)
	}
	items, err := db.Items(ctx, o.Job)
	if err != nil {
		return err
	}
	var names []string
	for _, item := range items {
		if !slices.Contains(names, item.Name) {
			names = append(names, item.Name)
		}
	}
	if len(names) == 0 {
		return fmt.Errorf("%s in %s: %w", what, db.path, ErrNotFound)
	}
	return fmt.Errorf("%s in %s: %w: there are %s", what, db.path, ErrNotFound, strings.Join(names, ", "))
}

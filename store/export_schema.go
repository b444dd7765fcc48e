package store

import (
	"context"
	"slices"

	"github.com/magpie-crawl/magpie/store/dataset"
	"github.com/magpie-crawl/magpie/store/internal/itemtype"
)

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

package store

import (
	"slices"

	"github.com/magpie-crawl/magpie/store/internal/itemtype"
	"github.com/magpie-crawl/magpie/store/internal/sqltext"
)

// putIndexes makes and drops indexes of fields, as the job's items ask for. It
// takes about a second a field for a million records, during which nothing else
// is written; after that an index is only kept up to date.
func (t *tx) putIndexes(jobID int64, items []itemtype.Type) error {
	ids, err := t.itemIDs(jobID)
	if err != nil {
		return err
	}
	for name, id := range ids {
		var want []itemtype.Index
		if i := slices.IndexFunc(items, func(i itemtype.Type) bool { return i.Name == name }); i >= 0 {
			want = items[i].Indexes(id)
		}
		have, err := t.indexesOf(id)
		if err != nil {
			return err
		}
		for _, index := range have {
			if !slices.Contains(want, index) {
				if err := t.define("DROP INDEX " + sqltext.QuoteName(index.Name)); err != nil {
					return err
				}
			}
		}
		for _, index := range want {
			if !slices.Contains(have, index) {
				if err := t.define(index.SQL); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// itemIDs returns the ids of the job's item types by their names.
func (t *tx) itemIDs(jobID int64) (map[string]int64, error) {
	rows, err := t.query(`SELECT name, id FROM items WHERE job_id = ?`, jobID)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	ids := map[string]int64{}
	for rows.Next() {
		var name string
		var id int64
		if err := rows.Scan(&name, &id); err != nil {
			return nil, err
		}
		ids[name] = id
	}
	return ids, rows.Err()
}

const indexesQuery = `SELECT name, sql FROM sqlite_schema WHERE type = 'index' AND name GLOB ?1 || '*' ORDER BY name`

// indexesOf lists the indexes that an item's fields have.
func (t *tx) indexesOf(itemID int64) ([]itemtype.Index, error) {
	rows, err := t.query(indexesQuery, itemtype.IndexPrefix(itemID))
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var all []itemtype.Index
	for rows.Next() {
		var i itemtype.Index
		if err := rows.Scan(&i.Name, &i.SQL); err != nil {
			return nil, err
		}
		all = append(all, i)
	}
	return all, rows.Err()
}

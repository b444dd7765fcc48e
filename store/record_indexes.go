package store

import (
	"fmt"
	"slices"
)

// fieldIndex is the index of a field of an item type, as its job file asks for
// with index: it holds the current records of the item by the field's value.
type fieldIndex struct{ name, sql string }

// indexPrefix begins the names of the indexes of an item's fields; the field's
// name follows.
func indexPrefix(itemID int64) string { return fmt.Sprintf("magpie_field_%d_", itemID) }

func newFieldIndex(itemID int64, f itemField) fieldIndex {
	name := indexPrefix(itemID) + f.Name
	return fieldIndex{name, fmt.Sprintf("CREATE INDEX %s ON records (%s) WHERE item_id = %d AND to_run IS NULL",
		quoteName(name), comparableSQL(f), itemID)}
}

// comparableSQL is the expression for what of a field's value is compared and
// sorted by: of a price its amount, of a time its second since 1970; else the
// value as it is. An empty value is NULL.
func comparableSQL(f itemField) string {
	path := `$."` + f.Name + `"`
	value := fmt.Sprintf("json_extract(data, %s)", quoteText(path))
	switch kindOfField(f) {
	case priceValue:
		return fmt.Sprintf("CAST(json_extract(data, %s) AS NUMERIC)", quoteText(path+".amount"))
	case timeValue:
		// The times of a field may have different zones. A text that SQLite
		// takes for the present, which no index can hold, has no digit first.
		return fmt.Sprintf("CASE WHEN %s GLOB '[0-9]*' THEN unixepoch(%s) END", value, value)
	case listValue:
		return fmt.Sprintf("nullif(nullif(%s, '[]'), '{}')", value)
	default:
		return fmt.Sprintf("nullif(%s, '')", value)
	}
}

// valueKind says how a value is compared.
type valueKind uint8

const (
	textValue valueKind = iota
	numberValue
	boolValue
	priceValue
	timeValue
	listValue // or an object: there is nothing to compare
	runValue  // number of a run
	urlValue
)

func kindOfField(f itemField) valueKind {
	has := func(name string) bool { return slices.Contains(f.Types, name) }
	switch {
	case has(typePrice):
		return priceValue
	case has(typeJSON) || f.List:
		return listValue
	case has("number") || has("integer"):
		return numberValue
	case has("bool"):
		return boolValue
	case has("datetime"):
		return timeValue
	}
	return textValue
}

// putIndexes makes and drops indexes of fields, as the job's items ask for. It
// takes about a second a field for a million records, during which nothing else
// is written; after that an index is only kept up to date.
func (t *tx) putIndexes(jobID int64, items []itemType) error {
	ids, err := t.itemIDs(jobID)
	if err != nil {
		return err
	}
	for name, id := range ids {
		var want []fieldIndex
		if i := slices.IndexFunc(items, func(i itemType) bool { return i.Name == name }); i >= 0 {
			want = items[i].indexes(id)
		}
		have, err := t.indexesOf(id)
		if err != nil {
			return err
		}
		for _, index := range have {
			if !slices.Contains(want, index) {
				if err := t.define("DROP INDEX " + quoteName(index.name)); err != nil {
					return err
				}
			}
		}
		for _, index := range want {
			if !slices.Contains(have, index) {
				if err := t.define(index.sql); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// indexes are those that the item asks for. Lists have none.
func (i itemType) indexes(id int64) []fieldIndex {
	var all []fieldIndex
	for _, f := range i.Fields {
		if slices.Contains(i.Index, f.Name) && kindOfField(f) != listValue {
			all = append(all, newFieldIndex(id, f))
		}
	}
	return all
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
func (t *tx) indexesOf(itemID int64) ([]fieldIndex, error) {
	rows, err := t.query(indexesQuery, indexPrefix(itemID))
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var all []fieldIndex
	for rows.Next() {
		var i fieldIndex
		if err := rows.Scan(&i.name, &i.sql); err != nil {
			return nil, err
		}
		all = append(all, i)
	}
	return all, rows.Err()
}

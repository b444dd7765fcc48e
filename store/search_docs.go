package store

import (
	"strconv"
	"strings"

	"github.com/magpie-crawl/magpie/store/search"
)

// searchDoc is a row of docs.
type searchDoc struct {
	kind, ref, job, item int64
	hash                 []byte
}

// putDoc puts texts into the index in place of what is there of the same
// record or page.
func (s *SearchIndex) putDoc(t *tx, d searchDoc, values []search.Value) error {
	if err := dropDoc(t, d.kind, d.ref); err != nil {
		return err
	}
	id, err := t.insert(`INSERT INTO docs (kind, ref, job, item, hash) VALUES (?, ?, ?, ?, ?)`, d.kind, d.ref, d.job, d.item, d.hash)
	if err != nil {
		return err
	}
	for i := range values {
		if values[i].Name == "" {
			continue
		}
		if values[i].Field, err = s.fieldID(t, values[i].Name); err != nil {
			return err
		}
	}
	args := []any{id}
	for _, text := range search.Texts(values) {
		if text == "" {
			args = append(args, nil) // the same to FTS5, and no work
		} else {
			args = append(args, text)
		}
	}
	return t.exec(insertTexts, args...)
}

// insertTexts puts a doc's words into the columns of texts.
var insertTexts = `INSERT INTO texts (rowid, ` + searchColumns + `) VALUES (?` + strings.Repeat(", ?", len(search.Columns())) + `)`

// dropDoc takes a record or page out of the index, if it is there.
func dropDoc(t *tx, kind, ref int64) error {
	var id int64
	found, err := t.row(`SELECT id FROM docs WHERE kind = ? AND ref = ?`, []any{kind, ref}, &id)
	if err != nil || !found {
		return err
	}
	return deleteDoc(t, id)
}

func deleteDoc(t *tx, id int64) error {
	if err := t.exec(`DELETE FROM texts WHERE rowid = ?`, id); err != nil {
		return err
	}
	return t.exec(`DELETE FROM docs WHERE id = ?`, id)
}

// fieldID returns what the index calls a field. Case makes no difference.
func (s *SearchIndex) fieldID(t *tx, name string) (string, error) {
	if id, ok := s.names[name]; ok {
		return id, nil
	}
	var id int64
	found, err := t.row(`SELECT id FROM fields WHERE name = ?`, []any{name}, &id)
	if err == nil && !found {
		id, err = t.insert(`INSERT INTO fields (name) VALUES (?)`, name)
	}
	if err == nil {
		s.names[name] = strconv.FormatInt(id, 10)
	}
	return s.names[name], err
}

package store

import (
	"strconv"

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
	plain, fields := search.Columns(values)
	return t.exec(`INSERT INTO words (docid, plain, fields) VALUES (?, ?, ?)`, id, plain, fields)
}

func dropDoc(t *tx, kind, ref int64) error {
	return t.exec(`DELETE FROM docs WHERE kind = ? AND ref = ?`, kind, ref)
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

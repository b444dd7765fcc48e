package store

import (
	"context"
	"encoding/hex"
	"fmt"
	"strings"

	"github.com/magpie-crawl/magpie/store/internal/itemtype"
)

// SearchUpdate says what an index is to take up. The zero value is the records
// alone.
type SearchUpdate struct {
	Pages    []string             // jobs whose pages' articles are indexed too
	Progress func(SearchProgress) // called now and then, from the same goroutine; may be nil
}

// SearchProgress is how far an update has come.
type SearchProgress struct {
	Pages       bool  // of pages, not of records
	Done, Total int64 // about
}

// indexChunk is how many records go into the index in one transaction, and
// searchChunkBytes how many bytes of records or bodies are in memory for it, but for
// the last.
const (
	indexChunk       = 2000
	searchChunkBytes = 8 << 20
)

// Update brings the index up to date with what the database holds now. It does
// no more than what has changed since the last time asks for, and goes on
// where it was when it is stopped.
func (s *SearchIndex) Update(ctx context.Context, o SearchUpdate) (err error) {
	defer func() { err = ended(ctx, err) }()
	if o.Progress == nil {
		o.Progress = func(SearchProgress) {}
	}
	types, err := s.itemTypes(ctx)
	if err != nil {
		return err
	}
	if err := s.updateAgain(ctx, types); err != nil {
		return err
	}
	if err := s.updateRecords(ctx, types, o.Progress); err != nil {
		return err
	}
	for _, job := range o.Pages {
		if err := s.updatePages(ctx, job, o.Progress); err != nil {
			return err
		}
	}
	return nil
}

// searchType is an item type as the index needs it.
type searchType struct {
	job  int64
	html map[string]bool // fields whose text is HTML
}

func (s *SearchIndex) itemTypes(ctx context.Context) (map[int64]searchType, error) {
	rows, err := s.db.read.QueryContext(ctx, `SELECT id, job_id, fields FROM items`)
	if err != nil {
		return nil, s.db.fileError("read", err)
	}
	defer rows.Close()
	types := map[int64]searchType{}
	for rows.Next() {
		var id int64
		var text string
		t := searchType{html: map[string]bool{}}
		if err := rows.Scan(&id, &t.job, &text); err != nil {
			return nil, s.db.fileError("read", err)
		}
		fields, err := itemtype.ParseFields(text)
		if err != nil {
			return nil, fmt.Errorf("fields of item %d in %s: %w", id, s.db.path, err)
		}
		for _, f := range fields {
			if len(f.Types) == 1 && f.Types[0] == itemtype.HTMLType {
				t.html[f.Name] = true
			}
		}
		types[id] = t
	}
	return types, s.db.fileError("read", rows.Err())
}

// searchRecord is a version of a record on its way into the index.
type searchRecord struct {
	id, item, previous int64
	hash, data         []byte
}

// readRecords reads records that a condition on r.id holds for, the first of
// them where they are large.
func (s *SearchIndex) readRecords(ctx context.Context, where string, args ...any) ([]searchRecord, error) {
	rows, err := s.db.read.QueryContext(ctx, `SELECT r.id, r.item_id, coalesce(r.previous_id, 0), r.hash, r.data FROM records r WHERE `+where, args...)
	if err != nil {
		return nil, s.db.fileError("read", err)
	}
	defer rows.Close()
	var chunk []searchRecord
	for size := 0; size < searchChunkBytes && rows.Next(); {
		var r searchRecord
		if err := rows.Scan(&r.id, &r.item, &r.previous, &r.hash, &r.data); err != nil {
			return nil, s.db.fileError("read", err)
		}
		chunk, size = append(chunk, r), size+len(r.data)
	}
	return chunk, s.db.fileError("read", rows.Err())
}

// updateRecords indexes the records that are new.
func (s *SearchIndex) updateRecords(ctx context.Context, types map[int64]searchType, progress func(SearchProgress)) error {
	var newest, first int64
	if err := s.db.read.QueryRowContext(ctx, `SELECT coalesce(max(id), 0) FROM records`).Scan(&newest); err != nil {
		return s.db.fileError("read", err)
	}
	for {
		n := 0
		err := s.chunk(ctx, func(t *tx) error {
			after, _, err := progressOf(t, "records")
			if err != nil {
				return err
			}
			if first == 0 {
				first = after
			}
			chunk, err := s.readRecords(ctx, `r.id > ? AND r.to_run IS NULL ORDER BY r.id LIMIT ?`, after, indexChunk)
			if n = len(chunk); err != nil || n == 0 {
				return err
			}
			for i := range chunk {
				if err := s.indexRecord(t, types, &chunk[i]); err != nil {
					return err
				}
			}
			final := &chunk[n-1]
			progress(SearchProgress{Done: final.id - first, Total: max(newest, final.id) - first})
			return setProgress(t, "records", final.id, markOf(final.hash))
		})
		if err != nil || n == 0 {
			return err
		}
	}
}

// updateAgain looks at the records that magpie_search_again lists.
func (s *SearchIndex) updateAgain(ctx context.Context, types map[int64]searchType) error {
	for {
		n := 0
		err := s.chunk(ctx, func(t *tx) error {
			done, _, err := progressOf(t, "again")
			if err != nil {
				return err
			}
			list, err := s.readAgain(ctx, done)
			if n = len(list); err != nil || n == 0 {
				return err
			}
			if err := s.indexAgain(t, types, list); err != nil {
				return err
			}
			return setProgress(t, "again", list[n-1].seq, "")
		})
		if err != nil || n == 0 {
			return err
		}
	}
}

// searchAgain is a row of magpie_search_again.
type searchAgain struct {
	seq, id int64
	beyond  bool
}

func (s *SearchIndex) readAgain(ctx context.Context, after int64) ([]searchAgain, error) {
	rows, err := s.db.read.QueryContext(ctx, `SELECT seq, record_id, beyond FROM magpie_search_again WHERE seq > ? ORDER BY seq LIMIT ?`, after, indexChunk)
	if err != nil {
		return nil, s.db.fileError("read", err)
	}
	defer rows.Close()
	var list []searchAgain
	for rows.Next() {
		var a searchAgain
		if err := rows.Scan(&a.seq, &a.id, &a.beyond); err != nil {
			return nil, s.db.fileError("read", err)
		}
		list = append(list, a)
	}
	return list, s.db.fileError("read", rows.Err())
}

// indexAgain indexes records anew, as they read now. Those beyond what is
// indexed are met on the way.
func (s *SearchIndex) indexAgain(t *tx, types map[int64]searchType, list []searchAgain) error {
	indexed, _, err := progressOf(t, "records")
	if err != nil {
		return err
	}
	for _, a := range list {
		if a.beyond {
			indexed = min(indexed, a.id)
		}
	}
	for _, a := range list {
		if a.id > indexed {
			continue
		}
		if err := s.indexOne(t, types, a.id); err != nil {
			return err
		}
	}
	var hash []byte
	final, err := s.readRecords(t.ctx, `r.id = ?`, indexed)
	if err != nil {
		return err
	}
	if len(final) > 0 {
		hash = final[0].hash
	}
	return setProgress(t, "records", indexed, markOf(hash))
}

// indexOne indexes a record anew, if it is current.
func (s *SearchIndex) indexOne(t *tx, types map[int64]searchType, id int64) error {
	found, err := s.readRecords(t.ctx, `r.id = ? AND r.to_run IS NULL`, id)
	if err != nil {
		return err
	}
	if len(found) == 0 {
		return dropDoc(t, recordDoc, id)
	}
	return s.indexRecord(t, types, &found[0])
}

// markOf is a record's hash as progress keeps it: as SQL's hex() writes it.
func markOf(hash []byte) string { return strings.ToUpper(hex.EncodeToString(hash)) }

func (s *SearchIndex) indexRecord(t *tx, types map[int64]searchType, r *searchRecord) error {
	if r.previous != 0 {
		if err := dropDoc(t, recordDoc, r.previous); err != nil {
			return err
		}
	}
	item := types[r.item]
	values, err := recordValues(r.data, item.html)
	if err != nil {
		return fmt.Errorf("record %d in %s: %w", r.id, s.db.path, err)
	}
	return s.putDoc(t, searchDoc{recordDoc, r.id, item.job, r.item, r.hash}, values)
}

// chunk writes a part of an update in one transaction.
func (s *SearchIndex) chunk(ctx context.Context, f func(*tx) error) error {
	return s.fault("write", s.w.transact(ctx, func(t *tx) error {
		s.names = map[string]string{} // those of a transaction that was undone are not in the index
		return f(t)
	}))
}

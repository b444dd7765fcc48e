package store

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"

	"github.com/magpie-crawl/magpie/store/search"
)

// SearchFilter says what is searched. Each zero field wants all.
type SearchFilter struct {
	Job   string
	Item  string // records of this item type; pages have none
	Limit int    // the best this many
}

// Found is what a search has found: a record, or the article of a page.
type Found struct {
	Job     string
	Item    string            // "": a page
	Key     string            // of a record
	URL     string            // the page, or the one that showed the record last
	Score   float64           // how well it matches: more is better, never negative
	Field   string            // where the snippet is from
	Snippet []search.Fragment // a part of it, with what was searched for marked
	Data    json.RawMessage   // the record; nil: a page
	Title   string            // of a page's article
}

// Find returns what matches words, the best first: see search.ParseQuery for
// what words may be. unknown are names before a colon that no indexed field
// has. It finds what Update has indexed, and nothing that has changed since.
//
// Errors of the words are those of search.ParseQuery.
func (s *SearchIndex) Find(ctx context.Context, words string, f SearchFilter) (found []Found, unknown []string, err error) {
	defer func() { err = ended(ctx, err) }()
	names, err := s.Fields(ctx)
	if err != nil {
		return nil, nil, err
	}
	fields := fieldIDs(names)
	q, err := search.ParseQuery(words, func(name string) (string, bool) {
		id, ok := fields[foldName(name)]
		return id, ok
	})
	if err != nil {
		return nil, nil, err
	}
	types, err := s.itemTypes(ctx)
	if err != nil {
		return nil, nil, err
	}
	look := &searchLook{SearchIndex: s, query: q, types: types, fields: fields, weights: search.Weights(names)}
	found, err = look.find(ctx, f)
	return found, q.Unknown, err
}

// Fields are the names of the fields that can be searched by name, in the order
// in which they were first met.
func (s *SearchIndex) Fields(ctx context.Context) ([]string, error) {
	rows, err := s.w.conn.QueryContext(ctx, `SELECT name FROM fields ORDER BY id`)
	if err != nil {
		return nil, s.fault("read", err)
	}
	defer rows.Close()
	var names []string
	for rows.Next() {
		var name string
		if err := rows.Scan(&name); err != nil {
			return nil, s.fault("read", err)
		}
		names = append(names, name)
	}
	return names, s.fault("read", rows.Err())
}

func fieldIDs(names []string) map[string]string {
	ids := map[string]string{}
	for i, name := range names {
		ids[foldName(name)] = fmt.Sprint(i + 1) // nothing is deleted from fields
	}
	return ids
}

// foldName is what NOCASE makes of a name.
func foldName(name string) string { return string(bytes.Map(lowerASCII, []byte(name))) }

func lowerASCII(r rune) rune {
	if r >= 'A' && r <= 'Z' {
		return r | 0x20
	}
	return r
}

// searchLook is one search.
type searchLook struct {
	*SearchIndex
	query   *search.Query
	types   map[int64]searchType
	fields  map[string]string
	weights []float64 // of the columns
}

// searched is a doc that matches.
type searched struct {
	id, kind, ref int64
	hash          []byte
	score         float64
}

// spare is how many candidates are kept beyond those wanted, in case that some
// hold no more.
const spare = 200

// find returns the best that still hold. The others leave the index, so that
// each round has fewer of them.
func (l *searchLook) find(ctx context.Context, f SearchFilter) ([]Found, error) {
	for {
		candidates, err := l.candidates(ctx, f)
		if err != nil {
			return nil, l.fault("read", err)
		}
		var found []Found
		var stale []searched
		for _, c := range candidates {
			if f.Limit > 0 && len(found) == f.Limit {
				break
			}
			hit, ok, err := l.look(ctx, c)
			if err != nil {
				return nil, err
			}
			if !ok {
				stale = append(stale, c)
				continue
			}
			hit.Score = c.score
			found = append(found, hit)
		}
		if err := l.forget(ctx, stale); err != nil {
			return nil, err
		}
		enough := f.Limit <= 0 || len(found) == f.Limit || len(candidates) < f.Limit+spare
		if enough || len(stale) == 0 {
			return found, nil
		}
	}
}

// narrow finds the ids for a filter. items is a JSON list, "" for all.
func (l *searchLook) narrow(ctx context.Context, f SearchFilter) (job int64, items string, err error) {
	if f.Job != "" {
		err := l.db.read.QueryRowContext(ctx, `SELECT coalesce((SELECT id FROM jobs WHERE name = ?), -1)`, f.Job).Scan(&job)
		if err != nil {
			return 0, "", l.db.fileError("read", err)
		}
	}
	if f.Item != "" {
		err := l.db.read.QueryRowContext(ctx, `SELECT json_group_array(id) FROM items WHERE name = ?`, f.Item).Scan(&items)
		if err != nil {
			return 0, "", l.db.fileError("read", err)
		}
	}
	return job, items, nil
}

// forget takes docs out of the index that hold no more.
func (l *searchLook) forget(ctx context.Context, stale []searched) error {
	if len(stale) == 0 {
		return nil
	}
	return l.fault("write", l.w.transact(ctx, func(t *tx) error {
		for _, c := range stale {
			if err := deleteDoc(t, c.id); err != nil {
				return err
			}
		}
		return nil
	}))
}

// look reads what a hit is. It returns false if that is not what was
// indexed.
func (l *searchLook) look(ctx context.Context, c searched) (Found, bool, error) {
	if c.kind == pageDoc {
		return l.lookPage(ctx, c)
	}
	var f Found
	var item int64
	rows, err := l.db.read.QueryContext(ctx, `SELECT j.name, i.name, i.id, r.key, u.url, r.data
		FROM records r JOIN items i ON i.id = r.item_id JOIN jobs j ON j.id = i.job_id JOIN urls u ON u.id = r.url_id
		WHERE r.id = ? AND r.to_run IS NULL AND r.hash = ?`, c.ref, c.hash)
	if err != nil {
		return f, false, l.db.fileError("read", err)
	}
	defer rows.Close()
	if !rows.Next() {
		return f, false, l.db.fileError("read", rows.Err())
	}
	if err := rows.Scan(&f.Job, &f.Item, &item, &f.Key, &f.URL, (*[]byte)(&f.Data)); err != nil {
		return f, false, l.db.fileError("read", err)
	}
	values, err := recordValues(f.Data, l.types[item].html)
	if err != nil {
		return f, false, fmt.Errorf("record %s in %s: %w", f.Key, l.db.path, err)
	}
	l.excerpt(&f, values)
	return f, true, nil
}

func (l *searchLook) lookPage(ctx context.Context, c searched) (f Found, ok bool, err error) {
	pages, err := l.readPages(ctx, `u.id = ? AND b.hash = ?`, c.ref, c.hash)
	if err != nil || len(pages) == 0 {
		return f, false, err
	}
	p := &pages[0]
	if err := l.db.read.QueryRowContext(ctx, `SELECT j.name FROM urls u JOIN jobs j ON j.id = u.job_id WHERE u.id = ?`, c.ref).Scan(&f.Job); err != nil {
		return f, false, l.db.fileError("read", err)
	}
	values, err := p.values(ctx, l.db)
	if err != nil || len(values) == 0 {
		return f, false, l.db.fileError("read", err)
	}
	f.URL = p.url
	if values[0].Name == "title" {
		f.Title = values[0].Text
	}
	l.excerpt(&f, values)
	return f, true, nil
}

// excerpt sets the snippet.
func (l *searchLook) excerpt(f *Found, values []search.Value) {
	for i := range values {
		values[i].Field = l.fields[foldName(values[i].Name)]
	}
	f.Field, f.Snippet = l.query.Snippet(values)
}

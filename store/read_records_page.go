package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"
)

// RecordsPage is a page of an item's current records.
type RecordsPage struct {
	Records  []Record
	Total    int64    // of all pages
	Exact    bool     // false: Total is how many there are at least
	Next     string   // RecordsQuery.After of the next page; "": there is none
	Previous string   // RecordsQuery.Before of the page before; "": there is none
	Sort     string   // what they are in the order of
	Indexed  []string // the fields by which filters and sorting are fast
}

const (
	defaultRecordsLimit  = 50
	maxRecordsLimit      = 1000
	defaultRecordsWithin = 5 * time.Second
)

// RecordsPage returns a page of an item's current records. Filters and orders
// that an index answers take milliseconds, whatever the number of records; one
// that has to look at each record is given up after q.Within, or at the
// deadline of ctx, with a *TooSlowError that names the fields to index.
//
// A mistake in the query is a *QueryFault; an item or run that is not there is
// an error that wraps ErrNotFound.
func (db *DB) RecordsPage(ctx context.Context, q RecordsQuery) (*RecordsPage, error) {
	if err := q.complete(); err != nil {
		return nil, err
	}
	var page *RecordsPage
	l := &recordsLook{q: q}
	err := db.reading(ctx, func(t *sql.Tx) (err error) {
		if l, err = newRecordsLook(ctx, db, t, q); err != nil {
			return err
		}
		// Only now, so that it is known which fields take the time.
		within, cancel := context.WithTimeout(ctx, q.Within)
		defer cancel()
		page, err = l.page(within, t)
		return db.readError(within, err)
	})
	if err != nil && errors.Is(err, context.DeadlineExceeded) {
		return nil, l.slow()
	}
	return page, err
}

func (q *RecordsQuery) complete() error {
	if q.Limit <= 0 {
		q.Limit = defaultRecordsLimit
	}
	q.Limit = min(q.Limit, maxRecordsLimit)
	if q.Within <= 0 {
		q.Within = defaultRecordsWithin
	}
	switch {
	case q.Page < 0 || q.Page > 1<<40:
		return &QueryFault{"page", "pages are numbered from 1 on"}
	case q.After != "" && q.Before != "", q.Page > 0 && (q.After != "" || q.Before != ""):
		return &QueryFault{"page", "only one of a number, after and before can be asked for"}
	}
	return nil
}

// recordPlace is where a record stands in the order asked for.
type recordPlace struct {
	value any
	id    int64
}

func (l *recordsLook) page(ctx context.Context, t *sql.Tx) (*RecordsPage, error) {
	if err := l.chooseDriver(ctx, t); err != nil {
		return nil, err
	}
	p := &RecordsPage{Sort: l.order.name}
	var err error
	if p.Total, p.Exact, err = l.count(ctx, t); err != nil {
		return nil, err
	}
	places, more, err := l.places(ctx, t, p)
	if err != nil {
		return nil, err
	}
	for _, f := range l.fields {
		if c, err := l.column(f.Name); err == nil && c.index != "" {
			p.Indexed = append(p.Indexed, f.Name)
		}
	}
	if p.Records, err = l.records(ctx, t, places); err != nil {
		return nil, err
	}
	l.link(p, places, more)
	if !p.Exact {
		p.Total = max(p.Total, int64(l.offset()+len(places)))
	}
	return p, nil
}

func (l *recordsLook) offset() int { return max(0, l.q.Page-1) * l.q.Limit }

// link sets the cursors of a page. more says that there are records behind it
// in the direction that was walked.
func (l *recordsLook) link(p *RecordsPage, places []recordPlace, more bool) {
	if len(places) == 0 {
		return
	}
	at := func(i int) string { return newCursor(l.order.name, l.q.Desc, places[i].value, places[i].id) }
	if more || l.q.Before != "" {
		p.Next = at(len(places) - 1)
	}
	if l.q.After != "" || l.offset() > 0 || l.q.Before != "" && more {
		p.Previous = at(0)
	}
}

// places finds the page's records.
func (l *recordsLook) places(ctx context.Context, t *sql.Tx, p *RecordsPage) (all []recordPlace, more bool, err error) {
	if p.Exact && int64(l.offset()) > p.Total/2 {
		return l.placesFromEnd(ctx, t, p.Total)
	}
	parts, desc := []stretch{{}}, l.q.Desc
	if from := l.q.After + l.q.Before; from != "" {
		value, id, err := readCursor(from, l.order.name, l.q.Desc)
		if err != nil {
			return nil, false, err
		}
		if l.q.Before != "" {
			desc = !desc
		}
		parts = stretches(l.order.expr, desc, value, id)
	}
	for _, part := range parts {
		if len(all) > l.q.Limit {
			break
		}
		some, err := l.readPlaces(ctx, t, part, desc, l.q.Limit+1-len(all), l.offset())
		if err != nil {
			return nil, false, err
		}
		all = append(all, some...)
	}
	if len(all) > l.q.Limit {
		all, more = all[:l.q.Limit], true
	}
	if l.q.Before != "" {
		slices.Reverse(all)
	}
	return all, more, nil
}

// placesFromEnd finds the records of a page by its number that is nearer to the
// last page than to the first.
func (l *recordsLook) placesFromEnd(ctx context.Context, t *sql.Tx, total int64) (all []recordPlace, more bool, err error) {
	behind := total - int64(l.offset())
	if behind <= 0 {
		return nil, false, nil
	}
	limit := min(l.q.Limit, int(behind))
	all, err = l.readPlaces(ctx, t, stretch{}, !l.q.Desc, limit, int(behind)-limit)
	slices.Reverse(all)
	return all, int(behind) > limit, err
}

func (l *recordsLook) readPlaces(ctx context.Context, t *sql.Tx, part stretch, desc bool, limit, offset int) ([]recordPlace, error) {
	query, args := l.placesSQL(part, desc)
	return collectIn(ctx, t, query, append(args, limit, offset),
		func(rows *sql.Rows) (p recordPlace, err error) { return p, rows.Scan(&p.id, &p.value) })
}

// placesSQL takes a limit and an offset as its last arguments.
func (l *recordsLook) placesSQL(part stretch, desc bool) (string, []any) {
	where := l.where
	if part.where != "" {
		where = append(slices.Clone(where), condition{sql: part.where, args: part.args})
	}
	from, args := l.from(l.driver, where)
	direction := ""
	if desc {
		direction = " DESC"
	}
	order := l.order.expr + direction + ", id" + direction
	if part.one || slices.ContainsFunc(l.where, func(c condition) bool { return c.one && c.column.name == l.order.name }) {
		order = "id" + direction // SQLite would sort by an expression that is always the same
	}
	return fmt.Sprintf(`SELECT id, %s%s ORDER BY %s LIMIT ? OFFSET ?`, l.order.expr, from, order), args
}

// records reads the records at places.
func (l *recordsLook) records(ctx context.Context, t *sql.Tx, places []recordPlace) ([]Record, error) {
	ids := make([]int64, len(places))
	for i, p := range places {
		ids[i] = p.id
	}
	list, err := json.Marshal(ids)
	if err != nil {
		return nil, err
	}
	byID := make(map[int64]Record, len(places))
	_, err = collectIn(ctx, t, `SELECT r.id, r.key, (SELECT url FROM urls WHERE id = r.url_id), r.position,
			(SELECT number FROM runs WHERE id = r.from_run), (SELECT number FROM runs WHERE id = r.last_run), r.data
		FROM json_each(?1) wanted CROSS JOIN records r ON r.id = wanted.value`, []any{string(list)},
		func(rows *sql.Rows) (struct{}, error) {
			r, id := Record{Job: l.q.Job, Item: l.q.Item}, int64(0)
			err := rows.Scan(&id, &r.Key, &r.URL, &r.Position, &r.FirstRun, &r.LastRun, (*[]byte)(&r.Data))
			byID[id] = r
			return struct{}{}, err
		})
	if err != nil {
		return nil, err
	}
	records := make([]Record, len(places))
	for i, p := range places {
		records[i] = byID[p.id]
	}
	return records, nil
}

package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/magpie-crawl/magpie/store/internal/itemtype"
	"github.com/magpie-crawl/magpie/store/internal/sqltext"
)

// chooseOrder decides what the records are in the order of. It depends on the
// query alone, so that its pages fit together.
func (l *recordsLook) chooseOrder() (err error) {
	if l.q.Sort != "" {
		l.order, err = l.column(l.q.Sort)
		if fault, ok := errors.AsType[*QueryFault](err); ok {
			return &QueryFault{"sort", fault.Error()}
		}
		return err
	}
	for _, c := range l.where {
		if c.index != "" && c.index == c.column.index {
			l.order = c.column
			return nil
		}
	}
	name := KeyField
	if len(l.where) > 0 {
		name = FirstRunField // as they lie in the file: all are read fastest so
	}
	l.order, err = l.column(name)
	return err
}

// boundedCount is up to where records are counted that have to be looked at
// one by one. Up to as many found by an index are sorted by something else.
const boundedCount = 10_000

// chooseDriver decides which index is walked: one that leaves few records, or
// else that of the order, so that a page is found before all are looked at.
func (l *recordsLook) chooseDriver(ctx context.Context, t *sql.Tx) error {
	l.driver = l.order.index
	fewest := int64(boundedCount + 1)
	for _, c := range l.where {
		if c.index == "" || c.index == l.order.index || c.column.name == KeyField && strings.Contains(c.sql, "LIKE") {
			continue
		}
		n, err := l.countBounded(ctx, t, c.index, []condition{c})
		if err != nil {
			return err
		}
		if n < fewest || l.driver == "" {
			l.driver, fewest = c.index, n
		}
	}
	if l.driver == "" {
		l.driver = "magpie_records_began"
	}
	return nil
}

// from is the FROM and WHERE of the records that fulfil conditions.
func (l *recordsLook) from(index string, where []condition) (string, []any) {
	var b strings.Builder
	var args []any
	// The id stands for itself: an index of a part of a table is used only
	// where its condition is plain to see.
	fmt.Fprintf(&b, " FROM records INDEXED BY %s WHERE item_id = %d AND to_run IS NULL", sqltext.QuoteName(index), l.itemID)
	for _, c := range where {
		b.WriteString(" AND " + c.sql)
		args = append(args, c.args...)
	}
	return b.String(), args
}

func (l *recordsLook) countBounded(ctx context.Context, t *sql.Tx, index string, where []condition) (n int64, err error) {
	from, args := l.from(index, where)
	err = t.QueryRowContext(ctx, `SELECT count(*) FROM (SELECT 1`+from+fmt.Sprintf(` LIMIT %d)`, boundedCount+1), args...).Scan(&n)
	return n, err
}

// countSpan is what DB.countSpan is.
const countSpan = 100 * time.Millisecond

// count counts the records that the query finds. exact is false where it took
// too long: there are then at least n.
func (l *recordsLook) count(ctx context.Context, t *sql.Tx) (n int64, exact bool, err error) {
	whole := len(l.where) == 0 || len(l.where) == 1 && l.where[0].index == l.driver
	short, cancel := context.WithTimeout(ctx, l.db.countSpan)
	defer cancel()
	if whole {
		index := l.driver
		if len(l.where) == 0 {
			index = "magpie_records_current" // which has them and no others
		}
		from, args := l.from(index, l.where)
		err = t.QueryRowContext(short, `SELECT count(*)`+from, args...).Scan(&n)
		if err == nil || short.Err() == nil || ctx.Err() != nil {
			return n, err == nil, err
		}
		n, err = l.countBounded(ctx, t, l.driver, l.where)
		return min(n, boundedCount), n <= boundedCount, err
	}
	n, err = l.countBounded(short, t, l.driver, l.where)
	switch {
	case err == nil:
		return min(n, boundedCount), n <= boundedCount, nil
	case short.Err() != nil && ctx.Err() == nil:
		return 0, false, nil
	}
	return 0, false, err
}

// slow names the fields that an index would help.
func (l *recordsLook) slow() error {
	e := &TooSlowError{Item: l.q.Item}
	add := func(c recordColumn, index string) {
		if c.made && index == "" && c.kind != itemtype.List && !slices.Contains(e.Fields, c.name) {
			e.Fields = append(e.Fields, c.name)
		}
	}
	for _, c := range l.where {
		add(c.column, c.column.index)
	}
	add(l.order, l.order.index)
	return e
}

package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/magpie-crawl/magpie/store/internal/itemtype"
	"github.com/magpie-crawl/magpie/store/internal/sqltext"
)

// recordColumn is something that records are filtered and sorted by.
type recordColumn struct {
	name  string
	expr  string // of the table records
	index string // that holds expr; "": none
	kind  itemtype.Kind
	made  bool // it is a field of the item
}

// condition is a part of a WHERE.
type condition struct {
	sql    string
	args   []any
	column recordColumn
	index  string // that finds what fulfils it; "": none
	one    bool   // what fulfils it has the same value in column
}

// recordsLook is a RecordsQuery made ready.
type recordsLook struct {
	db      *DB
	q       RecordsQuery
	jobID   int64
	itemID  int64
	fields  []itemtype.Field
	indexes []string // names of those that the item's fields have
	where   []condition
	order   recordColumn
	driver  string // the index that is walked
}

// newRecordsLook finds the item, and checks what is asked against its fields.
// With an error it returns what it came to know.
func newRecordsLook(ctx context.Context, db *DB, t *sql.Tx, q RecordsQuery) (*recordsLook, error) {
	l := &recordsLook{db: db, q: q}
	var fields string
	err := t.QueryRowContext(ctx, `SELECT j.id, i.id, i.fields FROM jobs j JOIN items i ON i.job_id = j.id WHERE j.name = ? AND i.name = ?`, q.Job, q.Item).
		Scan(&l.jobID, &l.itemID, &fields)
	if errors.Is(err, sql.ErrNoRows) {
		return l, fmt.Errorf("item %q of job %q in %s: %w", q.Item, q.Job, db.path, ErrNotFound)
	} else if err != nil {
		return l, err
	}
	if l.fields, err = itemtype.ParseFields(fields); err != nil {
		return l, err
	}
	l.indexes, err = collectIn(ctx, t, indexesQuery, []any{itemtype.IndexPrefix(l.itemID)},
		func(rows *sql.Rows) (name string, err error) {
			var text string
			return name, rows.Scan(&name, &text)
		})
	if err != nil {
		return l, err
	}
	for _, f := range q.Filters {
		c, err := l.condition(ctx, t, f)
		if err != nil {
			return l, err
		}
		l.where = append(l.where, c)
	}
	return l, l.chooseOrder()
}

// column finds what a name means.
func (l *recordsLook) column(name string) (recordColumn, error) {
	switch name {
	case KeyField:
		return recordColumn{name: name, expr: "key", index: "magpie_records_current"}, nil
	case URLField:
		return recordColumn{name: name, expr: "(SELECT url FROM urls WHERE urls.id = url_id)", kind: itemtype.URL}, nil
	case FirstRunField:
		return recordColumn{name: name, expr: "from_run", index: "magpie_records_began", kind: itemtype.Run}, nil
	case LastRunField:
		return recordColumn{name: name, expr: "last_run", kind: itemtype.Run}, nil
	}
	i := slices.IndexFunc(l.fields, func(f itemtype.Field) bool { return f.Name == name })
	if i < 0 || strings.ContainsAny(name, `"\`) {
		names := []string{KeyField, URLField, FirstRunField, LastRunField}
		for _, f := range l.fields {
			names = append(names, f.Name)
		}
		return recordColumn{}, &QueryFault{name, "there is no such field; there are " + strings.Join(names, ", ")}
	}
	f := l.fields[i]
	c := recordColumn{name: name, expr: itemtype.Comparable(f), kind: itemtype.KindOf(f), made: true}
	if index := itemtype.NewIndex(l.itemID, f).Name; slices.Contains(l.indexes, index) {
		c.index = index
	}
	return c, nil
}

var comparisons = map[FilterOp]string{Equal: "=", Less: "<", Greater: ">", AtMost: "<=", AtLeast: ">="}

// condition makes SQL of a filter. The values in it are bound, never written.
func (l *recordsLook) condition(ctx context.Context, t *sql.Tx, f FieldFilter) (condition, error) {
	column, err := l.column(f.Field)
	if err != nil {
		return condition{}, err
	}
	c := condition{column: column, index: column.index, one: f.Op == Equal || f.Op == Empty}
	switch {
	case strings.ContainsRune(f.Value, 0): // where LIKE would end
		return c, &QueryFault{f.Field, "a value cannot contain the character NUL"}
	case f.Op == Empty:
		c.sql = column.expr + " IS NULL"
	case f.Op == Present:
		c.sql = column.expr + " IS NOT NULL"
	case f.Op == Contains:
		c.sql, c.args = contained(column)+` LIKE ? ESCAPE '\'`, []any{"%" + likeEscaper.Replace(f.Value) + "%"}
		if column.name != KeyField {
			c.index = ""
		}
	case comparisons[f.Op] == "":
		return c, &QueryFault{f.Field, fmt.Sprintf("there is no operator %q; there are %s", f.Op, filterOpList())}
	case column.kind == itemtype.URL && f.Op == Equal:
		hash := hashURL(l.jobID, f.Value)
		c.sql, c.args, c.index = "url_id = (SELECT id FROM urls WHERE hash = ?)", []any{hash[:]}, "magpie_records_by_page"
	default:
		value, err := l.operand(ctx, t, column, f)
		if err != nil {
			return c, err
		}
		c.sql, c.args = column.expr+" "+comparisons[f.Op]+" ?", []any{value}
	}
	return c, nil
}

// likeEscaper takes their meaning from the characters that LIKE has its own use
// for: https://www.sqlite.org/lang_expr.html#like
var likeEscaper = strings.NewReplacer(`\`, `\\`, `%`, `\%`, `_`, `\_`)

// contained is the text in which Contains looks.
func contained(c recordColumn) string {
	if c.made {
		return fmt.Sprintf("json_extract(data, %s)", sqltext.QuoteText(`$."`+c.name+`"`))
	}
	return c.expr
}

func filterOpList() string {
	var names []string
	for _, op := range FilterOps {
		names = append(names, string(op))
	}
	return strings.Join(names, " ")
}

// operand is what a column is compared with, as the database has its values.
func (l *recordsLook) operand(ctx context.Context, t *sql.Tx, c recordColumn, f FieldFilter) (any, error) {
	switch c.kind {
	case itemtype.Number, itemtype.Price:
		if n, ok := numberOf(f.Value); ok {
			return n, nil
		}
		return nil, &QueryFault{f.Field, fmt.Sprintf("%q is not a number such as 12.50", f.Value)}
	case itemtype.Bool:
		switch strings.ToLower(f.Value) {
		case "true", "1", "yes":
			return 1, nil
		case "false", "0", "no":
			return 0, nil
		}
		return nil, &QueryFault{f.Field, fmt.Sprintf("%q is neither true nor false", f.Value)}
	case itemtype.Time:
		for _, layout := range []string{time.RFC3339, time.DateTime, "2006-01-02T15:04", time.DateOnly} {
			if at, err := time.Parse(layout, f.Value); err == nil {
				return at.Unix(), nil
			}
		}
		return nil, &QueryFault{f.Field, fmt.Sprintf("%q is not a time such as 2026-11-21T10:00:00Z or 2026-11-21", f.Value)}
	case itemtype.Run:
		return l.runOperand(ctx, t, f)
	case itemtype.List:
		return nil, &QueryFault{f.Field, "it is a list or an object: of those only contains, empty and present can be asked"}
	}
	return f.Value, nil
}

func numberOf(text string) (any, bool) {
	if n, err := strconv.ParseInt(text, 10, 64); err == nil {
		return n, true
	}
	x, err := strconv.ParseFloat(text, 64)
	return x, err == nil
}

// runOperand is the id for the number of a run. Later runs of a job have
// larger ids, so that they compare as the numbers do.
func (l *recordsLook) runOperand(ctx context.Context, t *sql.Tx, f FieldFilter) (int64, error) {
	number, err := strconv.Atoi(f.Value)
	if err != nil {
		return 0, &QueryFault{f.Field, fmt.Sprintf("%q is not the number of a run", f.Value)}
	}
	var id int64
	err = t.QueryRowContext(ctx, `SELECT id FROM runs WHERE job_id = ? AND number = ?`, l.jobID, number).Scan(&id)
	if errors.Is(err, sql.ErrNoRows) {
		return 0, fmt.Errorf("run %d of job %q in %s: %w", number, l.q.Job, l.db.path, ErrNotFound)
	}
	return id, err
}

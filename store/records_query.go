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
)

// RecordsQuery asks for a page of an item's current records.
type RecordsQuery struct {
	Job, Item string
	Filters   []FieldFilter // all of which a record has to fulfil
	Sort      string        // a field, or one of KeyField …; "": the first filter that an index answers, else the key, or with filters the order of runs
	Desc      bool          // the largest first
	After     string        // RecordsPage.Next of the page before; "": from the first on
	Before    string        // RecordsPage.Previous of the page behind
	Page      int           // number of the page, from 1; only without After and Before
	Limit     int           // records of a page (default 50, at most 1000)
	Within    time.Duration // how long it may take (default 5s); beyond, it is a *TooSlowError
}

// What records are filtered and sorted by besides the item's fields: names of
// columns that each item's view has.
const (
	KeyField      = "_key"       // always fast
	URLField      = "_url"       // of the page that showed it last; fast with Equal
	FirstRunField = "_first_run" // the run since which it reads so; always fast
	LastRunField  = "_last_run"  // the run that saw it last
)

// FieldFilter is a condition on a field.
type FieldFilter struct {
	Field string
	Op    FilterOp
	Value string // for Empty and Present: of no account
}

// FilterOp is how a field is compared. A price is compared by its amount, a
// datetime by the moment that it is, wherever its zone.
type FilterOp string

// Operators of filters. Only Contains, Empty and Present apply to lists and
// objects.
const (
	Equal    FilterOp = "="
	Less     FilterOp = "<"
	Greater  FilterOp = ">"
	AtMost   FilterOp = "<="
	AtLeast  FilterOp = ">="
	Contains FilterOp = "contains" // the value as JSON has it, without regard to the case of A to Z
	Empty    FilterOp = "empty"    // there is no value, or an empty one
	Present  FilterOp = "present"
)

// FilterOps are all operators.
var FilterOps = []FilterOp{Equal, Less, Greater, AtMost, AtLeast, Contains, Empty, Present}

// QueryFault is a mistake in a RecordsQuery or PagesQuery: what is wrong and
// where.
type QueryFault struct {
	Where string // the field, or "sort", "page", "cursor"
	Why   string
}

func (e *QueryFault) Error() string { return e.Where + ": " + e.Why }

// ErrTooSlow says that a query took longer than it may.
var ErrTooSlow = errors.New("it takes too long")

// TooSlowError is the error of a query of records that took too long. It wraps
// ErrTooSlow.
type TooSlowError struct {
	Item   string
	Fields []string // that it filters or sorts by, that have no index and can have one
}

func (e *TooSlowError) Error() string {
	if len(e.Fields) == 0 {
		return ErrTooSlow.Error() + " to look through all records of " + e.Item + ": ask for fewer"
	}
	fields := strings.Join(e.Fields, ", ")
	return fmt.Sprintf("%s to look through all records of %s for %s: write index: [%s] there in the job file; its next run then makes the index",
		ErrTooSlow, e.Item, fields, fields)
}

func (e *TooSlowError) Unwrap() error { return ErrTooSlow }

// recordColumn is something that records are filtered and sorted by.
type recordColumn struct {
	name  string
	expr  string // of the table records
	index string // that holds expr; "": none
	kind  valueKind
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
	fields  []itemField
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
	if l.fields, err = parseFields(fields); err != nil {
		return l, err
	}
	l.indexes, err = collectIn(ctx, t, indexesQuery, []any{indexPrefix(l.itemID)},
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
		return recordColumn{name: name, expr: "(SELECT url FROM urls WHERE urls.id = url_id)", kind: urlValue}, nil
	case FirstRunField:
		return recordColumn{name: name, expr: "from_run", index: "magpie_records_began", kind: runValue}, nil
	case LastRunField:
		return recordColumn{name: name, expr: "last_run", kind: runValue}, nil
	}
	i := slices.IndexFunc(l.fields, func(f itemField) bool { return f.Name == name })
	if i < 0 || strings.ContainsAny(name, `"\`) {
		names := []string{KeyField, URLField, FirstRunField, LastRunField}
		for _, f := range l.fields {
			names = append(names, f.Name)
		}
		return recordColumn{}, &QueryFault{name, "there is no such field; there are " + strings.Join(names, ", ")}
	}
	f := l.fields[i]
	c := recordColumn{name: name, expr: comparableSQL(f), kind: kindOfField(f), made: true}
	if index := newFieldIndex(l.itemID, f).name; slices.Contains(l.indexes, index) {
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
	case column.kind == urlValue && f.Op == Equal:
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
		return fmt.Sprintf("json_extract(data, %s)", quoteText(`$."`+c.name+`"`))
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
	case numberValue, priceValue:
		if n, ok := numberOf(f.Value); ok {
			return n, nil
		}
		return nil, &QueryFault{f.Field, fmt.Sprintf("%q is not a number such as 12.50", f.Value)}
	case boolValue:
		switch strings.ToLower(f.Value) {
		case "true", "1", "yes":
			return 1, nil
		case "false", "0", "no":
			return 0, nil
		}
		return nil, &QueryFault{f.Field, fmt.Sprintf("%q is neither true nor false", f.Value)}
	case timeValue:
		for _, layout := range []string{time.RFC3339, time.DateTime, "2006-01-02T15:04", time.DateOnly} {
			if at, err := time.Parse(layout, f.Value); err == nil {
				return at.Unix(), nil
			}
		}
		return nil, &QueryFault{f.Field, fmt.Sprintf("%q is not a time such as 2026-11-21T10:00:00Z or 2026-11-21", f.Value)}
	case runValue:
		return l.runOperand(ctx, t, f)
	case listValue:
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
	fmt.Fprintf(&b, " FROM records INDEXED BY %s WHERE item_id = %d AND to_run IS NULL", quoteName(index), l.itemID)
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

// countSpan is how long counting may take, beside the page itself.
const countSpan = 100 * time.Millisecond

// count counts the records that the query finds. exact is false where it took
// too long: there are then at least n.
func (l *recordsLook) count(ctx context.Context, t *sql.Tx) (n int64, exact bool, err error) {
	whole := len(l.where) == 0 || len(l.where) == 1 && l.where[0].index == l.driver
	short, cancel := context.WithTimeout(ctx, countSpan)
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
		if c.made && index == "" && c.kind != listValue && !slices.Contains(e.Fields, c.name) {
			e.Fields = append(e.Fields, c.name)
		}
	}
	for _, c := range l.where {
		add(c.column, c.column.index)
	}
	add(l.order, l.order.index)
	return e
}

package main

import (
	"bufio"
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"github.com/magpie-crawl/magpie/cmd/magpie/machine"
	"github.com/magpie-crawl/magpie/extract"
	"github.com/magpie-crawl/magpie/store"
)

// Bounds of magpie sql.
const (
	tableRows = 1000    // rows of a table that is laid out at a time, and of one without --limit
	maxQuery  = 1 << 20 // bytes of a query on standard input
)

func newSQLCommand(a *app) *cobra.Command {
	c := &sqlCommand{app: a}
	cmd := &cobra.Command{
		Use:   "sql [QUERY]",
		Short: "Ask the database in SQL",
		Long: `Sql runs one SELECT statement and writes its rows: as a table on a terminal,
else as JSON, a line each. It can read and nothing else. QUERY is - to read it
from the standard input. Without a QUERY it lists what there is to ask.

Each item type is a view with a column for each field, and _job, _key, _url,
_position, _first_run and _last_run. The view changes has what each run found
new, different and gone; magpie_pages and magpie_problems have the responses
and the values that failed, with names in place of ids.`,
		Example: `  magpie sql
  magpie sql "select title, price_amount from book order by 2 desc limit 5"
  magpie sql "select run, change, count(*) from changes group by 1, 2"
  magpie sql "select status, count(*) from magpie_pages where run = 3 group by 1" --format csv
  magpie sql - <report.sql`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) > 1 {
				return usagef(cmd, "sql takes one argument, the query: put it in quotes")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error { return c.run(cmd, args) },
	}
	f := cmd.Flags()
	f.IntVar(&c.limit, "limit", 0, fmt.Sprintf("at most this many rows; 0: all (default of tables: %d)", tableRows))
	f.DurationVar(&c.timeout, "timeout", 0, "give up after this `time`, such as 30s; 0: never")
	c.format = addChoice(cmd, "format", "how to write it", "auto", "table", "json", "csv")
	return cmd
}

// sqlCommand is one call of magpie sql.
type sqlCommand struct {
	*app
	limit   int
	timeout time.Duration
	format  *choiceFlag
}

func (c *sqlCommand) run(cmd *cobra.Command, args []string) error {
	if c.limit < 0 || c.timeout < 0 {
		return usagef(cmd, "--limit and --timeout cannot be less than 0")
	}
	if err := c.onlyJSON(cmd, c.format); err != nil {
		return err
	}
	db, err := c.openReadOnly()
	if err != nil {
		return err
	}
	defer db.Close()
	if len(args) == 0 {
		return c.listRelations(cmd.Context(), db)
	}
	query, err := c.query(cmd, args[0])
	if err != nil {
		return err
	}
	ctx, stop := signal.NotifyContext(cmd.Context(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if c.timeout > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, c.timeout)
		defer cancel()
	}
	err = c.answer(ctx, db, query, cmd.Flags().Changed("limit"))
	var mistake *store.QueryError
	switch {
	case errors.As(err, &mistake):
		known := ""
		if strings.HasPrefix(mistake.Message, "no such ") { // table or column
			known = c.known(cmd.Context(), db)
		}
		return usagef(cmd, "%s%s", mistake.Message, known)
	case errors.Is(err, context.DeadlineExceeded):
		return fmt.Errorf("the query took longer than %v: a longer --timeout lets it go on", c.timeout)
	case ctx.Err() != nil && cmd.Context().Err() == nil:
		return errInterrupted // not by the time limit, so by a signal
	}
	return err
}

// query is the query that an argument asks for.
func (c *sqlCommand) query(cmd *cobra.Command, arg string) (string, error) {
	if arg != "-" {
		return arg, nil
	}
	text, err := io.ReadAll(io.LimitReader(c.stdin, maxQuery+1))
	if err != nil {
		return "", fmt.Errorf("read the query: %w", err)
	}
	if len(text) > maxQuery {
		return "", usagef(cmd, "the query on the standard input is longer than %d bytes", maxQuery)
	}
	return string(text), nil
}

// rowWriter writes the rows of a query.
type rowWriter interface {
	row(values []any) error
	flush() error
}

// answer runs the query and writes its rows.
func (c *sqlCommand) answer(ctx context.Context, db *store.DB, query string, limited bool) error {
	rows, err := db.Query(ctx, query)
	if err != nil {
		return err
	}
	defer rows.Close()
	limit := c.limit
	var w rowWriter
	switch c.writes() {
	case "json":
		w = newJSONRows(c.stdout, rows.Columns)
	case "csv":
		if w, err = newCSVRows(c.stdout, rows.Columns); err != nil {
			return err
		}
	default:
		w = &tableRowWriter{out: c.stdout, tb: table{header: rows.Columns, right: make([]bool, len(rows.Columns))}}
		if !limited {
			limit = tableRows
		}
	}
	for n := 0; ; n++ {
		row, ok, err := rows.Next()
		if err != nil {
			return errors.Join(w.flush(), err)
		}
		if !ok {
			return w.flush()
		}
		if limit > 0 && n == limit {
			err := w.flush()
			fmt.Fprintf(c.stderr, "The first %d rows; --limit 0 writes all.\n", n)
			return err
		}
		if err := w.row(row); err != nil {
			return err
		}
	}
}

// writes is the format to write.
func (c *sqlCommand) writes() string {
	switch {
	case c.format.value != "auto":
		return c.format.value
	case terminalOf(c.stdout).people:
		return "table"
	}
	return "json"
}

// tableRowWriter lays rows out as tables, so many at a time that memory is
// bounded.
type tableRowWriter struct {
	out     io.Writer
	tb      table
	written bool
}

func (w *tableRowWriter) row(values []any) error {
	cells := make([]string, len(values))
	for i, v := range values {
		cells[i] = sqlText(v)
		switch v.(type) {
		case int64, float64:
			w.tb.right[i] = true
		}
	}
	w.tb.rows = append(w.tb.rows, cells)
	if len(w.tb.rows) < tableRows {
		return nil
	}
	return w.flush()
}

func (w *tableRowWriter) flush() error {
	if len(w.tb.rows) == 0 && w.written {
		return nil
	}
	w.written = true
	tb := w.tb
	tb.header = slices.Clone(tb.header)
	w.tb.rows = nil
	return tb.write(w.out, terminalOf(w.out))
}

// jsonRows writes rows as JSON objects, a line each.
type jsonRows struct {
	out   *bufio.Writer
	names []string
}

// newJSONRows gives columns of the same name numbers: title, title_2.
func newJSONRows(w io.Writer, columns []string) *jsonRows {
	r := &jsonRows{out: bufio.NewWriter(w)}
	for _, name := range columns {
		free := name
		for n := 2; slices.Contains(r.names, free); n++ {
			free = fmt.Sprintf("%s_%d", name, n)
		}
		r.names = append(r.names, free)
	}
	return r
}

func (w *jsonRows) row(values []any) error {
	o := make(extract.Object, len(values))
	for i, v := range values {
		o[i] = extract.Member{Name: w.names[i], Value: v}
		switch v := v.(type) {
		case []byte:
			o[i].Value = hex.EncodeToString(v)
		case float64:
			o[i].Value = sqlFloat(v)
		}
	}
	line, err := machine.Line(o)
	if err != nil {
		return err
	}
	_, err = w.out.Write(line)
	return err
}

func (w *jsonRows) flush() error { return w.out.Flush() }

// csvRows writes rows as CSV.
type csvRows struct{ *csvWriter }

func newCSVRows(w io.Writer, columns []string) (csvRows, error) {
	r := csvRows{newCSVWriter(w)}
	return r, r.csvWriter.row(slices.Clone(columns)...)
}

func (w csvRows) row(values []any) error {
	cells := make([]string, len(values))
	for i, v := range values {
		cells[i] = sqlText(v)
	}
	return w.csvWriter.row(cells...)
}

// sqlText is a value of SQL as text: NULL is empty, a blob hexadecimal.
func sqlText(v any) string {
	switch v := v.(type) {
	case nil:
		return ""
	case []byte:
		return hex.EncodeToString(v)
	case float64:
		return strconv.FormatFloat(v, 'g', -1, 64)
	}
	return fmt.Sprint(v)
}

// sqlFloat is a number for JSON, which has no infinity.
func sqlFloat(v float64) any {
	text := strconv.FormatFloat(v, 'g', -1, 64)
	if !json.Valid([]byte(text)) {
		return text
	}
	return json.Number(text)
}

// known says what there is to ask.
func (c *sqlCommand) known(ctx context.Context, db *store.DB) string {
	list, err := db.Relations(ctx)
	if err != nil {
		return ""
	}
	var views, tables []string
	for _, r := range list {
		if r.View {
			views = append(views, r.Name)
		} else {
			tables = append(tables, r.Name)
		}
	}
	return fmt.Sprintf("; there are the views %s, and the tables %s; magpie sql lists their columns", strings.Join(views, ", "), strings.Join(tables, ", "))
}

// listRelations writes what there is to ask.
func (c *sqlCommand) listRelations(ctx context.Context, db *store.DB) error {
	list, err := db.Relations(ctx)
	if err != nil {
		return err
	}
	tb := &table{header: []string{"NAME", "KIND", "COLUMNS"}}
	for _, r := range list {
		kind := "table"
		switch {
		case r.Item:
			kind = "item"
		case r.View:
			kind = "view"
		}
		if c.json {
			if err := c.writeJSON(map[string]any{"name": r.Name, "kind": kind, "columns": r.Columns}); err != nil {
				return err
			}
			continue
		}
		tb.rows = append(tb.rows, []string{r.Name, kind, strings.Join(r.Columns, " ")})
	}
	if c.json {
		return nil
	}
	return tb.write(c.stdout, terminalOf(c.stdout))
}

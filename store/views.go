package store

import (
	"fmt"
	"slices"
	"strings"
)

// reserved are the names of the schema's tables, and those that later
// versions may want for tables and views of their own.
var reserved = []string{
	"jobs", "runs", "hosts", "urls", "bodies", "pages", "items", "records", "rejects", "problems",
	"changes", "exports", "links", "robots", "schedules", "search", "settings",
}

// Reserved tells whether an item cannot have this name, because the database
// uses it or may come to: the names of its tables, and those that begin with
// sqlite_ or magpie_.
func Reserved(name string) bool {
	name = strings.ToLower(name)
	return slices.Contains(reserved, name) || strings.HasPrefix(name, "sqlite_") || strings.HasPrefix(name, "magpie_")
}

// viewMark begins the definition of each view that this package made, and
// tells it from the views of the database's users.
const viewMark = "-- by magpie: the current records, one row each"

// putView makes the view of an item type, or makes it anew if the fields of
// the jobs that have it changed.
func (t *tx) putView(item string) error {
	fields, err := t.fieldsOf(item)
	if err != nil {
		return err
	}
	want := viewSQL(item, columnsOf(fields))
	var kind, have string
	found, err := t.row(`SELECT type, sql FROM sqlite_schema WHERE name = ? COLLATE NOCASE`, []any{item}, &kind, &have)
	switch {
	case err != nil || have == want:
		return err
	case found && (kind != "view" || !strings.Contains(have, viewMark)):
		return fmt.Errorf("item %q needs a view of its name, but there is a %s called so that is not magpie's", item, kind)
	case found:
		if err := t.define("DROP VIEW " + quoteName(item)); err != nil {
			return err
		}
	}
	return t.define(want)
}

// define runs a statement that is not worth keeping prepared.
func (t *tx) define(statement string) error {
	_, err := t.w.conn.ExecContext(t.ctx, statement)
	return err
}

// fieldsOf returns the fields of an item type in each job that has it.
func (t *tx) fieldsOf(item string) ([][]itemField, error) {
	rows, err := t.query(`SELECT fields FROM items WHERE name = ? ORDER BY job_id`, item)
	if err != nil {
		return nil, err
	}
	return scanFields(rows)
}

// viewSQL is the definition of an item's view.
func viewSQL(item string, columns []column) string {
	var b strings.Builder
	fmt.Fprintf(&b, "CREATE VIEW %s AS %s\nSELECT\n", quoteName(item), viewMark)
	for _, c := range columns {
		fmt.Fprintf(&b, "  %s AS %s,\n", c.sql(), quoteName(c.name))
	}
	fmt.Fprintf(&b, `  jobs.name AS _job,
  records.key AS _key,
  urls.url AS _url,
  records.position AS _position,
  first.number AS _first_run, -- the record has read so since
  last.number AS _last_run    -- and was last seen
FROM items -- few, so CROSS JOIN looks there first
CROSS JOIN records ON records.item_id = items.id AND records.to_run IS NULL
JOIN jobs ON jobs.id = items.job_id
JOIN urls ON urls.id = records.url_id
JOIN runs AS first ON first.id = records.from_run
JOIN runs AS last ON last.id = records.last_run
WHERE items.name = %s`, quoteText(item))
	return b.String()
}

// sql is the expression for a column's value.
func (c column) sql() string {
	if strings.ContainsAny(c.field, `"\`) {
		// A JSON path has no way to write these.
		value := fmt.Sprintf("(SELECT value FROM json_each(records.data) WHERE key = %s)", quoteText(c.field))
		if c.part == "" {
			return value
		}
		return fmt.Sprintf("json_extract(%s, '$.%s')", value, c.part)
	}
	path := `$."` + c.field + `"`
	switch c.part {
	case "amount":
		return fmt.Sprintf("CAST(json_extract(records.data, %s) AS NUMERIC)", quoteText(path+".amount"))
	case "currency":
		return fmt.Sprintf("json_extract(records.data, %s)", quoteText(path+".currency"))
	default:
		return fmt.Sprintf("json_extract(records.data, %s)", quoteText(path))
	}
}

// quoteName writes a name as SQL does.
func quoteName(name string) string { return `"` + strings.ReplaceAll(name, `"`, `""`) + `"` }

// quoteText writes a string as SQL does.
func quoteText(text string) string { return `'` + strings.ReplaceAll(text, `'`, `''`) + `'` }

package store

import (
	"fmt"
	"strings"

	"github.com/magpie-crawl/magpie/store/internal/itemtype"
	"github.com/magpie-crawl/magpie/store/internal/sqltext"
)

// Reserved tells whether an item cannot have this name, because the database
// uses it or may come to: the names of its tables, of those that SQLite makes
// up, and those that begin with sqlite_, magpie_ or pragma_.
func Reserved(name string) bool { return itemtype.Reserved(name) }

// putView makes the view of an item type, or makes it anew if the fields of
// the jobs that have it changed.
func (t *tx) putView(item string) error {
	fields, err := t.fieldsOf(item)
	if err != nil {
		return err
	}
	want := itemtype.ViewSQL(item, itemtype.Columns(fields))
	var kind, have string
	found, err := t.row(`SELECT type, sql FROM sqlite_schema WHERE name = ? COLLATE NOCASE`, []any{item}, &kind, &have)
	switch {
	case err != nil || have == want:
		return err
	case found && (kind != "view" || !strings.Contains(have, itemtype.ViewMark)):
		return fmt.Errorf("item %q needs a view of its name, but there is a %s called so that is not magpie's", item, kind)
	case found:
		if err := t.define("DROP VIEW " + sqltext.QuoteName(item)); err != nil {
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
func (t *tx) fieldsOf(item string) ([][]itemtype.Field, error) {
	rows, err := t.query(`SELECT fields FROM items WHERE name = ? ORDER BY job_id`, item)
	if err != nil {
		return nil, err
	}
	return scanFields(rows)
}

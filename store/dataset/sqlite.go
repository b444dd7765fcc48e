package dataset

import (
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"path/filepath"
	"strings"

	_ "github.com/mattn/go-sqlite3" // the "sqlite3" driver
)

// SQLiteFile is a database of its own, with a table for each item type and
// nothing else. It is made in one transaction.
type SQLiteFile struct {
	db *sql.DB
	tx *sql.Tx
}

// NewSQLite makes a database at path, where there is no file or an empty one.
func NewSQLite(path string) (*SQLiteFile, error) {
	abs, err := filepath.Abs(path)
	if err != nil {
		return nil, err
	}
	// No journal: a file that is not made whole is thrown away.
	name := url.URL{Path: filepath.ToSlash(abs)}
	db, err := sql.Open("sqlite3", "file:"+name.EscapedPath()+"?_journal_mode=OFF&_synchronous=OFF")
	if err != nil {
		return nil, err
	}
	tx, err := db.Begin()
	if err != nil {
		return nil, errors.Join(err, db.Close())
	}
	return &SQLiteFile{db, tx}, nil
}

// Table adds a table and returns the encoder that fills it.
func (f *SQLiteFile) Table(s Schema) (Encoder, error) {
	var definitions, marks []string
	for _, field := range s.Fields {
		for _, c := range field.Columns {
			definitions = append(definitions, quoteName(c.Name)+" "+field.sqlType(c))
			marks = append(marks, "?")
		}
	}
	if _, err := f.tx.Exec(fmt.Sprintf("CREATE TABLE %s (\n  %s\n)", quoteName(s.Item), strings.Join(definitions, ",\n  "))); err != nil {
		return nil, err
	}
	insert, err := f.tx.Prepare(fmt.Sprintf("INSERT INTO %s VALUES (%s)", quoteName(s.Item), strings.Join(marks, ", ")))
	if err != nil {
		return nil, err
	}
	return &sqliteEncoder{insert: insert, schema: s, member: newMembers(s.fieldNames()...), price: newMembers("amount", "currency")}, nil
}

// Close commits and closes the file.
func (f *SQLiteFile) Close() error { return errors.Join(f.tx.Commit(), f.db.Close()) }

// Abort closes a file that is thrown away.
func (f *SQLiteFile) Abort() { _, _ = f.tx.Rollback(), f.db.Close() }

func quoteName(name string) string { return `"` + strings.ReplaceAll(name, `"`, `""`) + `"` }

// sqlType is the declared type of a column. Its affinity leaves a value of
// another type as it is. https://www.sqlite.org/datatype3.html
func (f Field) sqlType(c Column) string {
	switch t := f.flatType(c); t {
	case Number:
		return "REAL"
	case Integer:
		return "INTEGER"
	case Bool:
		return "BOOLEAN" // 0 or 1
	default:
		return "TEXT"
	}
}

// flatType is the type of a column of flat formats.
func (f Field) flatType(c Column) Type {
	switch {
	case c.Part == "amount":
		return Number
	case c.Part == "currency":
		return Text
	case f.List, f.Type == Object, f.Type == Price:
		return JSON
	}
	return f.Type
}

type sqliteEncoder struct {
	insert        *sql.Stmt
	schema        Schema
	member, price *members
	args          []any
}

func (e *sqliteEncoder) Write(r *Record) error {
	if err := e.member.read(r.Data); err != nil {
		return recordError(r, err)
	}
	e.args = e.args[:0]
	for i, f := range e.schema.Fields {
		if f.Meta {
			e.args = append(e.args, r.meta(f.Name))
			continue
		}
		for _, c := range f.Columns {
			e.args = append(e.args, sqlValue(part(e.price, e.member.values[i], c.Part)))
		}
	}
	_, err := e.insert.Exec(e.args...)
	return err
}

// sqlValue is a value for SQLite. A number is handed over as it is written: a
// numeric column makes a number of it, and any other keeps each of its digits.
// Lists and objects stay JSON.
func sqlValue(value []byte) any {
	if isNull(value) {
		return nil
	}
	if s, ok := text(value); ok {
		return string(s)
	}
	switch string(value) {
	case "true":
		return true
	case "false":
		return false
	}
	return string(value)
}

func (e *sqliteEncoder) Close() error { return e.insert.Close() }

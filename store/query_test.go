package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/magpie-crawl/magpie/crawl"
	"github.com/magpie-crawl/magpie/extract"
)

// queryAll returns the rows of a query.
func queryAll(t *testing.T, db *DB, query string) ([][]any, error) {
	t.Helper()
	rows, err := db.Query(t.Context(), query)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var all [][]any
	for {
		row, ok, err := rows.Next()
		if err != nil || !ok {
			return all, err
		}
		all = append(all, append([]any{}, row...))
	}
}

func TestQueryReads(t *testing.T) {
	db := exportSample(t)
	for name, c := range map[string]struct {
		query string
		want  [][]any
	}{
		"values of each type":        {`SELECT 1, 2.5, 'x', x'00ff', NULL`, [][]any{{int64(1), 2.5, "x", []byte{0, 255}, nil}}},
		"an item's view":             {`SELECT _key, price_amount FROM product WHERE _key = 'k1'`, [][]any{{"k1", 12.5}}},
		"the changes":                {`SELECT job, item, run, change, key, old FROM changes ORDER BY key LIMIT 1`, [][]any{{"shop", "product", int64(1), "added", "k1", nil}}},
		"the pages":                  {`SELECT job, run, url, state FROM magpie_pages`, [][]any{{"shop", int64(1), siteURL(0), "done"}}},
		"the problems":               {`SELECT count(*) FROM magpie_problems`, [][]any{{int64(0)}}},
		"JSON, and a recursion":      {`WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 3) SELECT sum(i), json_extract('{"a":[7]}', '$.a[0]') FROM n`, [][]any{{int64(6), int64(7)}}},
		"a table of JSON":            {`SELECT value FROM json_each('[3]')`, [][]any{{int64(3)}}},
		"the columns of a table":     {`SELECT name FROM pragma_table_info('problems') LIMIT 1`, [][]any{{"id"}}},
		"a setting":                  {`PRAGMA user_version`, [][]any{{int64(schemaVersion)}}},
		"a plan":                     {`SELECT count(*) > 0 FROM (SELECT 1)`, [][]any{{int64(1)}}},
		"semicolons that are no end": {"-- a; b\nSELECT ';' /* ; */; ; -- done;", [][]any{{";"}}},
		"no rows":                    {`SELECT 1 WHERE false`, nil},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := queryAll(t, db, c.query)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
	if _, err := queryAll(t, db, `EXPLAIN QUERY PLAN SELECT * FROM product`); err != nil {
		t.Errorf("a plan: %v", err)
	}
}

// The changes of a run are found without reading all records.
func TestChangesByIndex(t *testing.T) {
	db := exportSample(t)
	rows, err := queryAll(t, db, `EXPLAIN QUERY PLAN SELECT * FROM changes WHERE job = 'shop' AND run = 1`)
	if err != nil {
		t.Fatal(err)
	}
	var plan strings.Builder
	for _, row := range rows {
		plan.WriteString(row[len(row)-1].(string) + "\n")
	}
	for _, want := range []string{"magpie_records_began (item_id=? AND from_run=?)", "magpie_records_gone (item_id=? AND to_run=?)"} {
		if !strings.Contains(plan.String(), want) {
			t.Errorf("the plan does not use %s:\n%s", want, &plan)
		}
	}
	if strings.Contains(plan.String(), "SCAN r") {
		t.Errorf("all records or runs are read:\n%s", &plan)
	}
}

func TestQueryRefuses(t *testing.T) {
	db := exportSample(t)
	folder := t.TempDir()
	t.Chdir(folder)
	before := dumpSQL(t, db.Path(), `SELECT type, name, sql FROM sqlite_schema`) + outcome(t, db.Path())
	for name, c := range map[string]struct{ query, want string }{
		"nothing":                {"  -- only this\n;", "write a SELECT"},
		"no SQL":                 {"SELEC 1", `near "SELEC"`},
		"an unknown table":       {"SELECT * FROM products", "no such table: products"},
		"an unknown column":      {"SELECT prize FROM product", "no such column: prize"},
		"two statements":         {"SELECT 1; SELECT 2", "one statement"},
		"a write behind":         {"SELECT 1; DELETE FROM pages", "one statement"},
		"a delete":               {"DELETE FROM pages", "only reading"},
		"an update":              {"UPDATE records SET key = 'x'", "only reading"},
		"an insert":              {"INSERT INTO hosts (name) VALUES ('x')", "only reading"},
		"an insert that returns": {"INSERT INTO hosts (name) VALUES ('x') RETURNING id", "only reading"},
		"a table":                {"CREATE TABLE x (a)", "only reading"},
		"a temporary table":      {"CREATE TEMP TABLE x (a)", "only reading"},
		"a drop":                 {"DROP TABLE records", "only reading"},
		"another file":           {"ATTACH 'other.db' AS other", "only reading"},
		"another file, made":     {"ATTACH 'file:other.db?mode=rwc' AS other", "only reading"},
		"a copy":                 {"VACUUM INTO 'copy.db'", "only reading"},
		"writing allowed":        {"PRAGMA query_only = 0", "only reading"},
		"a setting":              {"PRAGMA user_version = 9", "only reading"},
		"writing the schema":     {"PRAGMA writable_schema = 1", "only reading"},
		"a transaction":          {"BEGIN IMMEDIATE", "only reading"},
		"one that Open prepared": {"PRAGMA quick_check(1)", "only reading"},
		"an extension":           {"SELECT load_extension('x.so')", "not authorized"},
		"a bad value":            {"SELECT json('{')", "malformed JSON"},
	} {
		t.Run(name, func(t *testing.T) {
			rows, err := queryAll(t, db, c.query)
			if _, ok := errors.AsType[*QueryError](err); !ok || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%v, %v; want a QueryError with %q", rows, err, c.want)
			}
		})
	}
	if after := dumpSQL(t, db.Path(), `SELECT type, name, sql FROM sqlite_schema`) + outcome(t, db.Path()); after != before {
		t.Error("the database was changed")
	}
	if files, err := os.ReadDir(folder); err != nil || len(files) > 0 {
		t.Errorf("files were made: %v, %v", files, err)
	}
	// What a query was refused, this package may still do itself.
	storeRecords(t, db, testJob, product("k9", "Nine"))
	if got, err := queryAll(t, db, `SELECT count(*) FROM product WHERE _key = 'k9'`); err != nil || got[0][0] != int64(1) {
		t.Errorf("after a write: %v, %v", got, err)
	}
}

func TestQueryEnds(t *testing.T) {
	db := openTest(t, filepath.Join(t.TempDir(), "magpie.db"))
	const endless = `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n`
	for name, c := range map[string]struct {
		context func() (context.Context, context.CancelFunc)
		want    error
	}{
		"at a time limit": {func() (context.Context, context.CancelFunc) {
			return context.WithTimeout(t.Context(), 50*time.Millisecond)
		}, context.DeadlineExceeded},
		"when it is canceled": {func() (context.Context, context.CancelFunc) {
			ctx, cancel := context.WithCancel(t.Context())
			time.AfterFunc(50*time.Millisecond, cancel)
			return ctx, cancel
		}, context.Canceled},
	} {
		t.Run(name, func(t *testing.T) {
			ctx, cancel := c.context()
			defer cancel()
			rows, err := db.Query(ctx, endless)
			if err == nil {
				_, _, err = rows.Next()
				rows.Close()
			}
			if !errors.Is(err, c.want) {
				t.Errorf("error = %v, want %v", err, c.want)
			}
		})
	}
}

func TestRelations(t *testing.T) {
	list, err := exportSample(t).Relations(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, r := range list {
		names = append(names, r.Name)
		if len(r.Columns) == 0 {
			t.Errorf("%s has no columns", r.Name)
		}
	}
	want := []string{"product", "changes", "magpie_drift", "magpie_health", "magpie_pages", "magpie_problems", "bodies", "hosts", "items", "jobs", "pages", "problems",
		"records", "rejects", "robots", "runs", "urls"}
	if diff := cmp.Diff(want, names); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if !list[0].Item || list[1].Item || !list[5].View || list[6].View {
		t.Errorf("%+v", list)
	}
}

// A view that cannot be read does not keep the others from being listed.
func TestRelationsUnreadable(t *testing.T) {
	for name, spoil := range map[string]func(t *testing.T, db *DB){
		"a user's view of a field that is no more": func(t *testing.T, db *DB) {
			execSQL(t, db.Path(), `CREATE VIEW mine AS SELECT brand FROM product`)
		},
		"an item with more fields than there can be columns": func(t *testing.T, db *DB) {
			many := extract.Item{Name: "many"}
			for i := range 2100 {
				many.Fields = append(many.Fields, extract.Field{Name: fmt.Sprint("f", i)})
			}
			run, err := db.Begin(t.Context(), crawl.Job{Name: "other", Items: extract.Spec{Items: []extract.Item{many}}})
			if err != nil {
				t.Fatal(err)
			}
			run.Close()
		},
	} {
		t.Run(name, func(t *testing.T) {
			db := exportSample(t)
			before, err := db.Relations(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			spoil(t, db)
			after, err := db.Relations(t.Context())
			if diff := cmp.Diff(before, after); diff != "" || err != nil {
				t.Errorf("%v (-before +after):\n%s", err, diff)
			}
		})
	}
}

// A query that was asked before is asked anew where the view that it reads is
// another since: connections keep statements prepared.
func TestQueryOfAChangedView(t *testing.T) {
	db := exportSample(t)
	look, err := OpenReadOnly(db.Path(), Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer look.Close()
	look.read.SetMaxOpenConns(1) // which has the statement
	ask := func() (columns []string, first []any) {
		rows, err := look.Query(t.Context(), `SELECT * FROM product ORDER BY _key`)
		if err != nil {
			t.Fatal(err)
		}
		defer rows.Close()
		row, ok, err := rows.Next()
		if err != nil || !ok {
			t.Fatal(ok, err)
		}
		return rows.Columns, slices.Clone(row)
	}
	ask()
	job := testJob
	job.Items = extract.Spec{Items: []extract.Item{{Name: "product", Fields: []extract.Field{{Name: "brand"}, {Name: "name"}}}}}
	storeRecords(t, db, job, product("a", "new", extract.Member{Name: "brand", Value: "Acme"}))
	columns, first := ask()
	if diff := cmp.Diff([]string{"brand", "name", "_job", "_key", "_url", "_position", "_first_run", "_last_run"}, columns); diff != "" {
		t.Errorf("columns (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]any{"Acme", "new", "shop", "a", siteURL(0), int64(0), int64(2), int64(2)}, first); diff != "" {
		t.Errorf("the first row (-want +got):\n%s", diff)
	}
}

// planOf is how SQLite would answer a query, a step a line.
func planOf(t testing.TB, tx *sql.Tx, query string, args []any) string {
	t.Helper()
	rows, err := tx.QueryContext(t.Context(), "EXPLAIN QUERY PLAN "+query, args...)
	if err != nil {
		t.Fatalf("%s: %v", query, err)
	}
	defer rows.Close()
	var plan strings.Builder
	for rows.Next() {
		var id, parent, unused int
		var step string
		if err := rows.Scan(&id, &parent, &unused, &step); err != nil {
			t.Fatal(err)
		}
		plan.WriteString(step + "\n")
	}
	return plan.String()
}

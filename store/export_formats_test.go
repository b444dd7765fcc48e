package store

import (
	"database/sql"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/parquet-go/parquet-go"

	"github.com/magpie-crawl/magpie/crawl"
	"github.com/magpie-crawl/magpie/extract"
)

func TestExportSQLite(t *testing.T) {
	db := exportSample(t)
	path, _ := exportTo(t, db, "a.sqlite", ExportOptions{Meta: true})
	clean, err := sql.Open("sqlite3", "file:"+path+"?mode=ro")
	if err != nil {
		t.Fatal(err)
	}
	defer clean.Close()
	var tables, row, check string
	if err := clean.QueryRow(`SELECT group_concat(name) FROM sqlite_schema`).Scan(&tables); err != nil || tables != "product" {
		t.Errorf("it has %q, %v", tables, err)
	}
	err = clean.QueryRow(`SELECT json_array(name, price_amount, typeof(price_amount), price_currency, stock, typeof(stock), tags, _key, _first_run) FROM product ORDER BY _key LIMIT 1`).Scan(&row)
	if want := `["a \"b\", c\nd <&>",12.5,"real","GBP",7,"integer","[\"x\",\"-y\"]","k1",1]`; err != nil || row != want {
		t.Errorf("the first row is %s, %v, want %s", row, err, want)
	}
	if err := clean.QueryRow(`PRAGMA integrity_check`).Scan(&check); err != nil || check != "ok" {
		t.Errorf("integrity: %q, %v", check, err)
	}
	if got := names(t, filepath.Dir(path)); len(got) != 1 {
		t.Errorf("the folder has %q", got)
	}
}

// A field that holds any value keeps what it has, whatever that is.
func TestExportSQLiteAnyValue(t *testing.T) {
	db := openTest(t, filepath.Join(t.TempDir(), "magpie.db"))
	job := testJob
	job.Items = extract.Spec{Items: []extract.Item{{Name: "product", Fields: []extract.Field{{Name: "name"}, {Name: "any", As: extract.JSON}}}}}
	cases := []struct {
		name  string
		value any
		want  string
	}{
		{"a", int64(42), "42"},
		{"b", int64(4006381333931123456), "4006381333931123456"},
		{"c", json.Number("12.50"), "12.50"},
		{"d", "007", "007"},
		{"e", true, "1"},
		{"f", []any{int64(1), "x"}, `[1,"x"]`},
	}
	var records []extract.Record
	for _, c := range cases {
		records = append(records, product(c.name, c.name, extract.Member{Name: "any", Value: c.value}))
	}
	storeRecords(t, db, job, records...)
	path, _ := exportTo(t, db, "a.sqlite", ExportOptions{})
	for _, c := range cases {
		t.Run(c.want, func(t *testing.T) {
			if got := dumpSQL(t, path, `SELECT any FROM product WHERE name = '`+c.name+`'`); got != c.want+"\n" {
				t.Errorf("it is %s", got)
			}
		})
	}
}

// An item type that a hook made up has no fields to make columns of.
func TestExportUndeclaredItem(t *testing.T) {
	db := openTest(t, filepath.Join(t.TempDir(), "magpie.db"))
	run := beginTest(t, db)
	due, _, err := run.Window(t.Context(), "shop.test", time.Now(), 1, nil)
	if err != nil || len(due) != 1 {
		t.Fatalf("Window = %v, %v", due, err)
	}
	made := product("k", "made up")
	made.Item = "extra"
	if _, err := run.Commit(t.Context(), []*crawl.Visit{{Request: due[0], State: crawl.Done, Records: []extract.Record{made}}}); err != nil {
		t.Fatal(err)
	}
	for name, options := range map[string]ExportOptions{
		"SQLite": {Item: "extra", Format: SQLite}, "SQLite of all items": {Format: SQLite},
		"CSV": {Item: "extra", Format: CSV}, "Parquet": {Item: "extra", Format: Parquet}, "JSONL": {Item: "extra"},
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "out")
			if n, err := db.ExportFile(t.Context(), path, options); n != 1 || err != nil {
				t.Fatalf("%d records, %v", n, err)
			}
			switch options.Format {
			case SQLite:
				if got := dumpSQL(t, path, `SELECT * FROM extra`); got != "k\n" {
					t.Errorf("it has %q", got)
				}
			case CSV:
				if got := readFile(t, path); got != "_key\r\nk\r\n" {
					t.Errorf("it has %q", got)
				}
			case Parquet:
				rows, err := parquet.ReadFile[struct {
					Key string `parquet:"_key,optional"`
				}](path)
				if err != nil || len(rows) != 1 || rows[0].Key != "k" {
					t.Errorf("it has %v, %v", rows, err)
				}
			default:
				if got := readFile(t, path); got != `{"name":"made up"}`+"\n" {
					t.Errorf("it has %q", got)
				}
			}
		})
	}
}

func TestExportMarkdown(t *testing.T) {
	db := openTest(t, filepath.Join(t.TempDir(), "magpie.db"))
	hostile := "---\nkey: taken over\n---\n# Text \u2028 of a page, which is the longest of all its fields"
	keys := []string{"plain", "Plain", "../../etc/passwd", "con", "index", "a/b", "a-b", strings.Repeat("ü", 300), "https://shop.test/x?y=1", ".hidden", "nul.txt"}
	var records []extract.Record
	for _, key := range keys {
		records = append(records, product(key, hostile, pricedAt("1.00", "EUR")))
	}
	storeRecords(t, db, testJob, records...)
	path := filepath.Join(t.TempDir(), "out.md")
	export := func() error {
		_, err := db.ExportFiles(t.Context(), path, ExportOptions{Item: "product", Format: Markdown})
		return err
	}
	if err := export(); err != nil {
		t.Fatal(err)
	}
	t.Run("a file for each record, in the folder", func(t *testing.T) {
		got := names(t, path)
		if len(got) != len(keys)+1 || len(names(t, filepath.Dir(path))) != 1 {
			t.Fatalf("%q, beside it %q", got, names(t, filepath.Dir(path)))
		}
		folded := map[string]bool{}
		for _, name := range got {
			if strings.Trim(strings.ToLower(name), "abcdefghijklmnopqrstuvwxyz0123456789_-.") != "" || name[0] == '.' || len(name) > 120 || folded[strings.ToLower(name)] {
				t.Errorf("a file is called %q", name)
			}
			folded[strings.ToLower(name)] = true
		}
		if !slices.Contains(got, "plain.md") {
			t.Errorf("no plain.md among %q", got)
		}
	})
	t.Run("what is in them", func(t *testing.T) {
		want := "---\nprice: {\"amount\":1.00,\"currency\":\"EUR\"}\n_key: \"plain\"\n_url: \"" + "http://shop.test/" + "\"\n---\n\n" + hostile + "\n"
		got := readFile(t, filepath.Join(path, "plain.md"))
		_, url, _ := strings.Cut(got, "_url: \"")
		url, _, _ = strings.Cut(url, "\"")
		if want = strings.Replace(want, "http://shop.test/", url, 1); got != want || url == "" {
			t.Errorf("%q, want %q", got, want)
		}
	})
	t.Run("the index names them all", func(t *testing.T) {
		lines := strings.Split(strings.TrimSpace(readFile(t, filepath.Join(path, "index.jsonl"))), "\n")
		for _, line := range lines {
			var entry struct{ File, Key string }
			if err := json.Unmarshal([]byte(line), &entry); err != nil || !slices.Contains(keys, entry.Key) {
				t.Errorf("%s: %v", line, err)
			}
			readFile(t, filepath.Join(path, entry.File))
		}
		if len(lines) != len(keys) {
			t.Errorf("%d lines", len(lines))
		}
	})
	t.Run("its own folder is replaced", func(t *testing.T) {
		if err := export(); err != nil {
			t.Error(err)
		}
		if got := names(t, filepath.Dir(path)); len(got) != 1 {
			t.Errorf("left beside it: %q", got)
		}
	})
	t.Run("another's folder is not", func(t *testing.T) {
		other := t.TempDir()
		if err := os.WriteFile(filepath.Join(other, "thesis.tex"), []byte("x"), 0o666); err != nil {
			t.Fatal(err)
		}
		_, err := db.ExportFiles(t.Context(), other, ExportOptions{Item: "product", Format: Markdown})
		if err == nil || !strings.Contains(err.Error(), "no export wrote") || readFile(t, filepath.Join(other, "thesis.tex")) != "x" {
			t.Errorf("error %v", err)
		}
	})
}

// A crawl's lists and nested items reach Parquet as such: their spec is kept.
func TestExportFieldTypes(t *testing.T) {
	db := openTest(t, filepath.Join(t.TempDir(), "magpie.db"))
	job := testJob
	job.Items = extract.Spec{Items: []extract.Item{{Name: "product", Fields: []extract.Field{
		{Name: "name"}, {Name: "tags", All: true}, {Name: "when", As: extract.DateTime}, {Name: "facts", As: extract.Pairs}, {Name: "text", As: extract.Markdown},
		{Name: "either", Any: []extract.Field{{As: extract.Integer}, {As: extract.Number}}}, {Name: "cut", Split: ","}, {Name: "links", As: extract.Links},
		{Name: "reviews", Each: ".review", Fields: []extract.Field{{Name: "by"}, {Name: "stars", As: extract.Integer}}},
	}}}}
	storeRecords(t, db, job, product("k", "x"))
	s, err := db.exportSchema(t.Context(), ExportOptions{Item: "product"})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, f := range s.Fields {
		text := fmt.Sprint(f.Name, " ", f.Type)
		if f.List {
			text += " list"
		}
		for _, inner := range f.Fields {
			text += fmt.Sprint(" ", inner.Name, ":", inner.Type)
		}
		got = append(got, text)
	}
	want := []string{"name text", "tags text list", "when datetime", "facts json", "text markdown", "either number", "cut text list", "links json",
		"reviews object list by:text stars:integer"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

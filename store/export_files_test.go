package store

import (
	"bytes"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"

	"github.com/magpie-crawl/magpie/crawl"
	"github.com/magpie-crawl/magpie/crawl/warc"
	"github.com/magpie-crawl/magpie/extract"
	"github.com/magpie-crawl/magpie/store/dataset"
)

// exportTo exports the products of db to a file in a new folder.
func exportTo(t *testing.T, db *DB, name string, o ExportOptions) (path string, done *Exported) {
	t.Helper()
	path = filepath.Join(t.TempDir(), name)
	if f, ok := dataset.FormatOf(name); ok {
		o.Format = f
	}
	if o.Item == "" && o.Format != WARC {
		o.Item = "product"
	}
	done, err := db.ExportFiles(t.Context(), path, o)
	if err != nil {
		t.Fatal(err)
	}
	return path, done
}

func readFile(t *testing.T, path string) string {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// names lists a folder.
func names(t *testing.T, folder string) []string {
	t.Helper()
	entries, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	var list []string
	for _, e := range entries {
		list = append(list, e.Name())
	}
	return list
}

func TestExportCompressed(t *testing.T) {
	db := exportSample(t)
	plain, _ := exportTo(t, db, "a.jsonl", ExportOptions{})
	for name, open := range map[string]func(io.Reader) (io.Reader, error){
		"a.jsonl.gz":  func(r io.Reader) (io.Reader, error) { return gzip.NewReader(r) },
		"a.JSONL.GZ":  func(r io.Reader) (io.Reader, error) { return gzip.NewReader(r) },
		"a.jsonl.zst": func(r io.Reader) (io.Reader, error) { return zstd.NewReader(r) },
	} {
		t.Run(name, func(t *testing.T) {
			path, _ := exportTo(t, db, name, ExportOptions{})
			r, err := open(strings.NewReader(readFile(t, path)))
			if err != nil {
				t.Fatal(err)
			}
			got, err := io.ReadAll(r)
			if diff := cmp.Diff(readFile(t, plain), string(got)); err != nil || diff != "" {
				t.Errorf("%v, (-want +got):\n%s", err, diff)
			}
		})
	}
	for _, name := range []string{"a.parquet.gz", "a.sqlite.zst", "a.warc.zst"} {
		t.Run(name+" is refused", func(t *testing.T) {
			f, _ := dataset.FormatOf(name)
			_, err := db.ExportFiles(t.Context(), filepath.Join(t.TempDir(), name), ExportOptions{Item: "product", Format: f})
			if _, ok := errors.AsType[*OptionError](err); !ok {
				t.Errorf("error %v", err)
			}
		})
	}
}

func TestExportWhereAndFields(t *testing.T) {
	db := exportSample(t)
	for _, c := range []struct {
		name    string
		options ExportOptions
		want    string
	}{
		{"a condition", ExportOptions{Where: "price_amount > 0 -- in pounds"}, `{"name":"a \"b\", c\nd <&>","price":{"amount":12.50,"currency":"GBP"},"stock":7,"tags":["x","-y"]}` + "\n"},
		{"metadata in a condition", ExportOptions{Where: "_key = 'k3' AND _job = 'shop' AND _first_run = 1"}, `{"name":"plain","price":{"amount":-1.00,"currency":"EUR"}}` + "\n"},
		{"quotes and parentheses in texts", ExportOptions{Where: `name = ')' OR "name" = ';' OR [name] LIKE 'pl%' /* ( */`}, `{"name":"plain","price":{"amount":-1.00,"currency":"EUR"}}` + "\n"},
		{"no record", ExportOptions{Where: "0"}, ""},
		{"fields in their order", ExportOptions{Fields: []string{"stock", "_key", "name"}, Where: "stock < 0"}, `{"stock":-3,"_key":"k2","name":"=1+1"}` + "\n"},
		{"fields as CSV", ExportOptions{Format: CSV, Fields: []string{"_key", "price"}}, "_key,price_amount,price_currency\r\nk1,12.50,GBP\r\nk2,,\r\nk3,-1.00,EUR\r\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			c.options.Item = "product"
			var out strings.Builder
			if _, err := db.Export(t.Context(), &out, c.options); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(c.want, out.String()); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
	for _, c := range []struct {
		name    string
		options ExportOptions
		says    string
	}{
		{"an unknown column", ExportOptions{Where: "prize > 1"}, "price_amount, price_currency"},
		{"no SQL", ExportOptions{Where: "price_amount >"}, "syntax error"},
		{"a second statement", ExportOptions{Where: "1; DELETE FROM pages"}, "one condition"},
		{"a way out of the parentheses", ExportOptions{Where: "1) OR (1"}, ") too many"},
		{"an open quote", ExportOptions{Where: "name = 'x"}, "not closed"},
		{"nothing", ExportOptions{Where: "  "}, "one condition"},
		{"an unknown field", ExportOptions{Fields: []string{"nam"}}, "there are name, price"},
		{"a field twice", ExportOptions{Fields: []string{"name", "name"}}, "twice"},
		{"a way to leave out duplicates", ExportOptions{Dedup: "fuzzy"}, "exact or near"},
		{"a run without a job", ExportOptions{Since: 1}, "which job"},
		{"a run that is not", ExportOptions{Since: 7, Job: "shop"}, "run 7"},
		{"a format", ExportOptions{Format: "xml"}, "parquet"},
		{"parts of a stream", ExportOptions{Split: []dataset.Split{{Name: "a", Weight: 1}}}, "name a file"},
		{"a database as a stream", ExportOptions{Format: SQLite}, "name a file"},
	} {
		t.Run(c.name+" is told", func(t *testing.T) {
			c.options.Item = "product"
			var out strings.Builder
			_, err := db.Export(t.Context(), &out, c.options)
			if _, ok := errors.AsType[*OptionError](err); !ok || !strings.Contains(err.Error(), c.says) || out.Len() > 0 {
				t.Errorf("error %v, wrote %q", err, out.String())
			}
		})
	}
}

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

func TestExportWARC(t *testing.T) {
	db := openTest(t, filepath.Join(t.TempDir(), "magpie.db"))
	run := beginTest(t, db)
	due, _, err := run.Window(t.Context(), "shop.test", time.Now(), 1, nil)
	if err != nil {
		t.Fatal(err)
	}
	body := "<p>ü</p>" + strings.Repeat("x", 1000)
	_, err = run.Commit(t.Context(), []*crawl.Visit{{Request: due[0], State: crawl.Done, Page: &crawl.Page{
		FetchedAt: time.Date(2026, 11, 21, 8, 0, 0, 0, time.UTC), Status: 200, Body: []byte(body),
		Header: http.Header{"Content-Type": {"text/html; charset=utf-8"}, "Content-Encoding": {"gzip"}, "Content-Length": {"77"}, "Transfer-Encoding": {"chunked"}, "X-Evil": {"a\r\nb: c"}},
	}}})
	if err := errors.Join(err, run.Finish(t.Context(), "pages"), run.Close()); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"a.warc", "a.warc.gz"} {
		t.Run(name, func(t *testing.T) {
			path, done := exportTo(t, db, name, ExportOptions{Job: testJob.Name})
			data := readFile(t, path)
			if compressed := strings.HasPrefix(data, "\x1f\x8b"); done.Records != 1 || compressed != strings.HasSuffix(name, ".gz") {
				t.Errorf("%+v, compressed: %v", done, compressed)
			}
			r := warc.NewReader(strings.NewReader(data))
			if first, err := r.Next(); err != nil || first.Type() != warc.TypeWarcinfo {
				t.Fatalf("first %v, %v", first, err)
			}
			record, err := r.Next()
			if err != nil || record.TargetURI() != due[0].URL || !record.Date().Equal(time.Date(2026, 11, 21, 8, 0, 0, 0, time.UTC)) {
				t.Fatalf("then %+v, %v", record, err)
			}
			got, err := record.Response(1 << 20)
			if err != nil || got.Status != 200 || string(got.Body) != body || got.Header.Get("B") != "" || got.Header.Get("Content-Type") != "text/html; charset=utf-8" {
				t.Errorf("its response: %+v, %v", got, err)
			}
			if _, err := r.Next(); err != io.EOF {
				t.Errorf("and then: %v", err)
			}
		})
	}
}

// TestExportSince runs a job three times and exports what each run brought.
func TestExportSince(t *testing.T) {
	path := filepath.Join(t.TempDir(), "magpie.db")
	db := openTest(t, path)
	storeRecords(t, db, testJob, product("stays", "a"), product("changes", "a"), product("goes", "a"))
	storeRecords(t, db, testJob, product("stays", "a"), product("changes", "b"), product("comes", "a"))
	execSQL(t, path, `UPDATE records SET to_run = 2 WHERE key = 'goes'`) // as the end of a record is stored
	for since, want := range map[int]struct{ records, gone []string }{
		0: {[]string{"changes", "comes", "stays"}, nil},
		1: {[]string{"changes", "comes"}, []string{"goes"}},
		2: {nil, nil},
	} {
		t.Run(fmt.Sprint("since run ", since), func(t *testing.T) {
			file, done := exportTo(t, db, "a.jsonl", ExportOptions{Since: since, Job: "shop", Fields: []string{"_key"}})
			if diff := cmp.Diff(want.records, keysIn(t, file)); diff != "" {
				t.Errorf("records (-want +got):\n%s", diff)
			}
			if since == 0 {
				if _, err := os.Stat(file + ".gone.jsonl"); err == nil {
					t.Error("there is a file of what is gone")
				}
				return
			}
			if diff := cmp.Diff(want.gone, keysIn(t, file+".gone.jsonl")); diff != "" || done.Gone != int64(len(want.gone)) {
				t.Errorf("gone %d (-want +got):\n%s", done.Gone, diff)
			}
		})
	}
}

// keysIn lists the _key of each line of a file.
func keysIn(t *testing.T, path string) (keys []string) {
	t.Helper()
	for line := range strings.Lines(readFile(t, path)) {
		var r struct {
			Key string `json:"_key"`
		}
		if err := json.Unmarshal([]byte(line), &r); err != nil {
			t.Fatal(err)
		}
		keys = append(keys, r.Key)
	}
	return keys
}

func TestExportSplitAndDedup(t *testing.T) {
	db := openTest(t, filepath.Join(t.TempDir(), "magpie.db"))
	var records []extract.Record
	for i := range 300 {
		records = append(records, product(fmt.Sprint("k", i), fmt.Sprint("name ", i%200)))
	}
	storeRecords(t, db, testJob, records...)
	splits, err := dataset.ParseSplits("train=80,test=20")
	if err != nil {
		t.Fatal(err)
	}
	path, done := exportTo(t, db, "a.jsonl", ExportOptions{Split: splits, Meta: true})
	all := append(keysIn(t, dataset.SplitName(path, "train")), keysIn(t, dataset.SplitName(path, "test"))...)
	t.Run("each record is in one part", func(t *testing.T) {
		slices.Sort(all)
		if len(slices.Compact(slices.Clone(all))) != 300 || len(all) != 300 || done.Records != 300 || done.Files[1].Records < 30 || done.Files[1].Records > 90 {
			t.Errorf("%d keys, %+v", len(all), done)
		}
		if _, err := os.Stat(path); err == nil {
			t.Error("there is a file of the whole too")
		}
	})
	t.Run("the same one when there are more records", func(t *testing.T) {
		storeRecords(t, db, testJob, append(records, product("more", "x"))...)
		again, _ := exportTo(t, db, "a.jsonl", ExportOptions{Split: splits, Meta: true})
		before, after := keysIn(t, dataset.SplitName(path, "test")), keysIn(t, dataset.SplitName(again, "test"))
		if diff := cmp.Diff(before, slices.DeleteFunc(after, func(key string) bool { return key == "more" })); diff != "" {
			t.Errorf("(-before +after):\n%s", diff)
		}
	})
	t.Run("equal records are left out, and counted", func(t *testing.T) {
		_, done := exportTo(t, db, "a.parquet", ExportOptions{Dedup: dataset.DropExact})
		if done.Records != 201 || done.Duplicates != 100 {
			t.Errorf("%+v", done)
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

// A second export of the same database is the same, byte by byte.
func TestExportDeterministic(t *testing.T) {
	db := exportSample(t)
	for _, name := range []string{"a.jsonl", "a.jsonl.gz", "a.jsonl.zst", "a.csv", "a.parquet", "a.sqlite"} {
		t.Run(name, func(t *testing.T) {
			first, _ := exportTo(t, db, name, ExportOptions{})
			second, _ := exportTo(t, db, name, ExportOptions{})
			if a, b := readFile(t, first), readFile(t, second); !bytes.Equal([]byte(a), []byte(b)) {
				t.Errorf("%d and %d bytes that differ", len(a), len(b))
			}
		})
	}
}

func TestExportReplacesNoDatabase(t *testing.T) {
	db := exportSample(t)
	folder := t.TempDir()
	backup := filepath.Join(folder, "backup.db")
	if _, err := db.Backup(t.Context(), backup, nil); err != nil {
		t.Fatal(err)
	}
	link := filepath.Join(folder, "link.csv")
	if err := os.Symlink(db.Path(), link); err != nil {
		t.Fatal(err)
	}
	inUse := filepath.Join(folder, "in-use.sqlite")
	for _, name := range []string{inUse, inUse + "-wal"} {
		if err := os.WriteFile(name, []byte("of another program"), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		name, path string
		format     Format
	}{
		{"the database itself", db.Path(), JSONL},
		{"the database itself, as SQLite", db.Path(), SQLite},
		{"its pages", db.Path(), WARC},
		{"its log", db.Path() + "-wal", CSV},
		{"a link to it", link, CSV},
		{"a backup", backup, Parquet},
		{"a database in use", inUse, SQLite},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := db.ExportFiles(t.Context(), c.path, ExportOptions{Item: "product", Format: c.format})
			if err == nil || !strings.Contains(err.Error(), "name another file") {
				t.Errorf("error %v", err)
			}
		})
	}
	t.Run("both are whole", func(t *testing.T) {
		if n, err := db.ExportFile(t.Context(), filepath.Join(folder, "a.jsonl"), ExportOptions{Item: "product", Format: JSONL}); err != nil || n != 3 {
			t.Errorf("%d records, %v", n, err)
		}
		copied, err := OpenReadOnly(backup, Options{})
		if err != nil {
			t.Fatal(err)
		}
		if err := copied.Close(); err != nil {
			t.Error(err)
		}
	})
	t.Run("an earlier export is replaced", func(t *testing.T) {
		path := filepath.Join(folder, "clean.sqlite")
		for range 2 {
			if _, err := db.ExportFiles(t.Context(), path, ExportOptions{Item: "product", Format: SQLite}); err != nil {
				t.Error(err)
			}
		}
	})
}

func TestExportWithoutAFolder(t *testing.T) {
	db := exportSample(t)
	path := filepath.Join(t.TempDir(), "none", "a.csv")
	_, err := db.ExportFiles(t.Context(), path, ExportOptions{Item: "product", Format: CSV})
	if !errors.Is(err, os.ErrNotExist) || !strings.Contains(err.Error(), "there is no folder "+filepath.Dir(path)) {
		t.Errorf("error %v", err)
	}
}

// Values that SQL of the user's makes are bounded, and the connections that run
// it are as before afterwards.
func TestUserValuesAreBounded(t *testing.T) {
	db := exportSample(t)
	const long = "zeroblob(100000000)"
	for name, where := range map[string]string{
		"told with the condition":      "length(" + long + ") > 0",
		"told with the first record":   "length(zeroblob(100000000 + length(_key))) > 0",
		"bounded in functions as well": "length(printf('%.*c', 100000000 + length(_key), 'x')) > 0",
	} {
		t.Run(name, func(t *testing.T) {
			_, err := db.Export(t.Context(), io.Discard, ExportOptions{Item: "product", Where: where})
			if _, ok := errors.AsType[*OptionError](err); !ok || !strings.Contains(err.Error(), "longer than 64 MB") {
				t.Errorf("error %v", err)
			}
		})
	}
	t.Run("in a query", func(t *testing.T) {
		rows, err := db.Query(t.Context(), "SELECT "+long)
		if err == nil {
			_, _, err = rows.Next()
			rows.Close()
		}
		if _, ok := errors.AsType[*QueryError](err); !ok || !strings.Contains(err.Error(), "longer than 64 MB") {
			t.Errorf("error %v", err)
		}
	})
	t.Run("and not afterwards", func(t *testing.T) {
		var n int
		if err := db.read.QueryRowContext(t.Context(), "SELECT length("+long+")").Scan(&n); err != nil || n != 100_000_000 {
			t.Errorf("%d, %v", n, err)
		}
	})
}

package store

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"

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

// A folder's name may end with a slash, as shells complete it.
func TestExportToAFolderWithASlash(t *testing.T) {
	db := exportSample(t)
	folder := t.TempDir()
	for _, name := range []string{"a new one", "one of an earlier export"} {
		t.Run(name, func(t *testing.T) {
			o := ExportOptions{Item: "product", Job: "shop", Format: Markdown, Manifest: true, Since: 1}
			done, err := db.ExportFiles(t.Context(), filepath.Join(folder, "out")+string(filepath.Separator), o)
			if err != nil {
				t.Fatal(err)
			}
			if done.Files[0].Path != filepath.Join(folder, "out") {
				t.Errorf("the folder is %s", done.Files[0].Path)
			}
			want := []string{"out", "out.croissant.json", "out.datapackage.json", "out.gone.jsonl"}
			if diff := cmp.Diff(want, names(t, folder)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

package store

import (
	"encoding/csv"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/magpie-crawl/magpie/crawl"
	"github.com/magpie-crawl/magpie/extract"
)

// storeRecords runs job once: its only page shows these products.
func storeRecords(t *testing.T, db *DB, job crawl.Job, records ...extract.Record) {
	t.Helper()
	run, err := db.Begin(t.Context(), job)
	if err != nil {
		t.Fatal(err)
	}
	due, _, err := run.Window(t.Context(), "shop.test", time.Now(), 1, nil)
	if err != nil || len(due) != 1 {
		t.Fatalf("Window = %v, %v", due, err)
	}
	for i := range records {
		records[i].Item, records[i].URL, records[i].Position = "product", due[0].URL, i
	}
	out, err := run.Commit(t.Context(), []*crawl.Visit{{Request: due[0], State: crawl.Done, Records: records,
		Page: &crawl.Page{FetchedAt: time.Now(), Status: 200, Body: []byte("x")}}})
	if err != nil || out[0].Err != nil {
		t.Fatalf("Commit = %+v, %v", out, err)
	}
	if err := errors.Join(run.Finish(t.Context(), ""), run.Close()); err != nil {
		t.Fatal(err)
	}
}

func product(key, name string, rest ...extract.Member) extract.Record {
	return extract.Record{Key: key, Fields: append(extract.Object{{Name: "name", Value: name}}, rest...)}
}

func pricedAt(amount, currency string) extract.Member {
	return extract.Member{Name: "price", Value: extract.Price{Amount: json.Number(amount), Currency: currency}}
}

// exportSample is stored in another order than that of its keys.
func exportSample(t *testing.T) *DB {
	db := openTest(t, filepath.Join(t.TempDir(), "magpie.db"))
	storeRecords(t, db, testJob,
		product("k2", "=1+1", extract.Member{Name: "stock", Value: int64(-3)}),
		product("k1", "a \"b\", c\nd <&>", pricedAt("12.50", "GBP"),
			extract.Member{Name: "stock", Value: int64(7)}, extract.Member{Name: "tags", Value: []any{"x", "-y"}}),
		product("k3", "plain", pricedAt("-1.00", "EUR")),
	)
	return db
}

func TestExport(t *testing.T) {
	for _, c := range []struct {
		name    string
		options ExportOptions
		want    string
	}{
		{"JSONL", ExportOptions{}, `{"name":"a \"b\", c\nd <&>","price":{"amount":12.50,"currency":"GBP"},"stock":7,"tags":["x","-y"]}
{"name":"=1+1","stock":-3}
{"name":"plain","price":{"amount":-1.00,"currency":"EUR"}}
`},
		{"CSV", ExportOptions{Format: CSV}, "name,price_amount,price_currency,stock,tags\r\n" +
			"\"a \"\"b\"\", c\nd <&>\",12.50,GBP,7,\"[\"\"x\"\",\"\"-y\"\"]\"\r\n" +
			"'=1+1,,,-3,\r\n" +
			"plain,-1.00,EUR,,\r\n"},
		{"CSV with formulas", ExportOptions{Format: CSV, Formulas: true}, "name,price_amount,price_currency,stock,tags\r\n" +
			"\"a \"\"b\"\", c\nd <&>\",12.50,GBP,7,\"[\"\"x\"\",\"\"-y\"\"]\"\r\n" +
			"=1+1,,,-3,\r\n" +
			"plain,-1.00,EUR,,\r\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var out strings.Builder
			c.options.Item = "product"
			n, err := exportSample(t).Export(t.Context(), &out, c.options)
			if err != nil || n != 3 {
				t.Errorf("Export = %d, %v", n, err)
			}
			if diff := cmp.Diff(c.want, out.String()); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
	t.Run("an item that is not", func(t *testing.T) {
		var out strings.Builder
		_, err := exportSample(t).Export(t.Context(), &out, ExportOptions{Item: "book"})
		if !errors.Is(err, ErrNotFound) || !strings.Contains(err.Error(), "product") {
			t.Errorf("error = %v, want ErrNotFound that names product", err)
		}
	})
}

// What a spreadsheet takes for a formula is quoted, and encoding/csv reads
// back each value.
func TestExportCSVReadBack(t *testing.T) {
	for name, c := range map[string]struct{ value, want string }{
		"equals": {"=A1", "'=A1"}, "plus": {"+44 20", "'+44 20"}, "minus": {"-x", "'-x"}, "at": {"@SUM", "'@SUM"},
		"tab": {"\tx", "'\tx"}, "carriage return": {"\rx", "'\rx"}, "sign within": {"a=b", "a=b"},
		"quotes": {`say "hi"`, `say "hi"`}, "comma": {"a,b", "a,b"}, "line break": {"a\nb", "a\nb"},
		"spaces": {" a ", " a "}, "not ASCII": {"ü£", "ü£"}, "empty": {"", ""},
	} {
		t.Run(name, func(t *testing.T) {
			db := openTest(t, filepath.Join(t.TempDir(), "magpie.db"))
			storeRecords(t, db, testJob, product("k", c.value))
			var out strings.Builder
			if _, err := db.Export(t.Context(), &out, ExportOptions{Item: "product", Format: CSV}); err != nil {
				t.Fatal(err)
			}
			rows, err := csv.NewReader(strings.NewReader(out.String())).ReadAll()
			if err != nil || len(rows) != 2 || rows[1][0] != c.want {
				t.Errorf("read back %q, %v, want %q", rows, err, c.want)
			}
		})
	}
}

func TestExportFile(t *testing.T) {
	db := exportSample(t)
	path := filepath.Join(t.TempDir(), "out.jsonl")
	if err := os.WriteFile(path, []byte("former"), 0o640); err != nil {
		t.Fatal(err)
	}
	check := func(t *testing.T, want string) {
		t.Helper()
		got, err := os.ReadFile(path)
		if err != nil || !strings.HasPrefix(string(got), want) {
			t.Errorf("the file has %q, %v, want %q", got, err, want)
		}
		if files, _ := os.ReadDir(filepath.Dir(path)); len(files) != 1 {
			t.Errorf("left in the folder: %v", files)
		}
	}
	t.Run("a failing export leaves the former file", func(t *testing.T) {
		broken := exportSample(t)
		execSQL(t, broken.Path(), `UPDATE records SET data = '[' WHERE key = 'k3'`)
		if _, err := broken.ExportFile(t.Context(), path, ExportOptions{Item: "product", Format: CSV}); err == nil {
			t.Error("it succeeded")
		}
		check(t, "former")
	})
	t.Run("a whole one takes its place", func(t *testing.T) {
		if n, err := db.ExportFile(t.Context(), path, ExportOptions{Item: "product"}); err != nil || n != 3 {
			t.Errorf("ExportFile = %d, %v", n, err)
		}
		check(t, `{"name":"a`)
		if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o640 {
			t.Errorf("mode = %v, %v", info.Mode(), err)
		}
	})
}

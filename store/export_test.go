package store

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/magpie-crawl/magpie/crawl"
	"github.com/magpie-crawl/magpie/extract"
)

// productSpec has a field of each kind of column.
var productSpec = extract.Spec{Items: []extract.Item{{Name: "product", Fields: []extract.Field{
	{Name: "name"}, {Name: "price", As: extract.PriceType}, {Name: "stock", As: extract.Integer},
	{Name: "new", As: extract.Bool}, {Name: "tags", All: true},
}}}}

// product is a record of productSpec.
func product(key, name string, price extract.Price, stock int64, isNew bool, tags ...any) extract.Record {
	return extract.Record{Item: "product", Key: key, Fields: extract.Object{
		{Name: "name", Value: name}, {Name: "price", Value: price}, {Name: "stock", Value: stock},
		{Name: "new", Value: isNew}, {Name: "tags", Value: tags},
	}}
}

// visitOf is a visit of a page of the run that went well.
func visitOf(t *testing.T, run crawl.Run, name string, records ...extract.Record) *crawl.Visit {
	t.Helper()
	url := "https://site.test/" + name
	due, _, err := run.Window(t.Context(), "site.test", time.Now(), 100, nil)
	check(t, err)
	for _, r := range due {
		if r.URL != url {
			continue
		}
		for i := range records {
			records[i].URL, records[i].Position = url, i
		}
		return &crawl.Visit{Request: r, State: crawl.Done, Records: records,
			Page: &crawl.Page{FetchedAt: time.Now(), Status: 200, Body: []byte("<p>" + name)}}
	}
	t.Fatalf("%s is not due", url)
	return nil
}

// shop is a database with products whose texts are hard to write.
func shop(t *testing.T) *DB {
	db := openTest(t, filepath.Join(t.TempDir(), "shop.db"))
	run := beginRun(t, db, "shop", "a", "b")
	for _, v := range []*crawl.Visit{
		visitOf(t, run, "b",
			product("3", "=SUM(A1)", extract.Price{Amount: "-5", Currency: "EUR"}, -3, false),
			product("2", "a \"b\", c\nd", extract.Price{Amount: "1234.50", Currency: "GBP"}, 7, true, "x", "y")),
		visitOf(t, run, "a", extract.Record{Item: "product", Key: "1", Fields: extract.Object{{Name: "name", Value: "Żółty <b>"}}}),
	} {
		_, err := run.Commit(t.Context(), []*crawl.Visit{v})
		check(t, err)
	}
	check(t, run.Finish(t.Context(), ""))
	check(t, run.Close())
	return db
}

func TestExport(t *testing.T) {
	db := shop(t)
	cases := []struct {
		name    string
		options ExportOptions
		want    string
	}{
		{"JSONL", ExportOptions{Item: "product"}, `{"name":"Żółty <b>"}
{"name":"a \"b\", c\nd","price":{"amount":1234.50,"currency":"GBP"},"stock":7,"new":true,"tags":["x","y"]}
{"name":"=SUM(A1)","price":{"amount":-5,"currency":"EUR"},"stock":-3,"new":false,"tags":[]}
`},
		{"JSONL with metadata", ExportOptions{Item: "product", Job: "shop", Meta: true, Format: JSONL},
			`{"name":"Żółty <b>","_job":"shop","_key":"1","_url":"https://site.test/a","_position":0,"_first_run":1,"_last_run":1}
{"name":"a \"b\", c\nd","price":{"amount":1234.50,"currency":"GBP"},"stock":7,"new":true,"tags":["x","y"],"_job":"shop","_key":"2","_url":"https://site.test/b","_position":1,"_first_run":1,"_last_run":1}
{"name":"=SUM(A1)","price":{"amount":-5,"currency":"EUR"},"stock":-3,"new":false,"tags":[],"_job":"shop","_key":"3","_url":"https://site.test/b","_position":0,"_first_run":1,"_last_run":1}
`},
		{"CSV", ExportOptions{Item: "product", Format: CSV}, "name,price_amount,price_currency,stock,new,tags\r\n" +
			"Żółty <b>,,,,,\r\n" +
			"\"a \"\"b\"\", c\nd\",1234.50,GBP,7,true,\"[\"\"x\"\",\"\"y\"\"]\"\r\n" +
			"'=SUM(A1),-5,EUR,-3,false,[]\r\n"},
		{"CSV with formulas", ExportOptions{Item: "product", Format: CSV, Formulas: true}, "name,price_amount,price_currency,stock,new,tags\r\n" +
			"Żółty <b>,,,,,\r\n" +
			"\"a \"\"b\"\", c\nd\",1234.50,GBP,7,true,\"[\"\"x\"\",\"\"y\"\"]\"\r\n" +
			"=SUM(A1),-5,EUR,-3,false,[]\r\n"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			var out bytes.Buffer
			n, err := db.Export(t.Context(), &out, c.options)
			check(t, err)
			same(t, "records", n, int64(3))
			same(t, "output", out.String(), c.want)
			if c.options.Format == CSV {
				rows, err := csv.NewReader(&out).ReadAll()
				check(t, err)
				same(t, "rows that a CSV reader finds", len(rows), 4)
			}
		})
	}
}

func TestExportNeutralizesFormulas(t *testing.T) {
	for _, start := range []string{"=", "+", "-", "@", "\t", "\r"} {
		t.Run(strings.ReplaceAll(start, "\t", "tab"), func(t *testing.T) {
			var out bytes.Buffer
			w, err := NewRecordWriter(&out, extract.Spec{Items: []extract.Item{{Name: "x", Fields: []extract.Field{{Name: "f"}}}}}, ExportOptions{Format: CSV})
			check(t, err)
			check(t, w.Write(extract.Record{Item: "x", Fields: extract.Object{{Name: "f", Value: start + "1+1"}}}))
			check(t, w.Flush())
			if _, cell, _ := strings.Cut(out.String(), "\r\n"); !strings.HasPrefix(strings.Trim(cell, `"`), "'"+start) {
				t.Errorf("cell %q does not begin with a quote", cell)
			}
		})
	}
}

func TestExportFile(t *testing.T) {
	db := shop(t)
	path := filepath.Join(t.TempDir(), "products.jsonl")
	check(t, os.WriteFile(path, []byte("the former file"), 0o666))
	if _, err := db.ExportFile(t.Context(), path, ExportOptions{Item: "cup"}); !errors.Is(err, ErrNotFound) {
		t.Errorf("unknown item: %v, want ErrNotFound", err)
	}
	same(t, "file after a failed export", string(contents(t, path)), "the former file")
	n, err := db.ExportFile(t.Context(), path, ExportOptions{Item: "product"})
	check(t, err)
	same(t, "records", n, int64(3))
	same(t, "lines", bytes.Count(contents(t, path), []byte("\n")), 3)
	left, err := os.ReadDir(filepath.Dir(path))
	check(t, err)
	same(t, "files in the folder", len(left), 1)
}

func TestViews(t *testing.T) {
	db := shop(t)
	t.Run("typed columns", func(t *testing.T) {
		var name, currency, tags, url string
		var amount float64
		var stock, isNew, first int
		check(t, db.read.QueryRow(`SELECT name, price_amount, price_currency, stock, new, tags, _url, _first_run FROM product WHERE _key = '2'`).
			Scan(&name, &amount, &currency, &stock, &isNew, &tags, &url, &first))
		same(t, "row", []any{name, amount, currency, stock, isNew, tags, url, first},
			[]any{"a \"b\", c\nd", 1234.5, "GBP", 7, 1, `["x","y"]`, "https://site.test/b", 1})
	})
	t.Run("two jobs with the item have the fields of both", func(t *testing.T) {
		spec := extract.Spec{Items: []extract.Item{{Name: "product", Fields: []extract.Field{{Name: "name"}, {Name: "colour"}}}}}
		run, err := db.Begin(t.Context(), crawl.Job{Name: "other", Items: spec, Seeds: []crawl.Link{{URL: "https://site.test/a", Host: "site.test"}}})
		check(t, err)
		_, err = run.Commit(t.Context(), []*crawl.Visit{visitOf(t, run, "a", extract.Record{Item: "product", Key: "9",
			Fields: extract.Object{{Name: "name", Value: "Cup"}, {Name: "colour", Value: "blue"}}})})
		check(t, err)
		check(t, run.Close())
		var n, blue int
		check(t, db.read.QueryRow(`SELECT count(*), count(colour) FROM product`).Scan(&n, &blue))
		same(t, "records, and those with a colour", []int{n, blue}, []int{4, 1})
	})
}

func TestReservedNames(t *testing.T) {
	for _, name := range []string{"jobs", "runs", "urls", "hosts", "pages", "bodies", "items", "records", "rejects", "problems", "sqlite_x"} {
		if !Reserved(name) {
			t.Errorf("%s is not reserved", name)
		}
	}
	for _, name := range []string{"book", "job", "page"} {
		if Reserved(name) {
			t.Errorf("%s is reserved", name)
		}
	}
}

func TestReading(t *testing.T) {
	db := openTest(t, filepath.Join(t.TempDir(), "read.db"))
	run := beginRun(t, db, "job", "a", "b", "c")
	a := visitOf(t, run, "a")
	a.Page.Header = map[string][]string{"X-Test": {"1", "2"}}
	a.Links = []crawl.Link{{URL: "https://site.test/login", Host: "site.test", Depth: 1, Skip: crawl.ReasonScope}}
	b := visitOf(t, run, "b")
	b.State, b.Reason, b.Detail, b.Page.Status = crawl.Failed, "http-404", "404 Not Found", 404
	c := visitOf(t, run, "c")
	c.Rejects = []extract.Record{{Item: "product", Key: "1", URL: c.Request.URL, Fields: extract.Object{{Name: "name", Value: "Cup"}},
		Problems: []extract.Problem{{Field: "price", Code: extract.ProblemMissing, Detail: "nothing matches .price"}}}}
	_, err := run.Commit(t.Context(), []*crawl.Visit{a, b, c})
	check(t, err)
	check(t, run.Close())

	filters := map[string]struct {
		filter PageFilter
		want   []string
	}{
		"all":      {PageFilter{}, []string{"a", "b", "c", "login"}},
		"state":    {PageFilter{State: "failed"}, []string{"b"}},
		"reason":   {PageFilter{Reason: "scope"}, []string{"login"}},
		"status":   {PageFilter{Status: 404}, []string{"b"}},
		"class":    {PageFilter{Status: 2}, []string{"a", "c"}},
		"glob":     {PageFilter{URL: "*/log*"}, []string{"login"}},
		"limit":    {PageFilter{Limit: 2}, []string{"a", "b"}},
		"no such":  {PageFilter{Job: "other"}, nil},
		"both":     {PageFilter{State: "done", URL: "*/c"}, []string{"c"}},
		"by a run": {PageFilter{Job: "job", Run: 1, State: "done"}, []string{"a", "c"}},
	}
	for name, f := range filters {
		t.Run(name, func(t *testing.T) {
			var got []string
			for p, err := range db.Pages(t.Context(), f.filter) {
				check(t, err)
				got = append(got, strings.TrimPrefix(p.URL, "https://site.test/"))
			}
			same(t, "pages", got, f.want)
		})
	}
	t.Run("page and body", func(t *testing.T) {
		p, err := db.Page(t.Context(), "job", "https://site.test/a", 0)
		check(t, err)
		body, err := db.Body(t.Context(), p.Response)
		check(t, err)
		same(t, "body", string(body), "<p>a")
		same(t, "header", p.Response.Header["X-Test"], []string{"1", "2"})
		_, err = db.Page(t.Context(), "job", "https://site.test/never", 0)
		if !errors.Is(err, ErrNotFound) {
			t.Errorf("unknown page: %v, want ErrNotFound", err)
		}
	})
	t.Run("problems and rejects", func(t *testing.T) {
		counts, err := db.ProblemCounts(t.Context(), ProblemFilter{})
		check(t, err)
		if len(counts) != 1 || counts[0].Field != "price" || counts[0].Count != 1 || counts[0].Rejected != 1 {
			t.Errorf("counts %+v, want one of price", counts)
		}
		for r, err := range db.Rejects(t.Context(), ProblemFilter{}) {
			check(t, err)
			same(t, "reject", r.Data, json.RawMessage(`{"name":"Cup"}`))
		}
	})
	t.Run("run", func(t *testing.T) {
		r, err := db.Run(t.Context(), "job", 0)
		check(t, err)
		same(t, "state", r.State, RunInterrupted)
	})
}

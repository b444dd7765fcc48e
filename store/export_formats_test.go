package store

import (
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

	"github.com/magpie-crawl/magpie/crawl"
	"github.com/magpie-crawl/magpie/crawl/warc"
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

// TestExportWARCRevisits holds that a body is written once, and referred to then.
func TestExportWARCRevisits(t *testing.T) {
	db := openTest(t, filepath.Join(t.TempDir(), "magpie.db"))
	run := beginTest(t, db)
	body := strings.Repeat("<p>the same</p>", 200)
	for range 2 { // the first page, and those that it links to
		due, _, err := run.Window(t.Context(), "shop.test", time.Now(), 10, nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, q := range due {
			v := siteVisit(3, q)
			v.Page.Body, v.Page.Header = []byte(body), http.Header{"X-Page": {q.URL}}
			if _, err := run.Commit(t.Context(), []*crawl.Visit{v}); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := errors.Join(run.Finish(t.Context(), "pages"), run.Close()); err != nil {
		t.Fatal(err)
	}
	path, done := exportTo(t, db, "a.warc.gz", ExportOptions{Job: testJob.Name})
	var records []*warc.Record
	var responses []*warc.Response
	for r := warc.NewReader(strings.NewReader(readFile(t, path))); ; {
		rec, err := r.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		resp, _ := rec.Response(1 << 20)
		records, responses = append(records, rec), append(responses, resp)
	}
	if len(records) != 4 || done.Records != 3 {
		t.Fatalf("%d records, %+v", len(records), done)
	}
	original, revisit := records[1], records[2]
	if original.Type() != warc.TypeResponse || string(responses[1].Body) != body {
		t.Errorf("the first is %v", original.Header)
	}
	if revisit.Type() != warc.TypeRevisit || revisit.Header.Get("WARC-Refers-To") != original.Header.Get("WARC-Record-ID") ||
		revisit.Header.Get("WARC-Refers-To-Date") != original.Header.Get("WARC-Date") || revisit.Header.Get("WARC-Refers-To-Target-URI") != original.TargetURI() {
		t.Errorf("the second is %v", revisit.Header)
	}
	if len(responses[2].Body) != 0 || responses[2].Header.Get("X-Page") != revisit.TargetURI() {
		t.Errorf("its response: %+v", responses[2])
	}
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

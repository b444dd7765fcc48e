package store

import (
	"errors"
	"fmt"
	"net/http"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/magpie-crawl/magpie/crawl"
	"github.com/magpie-crawl/magpie/extract"
)

// crawlBodies crawls n pages to their end, each with the records that the spec
// takes from its body.
func crawlBodies(t testing.TB, db *DB, n int, spec extract.Spec, body func(i int) []byte) {
	t.Helper()
	job := crawl.Job{Name: "shop", Source: "start: https://shop.test/", Items: spec}
	for i := range n {
		job.Seeds = append(job.Seeds, siteLink(i, 0))
	}
	run, err := db.Begin(t.Context(), job)
	if err != nil {
		t.Fatal(err)
	}
	commitBodies(t, run, n, rereadCrawler(t, spec), body)
	if err := errors.Join(run.Finish(t.Context(), ""), run.Close()); err != nil {
		t.Fatal(err)
	}
}

// commitBodies commits at most n pages of the frontier.
func commitBodies(t testing.TB, run crawl.Run, n int, c *crawl.Crawler, body func(i int) []byte) {
	t.Helper()
	for n > 0 {
		due, _, err := run.Window(t.Context(), "shop.test", time.Now(), min(n, 256), nil)
		if err != nil {
			t.Fatal(err)
		}
		if len(due) == 0 {
			return
		}
		n -= len(due)
		batch := make([]*crawl.Visit, len(due))
		for k, q := range due {
			batch[k] = bodyVisit(t, q, c, body)
		}
		if _, err := run.Commit(t.Context(), batch); err != nil {
			t.Fatal(err)
		}
	}
}

func bodyVisit(t testing.TB, q crawl.Request, c *crawl.Crawler, body func(i int) []byte) *crawl.Visit {
	t.Helper()
	var i int
	fmt.Sscanf(q.URL, "https://shop.test/p/%d", &i)
	v := &crawl.Visit{Request: q, State: crawl.Done, Page: &crawl.Page{
		FetchedAt: time.UnixMilli(1_700_000_000_000), Status: 200, ContentType: "text/html; charset=utf-8", Body: body(i),
		Header: http.Header{"Content-Type": {"text/html; charset=utf-8"}, "Date": {"Tue, 14 Nov 2023 22:13:20 GMT"},
			"Etag": {fmt.Sprintf(`"%d"`, i)}, "Server": {"nginx"}, "Cache-Control": {"max-age=600"}}}}
	if strings.HasPrefix(string(v.Page.Body), "{") {
		v.Page.ContentType = "application/json"
	}
	v.Revisit = &crawl.Revisit{FetchedAt: v.Page.FetchedAt, ChangedAt: v.Page.FetchedAt}
	result, err := c.Reread(q.URL, v.Page)
	if err != nil {
		t.Fatal(err)
	}
	v.Records, v.Rejects = result.Records, result.Rejects
	return v
}

// oddBody is a page with all that can be odd about records: keys that several
// pages claim, with the same data and with other data, values that fail,
// required ones that are absent, several records or none.
func oddBody(i int) []byte {
	price := []string{"£5.00", "on request", "7 €"}[i%3]
	page := fmt.Sprintf("<!DOCTYPE html><title>%d</title>", i)
	for j := range i % 4 {
		page += fmt.Sprintf("<div class=p><b>key %d</b><i>%s</i><u>%d</u></div>", (i*7+j)%40, price, i%5*j)
	}
	if i%9 == 0 {
		page += "<div class=p><i>no key</i></div>"
	}
	return []byte(page)
}

// oddSpecs are what the pages are first read by, and then.
func oddSpecs() (first, then extract.Spec) {
	first = extract.Spec{Items: []extract.Item{
		{Name: "thing", Each: ".p", Key: []string{"key"}, Fields: []extract.Field{{Name: "key", CSS: "b"}, {Name: "price", CSS: "i"}}},
		{Name: "page", Fields: []extract.Field{{Name: "title", CSS: "title"}}}}}
	then = extract.Spec{Items: []extract.Item{
		{Name: "thing", Each: ".p", Key: []string{"key"}, Fields: []extract.Field{
			{Name: "key", CSS: "b", Required: true}, {Name: "price", CSS: "i", As: extract.PriceType}, {Name: "n", CSS: "u", As: extract.Integer}}},
		{Name: "number", Fields: []extract.Field{{Name: "title", CSS: "title", As: extract.Integer}}}}}
	return first, then
}

func reextractTest(t testing.TB, db *DB, spec extract.Spec, change func(*ReextractOptions)) (*Reextraction, error) {
	t.Helper()
	o := ReextractOptions{Job: "shop", Source: "changed", Items: spec, Read: rereadCrawler(t, spec).Reread}
	if change != nil {
		change(&o)
	}
	return db.Reextract(t.Context(), o)
}

// generation is what is current in a database, but for the runs that saw it.
func generation(t testing.TB, path string) string {
	t.Helper()
	last := `(SELECT max(id) FROM runs)`
	var all string
	for _, query := range []string{
		`SELECT i.name, r.key, r.data, hex(r.hash), u.url, r.position FROM records r JOIN items i ON i.id = r.item_id JOIN urls u ON u.id = r.url_id
			WHERE to_run IS NULL ORDER BY 1, 2`,
		`SELECT u.url, i.name, x.key, x.position, x.data FROM rejects x JOIN items i ON i.id = x.item_id JOIN urls u ON u.id = x.url_id
			WHERE x.run_id = ` + last + ` ORDER BY 1, 2, 4`,
		`SELECT u.url, i.name, x.position, x.key, x.rejected, x.field, x.code, x.detail, o.url FROM problems x JOIN items i ON i.id = x.item_id
			JOIN urls u ON u.id = x.url_id LEFT JOIN urls o ON o.id = x.other_url_id WHERE x.run_id = ` + last + ` ORDER BY 1, 2, 3, 6, 7`,
		`SELECT name, sql FROM sqlite_schema WHERE type = 'view' AND name IN ('thing', 'number') ORDER BY 1`,
	} {
		all += dumpSQL(t, path, query) + "\n"
	}
	return all
}

// What a re-extraction leaves is what a crawl by the same spec does.
func TestReextractLikeCrawl(t *testing.T) {
	const n = 700
	first, then := oddSpecs()
	crawled := openTest(t, filepath.Join(t.TempDir(), "crawled.db"))
	crawlBodies(t, crawled, n, then, oddBody)
	read := openTest(t, filepath.Join(t.TempDir(), "read.db"))
	crawlBodies(t, read, n, first, oddBody)
	before := generation(t, read.path)

	t.Run("a preview writes nothing", func(t *testing.T) {
		var changes int
		sum, err := reextractTest(t, read, then, func(o *ReextractOptions) {
			o.Preview = true
			o.OnChange = func(ReextractChange) error { changes++; return nil }
		})
		if err != nil {
			t.Fatal(err)
		}
		if int64(changes) != sum.New+sum.Changed+sum.Ended || changes == 0 {
			t.Errorf("told of %d changes, counted %+v", changes, sum)
		}
		if diff := cmp.Diff(before, generation(t, read.path)); diff != "" {
			t.Error(diff)
		}
	})
	t.Run("a sample is always the same", func(t *testing.T) {
		var told [2][]ReextractChange
		for i := range told {
			sum, err := reextractTest(t, read, then, func(o *ReextractOptions) {
				o.Sample = 10
				o.OnChange = func(c ReextractChange) error { told[i] = append(told[i], c); return nil }
			})
			if err != nil || sum.Pages != 10 {
				t.Fatalf("%+v, %v", sum, err)
			}
		}
		if diff := cmp.Diff(told[0], told[1]); diff != "" || len(told[0]) == 0 {
			t.Error(len(told[0]), diff)
		}
	})
	sum, err := reextractTest(t, read, then, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Run("the same generation", func(t *testing.T) {
		want := generation(t, crawled.path)
		for _, code := range []string{ProblemDuplicate, extract.ProblemMissing, extract.ProblemType} {
			if !strings.Contains(want, "|"+code+"|") {
				t.Errorf("no page has the problem %q", code)
			}
		}
		if diff := cmp.Diff(want, generation(t, read.path)); diff != "" {
			t.Errorf("-crawled +read again:\n%s", diff)
		}
	})
	t.Run("its place in the history", func(t *testing.T) {
		run, err := read.Run(t.Context(), "shop", 0)
		if err != nil {
			t.Fatal(err)
		}
		c := run.Counters
		if run.Number != 2 || run.Kind != ReextractRun || run.State != RunFinished || run.Source != "changed" || c.Pages != n ||
			c.New != sum.New || c.RecordsGone != sum.Ended || c.Changed != sum.Changed || c.Rejects != sum.Rejects || c.Problems != sum.Problems {
			t.Errorf("run %+v of %+v", run, sum)
		}
		for what, query := range map[string]string{
			"the end is not told from a change": `SELECT 1 WHERE (SELECT count(*) FROM records WHERE to_run = 2 AND gone = 1) != ` + fmt.Sprint(sum.Ended),
			"old versions were not kept":        `SELECT 1 WHERE (SELECT count(*) FROM records WHERE to_run = 2) != ` + fmt.Sprint(sum.Changed+sum.Ended),
			"not counted right":                 `SELECT 1 WHERE (SELECT count(*) FROM records WHERE from_run = 2) != ` + fmt.Sprint(sum.New+sum.Changed),
			"a version before is not the one of the key": `SELECT * FROM records r LEFT JOIN records p ON p.id = r.previous_id
				WHERE r.from_run = 2 AND r.previous_id IS NOT NULL AND (p.key != r.key OR p.item_id != r.item_id OR p.to_run IS NOT 2)`,
			"a key has two current versions": `SELECT item_id, key FROM records WHERE to_run IS NULL GROUP BY 1, 2 HAVING count(*) > 1`,
			"a reference leads nowhere":      `SELECT * FROM pragma_foreign_key_check`,
		} {
			if rows := dumpSQL(t, read.path, query); rows != "" {
				t.Errorf("%s:\n%s", what, rows)
			}
		}
	})
	t.Run("again nothing changes", func(t *testing.T) {
		again, err := reextractTest(t, read, then, nil)
		if err != nil {
			t.Fatal(err)
		}
		if again.New+again.Changed+again.Ended != 0 || again.Unchanged != sum.New+sum.Changed+sum.Unchanged || again.RejectsBefore != sum.Rejects {
			t.Errorf("%+v after %+v", again, sum)
		}
		for _, f := range again.Fields {
			if f.Before != f.Now {
				t.Errorf("%+v", f)
			}
		}
		if rows := dumpSQL(t, read.path, `SELECT 1 FROM records WHERE from_run = 3 OR last_run = 3 OR to_run = 3`); rows != "" {
			t.Error("records were written")
		}
	})
	t.Run("a crawl then finds no change", func(t *testing.T) {
		crawlBodies(t, read, n, then, oddBody)
		run, err := read.Run(t.Context(), "shop", 0)
		if err != nil || run.Kind != CrawlRun || run.Counters.New+run.Counters.Changed != 0 {
			t.Errorf("%+v, %v", run, err)
		}
	})
}

// Records of pages that cannot be read stay as they are.
func TestReextractLeavesRecords(t *testing.T) {
	spec, changed := rereadSpec("stock"), rereadSpec("left")
	body := func(i int) []byte {
		if i == 5 {
			return []byte("{}")
		}
		return rereadBody(i)
	}
	for _, c := range []struct {
		name   string
		broken string // SQL
		read   func(url string) error
		want   Reextraction
	}{
		{"gone", `UPDATE magpie_revisits SET gone_run = 1 WHERE url_id = (SELECT id FROM urls WHERE url LIKE '%/p/1')`, nil, Reextraction{Pages: 8, NotHTML: 1, Gone: 1, Changed: 8, Kept: 1}},
		{"damaged body", `UPDATE bodies SET data = x'00' WHERE id = (SELECT body_id FROM pages WHERE url_id = (SELECT id FROM urls WHERE url LIKE '%/p/1'))`, nil,
			Reextraction{Pages: 8, NotHTML: 1, Failed: 1, Changed: 8, Kept: 1}},
		{"no body", `PRAGMA foreign_keys = 0; DELETE FROM bodies WHERE id = (SELECT body_id FROM pages WHERE url_id = (SELECT id FROM urls WHERE url LIKE '%/p/1'))`, nil,
			Reextraction{Pages: 8, NotHTML: 1, NoBody: 1, Changed: 8, Kept: 1}},
		{"unreadable", ``, func(url string) error {
			if strings.HasSuffix(url, "/p/1") {
				return errors.New("unreadable")
			}
			return nil
		}, Reextraction{Pages: 8, NotHTML: 1, Failed: 1, Changed: 8, Kept: 1}},
	} {
		t.Run(c.name, func(t *testing.T) {
			db := openTest(t, filepath.Join(t.TempDir(), "magpie.db"))
			crawlBodies(t, db, 10, spec, body)
			stays := dumpSQL(t, db.path, `SELECT r.* FROM records r JOIN urls u ON u.id = r.url_id WHERE u.url LIKE '%/p/1'`)
			if c.broken != "" {
				execSQL(t, db.path, c.broken)
			}
			sum, err := reextractTest(t, db, changed, func(o *ReextractOptions) {
				read := o.Read
				o.Read = func(url string, p *crawl.Page) (extract.Result, error) {
					if c.read != nil && c.read(url) != nil {
						return extract.Result{}, c.read(url)
					}
					return read(url, p)
				}
			})
			if err != nil {
				t.Fatal(err)
			}
			got := Reextraction{Pages: sum.Pages, NotHTML: sum.NotHTML, NoBody: sum.NoBody, Gone: sum.Gone, Failed: sum.Failed,
				New: sum.New, Changed: sum.Changed, Unchanged: sum.Unchanged, Ended: sum.Ended, Kept: sum.Kept}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("%s\n%s", diff, sum.FailedOn)
			}
			if now := dumpSQL(t, db.path, `SELECT r.* FROM records r JOIN urls u ON u.id = r.url_id WHERE u.url LIKE '%/p/1'`); now != stays {
				t.Errorf("was\n%s\nis\n%s", stays, now)
			}
		})
	}
}

// A crawl that was interrupted goes on after a re-extraction: no version ends
// before it began.
func TestReextractBetween(t *testing.T) {
	spec, changed := rereadSpec("stock"), rereadSpec("left")
	db := openTest(t, filepath.Join(t.TempDir(), "magpie.db"))
	crawlBodies(t, db, 40, spec, rereadBody)
	job := crawl.Job{Name: "shop", Items: changed}
	for i := range 40 {
		job.Seeds = append(job.Seeds, siteLink(i, 0))
	}
	newer := func(i int) []byte { return []byte(strings.Replace(string(rereadBody(i)), "in stock", "7 in stock", 1)) }
	run, err := db.Begin(t.Context(), job)
	if err != nil {
		t.Fatal(err)
	}
	commitBodies(t, run, 20, rereadCrawler(t, spec), newer)
	if err := run.Close(); err != nil {
		t.Fatal(err)
	}
	if sum, err := reextractTest(t, db, changed, nil); err != nil || sum.Pages != 40 || sum.Changed != 40 || sum.Run != 3 {
		t.Fatalf("%+v, %v", sum, err)
	}
	if run, err = db.Begin(t.Context(), job); err != nil {
		t.Fatal(err)
	}
	if info := run.Info(); info.Number != 2 || !info.Resumed {
		t.Errorf("the crawl was not resumed: %+v", info)
	}
	commitBodies(t, run, 20, rereadCrawler(t, changed), func(i int) []byte {
		return []byte(strings.Replace(string(rereadBody(i)), "<h1>", "<h1>New ", 1))
	})
	if err := errors.Join(run.Finish(t.Context(), crawl.LimitPages), run.Close()); err != nil {
		t.Fatal(err)
	}
	for what, query := range map[string]string{
		"a version ends before it began":    `SELECT * FROM records WHERE to_run < from_run OR last_run < from_run`,
		"not all records are read anew":     `SELECT * FROM records WHERE to_run IS NULL AND json_extract(data, '$.left') IS NULL`,
		"what the crawl found is not there": `SELECT 1 WHERE (SELECT count(*) FROM records WHERE to_run IS NULL AND data LIKE '%New %') != 20`,
		"a key has two current versions":    `SELECT item_id, key FROM records WHERE to_run IS NULL GROUP BY 1, 2 HAVING count(*) > 1`,
		"records were lost or added":        `SELECT 1 WHERE (SELECT count(*) FROM records WHERE to_run IS NULL) != 40`,
	} {
		if rows := dumpSQL(t, db.path, query); rows != "" {
			t.Errorf("%s:\n%s", what, rows)
		}
	}
}

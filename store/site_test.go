package store

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net/http"
	"testing"
	"time"

	"github.com/magpie-crawl/magpie/crawl"
	"github.com/magpie-crawl/magpie/extract"
)

// testJob crawls the site of siteVisit.
var testJob = crawl.Job{
	Name: "shop", Source: "name: shop\n", Seeds: []crawl.Link{siteLink(0, 0)},
	Items: extract.Spec{Items: []extract.Item{{Name: "product", Fields: []extract.Field{
		{Name: "name"}, {Name: "price", As: extract.PriceType}, {Name: "stock", As: extract.Integer}, {Name: "tags", All: true}}}}},
}

func siteURL(i int) string { return fmt.Sprintf("https://shop.test/p/%d", i) }

func siteLink(i, depth int) crawl.Link {
	return crawl.Link{URL: siteURL(i), Host: "shop.test", Depth: depth}
}

// siteVisit is what a request of a site of n pages brings: the same each time.
// Some pages fail once, some for ever, some redirect, some claim the key of
// another, some have faulty records.
func siteVisit(n int, q crawl.Request) *crawl.Visit {
	var i int
	fmt.Sscanf(q.URL, "https://shop.test/p/%d", &i)
	v := &crawl.Visit{Request: q, State: crawl.Done, Page: &crawl.Page{
		FetchedAt: time.UnixMilli(1_700_000_000_000 + int64(i)), Duration: time.Millisecond, Status: 200, ContentType: "text/html",
		Header: http.Header{"Content-Type": {"text/html"}}, Body: fmt.Appendf(nil, "<title>%d</title>", i/2),
	}}
	v.Lessons = crawl.Lessons{
		Revisit: &crawl.Revisit{ETag: fmt.Sprintf(`"%d"`, i), FetchedAt: v.Page.FetchedAt, ChangedAt: v.Page.FetchedAt, Interval: time.Hour},
		Host:    &crawl.HostState{Slow: time.Second},
		Robots:  &crawl.RobotsFile{Origin: "https://shop.test", FetchedAt: v.Page.FetchedAt.Truncate(time.Hour), Status: 200, Body: []byte("# none")},
	}
	switch {
	case i%10 == 3 && q.Attempts == 0:
		return &crawl.Visit{Request: q, State: crawl.Pending, Reason: "http-503", Page: v.Page, Lessons: crawl.Lessons{Host: v.Host}}
	case i%10 == 8 && q.Attempts == 0 && rand.IntN(2) == 0: // put off, once or again and again
		return &crawl.Visit{Request: q, State: crawl.Pending, Lessons: crawl.Lessons{Host: v.Host, Robots: v.Robots}}
	case i%25 == 7:
		return &crawl.Visit{Request: q, State: crawl.Failed, Reason: "reset", Detail: "connection reset by peer"}
	case i%20 == 9:
		v.Page.Status, v.Page.Location, v.Revisit = 301, siteURL(i+1), nil
		v.Links = []crawl.Link{siteLink((i+1)%n, q.Depth)}
		return v
	}
	for _, to := range []int{2*i + 1, 2*i + 2, i * 7 % n, i / 2, 0} {
		if to < n {
			v.Links = append(v.Links, siteLink(to, q.Depth+1))
		}
	}
	outside := siteLink(i%5, q.Depth+1)
	outside.URL, outside.Host, outside.Skip = fmt.Sprintf("https://other.test/%d", i%5), "other.test", crawl.ReasonScope
	v.Links = append(v.Links, outside)
	record := extract.Record{Item: "product", Key: fmt.Sprint("sku-", i), URL: q.URL, Fields: extract.Object{
		{Name: "name", Value: fmt.Sprint("Product ", i)},
		{Name: "price", Value: extract.Price{Amount: "12.50", Currency: "GBP"}},
		{Name: "stock", Value: int64(i)},
		{Name: "tags", Value: []any{"a", fmt.Sprint(i % 3)}},
	}}
	switch {
	case i%15 == 4:
		record.Fields = record.Fields[:1]
		record.Problems = []extract.Problem{{Field: "price", Code: extract.ProblemMissing}}
		v.Rejects = []extract.Record{record}
		return v
	case i%15 == 5:
		record.Problems = []extract.Problem{{Field: "tags[1].x", Code: extract.ProblemType, Detail: "odd"}}
	case i%15 == 6:
		record.Key = "shared"
	}
	v.Records = []extract.Record{record}
	return v
}

func beginTest(t testing.TB, db *DB) crawl.Run {
	t.Helper()
	run, err := db.Begin(t.Context(), testJob)
	if err != nil {
		t.Fatal(err)
	}
	return run
}

// crawlSite commits a site of n pages to its end. committed, if not nil, is
// told of each batch that was.
func crawlSite(t testing.TB, run crawl.Run, n int, committed func([]*crawl.Visit)) {
	t.Helper()
	if err := crawlPages(t.Context(), run, n, committed); err != nil {
		t.Fatal(err)
	}
}

func crawlPages(ctx context.Context, run crawl.Run, n int, committed func([]*crawl.Visit)) error {
	for {
		due, _, err := run.Window(ctx, "shop.test", time.Now(), 1+rand.IntN(8), nil)
		if err != nil || len(due) == 0 {
			return err
		}
		var batch []*crawl.Visit
		for _, q := range due {
			batch = append(batch, siteVisit(n, q))
		}
		if _, err := run.Commit(ctx, batch); err != nil {
			return err
		}
		if committed != nil {
			committed(batch)
		}
	}
}

// outcome is all that a crawl of the site leaves in the database, but for
// what depends on the clock and on the order of its pages.
func outcome(t testing.TB, path string) string {
	t.Helper()
	var all string
	for _, query := range []string{
		`SELECT u.url, h.name, u.kind, u.state, u.reason, u.detail, u.redirects, u.attempts, r.number
			FROM urls u JOIN hosts h ON h.id = u.host_id JOIN runs r ON r.id = u.run_id ORDER BY u.url`,
		`SELECT r.number, u.url, p.state, p.status, p.fetched_at, p.location, p.size, hex(b.hash)
			FROM pages p JOIN urls u ON u.id = p.url_id JOIN runs r ON r.id = p.run_id JOIN bodies b ON b.id = p.body_id ORDER BY 1, 2`,
		`SELECT i.name, v.key, v.data, u.url, v.position, a.number, z.number, e.number FROM records v
			JOIN items i ON i.id = v.item_id JOIN urls u ON u.id = v.url_id JOIN runs a ON a.id = v.from_run
			JOIN runs z ON z.id = v.last_run LEFT JOIN runs e ON e.id = v.to_run ORDER BY 1, 2, 6, 3`,
		`SELECT r.number, u.url, x.key, x.data FROM rejects x JOIN urls u ON u.id = x.url_id JOIN runs r ON r.id = x.run_id ORDER BY 1, 2, 3`,
		`SELECT r.number, u.url, x.position, x.key, x.rejected, x.field, x.code, x.detail
			FROM problems x JOIN urls u ON u.id = x.url_id JOIN runs r ON r.id = x.run_id ORDER BY 1, 2, 4, 6, 7`,
		`SELECT u.url, v.etag, v.fetched_at, v.interval_ms, v.missing, v.gone_run, p.fetched_at
			FROM magpie_revisits v JOIN urls u ON u.id = v.url_id JOIN pages p ON p.id = v.page_id ORDER BY 1`,
		`SELECT h.name, s.slow_ms, s.failures FROM magpie_politeness s JOIN hosts h ON h.id = s.host_id ORDER BY 1`,
		`SELECT o.origin, o.fetched_at, o.status, b.size FROM robots o LEFT JOIN bodies b ON b.id = o.body_id ORDER BY 1`,
		`SELECT number, reason, ` + counterColumns + ` FROM runs ORDER BY number`,
	} {
		all += dumpSQL(t, path, query) + "\n"
	}
	return all
}

// checkInvariants checks what must hold of a database at any moment.
func checkInvariants(t testing.TB, path string) {
	t.Helper()
	for what, query := range map[string]string{
		"the database is damaged":   `SELECT * FROM pragma_integrity_check WHERE integrity_check != 'ok'`,
		"a reference leads nowhere": `SELECT * FROM pragma_foreign_key_check`,
		"a done URL has no page, or a page's URL is not settled": `SELECT u.url, u.state, p.id FROM urls u
			LEFT JOIN pages p ON p.url_id = u.id AND p.run_id = u.run_id WHERE (u.state = 'done') != (p.id IS NOT NULL)`,
		"pages are not counted right": `SELECT * FROM runs r WHERE pages + redirects + sitemaps !=
			(SELECT count(*) FROM pages WHERE run_id = r.id)`,
		"bytes are not counted right": `SELECT * FROM runs r WHERE retries = 0 AND bytes !=
			(SELECT coalesce(sum(size), 0) FROM pages WHERE run_id = r.id)`,
		"rejects are not counted right":  `SELECT * FROM runs r WHERE rejects != (SELECT count(*) FROM rejects WHERE run_id = r.id)`,
		"problems are not counted right": `SELECT * FROM runs r WHERE problems != (SELECT count(*) FROM problems WHERE run_id = r.id)`,
		"records are not counted right": `SELECT * FROM runs r WHERE new + changed !=
			(SELECT count(*) FROM records WHERE from_run = r.id)`,
		"unchanged records are not counted right": `SELECT * FROM runs r WHERE r.id = (SELECT max(id) FROM runs)
			AND unchanged != (SELECT count(*) FROM records WHERE last_run = r.id AND from_run < r.id AND to_run IS NULL)`,
		"skipped URLs are not counted right": `SELECT r.id, s.key, s.value FROM runs r, json_each(r.skipped) s WHERE r.id = (SELECT max(id) FROM runs)
			AND s.value != (SELECT count(*) FROM urls WHERE run_id = r.id AND state = 'skipped' AND reason = s.key)`,
		"failed URLs are not counted right": `SELECT * FROM runs r WHERE r.id = (SELECT max(id) FROM runs)
			AND failed != (SELECT count(*) FROM urls WHERE run_id = r.id AND state = 'failed')`,
		"what is remembered is not of a good answer": `SELECT v.url_id, p.state FROM magpie_revisits v
			JOIN pages p ON p.id = v.page_id WHERE p.url_id != v.url_id OR p.state != 'done' OR p.location IS NOT NULL`,
		"gone records are not counted right": `SELECT * FROM runs r WHERE records_gone !=
			(SELECT count(*) FROM records WHERE gone = 1 AND to_run = r.id)`,
		"a gone record has no end":       `SELECT id FROM records WHERE gone = 1 AND to_run IS NULL`,
		"a key has two current versions": `SELECT item_id, key FROM records WHERE to_run IS NULL GROUP BY 1, 2 HAVING count(*) > 1`,
	} {
		if rows := dumpSQL(t, path, query); rows != "" {
			t.Errorf("%s:\n%s", what, rows)
		}
	}
}

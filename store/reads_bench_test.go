package store

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// report runs f seven times and reports the median and the longest time.
func report(b *testing.B, f func() error) {
	b.Helper()
	times := make([]time.Duration, 7)
	for i := range times {
		began := time.Now()
		if err := f(); err != nil {
			b.Fatal(err)
		}
		times[i] = time.Since(began)
	}
	slices.Sort(times)
	b.ReportMetric(float64(times[3].Microseconds())/1000, "ms/median")
	b.ReportMetric(float64(times[6].Microseconds())/1000, "ms/longest")
	b.ReportMetric(0, "ns/op")
}

// BenchmarkOverview reads an overview of 1,000 jobs with 100 runs each, and what
// is told of one of the jobs:
// go test ./store -run - -bench 'Overview' -benchtime 1x
func BenchmarkOverview(b *testing.B) {
	db := openTest(b, filepath.Join(b.TempDir(), "jobs.db"))
	source := strings.Repeat("# a job file of some length\n", 100)
	for _, statement := range []string{
		`INSERT INTO jobs (id, name) WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000) SELECT i, printf('job %04d', i) FROM n`,
		`INSERT INTO items (id, job_id, name, position, fields)
			SELECT 2 * jobs.id + x.value, jobs.id, 'item' || x.value, x.value, '[{"name":"a","types":["text"]},{"name":"b","types":["text"]}]' FROM jobs, json_each('[0,1]') x`,
		`INSERT INTO runs (id, job_id, number, state, source, started_at, ended_at, pages, failed, new, changed, unchanged)
			WITH RECURSIVE n (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 99999)
			SELECT i + 1, i % 1000 + 1, i / 1000 + 1, 'finished', ?1, 1700000000000 + i * 1000, 1700000000000 + i * 1000 + 900, 100, i % 7, iif(i < 1000, 100, 1), 3, 96 FROM n`,
		`INSERT INTO magpie_item_health SELECT r.id, i.id, 100, 1 FROM runs r JOIN items i ON i.job_id = r.job_id`,
		`INSERT INTO magpie_field_health SELECT run_id, item_id, x.value, 90, 1, 50, 1 FROM magpie_item_health, json_each('["a","b"]') x`,
		`INSERT INTO magpie_drifts (run_id, kind, usual, now, detail) SELECT id, 'pages', 100, 50, 'fewer' FROM runs WHERE id % 5 = 0`,
		`INSERT INTO magpie_outbox (run_id, hook, event, created_at) SELECT id, 'x', 'drift', 1 FROM runs WHERE id > 99900`,
	} {
		args := []any{source}[:strings.Count(statement, "?1")]
		if _, err := db.writer.conn.ExecContext(b.Context(), statement, args...); err != nil {
			b.Fatal(err)
		}
	}
	b.Run("1,000 jobs, 100,000 runs", func(b *testing.B) {
		report(b, func() error {
			jobs, err := db.Overview(b.Context(), OverviewOptions{})
			if err == nil && (len(jobs) != 1000 || len(jobs[999].Recent) != 20 || jobs[5].Last.Number != 100 || jobs[7].Records != 199 || len(jobs[3].Items) != 2) {
				return fmt.Errorf("%+v", jobs[0])
			}
			return err
		})
	})
	b.Run("a page of runs", func(b *testing.B) {
		report(b, func() error { _, err := db.RunsPage(b.Context(), "job 0500", 51, 50); return err })
	})
	b.Run("a run in depth", func(b *testing.B) {
		report(b, func() error { _, err := db.RunDetail(b.Context(), "job 0500", 50); return err })
	})
	b.Run("figures of 20 runs", func(b *testing.B) {
		report(b, func() error { _, err := db.Figures(b.Context(), "job 0500", 20); return err })
	})
}

// BenchmarkListing reads pages of 50 of a million records, of which the price
// has an index: go test ./store -run - -bench 'Listing' -benchtime 1x
func BenchmarkListing(b *testing.B) {
	db := openTest(b, filepath.Join(b.TempDir(), "many.db"))
	run, err := db.Begin(b.Context(), indexedJob())
	if err != nil {
		b.Fatal(err)
	}
	run.Close()
	manyRecords(b, db, 1_000_000)
	began := time.Now()
	if run, err = db.Begin(b.Context(), indexedJob("price", "name")); err != nil {
		b.Fatal(err)
	}
	b.Logf("making two indexes: %v", time.Since(began))
	run.Close()
	one := func(field string, op FilterOp, value string) []FieldFilter { return []FieldFilter{{field, op, value}} }
	for _, c := range []struct {
		name string
		q    RecordsQuery
	}{
		{"the first page", RecordsQuery{}},
		{"page 10,000", RecordsQuery{Page: 10_000}},
		{"page 19,999 of 20,000", RecordsQuery{Page: 19_999}},
		{"page 19,999, by price", RecordsQuery{Page: 19_999, Sort: "price", Desc: true}},
		{"page 19,999, by first run", RecordsQuery{Page: 19_999, Sort: FirstRunField}},
		{"a key", RecordsQuery{Filters: one(KeyField, Equal, "SKU-00500000")}},
		{"keys with 99", RecordsQuery{Filters: one(KeyField, Contains, "99")}},
		{"a URL, of all records", RecordsQuery{Filters: one(URLField, Equal, siteURL(0)), Page: 10_000}},
		{"a price", RecordsQuery{Filters: one("price", Equal, "12.50")}},
		{"prices from 10 on, page 15,000", RecordsQuery{Filters: one("price", AtLeast, "10"), Page: 15_000}},
		{"prices from 10 on, by key", RecordsQuery{Filters: one("price", AtLeast, "10"), Sort: KeyField}},
		{"prices up to 5, by key", RecordsQuery{Filters: one("price", Less, "5"), Sort: KeyField}},
		{"prices from 900 on, by name", RecordsQuery{Filters: one("price", AtLeast, "900"), Sort: "name", Desc: true}},
		{"a price and what has no index", RecordsQuery{Filters: append(one("price", Less, "5"), FieldFilter{"stock", Equal, "3"})}},
		{"without an index, one in nine", RecordsQuery{Filters: one("stock", Equal, "3")}},
		{"of the first run, page 10,000", RecordsQuery{Filters: one(FirstRunField, Equal, "1"), Page: 10_000}},
		{"of the last run", RecordsQuery{Filters: one(LastRunField, Equal, "1")}},
	} {
		b.Run(c.name, func(b *testing.B) {
			c.q.Job, c.q.Item = "shop", "product"
			report(b, func() error {
				page, err := db.RecordsPage(b.Context(), c.q)
				if err == nil && len(page.Records) == 0 {
					return fmt.Errorf("nothing was found")
				}
				return err
			})
		})
	}
	b.Run("next and previous, by price", func(b *testing.B) {
		q := RecordsQuery{Job: "shop", Item: "product", Sort: "price"}
		page, err := db.RecordsPage(b.Context(), q)
		if err != nil {
			b.Fatal(err)
		}
		back := false
		report(b, func() error {
			q.After, q.Before = page.Next, ""
			if back = !back; !back {
				q.After, q.Before = "", page.Previous
			}
			page, err = db.RecordsPage(b.Context(), q)
			return err
		})
	})
	b.Run("one record", func(b *testing.B) {
		report(b, func() error { _, err := db.RecordDetail(b.Context(), "shop", "product", "SKU-00500000"); return err })
	})
}

// BenchmarkPagesPage reads pages of 50 of a million URLs of a run, and all about
// that run: go test ./store -run - -bench 'PagesPage' -benchtime 1x
func BenchmarkPagesPage(b *testing.B) {
	db := openTest(b, filepath.Join(b.TempDir(), "pages.db"))
	const n = 1_000_000
	for _, statement := range []string{
		`INSERT INTO jobs (id, name) VALUES (1, 'shop')`,
		`INSERT INTO runs (id, job_id, number, state, source, started_at) VALUES (1, 1, 1, 'finished', '', 0)`,
		`INSERT INTO bodies (id, hash, size, codec, data) VALUES (1, x'00', 0, 'none', x'')`,
		`INSERT INTO hosts (name) WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000) SELECT i || '.example' FROM n`,
		`INSERT INTO urls (id, job_id, run_id, host_id, hash, url, kind, state, reason, depth, redirects)
			WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?1)
			SELECT i, 1, 1, i % 1000 + 1, CAST(i AS BLOB), 'https://' || (i % 1000) || '.example/catalogue/product-' || i, 'page',
				iif(i % 10 > 0, 'done', 'skipped'), iif(i % 10 > 0, NULL, iif(i % 100000 > 0, 'scope', 'robots')), 1, 0 FROM n`,
		`INSERT INTO pages (run_id, url_id, state, fetched_at, duration_us, status, headers, content_type, truncated, size, body_id)
			SELECT 1, id, 'done', 1700000000000 + id * 10, 3000, iif(id % 100003 = 1, 410, 200), '{"Content-Type":["text/html; charset=utf-8"],"Server":["nginx"]}', 'text/html', 0, 4096, 1
			FROM urls WHERE state = 'done' AND id <= ?1`,
		// What migration 0010 does for databases of earlier versions.
		migrations[len(migrations)-1][strings.Index(migrations[len(migrations)-1], "UPDATE runs SET timeline_ms"):],
	} {
		began := time.Now()
		args := []any{n}[:strings.Count(statement, "?1")]
		if _, err := db.writer.conn.ExecContext(b.Context(), statement, args...); err != nil {
			b.Fatal(err)
		}
		if strings.HasPrefix(statement, "UPDATE runs") {
			b.Logf("taking over the figures of %d pages: %v", n*9/10, time.Since(began))
		}
	}
	for _, c := range []struct {
		name string
		q    PagesQuery
	}{
		{"all", PagesQuery{}},
		{"in the middle", PagesQuery{After: "500000"}},
		{"a rare reason", PagesQuery{Run: 1, State: "skipped", Reason: "robots"}},
		{"a rare status", PagesQuery{Status: 410}},
		{"a host", PagesQuery{Host: "7.example"}},
		{"a beginning that none has", PagesQuery{Prefix: "http://"}},
		{"a part that one has", PagesQuery{Contains: "product-999999"}},
	} {
		b.Run(c.name, func(b *testing.B) {
			c.q.Job = "shop"
			var page *PagesPage
			report(b, func() (err error) { page, err = db.PagesPage(b.Context(), c.q); return err })
			b.ReportMetric(float64(page.Seen), "URLs-looked-at")
		})
	}
	b.Run("the run in depth", func(b *testing.B) {
		report(b, func() error {
			d, err := db.RunDetail(b.Context(), "shop", 1)
			if err == nil && (len(d.Hosts) != RunHostLimit || len(d.Timeline.Spans) == 0 || d.AllHosts == 0) {
				return fmt.Errorf("%+v", d)
			}
			return err
		})
	})
}

package store

import (
	"crypto/sha256"
	"database/sql"
	"fmt"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/magpie-crawl/magpie/crawl"
	"github.com/magpie-crawl/magpie/extract"
)

// recordsPerPage is how many records a page of the benchmarks shows.
const recordsPerPage = 100

// benchRecord is a record of five fields, the i-th. Each hundredth has a
// problem.
func benchRecord(i int, dearer bool) extract.Record {
	r := extract.Record{Item: "product", Key: fmt.Sprintf("SKU-%08d", i), Position: i % recordsPerPage, Fields: extract.Object{
		{Name: "title", Value: fmt.Sprintf("Product %d of our catalogue, in its second edition", i)}, {Name: "stock", Value: int64(i % 9)},
		{Name: "sku", Value: fmt.Sprintf("SKU-%08d", i)},
		{Name: "price", Value: extract.Price{Amount: "12.50", Currency: "GBP"}}, {Name: "brand", Value: "Acme"},
	}}
	if dearer {
		r.Fields[3].Value = extract.Price{Amount: "13.50", Currency: "GBP"}
	}
	if i%100 == 7 {
		r.Problems = []extract.Problem{{Field: "brand", Code: extract.ProblemType, Detail: "not what it should be"}}
	}
	return r
}

// benchRun stores n records in a run of pages of a hundred each, of which
// changed says the price anew, and returns the time that committing took.
func benchRun(b testing.TB, db *DB, n int, changed func(i int) bool) (time.Duration, crawl.Counters) {
	b.Helper()
	job := benchJob
	for p := range (n + recordsPerPage - 1) / recordsPerPage {
		job.Seeds = append(job.Seeds, benchSite{}.link(p, 0))
	}
	run, err := db.Begin(b.Context(), job)
	if err != nil {
		b.Fatal(err)
	}
	defer run.Close()
	var took time.Duration
	next := 0
	for next < n {
		due, _, err := run.Window(b.Context(), "shop.example", time.Now(), 64, nil)
		if err != nil || len(due) == 0 {
			b.Fatal(len(due), err)
		}
		var batch []*crawl.Visit
		for _, q := range due {
			v := &crawl.Visit{Request: q, State: crawl.Done, Page: &crawl.Page{FetchedAt: time.Now(), Status: 200, Body: []byte("<p>")}}
			for range min(recordsPerPage, n-next) {
				v.Records = append(v.Records, benchRecord(next, changed != nil && changed(next)))
				next++
			}
			batch = append(batch, v)
		}
		began := time.Now()
		if _, err := run.Commit(b.Context(), batch); err != nil {
			b.Fatal(err)
		}
		took += time.Since(began)
	}
	began := time.Now()
	if err := run.Finish(b.Context(), ""); err != nil {
		b.Fatal(err)
	}
	b.Logf("finish: %v", time.Since(began))
	return took + time.Since(began), run.Info().Counters
}

// BenchmarkRecords compares records through the store with a bare prepared
// insert of the same rows: go test ./store -run - -bench 'Records' -benchtime 200000x
func BenchmarkRecords(b *testing.B) {
	perRecord := func(b *testing.B, took time.Duration) {
		b.ReportMetric(float64(took.Microseconds())/float64(b.N), "µs/record")
		b.ReportMetric(float64(b.N)/took.Seconds(), "records/s")
	}
	b.Run("bare insert", func(b *testing.B) {
		perRecord(b, bareInserts(b, b.N))
	})
	// In turns, since the machine may be shared: the medians of seven rounds.
	b.Run("new, against bare insert", func(b *testing.B) {
		var bare, stored, ratio []float64
		for range 7 {
			one := bareInserts(b, b.N)
			other, _ := benchRun(b, openBench(b), b.N, nil)
			bare = append(bare, float64(b.N)/one.Seconds())
			stored = append(stored, float64(b.N)/other.Seconds())
			ratio = append(ratio, one.Seconds()/other.Seconds())
		}
		for what, values := range map[string][]float64{"bare-records/s": bare, "records/s": stored, "×bare": ratio} {
			slices.Sort(values)
			b.ReportMetric(values[3], what)
		}
	})
	b.Run("new", func(b *testing.B) {
		db := openBench(b)
		took, _ := benchRun(b, db, b.N, nil)
		perRecord(b, took)
	})
	b.Run("unchanged", func(b *testing.B) {
		db := openBench(b)
		benchRun(b, db, b.N, nil)
		took, c := benchRun(b, db, b.N, nil)
		var versions int64
		if err := db.read.QueryRow(`SELECT count(*) FROM records`).Scan(&versions); err != nil || versions != int64(b.N) || c.Unchanged != int64(b.N) {
			b.Fatalf("%d versions of %d records, %d unchanged (%v)", versions, b.N, c.Unchanged, err)
		}
		perRecord(b, took)
	})
	b.Run("changed", func(b *testing.B) {
		db := openBench(b)
		benchRun(b, db, b.N, nil)
		took, _ := benchRun(b, db, b.N, func(int) bool { return true })
		perRecord(b, took)
	})
}

func openBench(b *testing.B) *DB {
	b.Helper()
	db, err := Open(filepath.Join(b.TempDir(), "bench.db"), Options{})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { db.Close() })
	return db
}

// bareInserts writes the rows of n records with a prepared statement into a
// table like records, with its unique index, in transactions as large as the
// store's.
func bareInserts(b *testing.B, n int) time.Duration {
	b.Helper()
	pool, err := sql.Open("sqlite3", "file:"+filepath.Join(b.TempDir(), "bare.db")+"?_journal_mode=WAL&_synchronous=FULL")
	if err != nil {
		b.Fatal(err)
	}
	defer pool.Close()
	pool.SetMaxOpenConns(1)
	if _, err := pool.Exec(`PRAGMA cache_size = -32000; PRAGMA wal_autocheckpoint = 4000;
		CREATE TABLE records (id INTEGER PRIMARY KEY, item_id INTEGER NOT NULL, key TEXT NOT NULL, hash BLOB NOT NULL, data TEXT NOT NULL,
		url_id INTEGER NOT NULL, position INTEGER NOT NULL, from_run INTEGER NOT NULL, last_run INTEGER NOT NULL, to_run INTEGER) STRICT;
		CREATE UNIQUE INDEX current ON records (item_id, key) WHERE to_run IS NULL`); err != nil {
		b.Fatal(err)
	}
	var took time.Duration
	for done := 0; done < n; {
		rows := make([]extract.Record, min(64*recordsPerPage, n-done))
		data := make([]string, len(rows))
		for i := range rows {
			rows[i] = benchRecord(done+i, false)
			text, err := rows[i].Fields.AppendJSON(nil)
			if err != nil {
				b.Fatal(err)
			}
			data[i] = string(text)
		}
		began := time.Now()
		tx, err := pool.Begin()
		if err != nil {
			b.Fatal(err)
		}
		stmt, err := tx.Prepare(`INSERT INTO records (item_id, key, hash, data, url_id, position, from_run, last_run) VALUES (?, ?, ?, ?, ?, ?, ?, ?)`)
		if err != nil {
			b.Fatal(err)
		}
		for i, r := range rows {
			hash := sha256.Sum256([]byte(data[i]))
			if _, err := stmt.Exec(1, r.Key, hash[:16], data[i], (done+i)/recordsPerPage, r.Position, 1, 1); err != nil {
				b.Fatal(err)
			}
		}
		if err := tx.Commit(); err != nil {
			b.Fatal(err)
		}
		took += time.Since(began)
		done += len(rows)
	}
	return took
}

// BenchmarkDiff compares two runs of N records of which a part has changed:
// go test ./store -run - -bench 'Diff' -benchtime 1000000x
func BenchmarkDiff(b *testing.B) {
	for _, part := range []int{100, 1} {
		changed := func(i int) bool { return i%part == 0 }
		b.Run(fmt.Sprintf("one in %d changed", part), func(b *testing.B) {
			path := filepath.Join(b.TempDir(), "bench.db")
			db, err := Open(path, Options{noSync: true})
			if err != nil {
				b.Fatal(err)
			}
			defer db.Close()
			benchRun(b, db, b.N, nil)
			benchRun(b, db, b.N, changed)
			o := DiffOptions{Job: "bench", From: 1, To: 2}
			began := time.Now()
			for c, err := range db.Diff(b.Context(), o) {
				if err != nil {
					b.Fatal(err)
				}
				if fields := c.Fields(); c.Kind != Changed || len(fields) != 1 {
					b.Fatal(c.Kind, fields)
				}
			}
			b.ReportMetric(time.Since(began).Seconds(), "s/diff")
			began = time.Now()
			if _, err := db.DiffCounts(b.Context(), o); err != nil {
				b.Fatal(err)
			}
			b.ReportMetric(time.Since(began).Seconds(), "s/count")
		})
	}
}

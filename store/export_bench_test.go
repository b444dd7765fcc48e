package store

import (
	"database/sql"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/magpie-crawl/magpie/crawl"
	"github.com/magpie-crawl/magpie/extract"
)

// exportBenchRecords is how many records BenchmarkExport writes; MAGPIE_EXPORT_RECORDS
// says otherwise.
const exportBenchRecords = 1_000_000

// BenchmarkExport writes records of five fields to files: records a second, and
// the memory that the process holds at most (peak-MB; run it alone and with one
// format at a time for that).
//
//	go test ./store -run '^$' -bench Export/parquet -benchtime 1x
func BenchmarkExport(b *testing.B) {
	n := exportBenchRecords
	if s := os.Getenv("MAGPIE_EXPORT_RECORDS"); s != "" {
		n, _ = strconv.Atoi(s)
	}
	path := filepath.Join(b.TempDir(), "magpie.db")
	fillForExport(b, path, n)
	db, err := OpenReadOnly(path, Options{NoCheck: true})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { db.Close() })
	for _, f := range []Format{JSONL, CSV, Parquet, SQLite} {
		b.Run(string(f), func(b *testing.B) {
			for b.Loop() {
				out := filepath.Join(b.TempDir(), "out."+string(f))
				done, err := db.ExportFiles(b.Context(), out, ExportOptions{Item: "product", Job: "bench", Format: f, Manifest: true})
				if err != nil || done.Records != int64(n) || len(done.Misfits) > 0 {
					b.Fatalf("ExportFiles = %+v, %v", done, err)
				}
			}
			b.ReportMetric(float64(n)*float64(b.N)/b.Elapsed().Seconds(), "records/s")
			b.ReportMetric(peakMemory(b), "peak-MB")
		})
	}
}

// fillForExport makes a database of n records. They are inserted by the bare
// driver: crawling them would take longer than what is measured.
func fillForExport(b *testing.B, path string, n int) {
	db, err := Open(path, Options{noSync: true})
	if err != nil {
		b.Fatal(err)
	}
	run, err := db.Begin(b.Context(), crawl.Job{Name: "bench", Items: benchJob.Items, Seeds: []crawl.Link{{URL: "https://shop.example/", Host: "shop.example"}}})
	if err != nil {
		b.Fatal(err)
	}
	if err := run.Close(); err != nil {
		b.Fatal(err)
	}
	if err := db.Close(); err != nil {
		b.Fatal(err)
	}
	raw, err := sql.Open("sqlite3", path)
	if err != nil {
		b.Fatal(err)
	}
	defer raw.Close()
	tx, err := raw.Begin()
	if err != nil {
		b.Fatal(err)
	}
	insert, err := tx.Prepare(`INSERT INTO records (item_id, key, hash, data, url_id, position, from_run, last_run) VALUES (1, ?, x'00', ?, 1, 0, 1, 1)`)
	if err != nil {
		b.Fatal(err)
	}
	for i := range n {
		data, err := encodeJSON(extract.Object{{Name: "title", Value: fmt.Sprintf("Product %d, a lantern of brass", i)}, {Name: "stock", Value: int64(i % 90)},
			{Name: "sku", Value: fmt.Sprintf("SKU-%08d", i)}, {Name: "price", Value: extract.Price{Amount: "12.50", Currency: "GBP"}}, {Name: "brand", Value: "Acme"}})
		if err != nil {
			b.Fatal(err)
		}
		if _, err := insert.Exec(fmt.Sprintf("https://shop.example/catalogue/product-%d/index.html", i), data); err != nil {
			b.Fatal(err)
		}
	}
	if err := tx.Commit(); err != nil {
		b.Fatal(err)
	}
}

package store

import (
	"fmt"
	"path/filepath"
	"testing"
)

// BenchmarkHealth measures what the figures of a run cost at its end: records
// of five fields, as in BenchmarkCommit, with histories of other runs beside.
func BenchmarkHealth(b *testing.B) {
	const records = 200_000
	db, err := Open(filepath.Join(b.TempDir(), "bench.db"), Options{})
	if err != nil {
		b.Fatal(err)
	}
	defer db.Close()
	job := benchJob
	job.Seeds = append(job.Seeds, benchSite{}.link(0, 0))
	begun, err := db.Begin(b.Context(), job)
	if err != nil {
		b.Fatal(err)
	}
	r := begun.(*run)
	err = db.writer.transact(b.Context(), func(t *tx) error {
		return t.exec(fmt.Sprintf(`WITH RECURSIVE n (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < %d)
			INSERT INTO records (item_id, key, hash, data, url_id, position, from_run, last_run)
			SELECT 1, hex(randomblob(8)), randomblob(16), printf('{"title":"Product %%d","stock":%%d,"sku":"SKU-%%08d","price":{"amount":12.50,"currency":"GBP"},"brand":"Acme"}', i, i %% 9, i),
				1, 0, %d, %[2]d FROM n`, records-1, r.info.ID))
	})
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		h, err := r.measure(b.Context(), "")
		if err != nil || h.Items[1].Records != records || h.Items[1].Fields["sku"].Filled != records {
			b.Fatal(err, h)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/records, "ns/record")
}

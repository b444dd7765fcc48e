package dashboard

import (
	"database/sql"
	"net/http/httptest"
	"net/url"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/magpie-crawl/magpie/store"
)

// Goal: 200 ms over a million records, any page, or any filter on a field with
// an index: go test ./cmd/magpie/web/dashboard -run - -bench RecordsView -benchtime 1x
func BenchmarkRecordsView(b *testing.B) {
	path := filepath.Join(b.TempDir(), "many.db")
	db, err := store.Open(path, store.Options{})
	if err != nil {
		b.Fatal(err)
	}
	defer db.Close()
	s := newShop(b, 9)
	source := s.jobFile("lamps", "")
	source = source[:len(source)-len("      about: .about\n")] + "      about: .about\n    index: [price, name]\n"
	crawlOnce(b, db, source)
	raw, err := sql.Open("sqlite3", path)
	if err != nil {
		b.Fatal(err)
	}
	defer raw.Close()
	if _, err := raw.Exec(`WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000000)
		INSERT INTO records (item_id, key, url_id, position, from_run, last_run, hash, data)
		SELECT r.item_id, printf('K-%08d', n.i), r.url_id, n.i, r.from_run, r.last_run, randomblob(16),
			json_object('name', printf('Lamp %07d', (n.i * 7919) % 1000000), 'price', json_object('amount', (n.i % 10000) / 10.0, 'currency', 'EUR'), 'maker', printf('Maker %d', n.i % 9), 'about', 'A lamp as one wants it, of brass and glass')
		FROM n, (SELECT * FROM records WHERE to_run IS NULL LIMIT 1) r`); err != nil {
		b.Fatal(err)
	}
	d := newDashboard(Options{DB: db})
	d.jobs = &folder{}
	filter := func(f, op, v string, more ...string) string {
		q := url.Values{"f": {f}, "op": {op}, "v": {v}}
		for i := 0; i+1 < len(more); i += 2 {
			q.Set(more[i], more[i+1])
		}
		return q.Encode()
	}
	for name, query := range map[string]string{"first page": "", "page 10000": "page=10000", "last page": "page=20000", "by price, page 5000": "sort=price&page=5000",
		"a name": filter("name", "=", "Lamp 0500000"), "prices below 5": filter("price", "<", "5"), "prices above 100, page 9000": filter("price", ">", "100", "page", "9000"),
		"prices below 1, by name": filter("price", "<", "1", "sort", "name"), "a maker, without an index": filter("maker", "=", "Maker 3")} {
		b.Run(name, func(b *testing.B) {
			times := make([]time.Duration, 7)
			for i := range times {
				began := time.Now()
				w := httptest.NewRecorder()
				d.ServeHTTP(w, httptest.NewRequest("GET", "/jobs/lamps/records?"+query, nil))
				times[i] = time.Since(began)
				if w.Code != 200 {
					b.Fatal(w.Code, w.Body)
				}
			}
			slices.Sort(times)
			b.ReportMetric(float64(times[3].Microseconds())/1000, "ms/median")
			b.ReportMetric(float64(times[6].Microseconds())/1000, "ms/longest")
			b.ReportMetric(0, "ns/op")
		})
	}
}

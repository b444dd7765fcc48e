package store

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// searchedDatabase makes a database of n records with a title of four words
// and a text of twenty, of a vocabulary in which few words are frequent.
func searchedDatabase(b *testing.B, n int) *DB {
	b.Helper()
	db := openTest(b, filepath.Join(b.TempDir(), "magpie.db"))
	run := beginTest(b, db)
	if err := run.Close(); err != nil {
		b.Fatal(err)
	}
	random := rand.New(rand.NewPCG(5, 6))
	text := func(words int) string {
		var t strings.Builder
		for range words {
			fmt.Fprintf(&t, "word%d ", int(random.ExpFloat64()*2000))
		}
		return strings.TrimSpace(t.String())
	}
	err := db.writer.transact(b.Context(), func(t *tx) error {
		for i := range n {
			data := fmt.Sprintf(`{"name":%q,"price":{"amount":12.50,"currency":"GBP"},"text":%q}`, text(4), text(20))
			if err := t.exec(`INSERT INTO records (item_id, key, hash, data, url_id, position, from_run, last_run) VALUES (1, ?, randomblob(16), ?, 1, 0, 1, 1)`,
				fmt.Sprint(i), data); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		b.Fatal(err)
	}
	return db
}

// BenchmarkSearch measures an index of 100,000 records: making it, finding it
// up to date, indexing a tenth of them again, and asking it.
func BenchmarkSearch(b *testing.B) {
	const n = 100_000
	db := searchedDatabase(b, n)
	b.Run("index", func(b *testing.B) {
		for b.Loop() {
			os.Remove(db.Path() + "-search")
			updated(b, db)
		}
		b.ReportMetric(float64(n*b.N)/b.Elapsed().Seconds(), "records/s")
		info, err := os.Stat(db.Path() + "-search")
		if err != nil {
			b.Fatal(err)
		}
		b.ReportMetric(float64(info.Size())/n, "B/record")
	})
	updated(b, db)
	b.Run("up to date", func(b *testing.B) {
		for b.Loop() {
			updated(b, db)
		}
	})
	b.Run("a tenth anew", func(b *testing.B) {
		for b.Loop() {
			err := db.writer.transact(b.Context(), func(t *tx) error {
				return t.exec(`UPDATE records SET hash = randomblob(16) WHERE id % 10 = 0`)
			})
			if err != nil {
				b.Fatal(err)
			}
			updated(b, db)
		}
		b.ReportMetric(float64(n/10*b.N)/b.Elapsed().Seconds(), "records/s")
	})
	s := openIndex(b, db)
	for _, c := range []struct{ name, words string }{
		{"rare word", "word12000"}, {"frequent word", "word1"}, {"two words", "word1 word2"}, {"phrase", `"word1 word2"`},
		{"field", "name:word1"}, {"prefix", "word12*"}, {"word of every record", "gbp"},
	} {
		b.Run(c.name, func(b *testing.B) {
			for b.Loop() {
				if _, _, err := s.Find(b.Context(), c.words, SearchFilter{Limit: 10}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

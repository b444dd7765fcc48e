package store

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/magpie-crawl/magpie/extract"
	"github.com/magpie-crawl/magpie/store/search"
)

// openIndex opens the index of a database for the time of a test.
func openIndex(t testing.TB, db *DB) *SearchIndex {
	t.Helper()
	s, err := db.OpenSearch(t.Context(), "")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Errorf("Close: %v", err)
		}
	})
	return s
}

// updated opens the index of a database, brings it up to date and closes it.
func updated(t testing.TB, db *DB, pages ...string) {
	t.Helper()
	s, err := db.OpenSearch(t.Context(), "")
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(s.Update(t.Context(), SearchUpdate{Pages: pages}), s.Close()); err != nil {
		t.Fatal(err)
	}
}

// keysOf are the keys, or the URLs of pages, that a search finds, sorted.
func keysOf(t testing.TB, s *SearchIndex, words string, f SearchFilter) []string {
	t.Helper()
	found, _, err := s.Find(t.Context(), words, f)
	if err != nil {
		t.Fatalf("%s: %v", words, err)
	}
	keys := []string{}
	for _, f := range found {
		if f.Item == "" {
			f.Key = f.URL
		}
		keys = append(keys, f.Key)
	}
	slices.Sort(keys)
	return keys
}

// dumpIndex is dumpSQL for an index, which nothing may read but its own SQLite.
func dumpIndex(t testing.TB, path, query string) string {
	t.Helper()
	return dumpBy(t, "sqlite", path, query)
}

func TestSearchRecords(t *testing.T) {
	db := openTest(t, filepath.Join(t.TempDir(), "magpie.db"))
	storeRecords(t, db, testJob,
		product("lamp", "Brass Lantern", extract.Member{Name: "about", Value: "A lantern of polished brass, with a door"}),
		product("box", "Lantern box", extract.Member{Name: "about", Value: "Holds one. Brass hinges"}),
		product("cafe", "Café crème", extract.Member{Name: "tags", Value: []any{"hot drink", extract.Object{{Name: "n", Value: "deep nested"}}}}),
		product("book", "漢字典", extract.Member{Name: "about", Value: "東京で買った"}),
		product("empty", ""),
		product("numbers", "x", extract.Member{Name: "stock", Value: int64(1984)}),
	)
	s := openIndex(t, db)
	if err := s.Update(t.Context(), SearchUpdate{}); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		words string
		want  []string
	}{
		{"lantern", []string{"box", "lamp"}},
		{"LANTERN brass", []string{"box", "lamp"}},
		{`"brass lantern"`, []string{"lamp"}},
		{`"box holds"`, []string{}}, // in two values
		{`"drink deep"`, []string{}},
		{"lantern -box", []string{"lamp"}},
		{"name:brass", []string{"lamp"}},
		{"about:brass", []string{"box", "lamp"}},
		{"lantern -name:brass", []string{"box"}},
		{`about:"polished brass"`, []string{"lamp"}},
		{`name:"polished brass"`, []string{}},
		{"NAME:lan*", []string{"box", "lamp"}},
		{"cafe creme", []string{"cafe"}},
		{"nested OR hinge*", []string{"box", "cafe"}},
		{"tags:nested", []string{"cafe"}},
		{"漢字", []string{"book"}},
		{"字典", []string{"book"}},
		{"典", []string{"book"}},
		{"字", []string{"book"}},
		{"漢典", []string{}},
		{"京で", []string{"book"}},
		{"1984", []string{}}, // texts alone
		{"nowhere", []string{}},
	} {
		t.Run(c.words, func(t *testing.T) {
			if diff := cmp.Diff(c.want, keysOf(t, s, c.words, SearchFilter{})); diff != "" {
				t.Error(diff)
			}
		})
	}
	t.Run("what is found", func(t *testing.T) {
		found, unknown, err := s.Find(t.Context(), "titel:lantern OR polished", SearchFilter{Limit: 1})
		if err != nil || len(found) != 1 {
			t.Fatalf("%+v, %v", found, err)
		}
		f := found[0]
		want := Found{Job: "shop", Item: "product", Key: "lamp", URL: siteURL(0), Score: f.Score, Field: "about", Data: f.Data,
			Snippet: []search.Fragment{{Text: "A lantern of "}, {Text: "polished", Match: true}, {Text: " brass, with a door"}}}
		if diff := cmp.Diff(want, f); diff != "" || f.Score <= 0 || !strings.Contains(string(f.Data), `"Brass Lantern"`) {
			t.Errorf("%s\n%s", diff, f.Data)
		}
		if diff := cmp.Diff([]string{"titel"}, unknown); diff != "" {
			t.Error(diff)
		}
	})
	t.Run("the best first", func(t *testing.T) {
		found, _, err := s.Find(t.Context(), "brass", SearchFilter{})
		if err != nil || len(found) != 2 || found[0].Key != "lamp" || found[0].Score <= found[1].Score {
			t.Errorf("%+v, %v", found, err)
		}
	})
	t.Run("filters", func(t *testing.T) {
		for f, want := range map[SearchFilter]int{{Job: "shop"}: 2, {Job: "x"}: 0, {Item: "product"}: 2, {Item: "x"}: 0, {Limit: 1}: 1} {
			if got := keysOf(t, s, "lantern", f); len(got) != want {
				t.Errorf("%+v finds %v", f, got)
			}
		}
	})
}

// A word says more in a title than elsewhere.
func TestSearchTitles(t *testing.T) {
	db := openTest(t, filepath.Join(t.TempDir(), "magpie.db"))
	records := []extract.Record{product("text", "A brass thing", extract.Member{Name: "about", Value: "One lantern here"}),
		product("title", "A brass lantern", extract.Member{Name: "about", Value: "One thing here"})}
	for i := range 5 { // a word that most have says nothing
		records = append(records, product(fmt.Sprint(i), "Another"))
	}
	storeRecords(t, db, testJob, records...)
	s := openIndex(t, db)
	if err := s.Update(t.Context(), SearchUpdate{}); err != nil {
		t.Fatal(err)
	}
	found, _, err := s.Find(t.Context(), "lantern", SearchFilter{})
	if err != nil || len(found) != 2 || found[0].Key != "title" || found[0].Score <= found[1].Score || found[1].Score <= 0 {
		t.Errorf("%+v, %v", found, err)
	}
}

// Each field can be searched, however many there are.
func TestSearchManyFields(t *testing.T) {
	db := openTest(t, filepath.Join(t.TempDir(), "magpie.db"))
	const n = 40
	var records []extract.Record
	for i := range 3 {
		var fields []extract.Member
		for j := range n {
			fields = append(fields, extract.Member{Name: fmt.Sprintf("Field_%d", j), Value: []any{fmt.Sprintf("word%d here", (i+j)%n), "last"}})
		}
		records = append(records, product(fmt.Sprint(i), "x", fields...))
	}
	storeRecords(t, db, testJob, records...)
	s := openIndex(t, db)
	if err := s.Update(t.Context(), SearchUpdate{}); err != nil {
		t.Fatal(err)
	}
	for i := range 3 {
		for _, j := range []int{0, 1, 28, 29, 30, 31, n - 1} {
			word := (i + j) % n
			for _, words := range []string{fmt.Sprintf("field_%d:word%d", j, word), fmt.Sprintf(`FIELD_%d:"word%d he*"`, j, word),
				fmt.Sprintf("here -field_%d:word%d -field_%d:word%d", j, (i+j+1)%n, j, (i+j+2)%n)} {
				got := keysOf(t, s, words, SearchFilter{})
				if strings.HasPrefix(words, "here") {
					if !slices.Contains(got, fmt.Sprint(i)) {
						t.Errorf("%s finds %v, not %d", words, got, i)
					}
				} else if diff := cmp.Diff([]string{fmt.Sprint(i)}, got); diff != "" {
					t.Errorf("%s: %s", words, diff)
				}
			}
		}
	}
	if got := keysOf(t, s, `"here last"`, SearchFilter{}); len(got) != 0 {
		t.Errorf("a phrase goes over two values: %v", got)
	}
	if got := keysOf(t, s, "word5 OR nowhere", SearchFilter{}); len(got) != 3 {
		t.Errorf("word5 finds %v", got)
	}
}

// Whatever is typed is searched for, or refused with one of three errors.
func TestSearchHostile(t *testing.T) {
	db := openTest(t, filepath.Join(t.TempDir(), "magpie.db"))
	storeRecords(t, db, testJob, product("k", "One Two"))
	s := openIndex(t, db)
	if err := s.Update(t.Context(), SearchUpdate{}); err != nil {
		t.Fatal(err)
	}
	typed := []string{`"`, `""`, `"*"`, `*`, `a*b*c`, `-`, `--a`, `a -`, `OR`, `OR OR`, `a OR`, `NOT`, `NOT NOT a`, `((((`, `a)`, `a AND`, `NEAR`, `a NEAR/0 b`,
		`plain:a`, `words:a`, `fields:one`, `docid:1`, `rowid:1`, `name:`, `name:"`, `name:*`, `name:-a`, `:a`, `^a`, `'; DROP TABLE docs; --`, "a\x00b", "\xff\xfe",
		"\uE0001\uE000one", "\uE001", "%s%d%n", `\`, `a"b`, strings.Repeat("(", 5000), strings.Repeat("a OR ", 60) + "a", strings.Repeat("-a ", 63) + "b",
		strings.Repeat("a ", 64), strings.Repeat(`"a b" `, 32), strings.Repeat("漢", 3000), strings.Repeat("x", 100_000), "a\u0301\u0301\u0301", "\u202ea"}
	random := rand.New(rand.NewPCG(1, 1))
	pieces := []string{`"`, "-", "OR", " ", "name:", "a", "漢字", "*", "(", "NOT", ":", "one", "\x00", "é", "“", "\uE000"}
	for range 200 {
		var b strings.Builder
		for range random.IntN(12) {
			b.WriteString(pieces[random.IntN(len(pieces))])
		}
		typed = append(typed, b.String())
	}
	for _, words := range typed {
		_, _, err := s.Find(t.Context(), words, SearchFilter{Limit: 10})
		if err != nil && !errors.Is(err, search.ErrNoWords) && !errors.Is(err, search.ErrOnlyWithout) && !errors.Is(err, search.ErrTooLong) {
			t.Errorf("%.100q: %v", words, err)
		}
	}
}

// Records are read in chunks that have room in memory.
func TestSearchLargeRecords(t *testing.T) {
	db := openTest(t, filepath.Join(t.TempDir(), "magpie.db"))
	const n = 3
	var records []extract.Record
	for i, size := range [n]int{searchChunkBytes, 1, 1} { // one more than the first chunk takes
		records = append(records, product(fmt.Sprint(i), "word "+strings.Repeat("x", size))) // of two words, to be quick
	}
	storeRecords(t, db, testJob, records...)
	s := openIndex(t, db)
	calls := 0
	if err := s.Update(t.Context(), SearchUpdate{Progress: func(SearchProgress) { calls++ }}); err != nil {
		t.Fatal(err)
	}
	if got := keysOf(t, s, "word", SearchFilter{}); len(got) != n || calls < 2 {
		t.Errorf("%v in %d chunks", got, calls)
	}
}

// Several may search at once, with no index to begin with.
func TestSearchMany(t *testing.T) {
	path := filepath.Join(t.TempDir(), "magpie.db")
	db := openTest(t, path)
	storeRecords(t, db, testJob, product("a", "lantern"), product("b", "lantern"))
	var all sync.WaitGroup
	for range 6 {
		all.Go(func() {
			s, err := db.OpenSearch(t.Context(), "")
			if err != nil {
				t.Error(err)
				return
			}
			err = s.Update(t.Context(), SearchUpdate{})
			found, _, findErr := s.Find(t.Context(), "lantern", SearchFilter{})
			if err := errors.Join(err, findErr, s.Close()); err != nil || len(found) != 2 {
				t.Errorf("%d found, %v", len(found), err)
			}
		})
	}
	all.Wait()
	if got := dumpIndex(t, path+"-search", `SELECT seq FROM sqlite_sequence`); got != "2\n" {
		t.Errorf("indexed %s", got)
	}
}

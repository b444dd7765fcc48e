package store

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/magpie-crawl/magpie/crawl"
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

// Whenever the index is brought up to date, it finds what is current then and
// nothing else: with pages that contradict each other in any order, too.
func TestSearchFollowsRecords(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	rounds := 12
	if testing.Short() {
		rounds = 3
	}
	for round := range rounds {
		t.Run(fmt.Sprint(round), func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "magpie.db")
			db := openTest(t, path)
			s := openIndex(t, db)
			job := testJob
			for i := range claims[0] {
				job.Seeds = append(job.Seeds[:len(job.Seeds):len(job.Seeds)], siteLink(i+1, 0))
			}
			for _, titles := range claims {
				run, err := db.Begin(t.Context(), job)
				if err != nil {
					t.Fatal(err)
				}
				due, _, err := run.Window(t.Context(), "shop.test", time.Now(), 100, nil)
				if err != nil {
					t.Fatal(err)
				}
				random.Shuffle(len(due), func(i, j int) { due[i], due[j] = due[j], due[i] })
				for _, q := range due {
					v := &crawl.Visit{Request: q, State: crawl.Done, Page: &crawl.Page{FetchedAt: time.UnixMilli(1)}}
					for i, title := range titles {
						if q.URL == siteURL(i+1) {
							v.Records = []extract.Record{product("shared", title), product("twice", title), product("twice", title+" more")}
							for j := range v.Records {
								v.Records[j].Item, v.Records[j].Position = "product", j
							}
						}
					}
					if _, err := run.Commit(t.Context(), []*crawl.Visit{v}); err != nil {
						t.Fatal(err)
					}
					if random.IntN(2) == 0 {
						checkIndex(t, s, path)
					}
				}
				if err := errors.Join(run.Finish(t.Context(), ""), run.Close()); err != nil {
					t.Fatal(err)
				}
			}
			checkIndex(t, s, path)
		})
	}
}

// checkIndex brings an index up to date and compares it with the records of
// claims.
func checkIndex(t *testing.T, s *SearchIndex, path string) {
	t.Helper()
	if err := s.Update(t.Context(), SearchUpdate{}); err != nil {
		t.Fatal(err)
	}
	for _, word := range []string{"One", "Two", "Three", "Four", "more"} {
		want := strings.Fields(dumpSQL(t, path, `SELECT key FROM records WHERE to_run IS NULL AND data LIKE '%`+word+`%' ORDER BY key`))
		if diff := cmp.Diff(append([]string{}, want...), keysOf(t, s, word, SearchFilter{Limit: 1 + len(want)})); diff != "" {
			t.Fatalf("%s:\n%s", word, diff)
		}
	}
}

// A record that ended without a successor is found no more, however the
// limit is; nor is one whose row is given to another.
func TestSearchEndedRecords(t *testing.T) {
	path := filepath.Join(t.TempDir(), "magpie.db")
	db := openTest(t, path)
	var records []extract.Record
	for i := range 600 {
		records = append(records, product(fmt.Sprint(i), "lantern"))
	}
	records[599].Fields = product("", "a lantern among many other words, which comes last").Fields
	storeRecords(t, db, testJob, records...)
	s := openIndex(t, db)
	if err := s.Update(t.Context(), SearchUpdate{}); err != nil {
		t.Fatal(err)
	}
	execSQL(t, path, `UPDATE records SET to_run = last_run WHERE key <> '599'`)
	if diff := cmp.Diff([]string{"599"}, keysOf(t, s, "lantern", SearchFilter{Limit: 1})); diff != "" {
		t.Error(diff)
	}
	execSQL(t, path, `DELETE FROM problems; DELETE FROM records WHERE key = '599';
		INSERT INTO records (id, item_id, key, hash, data, url_id, position, from_run, last_run)
			SELECT 600, item_id, 'new', x'00', '{"name":"teapot"}', url_id, 0, from_run, last_run FROM records LIMIT 1`)
	if err := s.Update(t.Context(), SearchUpdate{}); err != nil {
		t.Fatal(err)
	}
	if got := keysOf(t, s, "lantern", SearchFilter{}); len(got) != 0 {
		t.Errorf("lantern finds %v", got)
	}
	if diff := cmp.Diff([]string{"new"}, keysOf(t, s, "teapot", SearchFilter{})); diff != "" {
		t.Error(diff)
	}
	if got := keysOf(t, s, "lamp OR teapot", SearchFilter{}); len(got) != 1 {
		t.Errorf("%v are found", got)
	}
	// What holds no more is gone, not hidden.
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if got := dumpIndex(t, s.Path(), `SELECT (SELECT count(*) FROM docs), (SELECT count(*) FROM texts_docsize)`); got != "1|1\n" {
		t.Errorf("the index holds %s", got)
	}
}

// An update that is stopped is gone on with, not begun again.
func TestSearchUpdateStopped(t *testing.T) {
	path := filepath.Join(t.TempDir(), "magpie.db")
	db := openTest(t, path)
	const n = indexChunk + 100
	var records []extract.Record
	for i := range n {
		records = append(records, product(fmt.Sprint(i), fmt.Sprint("lantern ", i)))
	}
	storeRecords(t, db, testJob, records...)
	s := openIndex(t, db)
	ctx, cancel := context.WithCancel(t.Context())
	var last SearchProgress
	err := s.Update(ctx, SearchUpdate{Progress: func(p SearchProgress) { last = p; cancel() }})
	if !errors.Is(err, context.Canceled) {
		t.Fatalf("error = %v", err)
	}
	if want := (SearchProgress{Done: indexChunk, Total: n}); last != want {
		t.Errorf("progress %+v, want %+v", last, want)
	}
	if got := keysOf(t, s, "lantern", SearchFilter{}); len(got) != indexChunk {
		t.Errorf("%d found of a part", len(got))
	}
	if err := s.Update(t.Context(), SearchUpdate{}); err != nil {
		t.Fatal(err)
	}
	if got := keysOf(t, s, "lantern", SearchFilter{}); len(got) != n {
		t.Errorf("%d found", len(got))
	}
	if got := dumpIndex(t, s.Path(), `SELECT seq FROM sqlite_sequence`); got != fmt.Sprintln(n) {
		t.Errorf("indexed %s times, want %d", got, n)
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

const articlePage = `<!DOCTYPE html><title>%[1]s</title><nav><a href=/>Navigation words</a></nav><article><h1>%[1]s</h1>
<p>%[2]s It was a long day at the harbour, and the boats came in one after the other, heavy with fish and salt.</p>
<p>Nobody on the pier had seen so many of them in years, and the children counted them until it was dark, with lamps.</p>
<p>When the last one was tied up, the old keeper closed his book, and went up the stairs to light the great lamp again.</p></article>`

// crawlArticles runs a job whose seeds have the given bodies. "" is a page
// that is gone.
func crawlArticles(t *testing.T, db *DB, bodies ...string) {
	t.Helper()
	job := testJob
	job.Seeds = nil
	for i := range bodies {
		job.Seeds = append(job.Seeds, siteLink(i, 0))
	}
	run, err := db.Begin(t.Context(), job)
	if err != nil {
		t.Fatal(err)
	}
	due, _, err := run.Window(t.Context(), "shop.test", time.Now(), 100, nil)
	if err != nil {
		t.Fatal(err)
	}
	var visits []*crawl.Visit
	for _, q := range due {
		var i int
		fmt.Sscanf(q.URL, "https://shop.test/p/%d", &i)
		v := &crawl.Visit{Request: q, State: crawl.Done, Lessons: crawl.Lessons{Revisit: &crawl.Revisit{FetchedAt: time.Now()}},
			Page: &crawl.Page{FetchedAt: time.Now(), Status: 200, ContentType: "text/html; charset=utf-8", Body: []byte(bodies[i])}}
		if bodies[i] == "" {
			v.State, v.Reason, v.Page.Status, v.Revisit = crawl.Failed, "http-410", 410, &crawl.Revisit{Gone: true}
		}
		visits = append(visits, v)
	}
	if _, err := run.Commit(t.Context(), visits); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(run.Finish(t.Context(), ""), run.Close()); err != nil {
		t.Fatal(err)
	}
}

func TestSearchPages(t *testing.T) {
	db := openTest(t, filepath.Join(t.TempDir(), "magpie.db"))
	s := openIndex(t, db)
	first := fmt.Sprintf(articlePage, "The Keeper", "Gulls cried.")
	second := fmt.Sprintf(articlePage, "Fishing Boats", "Herring again.")
	step := func(words string, want ...int) {
		t.Helper()
		if err := s.Update(t.Context(), SearchUpdate{Pages: []string{"shop"}}); err != nil {
			t.Fatal(err)
		}
		urls := []string{}
		for _, i := range want {
			urls = append(urls, siteURL(i))
		}
		if diff := cmp.Diff(urls, keysOf(t, s, words, SearchFilter{})); diff != "" {
			t.Errorf("%s: %s", words, diff)
		}
	}
	crawlArticles(t, db, first, second, "<p>herring</p>")
	if err := s.Update(t.Context(), SearchUpdate{}); err != nil {
		t.Fatal(err)
	}
	if got := keysOf(t, s, "herring", SearchFilter{}); len(got) != 0 {
		t.Errorf("pages that nobody asked for: %v", got)
	}
	step("gulls", 0)
	step("harbour", 0, 1)
	step("title:keeper", 0)
	step("navigation")
	found, _, err := s.Find(t.Context(), "gulls", SearchFilter{})
	if err != nil || len(found) != 1 || found[0].Title != "The Keeper" || found[0].Field != "text" || found[0].Job != "shop" || len(found[0].Snippet) < 2 {
		t.Errorf("%+v, %v", found, err)
	}
	if got := keysOf(t, s, "gulls", SearchFilter{Item: "product"}); len(got) != 0 {
		t.Errorf("a page is a product: %v", got)
	}
	crawlArticles(t, db, strings.Replace(first, "Gulls", "Terns", 1), second)
	step("gulls")
	step("terns", 0)
	step("harbour", 0, 1)
	crawlArticles(t, db, "", "<p>nothing</p>")
	step("terns")
	step("harbour")
	crawlArticles(t, db, first, second)
	step("harbour", 0, 1)
	execSQL(t, db.Path(), `UPDATE pages SET status = 304`) // as the answers are to a crawl that asks again
	step("harbour", 0, 1)
	if err := s.Update(t.Context(), SearchUpdate{Pages: []string{"x"}}); !errors.Is(err, ErrNotFound) {
		t.Errorf("an unknown job: %v", err)
	}
}

func TestSearchIndexFile(t *testing.T) {
	setUp := func(t *testing.T) (*DB, string) {
		db := openTest(t, filepath.Join(t.TempDir(), "magpie.db"))
		storeRecords(t, db, testJob, product("k", "One"))
		return db, db.Path() + "-search"
	}
	finds := func(t *testing.T, db *DB, words string, want ...string) {
		t.Helper()
		updated(t, db)
		if diff := cmp.Diff(append([]string{}, want...), keysOf(t, openIndex(t, db), words, SearchFilter{})); diff != "" {
			t.Errorf("%s: %s", words, diff)
		}
	}
	t.Run("deleted, it is made again", func(t *testing.T) {
		db, path := setUp(t)
		updated(t, db)
		if err := os.Remove(path); err != nil {
			t.Fatal(err)
		}
		finds(t, db, "one", "k")
	})
	t.Run("another version's is made anew", func(t *testing.T) {
		db, path := setUp(t)
		updated(t, db)
		execBy(t, "sqlite", path, `DELETE FROM docs; PRAGMA user_version = 99`)
		finds(t, db, "one", "k")
	})
	t.Run("another database's is made anew", func(t *testing.T) {
		db, path := setUp(t)
		time.Sleep(2 * time.Millisecond) // runs differ by when they were started
		other, otherPath := setUp(t)
		storeRecords(t, other, testJob, product("k", "Two"))
		updated(t, other)
		index, err := os.ReadFile(otherPath)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, index, 0o644); err != nil {
			t.Fatal(err)
		}
		finds(t, db, "one", "k")
		finds(t, db, "two")
	})
	t.Run("of a database that was put back", func(t *testing.T) {
		db, path := setUp(t)
		if err := db.Close(); err != nil {
			t.Fatal(err)
		}
		before, err := os.ReadFile(db.Path())
		if err != nil {
			t.Fatal(err)
		}
		later := openTest(t, db.Path())
		storeRecords(t, later, testJob, product("k", "Two"), product("l", "Three"))
		updated(t, later)
		if err := later.Close(); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(db.Path(), before, 0o644); err != nil {
			t.Fatal(err)
		}
		back := openTest(t, db.Path())
		finds(t, back, "one", "k")
		storeRecords(t, back, testJob, product("k", "Four"), product("m", "Five"))
		finds(t, back, "four", "k")
		finds(t, back, "five", "m")
		finds(t, back, "one")
		if _, err := os.Stat(path); err != nil {
			t.Error(err)
		}
	})
	for name, content := range map[string]string{"text": strings.Repeat("not an index\n", 100), "a short text": "x"} {
		t.Run("not over "+name, func(t *testing.T) {
			db, path := setUp(t)
			if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
				t.Fatal(err)
			}
			if s, err := db.OpenSearch(t.Context(), ""); err == nil {
				s.Close()
				t.Error("it was opened")
			} else if !strings.Contains(err.Error(), path) {
				t.Error(err)
			}
			if after, err := os.ReadFile(path); err != nil || string(after) != content {
				t.Errorf("it was changed: %v", err)
			}
		})
	}
	t.Run("not over another database", func(t *testing.T) {
		db, _ := setUp(t)
		if s, err := db.OpenSearch(t.Context(), db.Path()); err == nil {
			s.Close()
			t.Error("the database itself was taken for an index")
		}
		foreign := filepath.Join(t.TempDir(), "foreign.db")
		execSQL(t, foreign, `CREATE TABLE cookies (a)`)
		if s, err := db.OpenSearch(t.Context(), foreign); err == nil {
			s.Close()
			t.Error("it was opened")
		}
	})
	t.Run("a damaged one says what to do", func(t *testing.T) {
		db, path := setUp(t)
		updated(t, db)
		b, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		clear(b[4096:])
		if err := os.WriteFile(path, b, 0o644); err != nil {
			t.Fatal(err)
		}
		s, err := db.OpenSearch(t.Context(), "")
		if err == nil {
			err = errors.Join(s.Update(t.Context(), SearchUpdate{}), s.Close())
		}
		if !errors.Is(err, ErrDamaged) || !strings.Contains(fmt.Sprint(err), "delete the file") {
			t.Errorf("error = %v", err)
		}
	})
	t.Run("of an older database", func(t *testing.T) {
		db, _ := setUp(t)
		execSQL(t, db.Path(), `PRAGMA user_version = 4`)
		if _, err := db.OpenSearch(t.Context(), ""); !errors.Is(err, ErrOlder) {
			t.Errorf("error = %v", err)
		}
	})
}

package storetest

import (
	"fmt"
	"testing"

	"github.com/magpie-crawl/magpie/crawl"
	"github.com/magpie-crawl/magpie/extract"
)

// sighting is a page that shows a record with key "k".
type sighting struct{ path, title string }

// crawlRecords begins a run, commits the pages in the order given, and
// finishes it.
func crawlRecords(t *testing.T, s crawl.Store, pages []sighting) crawl.Counters {
	t.Helper()
	var seeds []string
	for _, p := range pages {
		seeds = append(seeds, p.path)
	}
	r := begin(t, s, job(seeds...))
	for _, p := range pages {
		v := fetched(t, r, p.path)
		v.Records = records(book(p.path, "k", p.title))
		commit(t, r, v)
	}
	c := counters(r)
	if err := r.Finish(t.Context(), ""); err != nil {
		t.Fatal(err)
	}
	r.Close()
	return crawl.Counters{New: c.New, Changed: c.Changed, Unchanged: c.Unchanged, Problems: c.Problems}
}

func testRecords(t *testing.T, open func(t *testing.T) crawl.Store) {
	one := func(title string) []sighting { return []sighting{{"a", title}} }
	runCases(t, open, []testCase{
		{"new, unchanged, changed, changed back", func(t *testing.T, s crawl.Store) {
			for i, c := range []struct {
				title string
				want  crawl.Counters
			}{
				{"One", crawl.Counters{New: 1}},
				{"One", crawl.Counters{Unchanged: 1}},
				{"Two", crawl.Counters{Changed: 1}},
				{"Two", crawl.Counters{Unchanged: 1}},
				{"One", crawl.Counters{Changed: 1}},
			} {
				same(t, fmt.Sprintf("run %d", i+1), crawlRecords(t, s, one(c.title)), c.want)
			}
		}},
		{"a record that moved to another page is unchanged", func(t *testing.T, s crawl.Store) {
			crawlRecords(t, s, one("One"))
			same(t, "counters", crawlRecords(t, s, []sighting{{"b", "One"}}), crawl.Counters{Unchanged: 1})
		}},
		{"a record not seen in a run is known in the next", func(t *testing.T, s crawl.Store) {
			crawlRecords(t, s, one("One"))
			crawlRecords(t, s, nil)
			same(t, "counters", crawlRecords(t, s, one("One")), crawl.Counters{Unchanged: 1})
		}},
		{"the same key in another item is another record", func(t *testing.T, s crawl.Store) {
			j := job("a")
			j.Items.Items = append(j.Items.Items, extract.Item{Name: "author", Fields: []extract.Field{{Name: "title"}}})
			r := begin(t, s, j)
			v := fetched(t, r, "a")
			v.Records = records(book("a", "k", "One"), extract.Record{Item: "author", Key: "k", URL: url("a"),
				Fields: extract.Object{{Name: "title", Value: "Someone"}}})
			commit(t, r, v)
			same(t, "counters", counters(r).New, int64(2))
		}},
		{"the order of fields is part of the data", func(t *testing.T, s crawl.Store) {
			fields := []extract.Object{{{Name: "title", Value: "x"}, {Name: "price", Value: "y"}}, {{Name: "price", Value: "y"}, {Name: "title", Value: "x"}}}
			for i, want := range []crawl.Counters{{New: 1}, {Changed: 1}} {
				r := begin(t, s, job("a"))
				v := fetched(t, r, "a")
				v.Records = records(extract.Record{Item: "book", Key: "k", URL: url("a"), Fields: fields[i]})
				commit(t, r, v)
				same(t, "new", counters(r).New, want.New)
				same(t, "changed", counters(r).Changed, want.Changed)
				r.Finish(t.Context(), "")
				r.Close()
			}
		}},
		{"problems and rejects are counted in each run", func(t *testing.T, s crawl.Store) {
			for run := range 2 {
				r := begin(t, s, job("a"))
				v := fetched(t, r, "a")
				v.Records = records(book("a", "k", "One"))
				v.Records[0].Problems = []extract.Problem{{Field: "price", Code: extract.ProblemType}, {Field: "date", Code: extract.ProblemType}}
				v.Rejects = records(book("a", "r", "One"), book("a", "r", "One"))
				v.Rejects[0].Problems = []extract.Problem{{Field: "title", Code: extract.ProblemMissing}}
				commit(t, r, v)
				c := counters(r)
				if c.Problems != 3 || c.Rejects != 2 || c.New+c.Unchanged != 1 {
					t.Errorf("run %d: %+v", run+1, c)
				}
				r.Finish(t.Context(), "")
				r.Close()
			}
		}},
		{"a record without fields", func(t *testing.T, s crawl.Store) {
			r := begin(t, s, job("a"))
			v := fetched(t, r, "a")
			v.Records = records(extract.Record{Item: "book", Key: "k", URL: url("a")})
			commit(t, r, v)
			same(t, "new", counters(r).New, int64(1))
		}},
	})
}

// testDuplicates has several pages of a run claim one key. Whatever the order
// in which they are committed, the outcome is that of the smallest URL.
func testDuplicates(t *testing.T, open func(t *testing.T) crawl.Store) {
	cases := []struct {
		name   string
		before []sighting // the run before; none: there is none
		pages  []sighting
		want   crawl.Counters
	}{
		{"the same data", nil, []sighting{{"a", "One"}, {"b", "One"}, {"c", "One"}}, crawl.Counters{New: 1}},
		{"other data", nil, []sighting{{"a", "One"}, {"b", "Two"}, {"c", "Three"}}, crawl.Counters{New: 1, Problems: 1}},
		{"other data on one of them", nil, []sighting{{"a", "One"}, {"b", "One"}, {"c", "Two"}}, crawl.Counters{New: 1, Problems: 1}},
		{"unchanged, with others", []sighting{{"a", "One"}}, []sighting{{"a", "One"}, {"b", "Two"}, {"c", "Three"}}, crawl.Counters{Unchanged: 1, Problems: 1}},
		{"changed, and another as before", []sighting{{"a", "One"}}, []sighting{{"a", "Two"}, {"b", "One"}, {"c", "Three"}}, crawl.Counters{Changed: 1, Problems: 1}},
		{"changed, and all others as before", []sighting{{"a", "One"}}, []sighting{{"a", "Two"}, {"b", "One"}, {"c", "One"}}, crawl.Counters{Changed: 1, Problems: 1}},
		{"changed alike", []sighting{{"a", "One"}}, []sighting{{"a", "Two"}, {"b", "Two"}, {"c", "Two"}}, crawl.Counters{Changed: 1}},
		{"unchanged alike", []sighting{{"a", "One"}}, []sighting{{"a", "One"}, {"b", "One"}, {"c", "One"}}, crawl.Counters{Unchanged: 1}},
	}
	for _, c := range cases {
		for _, order := range permutations(len(c.pages)) {
			t.Run(fmt.Sprintf("%s, in the order %v", c.name, order), func(t *testing.T) {
				s := open(t)
				if c.before != nil {
					crawlRecords(t, s, c.before)
				}
				var pages []sighting
				for _, i := range order {
					pages = append(pages, c.pages[i])
				}
				same(t, "counters", crawlRecords(t, s, pages), c.want)
				same(t, "next run", crawlRecords(t, s, c.pages[:1]), crawl.Counters{Unchanged: 1})
			})
		}
	}
	t.Run("twice on one page", func(t *testing.T) {
		r := begin(t, open(t), job("a"))
		v := fetched(t, r, "a")
		v.Records = records(book("a", "k", "One"), book("a", "k", "Two"), book("a", "k", "One"))
		v.Records[1].Position, v.Records[2].Position = 1, 2
		commit(t, r, v)
		c := counters(r)
		if c.New != 1 || c.Problems != 1 {
			t.Errorf("counters = %+v", c)
		}
	})
}

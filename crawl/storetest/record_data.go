package storetest

import (
	"testing"

	"github.com/magpie-crawl/magpie/crawl"
	"github.com/magpie-crawl/magpie/extract"
)

// testRecordData looks at what makes a record another, and what is counted.
func testRecordData(t *testing.T, open opener) {
	runCases(t, open, []testCase{
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
				foundAtEnd(t, r, "")
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
				foundAtEnd(t, r, "")
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

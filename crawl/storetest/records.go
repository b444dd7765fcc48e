package storetest

import (
	"fmt"
	"testing"

	"github.com/magpie-crawl/magpie/crawl"
)

// testRecords shows records in several runs.
func testRecords(t *testing.T, open opener) {
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
	})
}

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
	foundAtEnd(t, r, "")
	return crawl.Counters{New: c.New, Changed: c.Changed, Unchanged: c.Unchanged, Problems: c.Problems}
}

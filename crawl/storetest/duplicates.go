package storetest

import (
	"fmt"
	"slices"
	"testing"

	"github.com/magpie-crawl/magpie/crawl"
)

// testDuplicates has several pages of a run claim one key. Whatever the order
// in which they are committed, the outcome is that of the smallest URL.
func testDuplicates(t *testing.T, open opener) {
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

// permutations of 0 … n-1.
func permutations(n int) [][]int {
	if n == 0 {
		return [][]int{nil}
	}
	var all [][]int
	for _, p := range permutations(n - 1) {
		for i := range n {
			all = append(all, slices.Insert(slices.Clone(p), i, n-1))
		}
	}
	return all
}

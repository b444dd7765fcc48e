package storetest

import (
	"testing"

	"github.com/magpie-crawl/magpie/crawl"
)

// changes are what a run found of records.
type changes struct{ New, Changed, Unchanged, Gone int64 }

// visitAll begins a run, commits what visits makes of it in one batch,
// finishes it and returns what it found.
func visitAll(t *testing.T, s crawl.Store, j crawl.Job, visits func(r crawl.Run) []*crawl.Visit) changes {
	t.Helper()
	r := begin(t, s, j)
	if list := visits(r); len(list) > 0 {
		commit(t, r, list...)
	}
	return foundAtEnd(t, r, "")
}

// foundAtEnd finishes and closes a run, and returns what it found of records.
func foundAtEnd(t *testing.T, r crawl.Run, reason string) changes {
	t.Helper()
	finish(t, r, reason)
	if err := r.Close(); err != nil {
		t.Fatalf("Close: %v", err)
	}
	c := counters(r)
	return changes{c.New, c.Changed, c.Unchanged, c.RecordsGone}
}

// firstRun has page "a" show the records k1 and k2, and page "b" the record k3.
func firstRun(t *testing.T, s crawl.Store) {
	t.Helper()
	same(t, "first run", visitAll(t, s, job("a", "b"), func(r crawl.Run) []*crawl.Visit { return allShown(t, r) }), changes{New: 3})
}

// allShown are visits of both pages, which show what they do in firstRun.
func allShown(t *testing.T, r crawl.Run) []*crawl.Visit {
	t.Helper()
	return []*crawl.Visit{showing(t, r, "a", "k1", "One", "k2", "Two"), showing(t, r, "b", "k3", "Three")}
}

// oneLeft is a visit of page "a", which shows k1 alone, edited.
func oneLeft(t *testing.T, r crawl.Run, edit func(v *crawl.Visit)) []*crawl.Visit {
	t.Helper()
	v := showing(t, r, "a", "k1", "One")
	edit(v)
	return []*crawl.Visit{v}
}

// endCase is what the run after firstRun commits, and what it finds.
type endCase struct {
	name   string
	visits func(t *testing.T, r crawl.Run) []*crawl.Visit
	want   changes
}

// runEndCases runs each case as a subtest. Where nothing is new or changed
// since firstRun, a third run that shows the same as that brings back what
// ended.
func runEndCases(t *testing.T, open opener, cases []endCase) {
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			s := open(t)
			firstRun(t, s)
			same(t, "second run", visitAll(t, s, job("a", "b"), func(r crawl.Run) []*crawl.Visit { return c.visits(t, r) }), c.want)
			if c.want.New > 0 || c.want.Changed > 0 {
				return
			}
			got := visitAll(t, s, job("a", "b"), func(r crawl.Run) []*crawl.Visit { return allShown(t, r) })
			same(t, "third run, all as in the first", got, changes{New: c.want.Gone, Unchanged: 3 - c.want.Gone})
		})
	}
}

package storetest

import (
	"net/http"
	"testing"

	"github.com/magpie-crawl/magpie/crawl"
	"github.com/magpie-crawl/magpie/extract"
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
	return finish(t, r, "")
}

// finish finishes and closes a run.
func finish(t *testing.T, r crawl.Run, reason string) changes {
	t.Helper()
	if err := r.Finish(t.Context(), reason); err != nil {
		t.Fatalf("Finish: %v", err)
	}
	if err := r.Close(); err != nil {
		t.Fatalf("Close: %v", err)
	}
	c := counters(r)
	return changes{c.New, c.Changed, c.Unchanged, c.RecordsGone}
}

// showing is the visit of a pending page that shows books: key, title, key, …
func showing(t *testing.T, r crawl.Run, path string, books ...string) *crawl.Visit {
	t.Helper()
	v := remembered(t, r, path, revisit(0))
	for i := 0; i < len(books); i += 2 {
		b := book(path, books[i], books[i+1])
		b.Position = i / 2
		v.Records = append(v.Records, b)
	}
	return v
}

// testEnds has a run whose page "a" shows the records k1 and k2, and page "b"
// the record k3, and looks at what another run ends.
func testEnds(t *testing.T, open func(t *testing.T) crawl.Store) {
	first := func(t *testing.T, s crawl.Store) {
		t.Helper()
		got := visitAll(t, s, job("a", "b"), func(r crawl.Run) []*crawl.Visit {
			return []*crawl.Visit{showing(t, r, "a", "k1", "One", "k2", "Two"), showing(t, r, "b", "k3", "Three")}
		})
		same(t, "first run", got, changes{New: 3})
	}
	a := func(t *testing.T, r crawl.Run, edit func(v *crawl.Visit)) []*crawl.Visit {
		v := showing(t, r, "a", "k1", "One")
		edit(v)
		return []*crawl.Visit{v}
	}
	for _, c := range []struct {
		name   string
		visits func(t *testing.T, r crawl.Run) []*crawl.Visit
		want   changes
	}{
		{"a page that does not show it any more", func(t *testing.T, r crawl.Run) []*crawl.Visit {
			return a(t, r, func(v *crawl.Visit) {})
		}, changes{Unchanged: 1, Gone: 1}},
		{"a page that shows nothing any more", func(t *testing.T, r crawl.Run) []*crawl.Visit {
			return []*crawl.Visit{showing(t, r, "a")}
		}, changes{Gone: 2}},
		{"a page that says so without being sent again", func(t *testing.T, r crawl.Run) []*crawl.Visit {
			return a(t, r, func(v *crawl.Visit) { v.Page.Status, v.Page.NotModified = http.StatusNotModified, true })
		}, changes{Unchanged: 1, Gone: 1}},
		{"pages that nobody visited", func(t *testing.T, r crawl.Run) []*crawl.Visit { return nil }, changes{}},
		{"on another page, before", func(t *testing.T, r crawl.Run) []*crawl.Visit {
			return []*crawl.Visit{showing(t, r, "b", "k3", "Three", "k2", "Two"), showing(t, r, "a", "k1", "One")}
		}, changes{Unchanged: 3}},
		{"on another page, after", func(t *testing.T, r crawl.Run) []*crawl.Visit {
			return []*crawl.Visit{showing(t, r, "a", "k1", "One"), showing(t, r, "b", "k3", "Three", "k2", "Two!")}
		}, changes{Unchanged: 2, Changed: 1}},
		{"a page that failed", func(t *testing.T, r crawl.Run) []*crawl.Visit {
			return []*crawl.Visit{{Request: request(t, r, "a"), State: crawl.Failed, Reason: "http-503", Page: page("sorry")}}
		}, changes{}},
		{"a page that is missing for the first time", func(t *testing.T, r crawl.Run) []*crawl.Visit {
			return []*crawl.Visit{missing(t, r, "a", 1, false)}
		}, changes{}},
		{"a page that is gone", func(t *testing.T, r crawl.Run) []*crawl.Visit {
			return []*crawl.Visit{missing(t, r, "a", 2, true)}
		}, changes{Gone: 2}},
		{"a page that was left alone", func(t *testing.T, r crawl.Run) []*crawl.Visit {
			return []*crawl.Visit{{Request: request(t, r, "a"), State: crawl.Skipped, Reason: crawl.ReasonNotDue}}
		}, changes{}},
		{"a page that was cut", func(t *testing.T, r crawl.Run) []*crawl.Visit {
			return a(t, r, func(v *crawl.Visit) { v.Page.Truncated = true })
		}, changes{Unchanged: 1}},
		{"a page that moved for good", func(t *testing.T, r crawl.Run) []*crawl.Visit {
			return a(t, r, func(v *crawl.Visit) {
				v.Page.Status, v.Page.Location, v.Records, v.Revisit = http.StatusMovedPermanently, url("c"), nil, nil
			})
		}, changes{Gone: 2}},
		{"a page that moved for now", func(t *testing.T, r crawl.Run) []*crawl.Visit {
			return a(t, r, func(v *crawl.Visit) {
				v.Page.Status, v.Page.Location, v.Records, v.Revisit = http.StatusFound, url("c"), nil, nil
			})
		}, changes{}},
		{"a reject with its key", func(t *testing.T, r crawl.Run) []*crawl.Visit {
			return a(t, r, func(v *crawl.Visit) { v.Rejects = records(book("a", "k2", "")) })
		}, changes{Unchanged: 1}},
		{"a reject with another key", func(t *testing.T, r crawl.Run) []*crawl.Visit {
			return a(t, r, func(v *crawl.Visit) { v.Rejects = records(book("a", "k9", "")) })
		}, changes{Unchanged: 1, Gone: 1}},
		{"a record whose key could not be had", func(t *testing.T, r crawl.Run) []*crawl.Visit {
			return a(t, r, func(v *crawl.Visit) {
				odd := book("a", url("a"), "Two")
				odd.Problems = []extract.Problem{{Field: "title", Code: extract.ProblemKey}}
				v.Records = append(v.Records, odd)
			})
		}, changes{New: 1, Unchanged: 1}},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := open(t)
			first(t, s)
			same(t, "second run", visitAll(t, s, job("a", "b"), func(r crawl.Run) []*crawl.Visit { return c.visits(t, r) }), c.want)
			back := changes{New: c.want.Gone - c.want.New, Unchanged: 3 - c.want.Gone}
			if c.want.New == 0 && c.want.Changed == 0 {
				got := visitAll(t, s, job("a", "b"), func(r crawl.Run) []*crawl.Visit {
					return []*crawl.Visit{showing(t, r, "a", "k1", "One", "k2", "Two"), showing(t, r, "b", "k3", "Three")}
				})
				same(t, "third run, all as in the first", got, back)
			}
		})
	}
	runCases(t, open, []testCase{
		{"a run that looks for other items", func(t *testing.T, s crawl.Store) {
			first(t, s)
			j := job("a", "b")
			j.Items.Items[0].Name = "author"
			got := visitAll(t, s, j, func(r crawl.Run) []*crawl.Visit { return []*crawl.Visit{showing(t, r, "a")} })
			same(t, "changes", got, changes{})
		}},
		{"an item that no spec declares", func(t *testing.T, s crawl.Store) {
			j := job("a", "b")
			j.Items.Items = nil
			for i, want := range []changes{{New: 3}, {Unchanged: 1, Gone: 1}} {
				got := visitAll(t, s, j, func(r crawl.Run) []*crawl.Visit {
					if i == 0 {
						return []*crawl.Visit{showing(t, r, "a", "k1", "One", "k2", "Two"), showing(t, r, "b", "k3", "Three")}
					}
					return []*crawl.Visit{showing(t, r, "a", "k1", "One")}
				})
				same(t, "changes", got, want)
			}
		}},
		{"another job's records", func(t *testing.T, s crawl.Store) {
			first(t, s)
			j := job("a", "b")
			j.Name = "other"
			got := visitAll(t, s, j, func(r crawl.Run) []*crawl.Visit { return []*crawl.Visit{showing(t, r, "a")} })
			same(t, "changes", got, changes{})
		}},
		{"once", func(t *testing.T, s crawl.Store) {
			first(t, s)
			for _, want := range []changes{{Unchanged: 1, Gone: 1}, {Unchanged: 1}} {
				got := visitAll(t, s, job("a", "b"), func(r crawl.Run) []*crawl.Visit { return []*crawl.Visit{showing(t, r, "a", "k1", "One")} })
				same(t, "changes", got, want)
			}
		}},
		{"a run that a limit ended and that goes on", func(t *testing.T, s crawl.Store) {
			first(t, s)
			r := begin(t, s, job("a", "b"))
			commit(t, r, showing(t, r, "a", "k1", "One"))
			same(t, "at the limit", finish(t, r, crawl.LimitPages), changes{Unchanged: 1, Gone: 1})
			j := job()
			j.Continue = true
			r = begin(t, s, j)
			same(t, "gone so far", counters(r).RecordsGone, int64(0))
			commit(t, r, showing(t, r, "b", "k2", "Two", "k3", "Three!"))
			same(t, "at the end", finish(t, r, ""), changes{Unchanged: 2, Changed: 1})
		}},
		{"an interrupted run ends nothing before it is finished", func(t *testing.T, s crawl.Store) {
			first(t, s)
			r := begin(t, s, job("a", "b"))
			commit(t, r, showing(t, r, "a", "k1", "One"))
			r = again(t, s, r, false, job("a", "b"))
			same(t, "gone so far", counters(r).RecordsGone, int64(0))
			commit(t, r, showing(t, r, "b", "k2", "Two"))
			same(t, "at the end", finish(t, r, ""), changes{Unchanged: 2, Gone: 1})
		}},
	})
}

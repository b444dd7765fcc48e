package store

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/magpie-crawl/magpie/crawl"
	"github.com/magpie-crawl/magpie/extract"
)

// goods are n records that lack nothing, but for what change does to the i-th.
func goods(n int, change func(i int, r *extract.Record)) []extract.Record {
	list := make([]extract.Record, n)
	for i := range list {
		list[i] = product(fmt.Sprint("k", i), fmt.Sprint("Product ", i),
			extract.Member{Name: "price", Value: extract.Price{Amount: "1.50", Currency: "EUR"}},
			extract.Member{Name: "stock", Value: int64(i % 7)}, extract.Member{Name: "tags", Value: []any{"a"}})
		if change != nil {
			change(i, &list[i])
		}
	}
	return list
}

// without takes a field from the records of which every says so.
func without(field string, every func(i int) bool) func(int, *extract.Record) {
	return func(i int, r *extract.Record) {
		if !every(i) {
			return
		}
		for j := range r.Fields {
			if r.Fields[j].Name == field {
				r.Fields[j].Value = nil
			}
		}
	}
}

func all(int) bool { return true }

func driftTexts(t *testing.T, db *DB, run int) (list []string) {
	t.Helper()
	for d, err := range db.Drifts(t.Context(), HealthFilter{Run: run}) {
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, fmt.Sprintf("%s %s %s: %s", d.Kind, strings.Trim(d.Item+"."+d.Field, "."), d.Pattern, d.Detail))
	}
	return list
}

// What the last of several runs is told of.
func TestDrift(t *testing.T) {
	type site = []extract.Record
	same := goods(100, nil)
	failing := func(share int) site {
		return goods(100, func(i int, r *extract.Record) {
			if i < share {
				r.Problems = []extract.Problem{{Field: "stock[0].x", Code: extract.ProblemType}, {Field: "stock", Code: extract.ProblemCheck}}
			}
		})
	}
	for _, c := range []struct {
		name   string
		health crawl.Health
		runs   []site
		want   []string
	}{
		{"a first run", crawl.Health{}, []site{same}, nil},
		{"nothing", crawl.Health{}, []site{same, same, same}, nil},
		{"a field that goes empty", crawl.Health{}, []site{same, same, goods(100, without("price", all))},
			[]string{"fill product.price : 0% of 100 records have it, usually 100%"}},
		{"in the second run too", crawl.Health{}, []site{same, goods(100, without("price", all))},
			[]string{"fill product.price : 0% of 100 records have it, usually 100%"}},
		{"a list that goes empty", crawl.Health{}, []site{same, goods(100, func(_ int, r *extract.Record) { r.Fields[3].Value = []any{} })},
			[]string{"fill product.tags : 0% of 100 records have it, usually 100%"}},
		{"a field that has always been rare", crawl.Health{}, []site{goods(100, without("price", func(i int) bool { return i > 2 })), goods(100, without("price", all))}, nil},
		{"a little less", crawl.Health{}, []site{same, goods(100, without("price", func(i int) bool { return i < 20 }))}, nil},
		{"a little less, told of by the job", crawl.Health{Fill: 0.1}, []site{same, goods(100, without("price", func(i int) bool { return i < 20 }))},
			[]string{"fill product.price : 80% of 100 records have it, usually 100%"}},
		{"a small sample", crawl.Health{}, []site{goods(19, nil), goods(19, without("price", all))}, nil},
		{"a sample that the job calls large", crawl.Health{MinRecords: 10}, []site{goods(19, nil), goods(19, without("price", all))},
			[]string{"fill product.price : 0% of 19 records have it, usually 100%"}},
		{"what chance does", crawl.Health{}, []site{goods(20, without("price", func(i int) bool { return i < 10 })), goods(20, without("price", func(i int) bool { return i < 16 }))}, nil},
		{"one bad run among those before", crawl.Health{}, []site{same, goods(100, without("price", all)), same, goods(100, without("price", all))},
			[]string{"fill product.price : 0% of 100 records have it, usually 100%"}},
		{"what has become usual", crawl.Health{}, []site{same, goods(100, without("price", all)), goods(100, without("price", all)), goods(100, without("price", all))}, nil},
		{"failures that jump", crawl.Health{}, []site{failing(2), failing(40)},
			[]string{"failures product.stock : 40% of 100 records failed, usually 2%"}},
		{"the rule is off", crawl.Health{Failures: -1}, []site{failing(2), failing(40)}, nil},
		{"a count that collapses", crawl.Health{}, []site{same, goods(30, nil)},
			[]string{"records product : 30 records, usually 100"}},
		{"no records at all", crawl.Health{}, []site{same, nil},
			[]string{"records product : 0 records, usually 100"}},
		{"half of them", crawl.Health{}, []site{same, goods(50, nil)}, nil},
		{"the same value everywhere", crawl.Health{}, []site{same, goods(100, func(_ int, r *extract.Record) { r.Fields[0].Value = "Access denied" })},
			[]string{"distinct product.name : 1 value in 100 records, usually 100"}},
		{"off", crawl.Health{Off: true}, []site{same, nil}, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			db := openTest(t, filepath.Join(t.TempDir(), "magpie.db"))
			job := testJob
			job.Health = c.health
			for _, records := range c.runs {
				storeRecords(t, db, job, records...)
			}
			if diff := cmp.Diff(c.want, driftTexts(t, db, len(c.runs))); diff != "" {
				t.Errorf("drifts differ (-want +got):\n%s", diff)
			}
			run, err := db.Run(t.Context(), job.Name, 0)
			if err != nil || run.Drifts != len(c.want) {
				t.Errorf("the run has %d drifts (%v)", run.Drifts, err)
			}
		})
	}
}

// outlined makes a run with pages of the given outlines, and rejects in place
// of records where it says so.
func outlined(t *testing.T, db *DB, job crawl.Job, reason string, sums []uint64, rejects int) {
	t.Helper()
	for i := range sums {
		job.Seeds = append(job.Seeds[:len(job.Seeds):len(job.Seeds)], siteLink(i, 0))
	}
	run, err := db.Begin(t.Context(), job)
	if err != nil {
		t.Fatal(err)
	}
	due, _, err := run.Window(t.Context(), "shop.test", time.Now(), 1000, nil)
	if err != nil {
		t.Fatal(err)
	}
	for i, q := range due {
		v := &crawl.Visit{Request: q, State: crawl.Done, Page: &crawl.Page{FetchedAt: time.UnixMilli(1)},
			Outline: &crawl.Outline{Pattern: "https://shop.test/p/*", Sum: sums[i%len(sums)]}}
		r := product(fmt.Sprint(i), fmt.Sprint("P", i))
		r.Item = "product"
		if i < rejects {
			v.Rejects = []extract.Record{r}
		} else {
			v.Records = []extract.Record{r}
		}
		if _, err := run.Commit(t.Context(), []*crawl.Visit{v}); err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(run.Finish(t.Context(), reason), run.Close()); err != nil {
		t.Fatal(err)
	}
}

func TestDriftOfPages(t *testing.T) {
	pages := func(n int, sums ...uint64) []uint64 {
		list := make([]uint64, n)
		for i := range list {
			list[i] = sums[i%len(sums)]
		}
		return list
	}
	const a, b = 0x0123456789abcdef, 0xf00dfacecafe1234
	for _, c := range []struct {
		name    string
		before  []uint64
		now     []uint64
		reason  string
		rejects int
		want    []string
		plan    string
	}{
		{"the same template", pages(40, a), pages(40, a), "", 0, nil, ""},
		{"another template", pages(40, a), pages(40, b), "", 0, []string{"template  https://shop.test/p/*: 40 pages are built otherwise than before: they are 0% alike"}, ""},
		{"another mixture of two", pages(40, a, b), pages(40, a, a, b), "", 0, nil, ""},
		{"a bit here and there", pages(40, a, a^1, a^2), pages(40, a^4, a^8, a), "", 0, nil, ""},
		{"few pages", pages(19, a), pages(19, b), "", 0, nil, ""},
		{"few pages of many", pages(60, a), pages(25, a), "", 0, []string{"pages  : 25 pages, usually 60", "records product : 25 records, usually 60"}, ""},
		{"a limit ended it", pages(60, a), pages(25, a), crawl.LimitPages, 0, nil, ""},
		{"another plan", pages(60, a), pages(25, a), "", 0, nil, "narrower"},
		{"rejects", pages(60, a), pages(60, a), "", 20, []string{"rejects product : 33% of 60 records set aside, usually 0%"}, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			db := openTest(t, filepath.Join(t.TempDir(), "magpie.db"))
			job := testJob
			job.Seeds = nil
			outlined(t, db, job, "", c.before, 0)
			job.Plan = c.plan
			outlined(t, db, job, c.reason, c.now, c.rejects)
			if diff := cmp.Diff(c.want, driftTexts(t, db, 2)); diff != "" {
				t.Errorf("drifts differ (-want +got):\n%s", diff)
			}
		})
	}
}

// How much counts of outlines differ that are samples of the same pages, and
// of others.
func TestHealth(t *testing.T) {
	db := openTest(t, filepath.Join(t.TempDir(), "magpie.db"))
	storeRecords(t, db, testJob, goods(40, nil)...)
	storeRecords(t, db, testJob, goods(30, without("price", func(i int) bool { return i < 12 }))...)
	t.Run("fields", func(t *testing.T) {
		got, err := db.Health(t.Context(), HealthFilter{})
		want := []FieldHealth{
			{Job: "shop", Run: 2, Item: "product", Field: "name", Records: 30, Filled: 30, Distinct: 30, DistinctExact: true, Usual: 40, UsualRecords: 40},
			{Job: "shop", Run: 2, Item: "product", Field: "price", Records: 30, Filled: 18, Distinct: 1, DistinctExact: true, Usual: 40, UsualRecords: 40},
			{Job: "shop", Run: 2, Item: "product", Field: "stock", Records: 30, Filled: 30, Distinct: 7, DistinctExact: true, Usual: 40, UsualRecords: 40},
			{Job: "shop", Run: 2, Item: "product", Field: "tags", Records: 30, Filled: 30, Distinct: 1, DistinctExact: true, Usual: 40, UsualRecords: 40},
		}
		if diff := cmp.Diff(want, got); err != nil || diff != "" {
			t.Errorf("%v (-want +got):\n%s", err, diff)
		}
	})
	t.Run("views", func(t *testing.T) {
		const want = "shop|2|product|price|30|18|0.6|1\nshop|1|product|price|40|40|1|1\n"
		if got := dumpSQL(t, db.Path(), `SELECT job, run, item, field, records, filled, fill_rate, distinct_values FROM magpie_health WHERE field = 'price' ORDER BY run DESC`); got != want {
			t.Errorf("magpie_health: %s", got)
		}
		if got := dumpSQL(t, db.Path(), `SELECT run, item, field, kind, usual, now FROM magpie_drift`); got != "2|product|price|fill|1|0.6\n" {
			t.Errorf("magpie_drift: %s", got)
		}
	})
	t.Run("a run that crawled nothing is passed over", func(t *testing.T) {
		execSQL(t, db.Path(), `INSERT INTO runs (job_id, number, kind, state, source, started_at, ended_at) VALUES (1, 3, 'reextract', 'finished', '', 1, 2)`)
		got, err := db.Health(t.Context(), HealthFilter{Job: "shop"})
		if err != nil || len(got) != 4 || got[0].Run != 2 {
			t.Errorf("%+v, %v", got, err)
		}
	})
	t.Run("a reject counts", func(t *testing.T) {
		outlined(t, db, crawl.Job{Name: "other", Items: testJob.Items}, "", make([]uint64, 10), 4)
		got, err := db.Health(t.Context(), HealthFilter{Job: "other"})
		if err != nil || len(got) != 4 || got[0].Records != 10 || got[0].Rejects != 4 || got[0].Filled != 10 {
			t.Errorf("%+v, %v", got, err)
		}
	})
}

// A run whose process was killed has the figures of one whose was not.
func TestHealthOfResumedRun(t *testing.T) {
	path := filepath.Join(t.TempDir(), "magpie.db")
	for i := range 4 {
		db := openTest(t, path)
		job := testJob
		for j := range 4 {
			job.Seeds = append(job.Seeds[:len(job.Seeds):len(job.Seeds)], siteLink(j+1, 0))
		}
		run, err := db.Begin(t.Context(), job)
		if err != nil {
			t.Fatal(err)
		}
		due, _, err := run.Window(t.Context(), "shop.test", time.Now(), 1, nil)
		if err != nil || len(due) != 1 {
			t.Fatal(due, err)
		}
		v := siteVisit(5, due[0])
		v.Request, v.State, v.Links, v.Outline = due[0], crawl.Done, nil, &crawl.Outline{Pattern: "p", Sum: 1 << i}
		if _, err := run.Commit(t.Context(), []*crawl.Visit{v}); err != nil {
			t.Fatal(err)
		}
		if i == 3 {
			if err := run.Finish(t.Context(), ""); err != nil {
				t.Fatal(err)
			}
		}
		if err := db.Close(); err != nil {
			t.Fatal(err)
		}
	}
	want := "p|4|" + strings.Repeat("01000000", 4) + strings.Repeat("00", 240) + "\n"
	if got := dumpSQL(t, path, `SELECT pattern, pages, hex(ones) FROM magpie_outlines`); got != want {
		t.Errorf("outlines: %s", got)
	}
}

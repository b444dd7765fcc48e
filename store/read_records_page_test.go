package store

import (
	"cmp"
	"errors"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/magpie-crawl/magpie/crawl"
	"github.com/magpie-crawl/magpie/extract"
)

// indexedJob is testJob with fields of all kinds and indexes of some.
func indexedJob(index ...string) crawl.Job {
	job := testJob
	job.Items.Items = []extract.Item{{Name: "product", Index: index, Fields: []extract.Field{
		{Name: "name"}, {Name: "price", As: extract.PriceType}, {Name: "stock", As: extract.Integer}, {Name: "seen", As: extract.DateTime},
		{Name: "used", As: extract.Bool}, {Name: "tags", All: true}}}}
	return job
}

// listed is a record of the listings' tests as Go sees it; nil: no value.
type listed struct {
	key   string
	name  any // string
	price any // float64
	stock any // float64
	seen  any // float64: seconds
	run   int
}

// field is the value by which a record is compared.
func (r listed) field(name string) any {
	return map[string]any{"name": r.name, "price": r.price, "stock": r.stock, "seen": r.seen, KeyField: r.key, FirstRunField: float64(r.run)}[name]
}

// listedSample stores records with few different values, and some without.
func listedSample(t *testing.T, db *DB, job crawl.Job) []listed {
	t.Helper()
	r := rand.New(rand.NewPCG(3, 4))
	zones := []*time.Location{time.UTC, time.FixedZone("", 7200), time.FixedZone("", -5*3600)}
	var all []listed
	for run := range 2 {
		var records []extract.Record
		all = all[:0]
		for i := range 90 {
			var fields extract.Object
			l := listed{key: fmt.Sprintf("k%03d", i*37%90), run: 1}
			number := func(n int) int { // the same in both runs for most
				if i%4 == 0 {
					return r.IntN(n)
				}
				return i * 7 % n
			}
			if i%9 > 0 {
				l.name = fmt.Sprintf("Näme %d_%%", number(5))
				fields = append(fields, extract.Member{Name: "name", Value: l.name})
			}
			if i%7 > 0 {
				n := number(12)
				l.price = float64(n) + 0.5
				fields = append(fields, pricedAt(fmt.Sprintf("%d.50", n), "GBP"))
			}
			if i%5 > 0 {
				n := number(4)
				l.stock = float64(n)
				fields = append(fields, extract.Member{Name: "stock", Value: int64(n)})
			}
			if i%6 > 0 {
				at := time.Unix(1_700_000_000+int64(number(20))*1800, 0).In(zones[i%3])
				l.seen = float64(at.Unix())
				fields = append(fields, extract.Member{Name: "seen", Value: at.Format(time.RFC3339)})
			}
			fields = append(fields, extract.Member{Name: "used", Value: i%3 == 0}, extract.Member{Name: "tags", Value: []any{fmt.Sprint("t", i%3)}})
			records, all = append(records, extract.Record{Key: l.key, Fields: fields}), append(all, l)
		}
		storeRecords(t, db, job, records...)
		for r, err := range db.Records(t.Context(), RecordFilter{Job: "shop"}) {
			i := slices.IndexFunc(all, func(l listed) bool { return l.key == r.Key })
			if err != nil || i < 0 {
				t.Fatal(i, err)
			}
			all[i].run = r.FirstRun
		}
		_ = run
	}
	return all
}

// passes is what a filter means.
func (r listed) passes(f FieldFilter, value any) bool {
	have := r.field(f.Field)
	switch f.Op {
	case Empty:
		return have == nil
	case Present:
		return have != nil
	case Contains:
		return have != nil && strings.Contains(strings.ToLower(have.(string)), strings.ToLower(f.Value))
	}
	if have == nil {
		return false
	}
	c := compareValues(have, value)
	return map[FilterOp]bool{Equal: c == 0, Less: c < 0, Greater: c > 0, AtMost: c <= 0, AtLeast: c >= 0}[f.Op]
}

// compareValues orders as the database does: nothing first.
func compareValues(a, b any) int {
	if a == nil || b == nil {
		return cmp.Compare(fmt.Sprint(a != nil), fmt.Sprint(b != nil))
	}
	if a, ok := a.(string); ok {
		return cmp.Compare(a, b.(string))
	}
	return cmp.Compare(a.(float64), b.(float64))
}

// TestRecordsPages compares listings with what Go makes of the same records:
// forward, backward and by number, with indexes and without.
func TestRecordsPages(t *testing.T) {
	type filter struct {
		FieldFilter
		value any
	}
	one := func(field string, op FilterOp, text string, value any) []filter {
		return []filter{{FieldFilter{field, op, text}, value}}
	}
	filters := map[string][]filter{
		"all":                   nil,
		"price from":            one("price", AtLeast, "4.5", 4.5),
		"price is":              one("price", Equal, "6.50", 6.5),
		"no price":              one("price", Empty, "", nil),
		"stock under":           one("stock", Less, "2", 2.0),
		"name is":               one("name", Equal, "Näme 3_%", "Näme 3_%"),
		"name has %":            one("name", Contains, "ME 3_%", nil),
		"name has another _":    one("name", Contains, "ME%3", nil),
		"a name":                one("name", Present, "", nil),
		"a moment":              one("seen", Greater, "2023-11-15T01:13:20+02:00", float64(1_700_003_600)),
		"key":                   one(KeyField, Equal, "k007", "k007"),
		"keys behind":           one(KeyField, Greater, "k040", "k040"),
		"key has":               one(KeyField, Contains, "K01", nil),
		"of the first run":      one(FirstRunField, Equal, "1", 1.0),
		"of the second run":     one(FirstRunField, Greater, "1", 1.0),
		"price, stock and name": append(append(one("price", Less, "9", 9.0), one("stock", Greater, "0", 0.0)...), one("name", Present, "", nil)...),
	}
	indexings := [][]string{nil, {"name", "price", "stock", "seen", "used"}, {"price"}}
	if testing.Short() {
		indexings = indexings[:2]
	}
	for _, indexes := range indexings {
		db := openTest(t, filepath.Join(t.TempDir(), "magpie.db"))
		records := listedSample(t, db, indexedJob(indexes...))
		for name, filters := range filters {
			for _, sort := range []string{KeyField, "price", "stock", "name", "seen", FirstRunField} {
				for _, desc := range []bool{false, true} {
					t.Run(fmt.Sprintf("%d indexes, %s by %s %v", len(indexes), name, sort, desc), func(t *testing.T) {
						q := RecordsQuery{Job: "shop", Item: "product", Sort: sort, Desc: desc, Limit: 7}
						want := slices.Clone(records)
						for _, f := range filters {
							q.Filters = append(q.Filters, f.FieldFilter)
							want = slices.DeleteFunc(want, func(r listed) bool { return !r.passes(f.FieldFilter, f.value) })
						}
						checkListing(t, db, q, want)
					})
				}
			}
		}
	}
}

func recordKeys(records []Record) []string {
	keys := []string{}
	for _, r := range records {
		keys = append(keys, r.Key)
	}
	return keys
}

// checkListing walks a listing in each way.
func checkListing(t *testing.T, db *DB, q RecordsQuery, want []listed) {
	t.Helper()
	ask := func(q RecordsQuery) *RecordsPage {
		t.Helper()
		page, err := db.RecordsPage(t.Context(), q)
		if err != nil {
			t.Fatal(err)
		}
		if !page.Exact || page.Total != int64(len(want)) {
			t.Fatalf("a total of %d, exact %v; want %d", page.Total, page.Exact, len(want))
		}
		return page
	}
	var pages [][]string
	next := q
	var last *RecordsPage
	for {
		last = ask(next)
		if (last.Previous == "") != (len(pages) == 0) {
			t.Fatalf("page %d: previous is %q", len(pages), last.Previous)
		}
		pages = append(pages, recordKeys(last.Records))
		if last.Next == "" {
			break
		}
		next.After = last.Next
	}
	got := slices.Concat(pages...)
	// In order, and the same set.
	value := func(key string) any {
		return want[slices.IndexFunc(want, func(r listed) bool { return r.key == key })].field(q.Sort)
	}
	wantKeys := []string{}
	for _, r := range want {
		wantKeys = append(wantKeys, r.key)
	}
	if diff := gocmp.Diff(slices.Sorted(slices.Values(wantKeys)), slices.Sorted(slices.Values(got))); diff != "" {
		t.Fatalf("keys (-want +got):\n%s", diff)
	}
	for i := range got[min(1, len(got)):] {
		if c := compareValues(value(got[i]), value(got[i+1])); c > 0 && !q.Desc || c < 0 && q.Desc {
			t.Fatalf("%v comes before %v", value(got[i]), value(got[i+1]))
		}
	}
	for i := range pages {
		numbered := q
		numbered.Page = i + 1
		if diff := gocmp.Diff(pages[i], recordKeys(ask(numbered).Records)); diff != "" {
			t.Fatalf("page %d by its number (-want +got):\n%s", i+1, diff)
		}
	}
	for i := len(pages) - 2; i >= 0; i-- {
		back := q
		back.Before = last.Previous
		last = ask(back)
		if diff := gocmp.Diff(pages[i], recordKeys(last.Records)); diff != "" || last.Next == "" {
			t.Fatalf("back to page %d, next %q (-want +got):\n%s", i+1, last.Next, diff)
		}
	}
	if last.Previous != "" {
		t.Fatal("there is a page before the first")
	}
}

func TestRecordsPageURL(t *testing.T) {
	db := openTest(t, filepath.Join(t.TempDir(), "magpie.db"))
	crawlSite(t, beginTest(t, db), 60, nil)
	page, err := db.RecordsPage(t.Context(), RecordsQuery{Job: "shop", Item: "product", Filters: []FieldFilter{{URLField, Equal, siteURL(2)}}})
	if err != nil || len(page.Records) != 1 || page.Records[0].Key != "sku-2" || page.Records[0].URL != siteURL(2) || page.Total != 1 {
		t.Errorf("%+v, %v", page, err)
	}
	page, err = db.RecordsPage(t.Context(), RecordsQuery{Job: "shop", Item: "product", Filters: []FieldFilter{{URLField, Contains, "/P/2"}, {"tags", Contains, "1"}}, Sort: URLField, Limit: 3})
	if err != nil || len(page.Records) != 3 || !slices.IsSortedFunc(page.Records, func(a, b Record) int { return cmp.Compare(a.URL, b.URL) }) {
		t.Errorf("%+v, %v", page, err)
	}
}

func TestRecordsPageFaults(t *testing.T) {
	db := openTest(t, filepath.Join(t.TempDir(), "magpie.db"))
	listedSample(t, db, indexedJob("price"))
	first, err := db.RecordsPage(t.Context(), RecordsQuery{Job: "shop", Item: "product", Limit: 5})
	if err != nil {
		t.Fatal(err)
	}
	filter := func(field string, op FilterOp, value string) RecordsQuery {
		return RecordsQuery{Filters: []FieldFilter{{field, op, value}}}
	}
	for name, c := range map[string]struct {
		q    RecordsQuery
		want string
	}{
		"an unknown field":        {filter(`price" OR 1=1 --`, Equal, "1"), "there is no such field"},
		"an unknown operator":     {filter("price", "= 1 OR 1", "1"), "no operator"},
		"no number":               {filter("price", Less, "cheap"), "not a number"},
		"no truth":                {filter("used", Equal, "maybe"), "neither true nor false"},
		"a NUL":                   {filter("name", Contains, "\x00"), "NUL"},
		"no time":                 {filter("seen", Less, "noon"), "not a time"},
		"no run":                  {filter(FirstRunField, Equal, "first"), "not the number of a run"},
		"a list compared":         {filter("tags", Equal, "t1"), "list or an object"},
		"an unknown order":        {RecordsQuery{Sort: "prize"}, "sort: prize"},
		"a page before the first": {RecordsQuery{Page: -1}, "numbered from 1"},
		"a page and a cursor":     {RecordsQuery{Page: 2, After: first.Next}, "only one of"},
		"a cursor of another":     {RecordsQuery{Sort: "price", After: first.Next}, "not one of this listing"},
		"a cursor turned round":   {RecordsQuery{Desc: true, After: first.Next}, "not one of this listing"},
		"no cursor":               {RecordsQuery{After: "'; DROP TABLE records"}, "not one of this listing"},
		"a broken cursor":         {RecordsQuery{After: first.Next[:len(first.Next)-3]}, "not one of this listing"},
	} {
		t.Run(name, func(t *testing.T) {
			c.q.Job, c.q.Item = "shop", "product"
			page, err := db.RecordsPage(t.Context(), c.q)
			if _, ok := errors.AsType[*QueryFault](err); !ok || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%+v, %v; want a fault with %q", page, err, c.want)
			}
		})
	}
	for name, q := range map[string]RecordsQuery{
		"job": {Job: "x", Item: "product"}, "item": {Job: "shop", Item: "x"},
		"run": {Job: "shop", Item: "product", Filters: []FieldFilter{{LastRunField, Equal, "9"}}},
	} {
		if _, err := db.RecordsPage(t.Context(), q); !errors.Is(err, ErrNotFound) {
			t.Errorf("an unknown %s: %v", name, err)
		}
	}
	if n := strings.TrimSpace(dumpSQL(t, db.Path(), `SELECT count(*) FROM records WHERE to_run IS NULL`)); n != "90" {
		t.Errorf("%s records are left", n)
	}
	// Values that are SQL, or wildcards of LIKE, are but values.
	for _, value := range []string{`' OR 1=1 --`, `%`, `_`, `\`} {
		page, err := db.RecordsPage(t.Context(), RecordsQuery{Job: "shop", Item: "product", Filters: []FieldFilter{{KeyField, Contains, value}}})
		if err != nil || len(page.Records) > 0 {
			t.Errorf("%q: %d records, %v", value, len(page.Records), err)
		}
	}
}

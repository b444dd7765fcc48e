package store

import (
	"context"
	"encoding/json"
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/magpie-crawl/magpie/crawl"
	"github.com/magpie-crawl/magpie/extract"
)

// The indexes of fields follow the job file, and what they hold the records.
func TestFieldIndexes(t *testing.T) {
	db := openTest(t, filepath.Join(t.TempDir(), "magpie.db"))
	names := func() string {
		return strings.Join(strings.Fields(dumpSQL(t, db.Path(), `SELECT name FROM sqlite_schema WHERE name GLOB 'magpie_field_[0-9]*' ORDER BY name`)), " ")
	}
	for _, c := range []struct {
		job  crawl.Job
		want string
	}{
		{indexedJob(), ""},
		{indexedJob("price", "name"), "magpie_field_1_name magpie_field_1_price"},
		{indexedJob("price", "tags"), "magpie_field_1_price"},
		{func() crawl.Job {
			job := indexedJob("price")
			job.Items.Items[0].Fields[1].As = extract.Number // compared otherwise from now on
			return job
		}(), "magpie_field_1_price"},
		{func() crawl.Job { job := indexedJob("price"); job.Items.Items[0].Name = "thing"; return job }(), "magpie_field_2_price"},
		{indexedJob("stock"), "magpie_field_1_stock"},
	} {
		run, err := db.Begin(t.Context(), c.job)
		if err != nil {
			t.Fatal(err)
		}
		run.Close()
		if got := names(); got != c.want {
			t.Errorf("indexes %q, want %q", got, c.want)
		}
	}
	// Whatever texts stand where times should: they are stored.
	job := indexedJob("seen")
	storeRecords(t, db, job, product("a", "A", extract.Member{Name: "seen", Value: "now"}), product("b", "B", extract.Member{Name: "seen", Value: "2026-11-21T10:00:00+02:00"}),
		product("c", "C", extract.Member{Name: "seen", Value: "99999999999"}), product("d", "D", extract.Member{Name: "seen", Value: []any{1}}))
	page, err := db.RecordsPage(t.Context(), RecordsQuery{Job: "shop", Item: "product", Filters: []FieldFilter{{"seen", Equal, "2026-11-21T08:00:00Z"}}})
	if err != nil || strings.Join(recordKeys(page.Records), " ") != "b" {
		t.Errorf("%v, %v", page, err)
	}
}

// Each query that is to be fast walks the index that makes it so, and sorts
// nothing.
func TestRecordsPagePlans(t *testing.T) {
	db := openTest(t, filepath.Join(t.TempDir(), "magpie.db"))
	listedSample(t, db, indexedJob("price", "name"))
	for name, c := range map[string]struct {
		q    RecordsQuery
		want string
	}{
		"all":                 {RecordsQuery{}, "SEARCH records USING INDEX magpie_records_current (item_id=?)"},
		"a key":               {RecordsQuery{Filters: []FieldFilter{{KeyField, Equal, "k1"}}}, "magpie_records_current (item_id=? AND key=?)"},
		"a URL":               {RecordsQuery{Filters: []FieldFilter{{URLField, Equal, "https://x.test/"}}, Sort: "price"}, "magpie_records_by_page (url_id=?)"},
		"a run":               {RecordsQuery{Filters: []FieldFilter{{FirstRunField, Equal, "2"}}}, "magpie_records_began (item_id=? AND from_run=?"},
		"a range":             {RecordsQuery{Filters: []FieldFilter{{"price", Less, "5"}}}, "magpie_field_1_price (<expr><?)"},
		"a value":             {RecordsQuery{Filters: []FieldFilter{{"name", Equal, "x"}}, Desc: true}, "magpie_field_1_name (<expr>=?"},
		"an order":            {RecordsQuery{Sort: "price", Desc: true}, "magpie_field_1_price"},
		"what has none":       {RecordsQuery{Filters: []FieldFilter{{"price", Empty, ""}}}, "magpie_field_1_price (<expr>=?)"},
		"few of another":      {RecordsQuery{Sort: KeyField, Filters: []FieldFilter{{"price", Equal, "6.5"}}}, "magpie_field_1_price (<expr>=?"},
		"what has no index":   {RecordsQuery{Filters: []FieldFilter{{"stock", Equal, "1"}}}, "magpie_records_began (item_id=?)"},
		"behind a place":      {RecordsQuery{Sort: "price"}, "magpie_field_1_price (<expr>=? AND rowid>?)"},
		"behind a place, key": {RecordsQuery{}, "magpie_records_current (item_id=? AND key=? AND rowid>?)"},
	} {
		t.Run(name, func(t *testing.T) {
			c.q.Job, c.q.Item = "shop", "product"
			if err := c.q.complete(); err != nil {
				t.Fatal(err)
			}
			tx, err := db.read.BeginTx(t.Context(), nil)
			if err != nil {
				t.Fatal(err)
			}
			defer tx.Rollback()
			l, err := newRecordsLook(t.Context(), db, tx, c.q)
			if err != nil {
				t.Fatal(err)
			}
			if err := l.chooseDriver(t.Context(), tx); err != nil {
				t.Fatal(err)
			}
			part := stretch{}
			if strings.HasPrefix(name, "behind") {
				part = stretches(l.order.expr, false, "1", 7)[0]
			}
			query, args := l.placesSQL(part, c.q.Desc)
			plan := planOf(t, tx, query, append(args, 50, 0))
			sorts := strings.Contains(plan, "TEMP B-TREE")
			if !strings.Contains(plan, c.want) || sorts != (name == "few of another" || name == "a URL") {
				t.Errorf("%s\n%s\nwant %s", query, plan, c.want)
			}
		})
	}
}

// slowRecords is a database with so many records that looking at each takes
// longer than a few milliseconds.
func slowRecords(t testing.TB, n int, index string) *DB {
	db := openTest(t, filepath.Join(t.TempDir(), "many.db"))
	run, err := db.Begin(t.Context(), indexedJob(index))
	if err != nil {
		t.Fatal(err)
	}
	run.Close()
	manyRecords(t, db, n)
	return db
}

// manyRecords writes n records of the item 1, without a crawl.
func manyRecords(t testing.TB, db *DB, n int) {
	t.Helper()
	_, err := db.writer.conn.ExecContext(t.Context(), `INSERT INTO records (item_id, key, hash, data, url_id, position, from_run, last_run)
		WITH RECURSIVE n (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < ? - 1)
		SELECT 1, printf('SKU-%08d', i * 7919 % 1000003), x'00', json_object('name', 'Product ' || i || ' of our catalogue, in its second edition',
			'price', json_object('amount', i * 7919 % 100000 / 100.0, 'currency', 'GBP'), 'stock', i % 9, 'used', json('false'), 'tags', json_array('a', i % 3)),
			(SELECT max(id) FROM urls), i, 1, 1 FROM n`, n)
	if err != nil {
		t.Fatal(err)
	}
}

func TestRecordsPageTooSlow(t *testing.T) {
	db := slowRecords(t, 60_000, "price")
	slow := RecordsQuery{Job: "shop", Item: "product", Within: time.Millisecond,
		Filters: []FieldFilter{{"name", Contains, "nowhere"}, {"price", Greater, "1"}, {"tags", Contains, "x"}}}
	_, err := db.RecordsPage(t.Context(), slow)
	e, ok := errors.AsType[*TooSlowError](err)
	if !ok || !errors.Is(err, ErrTooSlow) || !slices.Equal(e.Fields, []string{"name"}) || !strings.Contains(err.Error(), "index: [name]") {
		t.Errorf("%v, want to be told of the field name", err)
	}
	slow.Within, slow.Filters, slow.Sort = time.Minute, nil, "stock"
	ctx, cancel := context.WithTimeout(t.Context(), time.Millisecond)
	defer cancel()
	if _, err := db.RecordsPage(ctx, slow); !errors.Is(err, ErrTooSlow) {
		t.Errorf("at the caller's deadline: %v", err)
	}
	ctx, cancel = context.WithCancel(t.Context())
	time.AfterFunc(time.Millisecond, cancel)
	if _, err := db.RecordsPage(ctx, slow); !errors.Is(err, context.Canceled) || errors.Is(err, ErrTooSlow) {
		t.Errorf("when the caller went away: %v", err)
	}
	// Given time, the same is found.
	page, err := db.RecordsPage(t.Context(), slow)
	if err != nil || len(page.Records) != 50 || page.Total != 60_000 {
		t.Errorf("%v", err)
	}
	// Many that have to be looked at are counted up to a bound.
	page, err = db.RecordsPage(t.Context(), RecordsQuery{Job: "shop", Item: "product", Filters: []FieldFilter{{"stock", AtLeast, "0"}}, Page: 300, Within: time.Minute})
	if err != nil || page.Exact || page.Total < 15_000 {
		t.Errorf("%+v, %v", page, err)
	}
	var stock struct{ Stock int }
	if err := json.Unmarshal(page.Records[0].Data, &stock); err != nil {
		t.Error(err)
	}
}

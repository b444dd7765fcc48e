package store

import (
	"path/filepath"
	"testing"

	"github.com/magpie-crawl/magpie/extract"
)

// viewColumns are the names of a view's columns, each on a line.
const viewColumns = `SELECT group_concat(name, ' ') FROM pragma_table_info('product')`

func TestViews(t *testing.T) {
	const meta = " _job _key _url _position _first_run _last_run\n"
	same := func(t *testing.T, db *DB, query, want string) {
		t.Helper()
		if got := dumpSQL(t, db.Path(), query); got != want {
			t.Errorf("%s\n= %q\nwant %q", query, got, want)
		}
	}
	t.Run("columns and values", func(t *testing.T) {
		db := exportSample(t)
		same(t, db, viewColumns, "name price_amount price_currency stock tags"+meta)
		same(t, db, `SELECT name, price_amount, typeof(price_amount), price_currency, stock + 1, tags, _job, _key, _url, _position, _first_run, _last_run
			FROM product WHERE _key != 'k1' ORDER BY _key`,
			"=1+1|NULL|null|NULL|-2|NULL|shop|k2|https://shop.test/p/0|0|1|1\n"+
				"plain|-1|real|EUR|NULL|NULL|shop|k3|https://shop.test/p/0|2|1|1\n")
		same(t, db, `SELECT price_amount, tags FROM product WHERE _key = 'k1'`, "12.5|[\"x\",\"-y\"]\n")
	})
	t.Run("a changed spec makes the view anew", func(t *testing.T) {
		db := exportSample(t)
		job := testJob
		job.Items = extract.Spec{Items: []extract.Item{{Name: "product", Fields: []extract.Field{{Name: "name"}, {Name: "brand"}}}}}
		storeRecords(t, db, job, product("k1", "new", extract.Member{Name: "brand", Value: "Acme"}))
		same(t, db, viewColumns, "name brand"+meta)
		same(t, db, `SELECT name, brand, _first_run, _last_run FROM product ORDER BY _key`,
			"new|Acme|2|2\n")
	})
	t.Run("two jobs with the same item", func(t *testing.T) {
		db := exportSample(t)
		job := testJob
		job.Name = "other"
		job.Items = extract.Spec{Items: []extract.Item{{Name: "product", Fields: []extract.Field{{Name: "brand"}, {Name: "name"}}}}}
		storeRecords(t, db, job, product("k1", "theirs", extract.Member{Name: "brand", Value: "Acme"}))
		same(t, db, viewColumns, "name price_amount price_currency stock tags brand"+meta)
		same(t, db, `SELECT _job, name, brand, stock FROM product WHERE _key = 'k1' AND _job = 'other'`, "other|theirs|Acme|NULL\n")
		same(t, db, `SELECT count(*) FROM product`, "4\n")
	})
	t.Run("a user's table of the item's name is left alone", func(t *testing.T) {
		db := openTest(t, filepath.Join(t.TempDir(), "magpie.db"))
		execSQL(t, db.Path(), `CREATE TABLE product (mine)`)
		if _, err := db.Begin(t.Context(), testJob); err == nil {
			t.Error("Begin succeeded")
		}
		same(t, db, viewColumns, "mine\n")
	})
}

// A record's versions over runs: new, unchanged, changed, and gone.
func TestHistory(t *testing.T) {
	db := openTest(t, filepath.Join(t.TempDir(), "magpie.db"))
	storeRecords(t, db, testJob, product("a", "A"), product("b", "B"), product("c", "C"))
	storeRecords(t, db, testJob, product("a", "A"), product("b", "B2"))
	storeRecords(t, db, testJob, product("a", "A"), product("b", "B"), product("d", "D"))
	for _, c := range []struct{ name, query, want string }{
		{"counters", `SELECT number, new, changed, unchanged FROM runs ORDER BY number`, "1|3|0|0\n2|0|1|1\n3|1|1|1\n"},
		{"versions", `SELECT key, data ->> 'name', from_run, last_run, to_run FROM records ORDER BY key, from_run`,
			"a|A|1|3|NULL\nb|B|1|1|2\nb|B2|2|2|3\nb|B|3|3|NULL\nc|C|1|1|2\nd|D|3|3|NULL\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := dumpSQL(t, db.Path(), c.query); got != c.want {
				t.Errorf("got\n%swant\n%s", got, c.want)
			}
		})
	}
}

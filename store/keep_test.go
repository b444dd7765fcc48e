package store

import (
	"errors"
	"fmt"
	"path/filepath"
	"testing"

	"github.com/magpie-crawl/magpie/crawl"
)

// versions are bodies of three pages of which a changes in each run, b never
// does, and c is in every second run what a is.
func versions(run int) map[string][]byte {
	page := func(name string, version int) []byte {
		return fmt.Appendf(nil, "<title>%s %d</title>%s", name, version, noise(3000+100*version))
	}
	m := map[string][]byte{"a": page("a", run), "b": page("b", 0), "c": page("c", run)}
	if run%2 == 0 {
		m["c"] = m["a"]
	}
	return m
}

func crawlVersions(t *testing.T, db *DB, job string, keep crawl.Keep, from, to int) {
	t.Helper()
	for run := from; run <= to; run++ {
		storeBodies(t, db, crawl.Job{Name: job, Keep: keep}, versions(run))
	}
}

func trim(t *testing.T, db *DB, job string) Trimmed {
	t.Helper()
	list, err := db.Trim(t.Context(), job)
	if err != nil || len(list) != 1 {
		t.Fatalf("Trim = %+v, %v", list, err)
	}
	return list[0]
}

// kept tells which bodies of a job's runs can be read.
func kept(t *testing.T, db *DB, job string, runs int) (list string) {
	t.Helper()
	for run := 1; run <= runs; run++ {
		for _, name := range []string{"a", "b", "c"} {
			p, err := db.Page(t.Context(), job, "https://site.test/"+name, run)
			if err != nil {
				t.Fatal(err)
			}
			got, err := db.Body(t.Context(), p.Response)
			switch {
			case errors.Is(err, ErrNotKept) && len(p.Response.SHA256) == 32 && p.Response.Size > 0:
			case err != nil || string(got) != string(versions(run)[name]):
				t.Fatalf("%s of run %d: %d bytes, %v", name, run, len(got), err)
			default:
				list += fmt.Sprint(name, run, " ")
			}
		}
	}
	return list
}

func TestKeep(t *testing.T) {
	open := func(t *testing.T) *DB { return openTest(t, filepath.Join(t.TempDir(), "magpie.db")) }
	want := func(t *testing.T, db *DB, runs int, list string) {
		t.Helper()
		if got := kept(t, db, "shop", runs); got != list {
			t.Errorf("kept %s, want %s", got, list)
		}
		checkInvariants(t, db.path)
		if faults := verify(t, db); len(faults) > 0 {
			t.Errorf("faults: %q", faults)
		}
	}
	last, none := crawl.Keep{Bodies: crawl.KeepLast}, crawl.Keep{Bodies: crawl.KeepNone}

	t.Run("all", func(t *testing.T) {
		db := open(t)
		crawlVersions(t, db, "shop", crawl.Keep{}, 1, 3)
		if r := trim(t, db, "shop"); r.Bodies != 0 {
			t.Errorf("dropped %d", r.Bodies)
		}
		want(t, db, 3, "a1 b1 c1 a2 b2 c2 a3 b3 c3 ")
	})
	t.Run("last, after each run", func(t *testing.T) {
		db := open(t)
		crawlVersions(t, db, "shop", last, 1, 1)
		if r := trim(t, db, "shop"); r.Bodies != 0 {
			t.Errorf("dropped %d", r.Bodies)
		}
		crawlVersions(t, db, "shop", last, 2, 2)
		if r := trim(t, db, "shop"); r.Bodies != 2 || r.Bytes < 6000 {
			t.Errorf("dropped %+v", r)
		}
		want(t, db, 2, "b1 a2 b2 c2 ")
	})
	t.Run("last, from now on", func(t *testing.T) {
		db := open(t)
		crawlVersions(t, db, "shop", crawl.Keep{}, 1, 3)
		trim(t, db, "shop")
		crawlVersions(t, db, "shop", last, 4, 4)
		if r := trim(t, db, "shop"); r.Bodies != 5 {
			t.Errorf("dropped %+v", r)
		}
		want(t, db, 4, "b1 b2 b3 a4 b4 c4 ")
	})
	t.Run("last, an error page does not take the place of the last good one", func(t *testing.T) {
		db := open(t)
		crawlVersions(t, db, "shop", last, 1, 1)
		execSQL(t, db.path, `INSERT INTO runs (job_id, number, state, source, started_at) VALUES (1, 2, 'finished', '', 0)`,
			`INSERT INTO bodies (hash, size, codec, data) VALUES (zeroblob(32), 0, 'none', x'')`,
			`UPDATE urls SET run_id = 2, state = 'failed'`,
			`INSERT INTO pages (run_id, url_id, state, fetched_at, duration_us, status, headers, content_type, truncated, size, body_id)
				SELECT 2, id, 'failed', 0, 0, 404, '{}', '', 0, 0, last_insert_rowid() FROM urls`)
		if r := trim(t, db, "shop"); r.Bodies != 0 {
			t.Errorf("dropped %+v", r)
		}
	})
	t.Run("what another job keeps", func(t *testing.T) {
		db := open(t)
		crawlVersions(t, db, "archive", crawl.Keep{}, 1, 1)
		crawlVersions(t, db, "shop", last, 1, 3)
		if r := trim(t, db, "shop"); r.Bodies != 1 { // a and c of run 2
			t.Errorf("dropped %+v", r)
		}
		want(t, db, 3, "a1 b1 c1 b2 a3 b3 c3 ")
	})
	t.Run("none", func(t *testing.T) {
		db := open(t)
		crawlVersions(t, db, "shop", none, 1, 2)
		want(t, db, 2, "")
		if s := sizes(t, db).Bodies; s.Count != 0 || s.Stored != 0 || s.Dropped != 4 {
			t.Errorf("sizes: %+v", s)
		}
	})
	t.Run("none, from now on", func(t *testing.T) {
		db := open(t)
		crawlVersions(t, db, "shop", crawl.Keep{}, 1, 2)
		crawlVersions(t, db, "shop", none, 3, 3)
		trim(t, db, "shop")
		want(t, db, 3, "")
		if n := dumpSQL(t, db.path, `SELECT count(*) FROM magpie_revisits WHERE etag IS NOT NULL`); n != "0\n" {
			t.Errorf("%s pages can be answered with 304 though their bodies are gone", n)
		}
	})
	t.Run("content that was dropped and comes back", func(t *testing.T) {
		db := open(t)
		crawlVersions(t, db, "shop", none, 1, 1)
		crawlVersions(t, db, "shop", crawl.Keep{}, 1, 1)
		if got := kept(t, db, "shop", 1); got != "a1 b1 c1 " {
			t.Errorf("kept %s", got)
		}
	})
	t.Run("a budget", func(t *testing.T) {
		db := open(t)
		crawlVersions(t, db, "shop", crawl.Keep{}, 1, 3)
		total := sizes(t, db).Bodies.Stored
		crawlVersions(t, db, "shop", crawl.Keep{Budget: total - 3000}, 3, 3) // nothing new
		r := trim(t, db, "shop")
		if r.Bodies != 1 || r.Over() != 0 || r.Stored > total-3000 {
			t.Errorf("dropped %+v", r)
		}
		want(t, db, 3, "b1 c1 a2 b2 c2 a3 b3 c3 ")
	})
	t.Run("a budget that the last bodies exceed", func(t *testing.T) {
		db := open(t)
		crawlVersions(t, db, "shop", crawl.Keep{Budget: 5000}, 1, 3)
		if r := trim(t, db, "shop"); r.Bodies != 3 || r.Over() < 1000 {
			t.Errorf("dropped %+v, over by %d", r, r.Over())
		}
		want(t, db, 3, "b1 b2 a3 b3 c3 ")
	})
	t.Run("many pages in small steps", func(t *testing.T) {
		db := open(t)
		for run := range 2 {
			bodies := map[string][]byte{}
			for i := range 3*trimPages + 7 {
				bodies[fmt.Sprint(i)] = fmt.Appendf(nil, "%d of run %d", i, run)
			}
			storeBodies(t, db, crawl.Job{Name: "shop", Keep: last}, bodies)
		}
		if r := trim(t, db, "shop"); r.Bodies != 3*trimPages+7 {
			t.Errorf("dropped %+v", r)
		}
		if r := trim(t, db, "shop"); r.Bodies != 0 {
			t.Errorf("then dropped %+v", r)
		}
	})
}

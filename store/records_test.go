package store

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/magpie-crawl/magpie/crawl"
	"github.com/magpie-crawl/magpie/extract"
)

// claims are pages that claim one key, by run.
var claims = [][]string{
	{"One", "One", "Two", "Three", "Two"},
	{"Three", "One", "Two", "Three", "One"},
	{"Two", "Two", "Two", "Two", "Two"},
	{"Two", "One", "Two", "Four", "Four"},
}

// crawlClaims crawls the pages of claims, run by run, in an order that random
// makes; nil: in their own. committed is called after each page, and ended after
// each run.
func crawlClaims(t *testing.T, db *DB, random *rand.Rand, committed, ended func()) {
	t.Helper()
	job := testJob
	for i := range claims[0] {
		job.Seeds = append(job.Seeds[:len(job.Seeds):len(job.Seeds)], siteLink(i+1, 0))
	}
	for _, titles := range claims {
		run, err := db.Begin(t.Context(), job)
		if err != nil {
			t.Fatal(err)
		}
		due, _, err := run.Window(t.Context(), "shop.test", time.Now(), 100, nil)
		if err != nil {
			t.Fatal(err)
		}
		if random != nil {
			random.Shuffle(len(due), func(i, j int) { due[i], due[j] = due[j], due[i] })
		}
		for _, q := range due {
			if _, err := run.Commit(t.Context(), []*crawl.Visit{claimVisit(q, titles)}); err != nil {
				t.Fatal(err)
			}
			committed()
		}
		if err := errors.Join(run.Finish(t.Context(), ""), run.Close()); err != nil {
			t.Fatal(err)
		}
		ended()
	}
}

// claimVisit is a visit of one of the pages that have these titles.
func claimVisit(q crawl.Request, titles []string) *crawl.Visit {
	v := &crawl.Visit{Request: q, State: crawl.Done, Page: &crawl.Page{FetchedAt: time.UnixMilli(1)}}
	for i, title := range titles {
		if q.URL == siteURL(i+1) {
			v.Records = []extract.Record{product("shared", title), product("twice", title), product("twice", title+" more")}
			for j := range v.Records {
				v.Records[j].Item, v.Records[j].Position = "product", j
			}
		}
	}
	return v
}

// Whatever the order in which a run's pages are committed, the tables come to
// say the same.
func TestOrderOfPages(t *testing.T) {
	crawled := func(random *rand.Rand) string {
		path := filepath.Join(t.TempDir(), "magpie.db")
		crawlClaims(t, openTest(t, path), random, func() {}, func() { checkInvariants(t, path) })
		// Which page showed a version that is no more does not say anything.
		execSQL(t, path, `UPDATE records SET url_id = 1, position = 0 WHERE to_run IS NOT NULL`)
		return outcome(t, path)
	}
	random := rand.New(rand.NewPCG(7, 7))
	want := crawled(nil)
	orders := 25
	if testing.Short() {
		orders = 8
	}
	for range orders {
		if diff := cmp.Diff(want, crawled(random)); diff != "" {
			t.Fatalf("another order (-in order +shuffled):\n%s", diff)
		}
	}
}

// So they do where a re-extraction gave the record another version while the
// run was interrupted.
func TestOrderOfPagesAfterReextraction(t *testing.T) {
	before := thingsIn("p")
	after := thingsIn("p")
	after.Items[0].Fields = append(after.Items[0].Fields, extract.Field{Name: "text", CSS: "i"})
	crawlClaims := func(t *testing.T, texts [3]string, order []int) string {
		path := filepath.Join(t.TempDir(), "magpie.db")
		db := openTest(t, path)
		crawlBodies(t, db, 3, before, func(i int) []byte {
			return fmt.Appendf(nil, "<!DOCTYPE html><title>%d</title><div class=p><b>%d</b><i>old</i></div>", i, i/2*2) // 0, 0 and 2
		})
		job := crawl.Job{Name: "shop", Items: before, Seeds: []crawl.Link{siteLink(0, 0), siteLink(1, 0), siteLink(2, 0)}}
		begin := func() crawl.Run {
			run, err := db.Begin(t.Context(), job)
			if err != nil {
				t.Fatal(err)
			}
			return run
		}
		begin().Close()
		if _, err := reextractTest(t, db, after, nil); err != nil {
			t.Fatal(err)
		}
		job.Items = after
		run := begin()
		due, _, err := run.Window(t.Context(), "shop.test", time.Now(), 3, nil)
		if err != nil || len(due) != 3 {
			t.Fatalf("Window = %v, %v", due, err)
		}
		for _, i := range order {
			v := bodyVisit(t, due[i], rereadCrawler(t, after), func(i int) []byte {
				return fmt.Appendf(nil, "<!DOCTYPE html><title>%d</title><div class=p><b>0</b><i>%s</i></div>", i, texts[i])
			})
			if _, err := run.Commit(t.Context(), []*crawl.Visit{v}); err != nil {
				t.Fatal(err)
			}
		}
		n := run.Info().Counters
		if got := n.New + n.Changed + n.Unchanged; got != 1 {
			t.Errorf("%d records are counted, want 1", got)
		}
		return dumpSQL(t, path, `SELECT r.key, r.data, u.url, r.position, r.from_run, r.last_run, r.to_run FROM records r JOIN urls u ON u.id = r.url_id ORDER BY r.id`) +
			dumpSQL(t, path, `SELECT x.run_id, x.key, u.url, x.detail FROM problems x JOIN urls u ON u.id = x.url_id ORDER BY x.id`)
	}
	for name, texts := range map[string][3]string{
		"as before": {"old", "old", "old"}, "another": {"new", "new", "new"}, "one as before": {"new", "old", "new"}, "three": {"c", "b", "a"},
	} {
		t.Run(name, func(t *testing.T) {
			want := crawlClaims(t, texts, []int{0, 1, 2})
			for _, order := range [][]int{{2, 1, 0}, {1, 2, 0}, {1, 0, 2}} {
				if diff := cmp.Diff(want, crawlClaims(t, texts, order)); diff != "" {
					t.Errorf("in the order %v (-in order +got):\n%s", order, diff)
				}
			}
		})
	}
}

func TestDuplicateNamesTheOther(t *testing.T) {
	db := openTest(t, filepath.Join(t.TempDir(), "magpie.db"))
	storeRecords(t, db, testJob, product("k", "One"), product("k", "Two"))
	var got []Problem
	for p, err := range db.Problems(t.Context(), ProblemFilter{}) {
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, p)
	}
	want := []Problem{{Job: "shop", Run: 1, Item: "product", Key: "k", URL: siteURL(0), Code: ProblemDuplicate,
		Detail: "the same key with other data on " + siteURL(0)}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("problems (-want +got):\n%s", diff)
	}
}

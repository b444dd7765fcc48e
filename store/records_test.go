package store

import (
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

// Whatever the order in which a run's pages are committed, the tables come to
// say the same.
func TestOrderOfPages(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 7))
	crawlClaims := func(shuffle bool) string {
		path := filepath.Join(t.TempDir(), "magpie.db")
		db := openTest(t, path)
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
			if shuffle {
				random.Shuffle(len(due), func(i, j int) { due[i], due[j] = due[j], due[i] })
			}
			for _, q := range due {
				v := &crawl.Visit{Request: q, State: crawl.Done, Page: &crawl.Page{FetchedAt: time.UnixMilli(1)}}
				for i, title := range titles {
					if q.URL == siteURL(i+1) {
						v.Records = []extract.Record{product("shared", title), product("twice", title), product("twice", title+"!")}
						for j := range v.Records {
							v.Records[j].Item, v.Records[j].Position = "product", j
						}
					}
				}
				if _, err := run.Commit(t.Context(), []*crawl.Visit{v}); err != nil {
					t.Fatal(err)
				}
			}
			if err := run.Finish(t.Context(), ""); err != nil {
				t.Fatal(err)
			}
			run.Close()
			checkInvariants(t, path)
		}
		// Which page showed a version that is no more does not say anything.
		execSQL(t, path, `UPDATE records SET url_id = 1, position = 0 WHERE to_run IS NOT NULL`)
		return outcome(t, path)
	}
	want := crawlClaims(false)
	orders := 25
	if testing.Short() {
		orders = 8
	}
	for range orders {
		if diff := cmp.Diff(want, crawlClaims(true)); diff != "" {
			t.Fatalf("another order (-in order +shuffled):\n%s", diff)
		}
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

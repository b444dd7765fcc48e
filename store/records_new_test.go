package store

import (
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/magpie-crawl/magpie/crawl"
	"github.com/magpie-crawl/magpie/extract"
)

// TestNewRecords stores records that one statement takes together as it stores
// them one by one, which is what those of changing item types come to: also
// where keys are claimed again and again, by the same page and by others.
func TestNewRecords(t *testing.T) {
	for _, keys := range []int{10_000, 300, 60, 5} {
		t.Run(fmt.Sprintf("%d keys", keys), func(t *testing.T) {
			together, one := newPages(t, keys, false), newPages(t, keys, true)
			if diff := cmp.Diff(one, together); diff != "" {
				t.Errorf("one by one and together (-one +together):\n%s", diff)
			}
			if records := strings.Count(together, "record "); records == 0 || records > keys {
				t.Errorf("%d records of %d keys:\n%s", records, keys, together)
			}
		})
	}
}

// newPages commits pages with products of so many keys, each product alone
// among records of another item type if apart, and returns what is then there
// of products.
func newPages(t *testing.T, keys int, apart bool) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "magpie.db")
	db := openTest(t, path)
	job := testJob
	job.Seeds = nil
	for i := range 6 {
		job.Seeds = append(job.Seeds, siteLink(i+1, 0))
	}
	run, err := db.Begin(t.Context(), job)
	if err != nil {
		t.Fatal(err)
	}
	defer run.Close()
	due, _, err := run.Window(t.Context(), "shop.test", time.Now(), 100, nil)
	if err != nil || len(due) != 6 {
		t.Fatal(len(due), err)
	}
	random := rand.New(rand.NewPCG(1, uint64(keys)))
	var others int64
	for _, q := range due {
		v := &crawl.Visit{Request: q, State: crawl.Done, Page: &crawl.Page{FetchedAt: time.UnixMilli(1)}}
		for i := range 3*newTogether + 5 {
			r := product(fmt.Sprint("key ", random.IntN(keys)), fmt.Sprint("title ", random.IntN(3)))
			r.Item, r.Position = "product", i
			if random.IntN(9) == 0 {
				r.Problems = []extract.Problem{{Field: "title", Code: extract.ProblemType, Detail: "odd"}}
			}
			v.Records = append(v.Records, r)
			if apart {
				others++
				v.Records = append(v.Records, extract.Record{Item: "other", Key: fmt.Sprint("other ", others), Position: i})
			}
		}
		if _, err := run.Commit(t.Context(), []*crawl.Visit{v}); err != nil {
			t.Fatal(err)
		}
	}
	checkInvariants(t, path)
	c := run.Info().Counters
	text := fmt.Sprintf("%d new, %d changed, %d unchanged, %d problems\n", c.New-others, c.Changed, c.Unchanged, c.Problems)
	return text + dumpSQL(t, path, `
		SELECT 'record ' || r.key || ': ' || r.data || ' of ' || u.url || ' at ' || r.position
		FROM records r JOIN items i ON i.id = r.item_id JOIN urls u ON u.id = r.url_id WHERE i.name = 'product'
		UNION ALL
		SELECT 'problem ' || p.key || ': ' || p.code || ' ' || p.detail || ' on ' || u.url || ' at ' || p.position
		FROM problems p JOIN urls u ON u.id = p.url_id ORDER BY 1`)
}

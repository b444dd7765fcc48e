package crawl_test

import (
	"strings"
	"testing"
	"time"

	"github.com/magpie-crawl/magpie/crawl"
)

// Each limit ends a run for its own reason, with URLs left, and each run goes
// on where it was until everything was visited.
func TestLimits(t *testing.T) {
	const n = 41
	for reason, limit := range map[string]crawl.Limits{
		crawl.LimitPages:    {Pages: 9},
		crawl.LimitBytes:    {Bytes: 1000},
		crawl.LimitRecords:  {Records: 7},
		crawl.LimitDuration: {Duration: time.Millisecond},
	} {
		t.Run(reason, func(t *testing.T) {
			t.Parallel()
			s, db := chain(t, n), openStore(t)
			o := quick(t, s, func(o *crawl.Options) {
				o.Limits = limit
				o.Politeness.PerHost = 1
			})
			sum := run(t, db, o)
			if !sum.Finished || sum.Reason != reason {
				t.Fatalf("finished %v, reason %q, want true, %q", sum.Finished, sum.Reason, reason)
			}
			r, err := db.Run(t.Context(), "test", 0)
			if err != nil || r.Reason != reason || r.Pending == 0 {
				t.Errorf("the run in the store: %+v, %v", r, err)
			}
			c := sum.Run.Counters
			for what, over := range map[string]bool{
				"pages":   reason == crawl.LimitPages && c.Pages != 9,
				"bytes":   reason == crawl.LimitBytes && (c.Bytes < 1000 || c.Bytes > 1400),
				"records": reason == crawl.LimitRecords && (c.Records() < 7 || c.Records() > 10),
			} {
				if over {
					t.Errorf("the limit of %s was not kept: %+v", what, c)
				}
			}
			for rounds := 0; sum.Reason != ""; rounds++ {
				if rounds > 2*n {
					t.Fatal("it does not come to an end")
				}
				if rounds > n/2 { // a millisecond may be too short for a page
					o.Limits.Duration = 0
				}
				sum = continueCrawl(t, db, o)
			}
			if sum.Run.Number != 1 || sum.Run.Counters.Pages != n {
				t.Errorf("run %d with %d pages, want run 1 with %d", sum.Run.Number, sum.Run.Counters.Pages, n)
			}
			for path, hits := range s.hits {
				if hits != 1 && !strings.HasSuffix(path, "robots.txt") {
					t.Errorf("%s was requested %d times", path, hits)
				}
			}
		})
	}
}

// continueCrawl goes on beyond a limit.
func continueCrawl(t *testing.T, db crawl.Store, o crawl.Options) *crawl.Summary {
	t.Helper()
	c, err := crawl.New(o)
	if err != nil {
		t.Fatal(err)
	}
	sum, err := c.Crawl(t.Context(), db, crawl.Job{Name: "test", Continue: true})
	if err != nil {
		t.Fatal(err)
	}
	return sum
}

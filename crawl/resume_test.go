package crawl_test

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/magpie-crawl/magpie/crawl"
)

// chain is a site of n pages, each linking to the next ones.
func chain(t *testing.T, n int) *site {
	s := newSite(t)
	for i := range n {
		path := "/"
		if i > 0 {
			path = fmt.Sprintf("/%d", i)
		}
		s.page(path, fmt.Sprintf("/%d", i*2+1), fmt.Sprintf("/%d", i*2+2))
		if 2*i+2 >= n {
			s.page(path)
		}
	}
	return s
}

func TestStoppedCrawlIsResumed(t *testing.T) {
	const n = 201
	stops := map[string]func(c *crawl.Crawler, cancel func()){
		"softly":     func(c *crawl.Crawler, _ func()) { c.Stop() },
		"by context": func(_ *crawl.Crawler, cancel func()) { cancel() },
	}
	for name, stop := range stops {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, db := chain(t, n), openStore(t)
			var sum *crawl.Summary
			rounds := 0
			for sum == nil || !sum.Finished {
				ctx, cancel := context.WithCancel(t.Context())
				visits := 0
				var c *crawl.Crawler
				c, err := crawl.New(quick(t, s, func(o *crawl.Options) {
					o.OnVisit = func(*crawl.Visit) {
						if visits++; visits == 40 {
							stop(c, cancel)
						}
					}
				}))
				if err != nil {
					t.Fatal(err)
				}
				sum, err = c.Crawl(ctx, db, crawl.Job{Name: "test"})
				cancel()
				if err != nil && !errors.Is(err, context.Canceled) {
					t.Fatal(err)
				}
				if rounds++; rounds > n {
					t.Fatal("the crawl does not come to an end")
				}
			}
			if rounds < 3 {
				t.Errorf("the crawl was stopped %d times, want more", rounds-1)
			}
			if c := sum.Run.Counters; sum.Run.Number != 1 || c.Pages != n || c.New != n || c.Failed != 0 {
				t.Errorf("run %d: %+v, want run 1 with %d pages and as many new records", sum.Run.Number, c, n)
			}
		})
	}
}
